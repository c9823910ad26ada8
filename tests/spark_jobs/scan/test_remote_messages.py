"""`warden scan --notify` of a run at an address."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.spark_jobs.processes import NOW
from warden.commands import command
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.snapshot.directory import write_snapshot

pytestmark = [pytest.mark.spark, pytest.mark.opa, pytest.mark.slow]

_DAY = date(2026, 1, 1)
_TOPIC = {"numPartitions": 3, "replicationFactor": 1, "replicasAssignments": {"0": [1]}, "internal": False}


def test_messages_about_a_run_at_an_address(spark: Any, scan_opa: RemoteOpa, store: Path, tmp_path: Path) -> None:
    """They are about what is new since the run before it there; one that could not be sent names the address."""
    write_snapshot(store / "snapshots", "c", {"clusterSize": 3, "topics": {"a": _TOPIC}}, day=_DAY)
    channel = {"name": "c", "format": "json", "url": {"file": "url"}}
    (tmp_path / "url").write_text("http://127.0.0.1:1/nobody\n")
    (tmp_path / "notify.json").write_text(json.dumps({"channels": [channel], "sent": "sent.json"}))

    def scan(name: str, now: str) -> BaseException | None:
        scan = ["scan", "viewfs://estate/store/snapshots", "--out", "viewfs://estate/store/runs", "--run-id", name]
        scan += ["--now", now, "--notify", str(tmp_path / "notify.json")]
        opa = ["--opa-url", scan_opa.url, "--opa-token", scan_opa.token or ""]
        return CliRunner().invoke(command, [*scan, *opa], standalone_mode=False).exception

    unsent = "1 of 1 messages could not be sent: `warden notify viewfs://estate/store/runs/one` with the same"
    assert str(scan("one", NOW)).startswith(unsent)
    assert scan("two", NOW.replace("2026", "2027")) is None
