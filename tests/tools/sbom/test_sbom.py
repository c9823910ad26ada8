"""The SBOMs of image and checkout are documents of CycloneDX, and the same each time."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.fixtures.checkout import CHECKOUT
from tools.locks import IMAGE_LOCK
from tools.sbom.__main__ import command
from warden.base.errors import ToolchainError
from warden.base.toolchain.versions import OPA

pytestmark = pytest.mark.process


def _write(file: Path, *arguments: str) -> str:
    done = CliRunner().invoke(command, [*arguments, "--output", str(file)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return file.read_text(encoding="utf-8")


def test_of_the_image(tmp_path):
    """The wheel by its sum, each package of the image's lock with its hashes, OPA, and no jar; valid when written."""
    wheel = tmp_path / "kafka_warden-1.2.3-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    text = _write(tmp_path / "sbom.json", "image", str(wheel))
    parts = {one["purl"]: one for one in json.loads(text)["components"]}

    sum = hashlib.sha256(b"a wheel").hexdigest()
    assert [{"alg": "SHA-256", "content": sum}] == parts["pkg:pypi/kafka-warden@1.2.3"]["hashes"]
    assert f"pkg:golang/github.com/open-policy-agent/opa@v{OPA}" in parts
    assert [] == [purl for purl in parts if purl.startswith(("pkg:maven/", "pkg:generic/"))]
    locked = (CHECKOUT / IMAGE_LOCK).read_text(encoding="utf-8")
    files = [file for one in parts.values() for file in one.get("externalReferences", [])]
    hashes = [hash["content"] for file in files for hash in file["hashes"]]
    assert sorted(re.findall("--hash=sha256:([0-9a-f]+)", locked)) == sorted(hashes)
    assert "container" == json.loads(text)["metadata"]["component"]["type"]
    assert text == _write(tmp_path / "again.json", "image", str(wheel))


def test_of_the_lock(tmp_path):
    """Every package of requirements.lock; the command validates what it writes."""
    parts = json.loads(_write(tmp_path / "sbom.json", "lock"))["components"]

    locked = (CHECKOUT / "requirements.lock").read_text(encoding="utf-8")
    assert locked.count("==") >= sum(one.get("purl", "").startswith("pkg:pypi/") for one in parts) > 100


def test_what_is_no_document_is_refused(monkeypatch, tmp_path):
    """The library validates it before anything is written."""
    broken = {"metadata": {}, "components": [{"name": 1}]}
    monkeypatch.setattr("tools.sbom.__main__._run_cyclonedx", lambda kind, subject: broken)
    with pytest.raises(ToolchainError, match="the SBOM is not one of CycloneDX"):
        CliRunner().invoke(command, ["lock", "--output", str(tmp_path / "a")], catch_exceptions=False)
    assert not (tmp_path / "a").exists()
