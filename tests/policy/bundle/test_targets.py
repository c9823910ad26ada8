"""The policies compile for OPA's other targets: its plan, which other evaluators read, and Wasm."""

import json
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT

pytestmark = pytest.mark.opa


@pytest.mark.parametrize(("target", "file"), [("plan", "/plan.json"), ("wasm", "/policy.wasm")])
def test_targets(opa_binary: Path, tmp_path: Path, target: str, file: str) -> None:
    """Every entry point is in it, those of the METADATA of rules."""
    out = tmp_path / "b.tar.gz"
    command = [
        opa_binary,
        "build",
        "--target",
        target,
        "--ignore",
        "*_test.rego",
        "--output",
        out,
        "policies",
        "bundle",
    ]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr

    said = json.loads(
        subprocess.check_output([opa_binary, "inspect", "--annotations", "-f", "json", "policies"], cwd=CHECKOUT)
    )
    wanted = {
        "/".join(str(part["value"]) for part in row["path"][1:])
        for row in said["annotations"]
        if row["annotations"].get("entrypoint")
    }
    with tarfile.open(out) as bundle:
        content = bundle.extractfile(file)
        assert content is not None
        made = content.read()
        manifest = bundle.extractfile("/.manifest")
        listed = json.load(manifest)["wasm"] if manifest is not None and target == "wasm" else []
    found = {row["entrypoint"] for row in listed} or {row["name"] for row in json.loads(made)["plans"]["plans"]}
    assert "kafka/decision" in wanted
    assert set() == wanted - found
