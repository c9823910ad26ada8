"""Snapshots and runs at addresses: a file system of Hadoop's that has a scheme of its own, which no path leads to.

`viewfs://estate/store` shows a local directory. What an object store does otherwise, that nothing but a file appears at
once, is provoked: a driver that is killed between any two operations.
"""

import json
import os
import shutil
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.spark_jobs.processes import NOW
from warden.analyse.report.finished_run import open_run
from warden.analyse.scan.plan import ScanPlan
from warden.base.errors import InputError, ScanError
from warden.base.files.address import Address, parse_place, show_original_addresses
from warden.commands import command
from warden.demo.estate import OBSERVED_AT
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.snapshot.directory import read_cluster, write_snapshot
from warden.state.snapshot.layout import list_partitions

pytestmark = [pytest.mark.spark, pytest.mark.opa]

_SUMMARY = "summary.json"
_DAY = date(2026, 1, 1)
_TOPIC = {"numPartitions": 3, "replicationFactor": 1, "replicasAssignments": {"0": [1]}, "internal": False}


def call(*arguments: str) -> str:
    """What a command prints; it takes the session that is there."""
    done = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert done.exception is None, done.exception
    return done.stdout


def list_names(directory: Path) -> list[str]:
    """The names in a directory, without those of checksums."""
    return sorted(path.name for path in directory.iterdir() if path.suffix != ".crc")


class Killed(Exception):
    """The driver's end."""


def mortal_files(operations: int) -> Any:
    """The file systems of a driver that is killed after so many operations."""
    from spark_jobs.common.hadoop_files import HadoopFiles

    class Mortal(HadoopFiles):
        left = operations

        def _open(self, address: Address) -> Any:
            self.left -= 1
            if self.left < 0:
                raise Killed
            return super()._open(address)

    return Mortal


@pytest.mark.slow
def test_a_scan_from_address_to_address(spark: Any, scan_opa: RemoteOpa, store: Path, tmp_path: Path) -> None:
    """The run is there whole, as a directory would have it; reports and the trend of it are as of a directory."""
    from spark_jobs.scan.remote.remote_run import fetch_run, put_report
    from spark_jobs.scan.remote.remote_snapshot import fetch_snapshot
    from spark_jobs.scan.run_scan import run_scan

    write_snapshot(store / "snapshots", "c", {"clusterSize": 3, "topics": {"a": _TOPIC, "b": _TOPIC}}, day=_DAY)
    address, copies = Address("viewfs://estate/store"), tmp_path / "copies"
    plan = ScanPlan(
        copies / "snapshot",
        copies / "runs",
        now=OBSERVED_AT,
        run_id="r",
        snapshot_address=address / "snapshots",
        out_address=address / "runs",
    )
    fetch_snapshot(spark, plan)
    done = run_scan(spark, plan, scan_opa)
    page = put_report(spark, done.directory / "report.html", done.directory, address / "runs" / "r")

    assert "viewfs://estate/store/runs/r" == str(done.place)
    assert "viewfs://estate/store/runs/r/report.html" == str(page)
    assert list_names(done.directory) == list_names(store / "runs" / "r")
    assert ["r"] == list_names(store / "runs")
    assert done.place == fetch_run(spark, address / "runs", tmp_path / "fetched")
    fetched, direct = open_run(tmp_path / "fetched"), open_run(store / "runs" / "r")
    assert [*direct.iter_findings()] == [*fetched.iter_findings()] != []
    assert direct.summary == fetched.summary == done.summary
    assert "viewfs://estate/store/snapshots" == direct.summary.source

    runs, local = "viewfs://estate/store/runs", str(store / "runs" / "r")
    csv = call("report", runs, "--baseline", f"{runs}/r", "--output", "csv")
    assert f"{runs}/r/findings.csv\n" == csv
    call("report", local, "--baseline", local, "--output", "csv", "--out", str(tmp_path / "local.csv"))
    assert (tmp_path / "local.csv").read_bytes() == (store / "runs" / "r" / "findings.csv").read_bytes()
    assert call("report", local, "--output", "json", "--out", "-") == call(
        "report", runs, "--output", "json", "--out", "-"
    )
    trend = json.loads(call("trend", "--runs", runs, "--out", "viewfs://estate/store/trend", "--output", "json"))
    assert len([*direct.iter_findings()]) == len(trend["findings"])
    assert [*(store / "trend" / "history").glob("*.parquet")]

    channel = {"name": "c", "format": "json", "url": {"env": "URL"}}
    (tmp_path / "notify.json").write_text(json.dumps({"channels": [channel], "sent": "sent.json"}))
    notify = ["notify", "--config", str(tmp_path / "notify.json"), "--dry-run", "--output", "json"]
    assert call(*notify, local) == call(*notify, runs) != '{"notifications": []}\n'
    shutil.copytree(local, store / "runs" / "q", ignore=shutil.ignore_patterns("*.crc"))
    summary = (store / "runs" / "q" / _SUMMARY).read_text()
    (store / "runs" / "q" / _SUMMARY).write_text(summary.replace(NOW, NOW.replace("2026", "2025")))
    assert call(*notify, local) == call(*notify, f"{runs}/r") == '{"notifications": []}\n'
    assert call(*notify, f"{runs}/r", "--baseline", local) == '{"notifications": []}\n'


def test_drift_of_a_snapshot_at_an_address(spark: Any, store: Path, tmp_path: Path) -> None:
    """It is that of a directory."""
    write_snapshot(store / "snapshots", "c", {"clusterSize": 3, "topics": {"a": _TOPIC, "b": _TOPIC}}, day=_DAY)
    (tmp_path / "declared").mkdir()
    (tmp_path / "declared" / "topics.yaml").write_text("topic: a\ncluster: c\nnumPartitions: 4\n")
    trend = ["trend", "--declared", str(tmp_path / "declared"), "--output", "json", "--snapshot"]
    drift = call(*trend, "viewfs://estate/store/snapshots")

    assert call(*trend, str(store / "snapshots")) == drift
    assert 2 == len(json.loads(drift)["drift"])


def test_a_killed_driver_leaves_no_half_snapshot(spark: Any, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After whichever operation it ends, a cluster's state of a day is the old one, or none, or the new one."""
    from spark_jobs.scan.remote import remote_snapshot

    address, seen, operations = Address("viewfs://estate/store/snapshots"), set(), 0
    while "new" not in seen:
        for text in ("old", "new"):
            files = mortal_files(operations if text == "new" else 1_000)
            monkeypatch.setattr(remote_snapshot, "HadoopFiles", files)
            with suppress(Killed), remote_snapshot.open_remote_snapshot(spark, address) as directory:
                write_snapshot(directory, "c", {"clusterSize": 3, "topics": {text: _TOPIC}}, day=_DAY)
        there = list_partitions(store / "snapshots")
        seen |= {"".join(read_cluster(store / "snapshots", "c")["topics"]) if there else "none"}
        operations += 1

    assert ({"old", "none", "new"}, True) == (seen, operations > 5)


def test_impact_on_a_snapshot(spark: Any, scan_opa: RemoteOpa, store: Path) -> None:
    """The same is evaluated as of a directory; the message about what is not there has the address."""
    write_snapshot(store / "snapshots", "c", {"clusterSize": 3, "topics": {"a": _TOPIC, "b": _TOPIC}}, day=_DAY)
    sides = [("--baseline-url", scan_opa.url), ("--candidate-url", scan_opa.url)]
    sides += [("--baseline-token", scan_opa.token or ""), ("--candidate-token", scan_opa.token or "")]
    options = [text for pair in sides for text in pair]
    impact = ["impact", *options, "--now", NOW, "--output", "json", "--snapshot"]
    local, there = call(*impact, str(store / "snapshots")), call(*impact, "viewfs://estate/store/snapshots")

    assert local == there
    assert 2 == json.loads(there)["parts"][0]["evaluated"]
    done = CliRunner().invoke(command, [*impact, "viewfs://estate/store/nothing"], standalone_mode=False)
    assert isinstance(done.exception, InputError)
    assert str(done.exception).startswith("viewfs://estate/store/nothing: ")


def test_the_latest_run(spark: Any, store: Path, tmp_path: Path) -> None:
    """Of runs the newest by its summary, then the last by name; what is being made and what has no summary is none."""
    from spark_jobs.scan.remote.remote_run import fetch_run

    runs = store / "runs"
    for name, seconds in (("a", 5), ("b", 5), ("c", 4), (".running-20260101T000000Z-d", 9)):
        (runs / name).mkdir(parents=True)
        (runs / name / _SUMMARY).write_text(name)
        os.utime(runs / name / _SUMMARY, (seconds, seconds))
    (runs / "half").mkdir()
    found = fetch_run(spark, Address("viewfs://estate/store/runs"), tmp_path / "copy")

    assert "viewfs://estate/store/runs/b" == str(found)
    assert ["b"] == [path.read_text() for path in (tmp_path / "copy").glob("*.json")]


def test_a_scan_of_a_part(spark: Any, store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who follows the runs at an address leaves it out, and names it by its address."""
    from spark_jobs.analyse.remote_trend import list_remote_scans

    for name, sample in (("whole", 1), ("part", 0.5)):
        (store / "runs" / name).mkdir(parents=True)
        (store / "runs" / name / _SUMMARY).write_text(json.dumps({"evaluated_at": NOW, "run_id": name, "revision": ""}))
        (store / "runs" / name / "metrics.json").write_text(json.dumps({"sample": sample}))
    found = list_remote_scans(spark, Address("viewfs://estate/store/runs"), tmp_path / "copies")

    assert ["whole"] == [each.run_id for each in found]
    assert "warden: viewfs://estate/store/runs/part is left out: " in capsys.readouterr().err


def test_a_killed_driver_leaves_no_half_run(spark: Any, store: Path, tmp_path: Path) -> None:
    """After whichever operation it ends, a run with a summary has all its files: the old ones, or the new ones."""
    from spark_jobs.scan.remote.remote_run import RemoteRun

    out, target, seen, operations = Address("viewfs://estate/store/runs"), store / "runs" / "r", set(), 0
    finished = False
    while not finished:
        for text in ("old", "new"):
            files = mortal_files(operations if text == "new" else 1_000)(spark)
            run, directory = RemoteRun(files, out, "r"), tmp_path / f"{operations}-{text}"
            (directory / "tables").mkdir(parents=True)
            (store / "runs" / run.staging.name / "decisions").mkdir(parents=True)
            (store / "runs" / run.staging.name / "decisions" / "part-0").write_text(text)
            for name in (_SUMMARY, "metrics.json"):
                (directory / name).write_text(text)
            try:
                run.publish(directory)
                finished = text == "new"
            except Killed:
                pass
        names = ("decisions/part-0", "metrics.json", _SUMMARY) if (target / _SUMMARY).exists() else ()
        whole = {(target / name).read_text() for name in names}
        assert len(whole) < 2
        seen |= whole
        operations += 1

    assert ({"old", "new"}, True) == (seen, operations > 8)


def test_two_scans_of_one_run(spark: Any, store: Path, tmp_path: Path) -> None:
    """What another scan has put beside the files of a run is found before there is a run."""
    from spark_jobs.common.hadoop_files import HadoopFiles
    from spark_jobs.scan.remote.remote_run import RemoteRun

    class Disturbed(HadoopFiles):
        def move(self, address: Address, target: Address) -> None:
            super().move(address, target)
            (store / "runs" / "r" / "other").write_text("x")

    run = RemoteRun(Disturbed(spark), Address("viewfs://estate/store/runs"), "r")
    (store / "runs" / run.staging.name).mkdir(parents=True)
    for name in (_SUMMARY, "metrics.json"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(ScanError, match=r"^viewfs://estate/store/runs/r: another scan writes the same run: "):
        run.publish(tmp_path)

    assert not (store / "runs" / "r" / _SUMMARY).exists()


def test_what_a_killed_driver_left_is_deleted_later(spark: Any, store: Path) -> None:
    """What is a week old goes; what another driver may be writing stays."""
    from spark_jobs.scan.remote.remote_run import open_remote_run

    young = ".running-99991231T000000Z-a"
    for name in (".running-20200101T000000Z-a", young, "r"):
        (store / "runs" / name).mkdir(parents=True)
    with open_remote_run(spark, Address("viewfs://estate/store/runs"), "s"):
        pass

    assert [young, "r"] == list_names(store / "runs")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("s3://estate/runs", "Hadoop has no s3://: write s3a://estate/runs"),
        (
            "s3a://estate/runs",
            r"Spark lacks hadoop-aws: give --conf spark.jars.packages=.*:hadoop-aws:\d",
        ),
        ("tape://estate/runs", r"Spark knows no file system tape://: give its jar .* and fs.tape.impl"),
        ("viewfs://estate/store/nothing", "no run, and no directory of runs: no summary.json is there"),
    ],
)
def test_refused(spark: Any, store: Path, tmp_path: Path, address: str, said: str) -> None:
    """The message names the address, what is wrong, and what to write."""
    from spark_jobs.scan.remote.remote_run import fetch_run

    with pytest.raises(InputError, match=f"^{address}.*: {said}"):
        fetch_run(spark, Address(address), tmp_path / "copy")


def test_places() -> None:
    """What has a scheme is an address, and an error about its copy names it."""
    assert Address("s3a://a/b") == parse_place("s3a://a/b/") == Address("s3a://a") / "b"
    assert Path("a:b/c") == parse_place("a:b/c")
    with (
        pytest.raises(InputError, match=r"^s3a://a/x: missing$"),
        show_original_addresses({Path("/copy"): Address("s3a://a")}),
    ):
        raise InputError("/copy/x: missing")
