"""Names that several rows have: each row is marked, the driver has as many of them as it locates, and counts of all."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.operations import dependencies
from warden.analyse.scan.plan import PreparedScan, ScanPlan, prepare
from warden.analyse.scan.policy_version import PolicyVersion
from warden.state.snapshot.directory import write_snapshot
from warden.state.snapshot.layout import SnapshotPartition

pytestmark = pytest.mark.spark

DAY = date(2026, 12, 1)
ROW = {"numPartitions": 1, "replicationFactor": 1, "configs": {}, "labels": {}, "internal": False}
TIMES = {"a": 2, "b": 1, "c": 3, "d": 2}


@pytest.fixture
def part(tmp_path: Path) -> SnapshotPartition:
    """A cluster, some of whose topics are there several times."""
    write_snapshot(tmp_path / "s", "c", {"clusterSize": 3, "topics": {}}, day=DAY, format="jsonl")
    made = SnapshotPartition(tmp_path / "s", "c", DAY, "jsonl")
    lines = [json.dumps({"topic": name, **ROW}) for name, times in TIMES.items() for _ in range(times)]
    made.build_file_path("topics").write_text("\n".join(lines))
    return made


def build_rows(spark: Any, prepared: PreparedScan) -> Any:
    """The rows of a run, as `from_snapshot` makes them."""
    from pyspark.sql import functions as F

    from spark_jobs.scan.stages.read import build_resource_rows

    return build_resource_rows(spark, prepared).withColumn("id", F.monotonically_increasing_id())


@pytest.mark.parametrize("most", [2, 10_000])
def test_each_row_is_marked(
    spark: Any, part: SnapshotPartition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """The first names have their lines, the others the file and how many they are in all."""
    from spark_jobs.scan import problems
    from spark_jobs.scan.row_counts import RepeatedNames, count_rows

    monkeypatch.setattr(problems, "_MAX_LOCATED_ROWS", most)
    prepared = prepare(ScanPlan(part.directory, tmp_path), PolicyVersion("r1", dependencies=dependencies()))
    rows = build_rows(spark, prepared)
    counted = count_rows(rows, days=1)
    marked = problems.mark_repeated_names(spark, rows, counted, prepared).where("kind = 'topic'")

    file = part.build_file_path("topics")
    whole = f"{file}, where 3 names are there several times (places are given for 2)"
    said = {
        "a": f"the topic is there 2 times on one day: {file}:1 and {file}:2",
        "b": None,
        "c": f"the topic is there 3 times on one day: {file}:4 and {file}:5 and {file}:6",
        "d": f"the topic is there 2 times on one day: {whole if most == 2 else f'{file}:7 and {file}:8'}",
    }
    assert (RepeatedNames(DAY, "c", "topic", names=3, surplus=4),) == counted.repeated
    assert {(DAY, "c"): 4} == counted.count_surplus()
    expected = sorted((name, said[name]) for name, times in TIMES.items() for _ in range(times))
    assert expected == sorted((row["resource"], row["problem"]) for row in marked.collect())
    assert [] == marked.where("problem IS NOT NULL AND hash IS NOT NULL").collect()


def test_the_driver_holds_no_long_lines(
    spark: Any, part: SnapshotPartition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged line that is longer than most has its file, as those beyond the first ones have."""
    from spark_jobs.scan import problems
    from spark_jobs.scan.row_counts import count_rows

    file = part.build_file_path("topics")
    file.write_text('{"topic":"a"\n{"topic":"a","numPart\n' + json.dumps({"topic": "b", **ROW}))
    monkeypatch.setattr(problems, "_MAX_LOCATED_CHARACTERS", 12)
    prepared = prepare(ScanPlan(part.directory, tmp_path), PolicyVersion("r1", dependencies=dependencies()))
    rows = build_rows(spark, prepared)
    marked = problems.mark_repeated_names(spark, rows, count_rows(rows, days=1), prepared).where("kind = 'topic'")

    said = "the line of the snapshot cannot be read"
    assert {f"{file}:1: {said}", f"{file}: {said}", None} == {row["problem"] for row in marked.collect()}
