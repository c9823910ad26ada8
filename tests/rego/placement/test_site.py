"""A site's own rules in Rego beside the bundle: they fold in, and contradict each other only in `errors`."""

import json
import tarfile

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.policy.bundle.opa import evaluate_opa

pytestmark = pytest.mark.opa

_PAYMENTS = """package site.placement.payments
annotations["team"] contains "payments" if input.metadata.labels.app == "nginx-eu"
clusters contains "gce-europe-west1"
"""
_EVERYBODY = """package site.placement
annotations["team"] contains "everybody"
"""


def _placement(opa, bundle, seed, directory, policies):
    tree = directory / "tree"
    with tarfile.open(bundle.path) as packed:
        packed.extractall(tree, filter="data", members=[m for m in packed if not m.name.endswith(".signatures.json")])
    data = directory / "data.json"
    data.write_text(json.dumps({"kubernetes": {"clusters": seed["clusters"]}}), encoding="utf-8")
    arguments = ["--bundle", str(tree), "--data", str(data)]
    for i, policy in enumerate(policies):
        path = directory / f"site-{i}.rego"
        path.write_text(policy, encoding="utf-8")
        arguments += ["--data", str(path)]
    arguments.append("data.io.k8s.federation.admission")
    return evaluate_opa(opa, *arguments, stdin=json.dumps(seed["query"]["input"]))


def test_a_site_narrows_and_adds(opa_binary, shipped_bundle, seed, tmp_path):
    """Its clusters and its annotation are part of the answer."""
    answer = _placement(opa_binary, shipped_bundle, seed, tmp_path, [_PAYMENTS])

    assert {
        "annotations": {
            "federation.kubernetes.io/replica-set-preferences": {
                "clusters": {"gce-europe-west1": {"weight": 1}},
                "rebalance": True,
            },
            "team": "payments",
        }
    } == answer


def test_the_example_of_the_design(opa_binary, shipped_bundle, seed, tmp_path):
    """As the page rewrites it: a cluster that policy does not allow is the design's error, and the rest is written."""
    page = (CHECKOUT / "docs" / "reference" / "placement.md").read_text(encoding="utf-8")
    policy = page.partition("### The design's own example")[2].partition("```rego\n")[2].partition("```")[0]
    name, said = "federation.kubernetes.io/replica-set-preferences", "requested replica-set-preferences includes"
    for denied, wanted in enumerate((["gce-europe-west1"], ["gce-europe-west1", "gce-us-central1"])):
        (directory := tmp_path / str(denied)).mkdir()
        asking = json.loads(json.dumps(seed))
        preferences = json.dumps({"clusters": {cluster: {} for cluster in wanted}})
        asking["query"]["input"]["metadata"]["annotations"] = {name: preferences}
        answer = _placement(opa_binary, shipped_bundle, asking, directory, [policy])
        assert bool(denied) is any(error.startswith(said) for error in answer.get("errors", []))
        assert ["gce-europe-west1"] == list(answer["annotations"][name]["clusters"])


def test_rules_that_contradict_each_other_are_an_error_and_no_failure(opa_binary, shipped_bundle, seed, tmp_path):
    """The annotation that two rules set differently is named, and is not set."""
    answer = _placement(opa_binary, shipped_bundle, seed, tmp_path, [_PAYMENTS, _EVERYBODY])

    assert ['annotation team: rules set it differently, to "everybody" and to "payments"'] == answer["errors"]
    assert "team" not in answer["annotations"]


def test_one_package_that_contradicts_itself(opa_binary, shipped_bundle, seed, tmp_path):
    """As above within one package."""
    policy = 'package site.placement\nannotations["a"] contains "1"\nannotations["a"] contains "2"\n'
    answer = _placement(opa_binary, shipped_bundle, seed, tmp_path, [policy])

    assert ['annotation a: rules set it differently, to "1" and to "2"'] == answer["errors"]
