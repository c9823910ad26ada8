"""The command itself, as a process of its own, from a real API server to a real OPA."""

import json
import os
import signal

import pytest
import requests
import yaml
from click.testing import CliRunner

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.warden_process import WardenProcess
from warden.commands.replicate import command

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

CONFIG_MAPS = {"apiVersion": "v1", "kind": "ConfigMap"}
ALL = "/api/v1/configmaps"


def _once(path, *options):
    """Run the command once; return its exit status and what it tells of its one source."""
    result = CliRunner().invoke(
        command, ["--config", str(path), "--once", "--output", "json", *options], standalone_mode=False
    )
    assert result.exception is None, result.exception
    [outcome] = json.loads(result.stdout)
    return result.return_value, outcome


def _probe(process, path):
    return requests.get(f"http://{process.begun['listen']}/{path}", timeout=PATIENCE)


def test_once(control_plane, copies, namespace):
    """A dry run shows what OPA lacks and writes nothing; then it is written, and nothing is left to write."""
    space = namespace("once")
    control_plane.api("POST", f"/api/v1/namespaces/{space}/configmaps", {"metadata": {"name": "x"}})
    path = copies.configuration([CONFIG_MAPS])

    status, outcome = _once(path, "--dry-run")
    assert (status, bool(outcome["operations"]), copies.copy()) == (1, True, {})
    status, outcome = _once(path)
    assert (status, outcome["written"]) == (0, True)
    assert copies.copy() == copies.listed(ALL)
    assert _once(path, "--dry-run")[0] == 0


def test_the_replicator_is_killed(control_plane, copies, namespace, tmp_path):
    """What happened while no replicator ran is in OPA soon after the next one has started."""
    space = namespace("killed")
    path = f"/api/v1/namespaces/{space}/configmaps"
    for name in "ab":
        control_plane.api("POST", path, {"metadata": {"name": name}})
    document = yaml.safe_load(copies.configuration([CONFIG_MAPS]).read_bytes())
    with WardenProcess("replicate", tmp_path / "first", document) as first:
        eventually(lambda: _probe(first, "readyz").ok, "it is ready")
        copies.equal(ALL)
        os.kill(first.pid, signal.SIGKILL)
    control_plane.api("DELETE", f"{path}/a")
    control_plane.api("POST", path, {"metadata": {"name": "c"}})
    with WardenProcess("replicate", tmp_path / "second", document) as second:
        copies.equal(ALL)
        assert copies.copy()["configmaps"][space].keys() == {"b", "c"}
        eventually(lambda: _probe(second, "readyz").ok, "it is ready")
        assert "warden_" in _probe(second, "metrics").text
