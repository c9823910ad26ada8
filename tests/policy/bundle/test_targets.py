"""The policies compile for OPA's other targets: its plan, which other evaluators read, and Wasm."""

import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.checkout import CHECKOUT

pytestmark = pytest.mark.opa


@pytest.mark.parametrize("target", ["plan", "wasm"])
def test_every_entry_point_is_compiled(opa_binary: Path, tmp_path: Path, target: str) -> None:
    """Those that the METADATA of rules names, and no other: OPA adds what is not one and depends on one."""
    out = tmp_path / "b.tar.gz"
    _run(opa_binary, "build", "--target", target, "--ignore", "*_test.rego", "--output", out, "policies", "bundle")
    said = json.loads(_run(opa_binary, "inspect", "--annotations", "--format", "json", "policies"))
    wanted = {
        "/".join(str(part["value"]) for part in row["path"][1:])
        for row in said["annotations"]
        if row["annotations"].get("entrypoint")
    }
    if target == "plan":
        found = {plan["name"] for plan in _read(out, "/plan.json")["plans"]["plans"]}
    else:
        found = {row["entrypoint"] for row in _read(out, "/.manifest")["wasm"]}
    assert "kafka/decision" in wanted
    assert wanted == found


def _run(*command: str | Path) -> str:
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    return done.stdout


def _read(bundle: Path, name: str) -> dict[str, Any]:
    with tarfile.open(bundle) as files:
        content = files.extractfile(name)
        assert content is not None
        return dict(json.load(content))
