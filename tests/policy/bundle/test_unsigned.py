"""Copies of bundles for an OPA that is there for one job."""

import io
import tarfile
from pathlib import Path
from typing import Any

import pytest

from warden.base.resources import find_shipped
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.bundle.layers import read_effective_settings
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.opa import evaluate_opa
from warden.policy.bundle.settings import compile_settings
from warden.policy.bundle.unsigned import read_bundle_revision, replace_settings, strip_signature, unpack_constants

pytestmark = pytest.mark.opa

_ALL = "{name: data[name] | some name in [`catalog`, `settings`]}"


def _evaluate(opa: Path, bundle: Path, query: str) -> Any:
    return evaluate_opa(opa, "--bundle", str(bundle), query)


def _read_files(bundle: Path, end: str) -> dict[str, bytes]:
    with tarfile.open(bundle) as source:
        files = {member.name.strip("/"): source.extractfile(member) for member in source if member.name.endswith(end)}
        return {name: file.read() for name, file in files.items() if file}


def _names(bundle: Path) -> set[str]:
    with tarfile.open(bundle) as source:
        return {name.strip("/") for name in source.getnames()}


def test_the_data_are_those_of_the_constants(shipped_bundle: Bundle, opa_binary: Path, tmp_path: Path) -> None:
    """Catalogues, settings and revision, to the last value; no constant is left to compile, nor a signature."""
    bare = strip_signature(shipped_bundle.path, tmp_path / "bare.tar.gz")
    unpacked = unpack_constants(shipped_bundle.path, tmp_path / "unpacked.tar.gz")

    assert _evaluate(opa_binary, bare, _ALL) == _evaluate(opa_binary, unpacked, _ALL)
    assert shipped_bundle.revision == read_bundle_revision(bare) == read_bundle_revision(unpacked)
    constants = {name for name in _names(bare) if name.endswith("constants.rego")}
    assert {"catalog/constants.rego", "catalog/bundle/constants.rego", "settings/constants.rego"} == constants
    data = {name.replace("constants.rego", "data.json") for name in constants}
    assert _names(unpacked) == _names(bare) - constants | data
    assert _names(shipped_bundle.path) - _names(bare) == {".signatures.json"}


def test_files_of_a_site_stay(opa_binary: Path, tmp_path: Path) -> None:
    """A site may call its own file so: of another package than its directory's, or with rules beside."""
    written = {
        "catalog/constants.rego": b'package catalog\n\ntext := "a := b"\n\nlist := [1, {"b": -2.5}]\n',
        "settings/constants.rego": b"package settings\n\nfirst := 1\n\nsecond := first + 1\n",
        "site/constants.rego": b"package site.rules.other\n\nvalue := null\n",
        "site/rules/other/more.rego": b"package site.rules.other\n\nfound := 1 if is_null(value)\n",
    }
    with tarfile.open(tmp_path / "bundle.tar.gz", "w:gz") as archive:
        for name, content in {".manifest": b'{"rego_version": 1}', **written}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))

    unpacked = unpack_constants(tmp_path / "bundle.tar.gz", tmp_path / "unpacked.tar.gz")

    assert {".manifest", "catalog/data.json", *written} - {"catalog/constants.rego"} == _names(unpacked)
    expected = {
        "catalog": {"text": "a := b", "list": [1, {"b": -2.5}]},
        "settings": {"first": 1, "second": 2},
        "site.rules.other": {"value": None, "found": 1},
    }
    assert expected == {name: _evaluate(opa_binary, unpacked, f"data.{name}") for name in expected}


def test_replaced_settings_are_those_of_a_build(shipped_bundle: Bundle, opa_binary: Path, tmp_path: Path) -> None:
    """Data and policies are those of the bundle that is built with the settings, but for its revision."""
    own = tmp_path / "own.yaml"
    own.write_text(
        "rules: {KFK-RET-001: {mode: warn, params: {min: 7}}, KFK-NAM-001: {mode: disabled}}\n"
        "clusters: [{match: {name: 'dev-*'}, rules: {KFK-RET-001: {mode: dryrun}}}]\n",
        encoding="utf-8",
    )
    built = unpack_constants(
        build_bundle(tmp_path / "b.tar.gz", settings=own, opa=opa_binary).path, tmp_path / "built.tar.gz"
    )
    policies = find_shipped("policies")
    settings = read_effective_settings(opa_binary, policies, read_rule_metadata(opa_binary, policies), None, own)
    compiled = compile_settings(opa_binary, policies / "checks", settings)
    unpacked = unpack_constants(shipped_bundle.path, tmp_path / "unpacked.tar.gz")
    replaced = replace_settings(unpacked, tmp_path / "replaced.tar.gz", settings, compiled, read_bundle_revision(built))

    assert _evaluate(opa_binary, built, _ALL) == _evaluate(opa_binary, replaced, _ALL)
    assert _read_files(built, ".rego") == _read_files(replaced, ".rego")
    assert read_bundle_revision(built) == read_bundle_revision(replaced) != read_bundle_revision(unpacked)
