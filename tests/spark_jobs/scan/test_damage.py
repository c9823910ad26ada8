"""Snapshots with damage of every kind: each row is evaluated once or named with its place, and the figures agree."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.state.snapshot.damage import DAMAGE
from warden.analyse.report.finished_run import open_run
from warden.analyse.scan.plan import ScanPlan
from warden.base.errors import ScanError
from warden.demo.estate import OBSERVED_AT
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.snapshot.directory import write_snapshot
from warden.state.snapshot.layout import SnapshotPartition
from warden.state.snapshot.lines import iter_lines, parse_line

pytestmark = [pytest.mark.spark, pytest.mark.opa, pytest.mark.slow]

DAY = date(2026, 11, 20)
ROW = {"numPartitions": 3, "replicationFactor": 3, "replicasAssignments": {"0": [1, 2, 3]}, "configs": {}, "labels": {}}
# Rows that are JSON and that no decision is possible on, and one whose name breaks rules besides.
ODD: list[dict[str, Any]] = [
    {"topic": "shop.orders.unknown", "numPartitions": None},
    {"topic": "BAD NAME", "numPartitions": None},
    {"topic": "shop.orders.text", "numPartitions": "many"},
    {"numPartitions": 1},
]


def lines(rng: random.Random) -> list[bytes]:
    """The topics of one cluster on one day: good and bad names, some twice, and some damage."""
    names = [rng.choice(["shop.orders.n{}", "BAD {}", "shop.payments.n{}"]).format(n) for n in range(rng.randint(3, 8))]
    rows = [{"topic": name, **ROW, "internal": False} for name in names]
    rows += [dict(rng.choice(rows), **rng.choice([{}, {"numPartitions": 1}])) for _ in range(rng.randint(0, 2))]
    rows += [{**ROW, **row} for row in rng.sample(ODD, rng.randint(0, len(ODD)))]
    written = [json.dumps(row).encode() for row in rows]
    written += rng.sample(sorted(DAMAGE.values()), rng.randint(0, len(DAMAGE))) + [b"", b"  "][: rng.randint(0, 2)]
    rng.shuffle(written)
    return written


def write(directory: Path, cluster: str, day: date, content: bytes, **meta: Any) -> SnapshotPartition:
    """A partition with the bytes of these topics."""
    write_snapshot(directory, cluster, {"clusterSize": 3, "meta": meta, "topics": {}}, day=day, format="jsonl")
    part = SnapshotPartition(directory, cluster, day, "jsonl")
    part.build_file_path("topics").write_bytes(content)
    return part


def expected(part: SnapshotPartition) -> Iterator[tuple[int, str | None, bool]]:
    """Of each line its number, the name that it has, and whether it can be evaluated, without Spark."""
    rows = []
    for number, line in iter_lines(part.build_file_path("topics").read_bytes()):
        try:
            row = parse_line(line)
        except ValueError:
            row = {}
        partitions = row.get("numPartitions")
        rows.append((number, row.get("topic"), isinstance(partitions, int)))
    times = Counter(name for _, name, _ in rows)
    yield from ((number, name, fits and name is not None and times[name] == 1) for number, name, fits in rows)


def table(directory: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a table, which anybody can read: no text is of other bytes than UTF-8."""
    import pyarrow.parquet as pq

    rows: list[dict[str, Any]] = pq.read_table(directory / name).to_pylist()
    return rows


@pytest.mark.parametrize("days", [1, 3])
def test_every_row_is_evaluated_once_or_named(spark: Any, scan_opa: RemoteOpa, tmp_path: Path, days: int) -> None:
    """As many resources as lines, with the names that they have; what was evaluated passes or breaks each rule."""
    from spark_jobs.scan.run_scan import run_scan

    parts = []
    for seed in range(9):
        content = b"\n".join(lines(random.Random(seed % 5 * 100 + days)))
        parts.append(write(tmp_path / "s", f"c{seed // days}", DAY + timedelta(seed % days), content))
    history = (DAY, DAY + timedelta(days - 1)) if days > 1 else None
    plan = ScanPlan(tmp_path / "s", tmp_path / "o", days=history, now=OBSERVED_AT, remember=False)
    done = run_scan(spark, plan, scan_opa)

    decisions, letters = table(done.directory, "decisions"), table(done.directory, "not_evaluated")
    for part in parts:
        of_part = [row for row in decisions if (row["cluster"], row["day"]) == (part.cluster, part.day)]
        counted = list(expected(part))
        assert Counter(name for _, name, fits in counted if fits) == Counter(
            row["resource"] for row in of_part if row["status"] != "ERROR"
        )
        assert len(counted) == len(of_part)
        reasons = [row["reason"] for row in letters if (row["cluster"], row["day"]) == (part.cluster, part.day)]
        said = " ".join(reasons)
        for number in [number for number, _, fits in counted if not fits]:
            line = dict(iter_lines(part.build_file_path("topics").read_bytes()))[number]
            assert f"{part.build_file_path('topics')}:{number}" in said or b'"numPartitions": null' in line
    for row in table(done.directory, "passes"):
        assert row["evaluated"] == row["passed"] + row["broken"]
        assert row["passed"] >= 0
    evaluated = {(row["cluster"], row["day"], row["resource"]) for row in decisions if row["status"] != "ERROR"}
    findings = table(done.directory, "findings")
    assert {(row["cluster"], row["day"], row["resource"]) for row in findings} <= evaluated
    assert done.metrics["notEvaluated"] == len(letters) == sum(row["status"] == "ERROR" for row in decisions)
    assert list(open_run(done.directory).iter_findings())


def test_one_lost_and_one_doubled(spark: Any, scan_opa: RemoteOpa, tmp_path: Path) -> None:
    """As many rows as the cluster has topics, but not as many names: the snapshot is refused."""
    from spark_jobs.scan.run_scan import run_scan

    rows = [json.dumps({"topic": f"shop.orders.n{n}", **ROW, "internal": False}).encode() for n in range(3)]
    write(tmp_path / "s", "c", DAY, b"\n".join([rows[0], *rows[:2]]), topics=3)
    plan = ScanPlan(tmp_path / "s", tmp_path / "o", now=OBSERVED_AT, remember=False)

    with pytest.raises(ScanError, match=r"2 topics are there by name \(and 1 a second time\), but .* says 3: take"):
        run_scan(spark, plan, scan_opa)
    done = run_scan(spark, replace(plan, where="true"), scan_opa)
    file = SnapshotPartition(tmp_path / "s", "c", DAY, "jsonl").build_file_path("topics")
    said = f"the topic is there 2 times on one day: {file}:1 and {file}:2"
    letters = [(row["resource"], row["reason"], row["kind"]) for row in table(done.directory, "not_evaluated")]
    assert 2 * [("shop.orders.n0", said, "topic")] == letters
