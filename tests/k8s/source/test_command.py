"""The command itself, as a process of its own, from a real API server to a real OPA."""

import json
import os
import signal
import sys

import pytest
import requests
from click.testing import CliRunner

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.process.child_process import Process
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


@pytest.fixture
def process(tmp_path):
    """Start `warden replicate` in processes of their own; return each with the address of its probes."""
    started: list[Process] = []

    def start(path):
        log = tmp_path / f"{len(started)}.log"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = [sys.executable, "-m", "warden", "replicate", "--config", str(path), "--listen", "127.0.0.1:0"]
        started.append(Process(run, environment, log))

        def address():
            lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
            return next((line["listen"] for line in lines if "listen" in line), None)

        return started[-1], eventually(address, f"the replicator starts: {log.read_text(encoding='utf-8')}")

    yield start
    for one in started:
        one.stop()


def _ready(address):
    return requests.get(f"http://{address}/readyz", timeout=PATIENCE).ok


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


def test_the_replicator_is_killed(control_plane, copies, namespace, process):
    """What happened while no replicator ran is in OPA soon after the next one has started."""
    space = namespace("killed")
    path = f"/api/v1/namespaces/{space}/configmaps"
    for name in "ab":
        control_plane.api("POST", path, {"metadata": {"name": name}})
    configuration = copies.configuration([CONFIG_MAPS])
    first, address = process(configuration)
    eventually(lambda: _ready(address), "it is ready")
    copies.equal(ALL)

    os.kill(first.pid, signal.SIGKILL)
    first.stop()
    control_plane.api("DELETE", f"{path}/a")
    control_plane.api("POST", path, {"metadata": {"name": "c"}})
    _, address = process(configuration)

    copies.equal(ALL)
    assert copies.copy()["configmaps"][space].keys() == {"b", "c"}
    eventually(lambda: _ready(address), "it is ready")
    assert "warden_" in requests.get(f"http://{address}/metrics", timeout=PATIENCE).text
