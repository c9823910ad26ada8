"""What is the same on several days is looked at once, and each day keeps what it has."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from warden.analyse.scan.plan import ScanPlan
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.snapshot.directory import write_snapshot
from warden.state.snapshot.layout import SnapshotPartition

pytestmark = pytest.mark.spark

DAYS = [date(2026, 12, 25) + timedelta(days=number) for number in range(12)]
TOPIC = {"numPartitions": 1, "replicationFactor": 1, "replicasAssignments": {"0": [1]}, "labels": {"owner": "team"}}


def grouped(spark: Any, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return what is left of rows of (day, name, configs), in order."""
    from spark_jobs.scan.dedupe_days import dedupe_days

    frame = spark.createDataFrame(rows, "day date, name string, configs map<string,string>")
    found = dedupe_days(frame, set(DAYS)).select("name", "configs", "day", "other_days").collect()
    return sorted((tuple(row) for row in found), key=str)


def test_each_row_once(spark: Any) -> None:
    """With all days that have it, as often as they have it; what differs in anything is another row."""
    first, second, last = DAYS[0], DAYS[1], DAYS[11]
    rows = [
        (last, "a", {"x": "1", "y": "2"}),
        (first, "a", {"y": "2", "x": "1"}),
        (last, "a", {"x": "1", "y": "2"}),
        (first, "a", {"x": "1", "y": None}),
        (first, "a", None),
        (second, "b", {}),
        (second, None, {}),
    ]
    expected = [
        ("a", {"x": "1", "y": "2"}, first, [last, last]),
        ("a", {"x": "1", "y": None}, first, None),
        ("a", None, first, None),
        ("b", {}, second, None),
        (None, {}, second, None),
    ]
    assert sorted(expected, key=str) == grouped(spark, rows)
    every: list[tuple[Any, ...]] = [(day, "a", {}) for day in DAYS]
    assert [("a", {}, first, DAYS[1:])] == grouped(spark, every)


@pytest.mark.slow
@pytest.mark.opa
def test_damage_on_several_days(spark: Any, scan_opa: RemoteOpa, tmp_path: Path) -> None:
    """A line that cannot be read is not evaluated on its day; a topic that is there twice is not evaluated."""
    import pyarrow.parquet as pq

    from spark_jobs.scan.run_scan import run_scan

    snapshot, days = tmp_path / "s", DAYS[:3]
    for day in days:
        state = {"clusterSize": 3, "topics": {"shop.orders.a": TOPIC}, "meta": {"topics": 1}}
        write_snapshot(snapshot, "c", state, day=day, format="jsonl")
    for day in days[1:]:
        file = SnapshotPartition(snapshot, "c", day, "jsonl").build_file_path("topics")
        topic = file.read_text(encoding="utf-8").strip()
        file.write_text(f"{topic}\n{{\n{{\n{topic}\n", encoding="utf-8")
    done = run_scan(spark, ScanPlan(snapshot, tmp_path / "o", days=(days[0], days[-1]), run_id="r"), scan_opa)

    table = pq.read_table(done.directory / "decisions", columns=["day", "resource", "status", "input"])
    twice, unread = ("shop.orders.a", "ERROR", '{"shop.orders.a":false}'), (None, "ERROR", "{")
    expected = [
        (days[0], "shop.orders.a", "DENY", None),
        *[(day, *row) for day in days[1:] for row in (twice, twice, unread, unread)],
    ]
    assert sorted(expected, key=str) == sorted((tuple(row.values()) for row in table.to_pylist()), key=str)
    assert (9, 8) == (done.metrics["resources"], done.metrics["notEvaluated"])
    assert 8 == pq.read_table(done.directory / "not_evaluated").num_rows


@pytest.mark.slow
@pytest.mark.opa
def test_days_that_differ(spark: Any, scan_opa: RemoteOpa, tmp_path: Path) -> None:
    """No rule about labels passes on a day without labels; whether a topic is internal may differ between days."""
    import pyarrow.parquet as pq

    from spark_jobs.scan.run_scan import run_scan

    for day in DAYS[:2]:
        topics = {"shop.orders.created": {**TOPIC, "labels": {}, "internal": day == DAYS[0]}}
        state = {"clusterSize": 3, "meta": {"labels": day == DAYS[1]}, "topics": topics}
        write_snapshot(tmp_path / "s", "c", state, day=day, format="jsonl")
    done = run_scan(spark, ScanPlan(tmp_path / "s", tmp_path / "o", days=(DAYS[0], DAYS[1])), scan_opa)
    passes = pq.read_table(done.directory / "passes").to_pylist()
    of_topics = [row for row in passes if row["kind"] == "topic"]

    assert {DAYS[1]} == {row["day"] for row in of_topics if row["rule"] == "KFK-GOV-001"}
    assert {DAYS[0], DAYS[1]} == {row["day"] for row in of_topics if row["rule"] == "KFK-NAM-001"}
    assert 0 == done.metrics["notEvaluated"]
