"""Commands that OPA refuses."""

import json
from pathlib import Path

import pytest

from tests.commands.conftest import Run
from warden.policy.opa.local import LocalOpa

_INPUT = {
    "operation": "CreateTopic",
    "cluster": "c",
    "enforcementPoint": "ci",
    "request": {"topic": "a.b", "numPartitions": 1, "replicationFactor": 1},
}
_THING = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a", "namespace": "web"}}


@pytest.mark.opa
@pytest.mark.parametrize(
    ("command", "document"),
    [("decide", _INPUT), ("place", _THING), ("check", {"topics": {"a.b": {}}}), ("explain", _INPUT)],
)
def test_a_refused_token(command: str, document: object, warden: Run, opa: LocalOpa, tmp_path: Path) -> None:
    """Nothing was decided: exit status 2, neither allowed nor denied, and the reason in a sentence."""
    file = tmp_path / "input.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    status, printed, said = warden(command, str(file), "--opa-url", opa.url, "--opa-token", "of-yesterday")
    assert (2, "") == (status, printed)
    assert "refused this caller (401)" in said
