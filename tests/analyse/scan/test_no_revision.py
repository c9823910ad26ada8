"""A bundle that somebody packed again, without a revision."""

import io
import json
import tarfile
from pathlib import Path

import pytest

from tests.analyse.scan.open_opa import OpenOpa
from warden.analyse.scan.policy_version import read_policy_version
from warden.policy.bundle.build import Bundle

pytestmark = pytest.mark.opa


def _without_revision(bundle: Path, target: Path) -> Path:
    with tarfile.open(bundle) as source, tarfile.open(target, "w:gz") as copy:
        for member in source:
            content = source.extractfile(member)
            if member.name.endswith(".manifest") and content is not None:
                manifest = json.load(content)
                del manifest["revision"]
                text = json.dumps(manifest).encode()
                content, member.size = io.BytesIO(text), len(text)
            copy.addfile(member, content)
    return target


def test_nothing_is_remembered(opa_binary: Path, shipped_bundle: Bundle, tmp_path: Path) -> None:
    """Another policy would have the same name, so no decision stands in for another; a sentence says why."""
    bundle = Bundle(_without_revision(shipped_bundle.path, tmp_path / "b.tar.gz"), "", shipped_bundle.key)
    with OpenOpa(opa_binary, bundle, tmp_path) as opa, opa.build_client() as client:
        policy = read_policy_version(client)

    assert ("", None) == (policy.revision, policy.audit_part_plan)
    assert (
        "Warden's bundle has no revision, so that nothing tells when it is another one",
    ) == policy.uncacheable_reasons
