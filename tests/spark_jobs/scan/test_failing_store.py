"""Runs and snapshots at an address whose file system fails while they are put in place."""

import itertools
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from warden.base.errors import InputError
from warden.base.files.address import Address
from warden.state.snapshot.directory import write_snapshot

pytestmark = pytest.mark.spark

_SUMMARY = "summary.json"
_TOPIC = {"numPartitions": 3, "replicationFactor": 1, "replicasAssignments": {"0": [1]}, "internal": False}


def failing_files(*moves: int) -> Any:
    """The file systems of a network that goes away at some moves."""
    from spark_jobs.common.hadoop_files import HadoopFiles

    count = itertools.count(1)

    class Failing(HadoopFiles):
        def move(self, address: Address, target: Address) -> None:
            if next(count) in moves:
                raise InputError(f"{target}: connection reset")
            super().move(address, target)

    return Failing


@pytest.mark.parametrize("moves", [1, 2, 3, 4])
def test_a_run_that_cannot_be_put_in_place(spark: Any, store: Path, tmp_path: Path, moves: int) -> None:
    """Where the file system fails, at whichever move, the run of that name is as it was, and is not kept twice."""
    from spark_jobs.scan.remote.remote_run import RemoteRun

    run, directory = store / "runs" / "r", tmp_path / "new"
    (run / "decisions").mkdir(parents=True)
    directory.mkdir()
    for name in (_SUMMARY, "metrics.json"):
        (directory / name).write_text("new")
    for name in (_SUMMARY, "decisions/part-0"):
        (run / name).write_text("old")
    made = RemoteRun(failing_files(moves)(spark), Address("viewfs://estate/store/runs"), "r")
    (store / "runs" / made.staging.name).mkdir()
    with pytest.raises(InputError, match=r"^viewfs://.*: connection reset$"):
        made.publish(directory)

    assert {made.staging.name, "r"} == {path.name for path in (store / "runs").iterdir()}
    assert {"decisions/part-0", _SUMMARY} == {
        path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_file() and path.suffix != ".crc"
    }
    assert {"old"} == {path.read_text() for path in (run / _SUMMARY, run / "decisions" / "part-0")}


def test_an_error_says_where_the_run_is_that_cannot_be_put_back(spark: Any, store: Path, tmp_path: Path) -> None:
    """No later move works either."""
    from spark_jobs.scan.remote.remote_run import RemoteRun

    run = RemoteRun(failing_files(2, 3)(spark), Address("viewfs://estate/store/runs"), "r")
    (store / "runs" / run.staging.name).mkdir(parents=True)
    (store / "runs" / "r").mkdir()
    for path in (store / "runs" / "r" / _SUMMARY, tmp_path / _SUMMARY, tmp_path / "metrics.json"):
        path.write_text("{}")
    with pytest.raises(InputError, match=rf"; the run that was there is in {run.staging}-old: move it back$"):
        run.publish(tmp_path)

    assert (store / "runs" / f"{run.staging.name}-old" / _SUMMARY).exists()


def test_a_snapshot_that_cannot_be_put_in_place(spark: Any, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that is being written stays beside it."""
    from spark_jobs.scan.remote import remote_snapshot

    monkeypatch.setattr(remote_snapshot, "HadoopFiles", failing_files(1))
    address = Address("viewfs://estate/store/snapshots")
    with (
        pytest.raises(InputError, match="connection reset"),
        remote_snapshot.open_remote_snapshot(spark, address) as directory,
    ):
        write_snapshot(directory, "c", {"clusterSize": 3, "topics": {"a": _TOPIC}}, day=date(2026, 1, 1))

    assert [] == [*(store / "snapshots").rglob(".writing-*")]
