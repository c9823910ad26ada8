"""`warden place`: the design's example from files, by every way to print it, and what is denied or cannot be read."""

import json

import pytest
import yaml

from tests.fixtures.checkout import CHECKOUT
from warden.commands import main
from warden.commands.place import TARGETS
from warden.policy.opa.client import OpaClient

pytestmark = pytest.mark.opa

SEED = CHECKOUT / "tests/rego/placement/seed"
PREFERENCES = "federation.kubernetes.io/replica-set-preferences"
PLACED = '{"clusters":{"gce-europe-west1":{"weight":1},"gce-europe-west2":{"weight":1}},"rebalance":true}'


@pytest.fixture
def thing():
    """The object of the design's example."""
    return json.loads((SEED / "query.json").read_bytes())["input"]


@pytest.fixture
def place(tmp_path, capsys, monkeypatch, replicated_client):
    """Runs the command about objects, with an OPA that has the design's clusters; returns status, stdout and stderr."""
    monkeypatch.setenv("WARDEN_OPA_URL", replicated_client.url)
    monkeypatch.setenv("WARDEN_OPA_QUERY_TOKEN", replicated_client.tokens.query)

    def run(things, *options):
        path = tmp_path / "things.yaml"
        path.write_text(yaml.safe_dump_all(things), encoding="utf-8")
        with pytest.raises(SystemExit) as ended:
            main(["place", str(path), *options])
        captured = capsys.readouterr()
        return ended.value.code, captured.out, captured.err

    return run


@pytest.fixture(scope="module")
def replicated_client(replicated_opa):
    """An OPA with the clusters of the design's example."""
    clusters = json.loads((SEED / "clusters.json").read_bytes())
    with OpaClient(replicated_opa.url, token=replicated_opa.tokens.replicator) as client:
        client.put_data(["kubernetes"], {"clusters": clusters})
        yield replicated_opa
        client.put_data(["kubernetes"], {})


def test_where_and_why(place, thing):
    """One line of where, then the reasons; a list is taken apart."""
    status, out, _ = place([{"apiVersion": "v1", "kind": "List", "items": [thing]}])

    assert 0 == status
    lines = out.splitlines()
    assert "allowed ReplicaSet default/nginx-eu: gce-europe-west1, gce-europe-west2" == lines[0]
    assert "  demanded: policy.federation.alpha.kubernetes.io/pci-compliance-level=2" in lines


def test_denied(place, thing):
    """Status 1 with the design's sentence; what is allowed besides is shown too."""
    other = json.loads(json.dumps(thing))
    other["metadata"]["annotations"][PREFERENCES] = json.dumps({"clusters": {"gce-us-central1": {}}})

    status, out, _ = place([thing, other])

    assert 1 == status
    assert "allowed ReplicaSet default/nginx-eu: gce-europe-west1, gce-europe-west2" in out
    assert "requested replica-set-preferences includes invalid clusters" in out


def test_as_json(place, thing):
    """The decision of `io/k8s/federation/placement`, with file and object."""
    status, out, _ = place([thing], "--output", "json")

    (found,) = json.loads(out)
    assert (0, True, True) == (status, found["allowed"], found["placed"])
    assert {"kind": "ReplicaSet", "namespace": "default", "name": "nginx-eu"}.items() <= found["object"].items()
    assert {"gce-europe-west1": {"weight": 1}, "gce-europe-west2": {"weight": 1}} == found["clusters"]


def test_the_difference(place, thing):
    """Only the line that admission adds."""
    status, out, _ = place([thing], "--diff")

    changed = [line for line in out.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert 0 == status
    assert [f"+    {PREFERENCES}: '{PLACED}'"] == changed


def test_a_target(place, thing):
    """Manifests on stdout and warnings on stderr, so that the first can be applied."""
    thing["metadata"]["annotations"][PREFERENCES] = json.dumps({"clusters": {"*": {"minReplicas": 1, "weight": 1}}})
    status, out, err = place([thing], "--target", "karmada")

    (policy,) = yaml.safe_load_all(out)
    assert (0, "PropagationPolicy") == (status, policy["kind"])
    assert "warn ReplicaSet default/nginx-eu: Karmada cannot express minReplicas of a cluster\n" == err


def test_the_annotation_as_target(place, thing):
    """The object as it would be stored."""
    status, out, _ = place([thing], "--target", "annotation")

    (stored,) = yaml.safe_load_all(out)
    assert (0, PLACED) == (status, stored["metadata"]["annotations"][PREFERENCES])
    assert thing["spec"] == stored["spec"]


@pytest.mark.parametrize(
    ("things", "options", "sentence"),
    [
        ([], (), "no object in it"),
        ([{"apiVersion": "v1", "kind": "List", "items": None}], (), "no object in it"),
        ([3], (), "a document is not an object"),
        ([{"topic": "a"}], (), "an object has no apiVersion and kind and metadata: write a Kubernetes manifest"),
        ([{"kind": "List", "items": [3]}], (), "an item of the List is not an object"),
        ([{"kind": "A"}], ("--diff", "--target", "ocm"), "--target, --diff and --output json each say what to print"),
        (
            [{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}],
            ("--clusters", str(SEED)),
            "--clusters is for the OPA that is started here",
        ),
    ],
)
def test_nothing_is_decided(place, things, options, sentence):
    """Status 2, and a sentence that names what is wrong."""
    status, out, err = place(things, *options)

    assert (2, "") == (status, out)
    assert sentence in err


def test_targets_are_those_of_the_policy(replicated_client):
    """The command offers what the policy renders, and nothing else."""
    with replicated_client.build_client() as client:
        answer = client.evaluate("io/k8s/federation/render/rendered", {"object": {}, "target": "none"})

    assert f'target: "none" is not one of {", ".join(TARGETS)}' in answer["errors"]


def test_clusters_from_a_file(tmp_path, capsys, thing, monkeypatch):
    """An OPA of its own, which knows the clusters of the file and no others, however large they are."""
    monkeypatch.delenv("WARDEN_OPA_URL", raising=False)
    clusters = [
        {
            "apiVersion": "federation/v1beta1",
            "kind": "Cluster",
            **cluster,
            "metadata": {**cluster["metadata"], "name": name, "labels": {"note": "x" * 1_600_000}},
        }
        for name, cluster in json.loads((SEED / "clusters.json").read_bytes()).items()
        if name != "gce-europe-west1"
    ]
    (tmp_path / "clusters.yaml").write_text("\n---\n".join(map(json.dumps, clusters)), encoding="utf-8")
    (tmp_path / "thing.yaml").write_text(yaml.safe_dump(thing), encoding="utf-8")

    with pytest.raises(SystemExit) as ended:
        main(["place", str(tmp_path / "thing.yaml"), "--clusters", str(tmp_path / "clusters.yaml")])

    assert 0 == ended.value.code
    assert "allowed ReplicaSet default/nginx-eu: gce-europe-west2\n" in capsys.readouterr().out
