"""Files of snapshots and runs with damage of every kind: each reader ends with an error that names the file."""

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.state.snapshot.damage import DAMAGE
from warden.analyse.report.finished_run import Run, open_run
from warden.analyse.scan.audits import OPERATIONS
from warden.analyse.scan.dependencies import Dependencies
from warden.analyse.scan.plan import ScanPlan, prepare
from warden.analyse.scan.policy_version import PolicyVersion
from warden.analyse.trend.runs import list_finished_scans
from warden.base.errors import InputError
from warden.state.snapshot.directory import read_partition, write_snapshot
from warden.state.snapshot.layout import SnapshotPartition

_DAY = date(2026, 11, 21)
_DEEP = b'{"a":' * 100_000
_WRONG = {
    **DAMAGE,
    "UTF-16 with its mark": '{"a": 1}'.encode("utf-16"),
    "deep": _DEEP,
    "another object": b"{}",
    "texts for all": json.dumps({"state": "[1]", "evaluated_at": 1, "run_id": [], "revision": {}}).encode(),
    "a state that is deep": json.dumps({"state": "[" * 100_000}).encode(),
    "a state that is not an object": json.dumps({"state": "7"}).encode(),
}


# What the metrics of a run do not say is not needed.
_FITTING = {
    ("metrics.json", name)
    for name in ("another object", "texts for all", "a state that is deep", "a state that is not an object")
}


def _snapshot(directory: Path) -> SnapshotPartition:
    write_snapshot(directory, "c", {"clusterSize": 1, "topics": {}}, day=_DAY, format="jsonl")
    return SnapshotPartition(directory, "c", _DAY, "jsonl")


def _scan(directory: Path) -> Iterator[Any]:
    """What a scan, and an impact analysis, look at before Spark reads."""
    policy = PolicyVersion("r", dependencies=dict.fromkeys(OPERATIONS.values(), Dependencies({})))
    yield prepare(ScanPlan(directory, directory / "out"), policy)


@pytest.mark.parametrize("name", sorted(_WRONG))
@pytest.mark.parametrize("table", ["clusters", "topics"])
def test_snapshots(tmp_path: Path, table: Any, name: str) -> None:
    """A state, and topics where a command reads them itself (`check`, `drift`, `upgrade-check`)."""
    part = _snapshot(tmp_path)
    part.build_file_path(table).write_bytes(_WRONG[name])
    readers: list[Callable[[], Any]] = [lambda: read_partition(part)]
    if table == "clusters":
        readers.append(lambda: list(_scan(tmp_path)))
    for read in readers:
        with pytest.raises(InputError, match="day=2026-11-21/cluster=c"):
            read()


@pytest.mark.parametrize("name", sorted(_WRONG))
@pytest.mark.parametrize("file", ["summary.json", "metrics.json"])
def test_histories(tmp_path: Path, file: str, name: str) -> None:
    """`warden trend` reads the runs of a directory."""
    run = tmp_path / "run"
    run.mkdir()
    (run / "summary.json").write_text(
        json.dumps({"evaluated_at": "2026-11-21T10:00:00Z", "run_id": "run", "revision": "r"})
    )
    (run / file).write_bytes(_WRONG[name])
    if (file, name) in _FITTING:
        assert list_finished_scans(tmp_path)
        return
    with pytest.raises(InputError, match=r"run/(summary|metrics)\.json: not "):
        list_finished_scans(tmp_path)


@pytest.mark.parametrize("name", sorted(_WRONG))
@pytest.mark.parametrize("file", ["summary.json", "rules.json"])
def test_runs(tmp_path: Path, file: str, name: str) -> None:
    """`warden report` reads one run."""
    (tmp_path / "summary.json").write_bytes(_WRONG[name] if file == "summary.json" else b"{}")
    (tmp_path / "rules.json").write_bytes(_WRONG[name] if file == "rules.json" else b"{}")
    with pytest.raises(InputError, match=r"not the summary of a run"):
        open_run(tmp_path)


@pytest.mark.parametrize("name", sorted(_WRONG.keys() - {n for _, n in _FITTING}))
def test_findings(tmp_path: Path, name: str) -> None:
    """Every report reads them line by line."""
    (tmp_path / "findings.jsonl").write_bytes(b"{}\n" + _WRONG[name])
    with pytest.raises(InputError, match=r"findings\.jsonl: not JSON lines"):
        list(Run(tmp_path, summary=None).iter_findings())  # type: ignore[arg-type]  # which findings do not need
