"""A site's own rules and data in the bundle: they decide, and what would not be evaluated is refused by name."""

import json
import tarfile
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.analyse.impact.bundles import list_policy_changes, prepare_bundle
from warden.base.errors import BundleError, ConfigurationError
from warden.policy.bundle.build import build_bundle
from warden.policy.bundle.opa import evaluate_opa
from warden.policy.bundle.site import read_site_modules
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_RULE = """package site.rules.acme

deny contains violation if {
	input.requested.numPartitions > data.site.limits.partitions
	violation := {"rule": "ACME-1", "severity": "medium", "message": "too many partitions", "fix": "ask for fewer",
		"path": ["numPartitions"], "patch": []}
}
"""
_PLACEMENT = 'package site.placement.payments\n\nerrors contains "no checkout here"\n'


def _write(directory: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return directory


def test_rules_and_data_of_a_site_decide(opa_binary, tmp_path, shipped_bundle):
    """Rules about Kafka and about placement, from two directories, under a revision of their own; tests stay behind."""
    kafka = _write(
        tmp_path / "kafka",
        {
            "rule.rego": _RULE,
            "rule_test.rego": "package site.rules.acme_test\n\ntest_a if true\n",
            "site/limits/data.yaml": "partitions: 5\n",
        },
    )
    placement = _write(tmp_path / "placement", {"rule.rego": _PLACEMENT})

    bundle = build_bundle(tmp_path / "b.tar.gz", site=[kafka, placement], opa=opa_binary)
    with tarfile.open(bundle.path) as packed:
        names = packed.getnames()
    request = json.loads((CHECKOUT / "docs/examples/create-topic.json").read_bytes())
    with LocalOpa(bundle, opa=opa_binary) as opa, opa.build_client() as client:
        decision = client.decide(request)
        thing = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}}
        admission = client.evaluate("io/k8s/federation/admission", thing)

    assert "ACME-1" in [violation["rule"] for violation in decision["violations"]]
    assert ["no checkout here"] == admission["errors"]
    assert bundle.revision != shipped_bundle.revision
    assert [] == [name for name in names if name.endswith("_test.rego")]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "{site}: no rule and no data in it: name a directory with .rego files"),
        (
            {"a.rego": "package kafka.rules.topic\n"},
            (
                "{site}/a.rego: package kafka.rules.topic is not a site's: "
                "use site.rules.NAME, site.placement or site.placement.NAME"
            ),
        ),
        (
            {"a.rego": "package site.rules.a\n\ndeny if input.topic\n"},
            '{site}/a.rego: site.rules.a.deny is not a set of violations: write `deny contains "why" if …`',
        ),
        (
            {"limits/data.json": "{}"},
            "{site}/limits/data.json: a site's data lies below site: move it to {site}/site/limits/data.json",
        ),
    ],
)
def test_what_would_not_be_evaluated_is_refused(opa_binary, tmp_path, files, message):
    """The sentence names the file, and says what to write."""
    site = tmp_path / "site"
    site.mkdir()
    _write(site, files)

    with pytest.raises(BundleError) as raised:
        build_bundle(tmp_path / "b.tar.gz", site=[site], opa=opa_binary)

    assert message.format(site=site) == str(raised.value)


def test_a_rule_that_does_not_compile_is_named_by_its_own_path(opa_binary, tmp_path):
    """OPA's words, with the file that a person can open."""
    site = _write(tmp_path / "site", {"broken.rego": "package site.rules.a\n\nx := undefined_function(1)\n"})

    with pytest.raises(BundleError, match=r"undefined function undefined_function") as raised:
        build_bundle(tmp_path / "b.tar.gz", site=[site], opa=opa_binary)

    assert f"{site}/broken.rego:3" in str(raised.value)
    assert not (tmp_path / "b.tar.gz").exists()


def test_two_directories_with_the_same_data(opa_binary, tmp_path):
    """Neither is taken for the other."""
    directories = [_write(tmp_path / name, {"site/data.json": json.dumps({"a": name})}) for name in ("one", "two")]

    with pytest.raises(BundleError, match=r"two/site/data.json: another directory of the site has site/data.json too"):
        build_bundle(tmp_path / "b.tar.gz", site=directories, opa=opa_binary)


def test_a_directory_of_a_site_is_a_bundle_of_its_own(opa_binary, tmp_path):
    """OPA itself takes the same directory, for whoever loads it beside Warden's bundle."""
    site = _write(tmp_path / "site", {"rule.rego": _PLACEMENT, "site/data.yaml": "limits: {partitions: 5}\n"})

    value = evaluate_opa(opa_binary, "--bundle", str(site), "data.site")

    assert {"limits": {"partitions": 5}, "placement": {"payments": {"errors": ["no checkout here"]}}} == value


@pytest.mark.slow
def test_the_rules_of_a_site_in_an_impact(opa_binary, tmp_path):
    """A rule that comes is in the candidate alone; the source names its directory, and a file that is built refuses."""
    site = _write(tmp_path / "site", {"rule.rego": _RULE, "site/limits/data.yaml": "partitions: 5\n"})
    before = prepare_bundle("baseline", None, None, None, tmp_path / "baseline")
    after = prepare_bundle("candidate", None, None, None, tmp_path / "candidate", [site])

    assert [("site-0/rule.rego", "added")] == list_policy_changes(before, after)
    assert ("shipped with Warden", str(site)) == (before.source, after.source)
    with pytest.raises(ConfigurationError, match="--candidate-site is for policies that are built here"):
        prepare_bundle("candidate", before.bundle.path, None, None, tmp_path / "again", [site])


def test_rules_in_another_encoding(tmp_path):
    """The file is named, and what to do."""
    (tmp_path / "rule.rego").write_text("# für Themen\n", encoding="latin-1")
    with pytest.raises(BundleError, match=r"/rule\.rego: not in UTF-8: save it in UTF-8$"):
        read_site_modules([tmp_path])
