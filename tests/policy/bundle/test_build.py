"""What is in a bundle, and when it is another one."""

import json
import tarfile
from pathlib import Path

import pytest

from warden.base.errors import BundleError, ConfigurationError, OpaUndefined, SettingsError
from warden.base.resources import find_shipped
from warden.policy.bundle import build_bundle
from warden.policy.bundle.contents import PolicySelection
from warden.policy.opa.session import start_opa

pytestmark = pytest.mark.opa

PLACEMENT = PolicySelection(find_shipped("policies"), "placement")
_LEVEL = "policy.federation.alpha.kubernetes.io/pci-compliance-level"


def _files(bundle: Path) -> dict[str, bytes]:
    with tarfile.open(bundle) as archive:
        members = {member.name.removeprefix("/"): archive.extractfile(member) for member in archive if member.isfile()}
        return {name: file.read() for name, file in members.items() if file}


def test_same_sources_same_revision(opa_binary, tmp_path, shipped):
    """A bundle built again, elsewhere and with another key, has the same revision and the same content."""
    again = build_bundle(tmp_path / "a/b/again.tar.gz", opa=opa_binary)

    assert shipped.revision == again.revision
    assert again.key.path != shipped.key.path
    content, other = (_files(bundle.path) for bundle in (shipped, again))
    assert content.pop(".signatures.json") != other.pop(".signatures.json")
    assert content == other


def test_other_settings_other_revision(opa_binary, tmp_path, shipped, settings_file):
    """Settings are part of what a revision stands for."""
    settings = settings_file({"rules": {"KFK-DUR-001": {"mode": "warn"}}})

    other = build_bundle(tmp_path / "other.tar.gz", settings=settings, opa=opa_binary)

    assert shipped.revision != other.revision


def test_settings_that_change_nothing(opa_binary, tmp_path, shipped, settings_file):
    """Empty settings leave everything as it ships, the revision too."""
    assert (
        shipped.revision == build_bundle(tmp_path / "b.tar.gz", settings=settings_file("{}"), opa=opa_binary).revision
    )


def test_manifest_owns_exactly_these_roots(shipped):
    """Everything else can be pushed: clusters, kubernetes, site."""
    manifest = json.loads(_files(shipped.path)[".manifest"])

    assert {
        "revision": shipped.revision,
        "roots": ["catalog", "io/k8s/federation", "kafka", "settings", "system/authz", "system/log"],
        "rego_version": 1,
    } == {key: manifest[key] for key in ("revision", "roots", "rego_version")}


def test_neither_tests_nor_checks(shipped):
    """What only a build or a test asks is not in a bundle."""
    names = _files(shipped.path).keys()

    assert [] == [name for name in names if name.endswith("_test.rego") or name.startswith("checks/")]
    assert "kafka/decision.rego" in names


def test_placement_alone(opa_binary, tmp_path):
    """A bundle of placement has nothing about Kafka, and decides about objects as the whole one does."""
    bundle = build_bundle(tmp_path / "placement.tar.gz", policies=PLACEMENT, opa=opa_binary)

    files = _files(bundle.path)
    packages = {name.rpartition("/")[0] for name in files if name.startswith("kafka/")}
    assert {*(f"kafka/base/{name}" for name in ("effects", "pointers", "settings")), "kafka/violation"} == packages
    rules = {f"KFK-PLC-00{n}" for n in (1, 2, 3, 4)}
    assert rules == json.loads(files["data.json"])["settings"]["rules"].keys()
    # opa build would have refused a reference to a function that was left out


def test_placement_alone_decides(opa_binary, tmp_path):
    """An OPA with that bundle admits as the other, and has no decision about topics."""
    thing = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "a", "annotations": {_LEVEL: "2"}}}
    bundle = build_bundle(tmp_path / "placement.tar.gz", policies=PLACEMENT, opa=opa_binary)

    with start_opa(bundle.path, opa_binary) as opa, opa.build_client() as client:
        answer = client.evaluate("io/k8s/federation/admission", thing)
        with pytest.raises(OpaUndefined):
            client.evaluate("kafka/decision", {"operation": "CreateTopic"})

    assert ["KFK-PLC-003"] == [error.split(":")[0] for error in answer["errors"]]


def test_no_other_part():
    """There is no bundle of another part."""
    with pytest.raises(ConfigurationError, match="there is no bundle of topics alone: name placement"):
        PolicySelection(find_shipped("policies"), "topics")


def test_every_rule_file_is_there(shipped):
    """Every policy that is no test and no check is in the bundle, unchanged."""
    policies = find_shipped("policies")
    sources = {path.relative_to(policies).as_posix(): path for path in policies.rglob("*.rego")}
    kept = {
        name: path
        for name, path in sources.items()
        if not name.endswith("_test.rego") and not name.startswith("checks/")
    }

    files = _files(shipped.path)

    assert sorted(kept) == sorted(
        name for name in files if name.endswith(".rego") and not name.endswith("constants.rego")
    )


def test_an_output_is_replaced_whole(opa_binary, tmp_path):
    """What was there before goes when the new bundle is complete."""
    output = tmp_path / "bundle.tar.gz"
    output.write_text("not a bundle", encoding="utf-8")

    bundle = build_bundle(output, opa=opa_binary)

    assert ".manifest" in _files(bundle.path)
    assert ["bundle.tar.gz"] == sorted(path.name for path in tmp_path.iterdir() if path.name != "cache")


@pytest.mark.parametrize("before", [None, "what was there"])
def test_nothing_is_left_behind_when_settings_are_wrong(opa_binary, tmp_path, settings_file, before):
    """A build that fails leaves the output as it was, and nothing beside it."""
    output = tmp_path / "out" / "bundle.tar.gz"
    if before:
        output.parent.mkdir()
        output.write_text(before, encoding="utf-8")

    with pytest.raises(SettingsError):
        build_bundle(output, settings=settings_file("rules: {KFK-XXX-001: {}}"), opa=opa_binary)

    left = {path.name: path.read_text(encoding="utf-8") for path in output.parent.glob("*")}
    assert ({output.name: before} if before else {}) == left


def test_nothing_is_left_behind_when_policies_do_not_compile(opa_binary, tmp_path):
    """OPA's own words say what is wrong with the policies; the output is not touched."""
    policies = tmp_path / "policies"
    _copy(find_shipped("policies"), policies)
    (policies / "kafka/broken.rego").write_text("package kafka\n\nx := undefined_function(1)\n", encoding="utf-8")

    with pytest.raises(BundleError, match=r"^opa \w+ refused the policies: .*undefined function undefined_function"):
        build_bundle(tmp_path / "out/bundle.tar.gz", opa=opa_binary, policies=policies)

    assert [] == list((tmp_path / "out").glob("*"))


def _copy(source: Path, target: Path) -> None:
    for path in source.rglob("*"):
        if path.is_file() and not path.name.endswith("_test.rego"):
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
