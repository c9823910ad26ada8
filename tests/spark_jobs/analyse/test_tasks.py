"""What an impact analysis or an upgrade check asks OPA about is spread over tasks, whatever it is read from."""

import json
from collections import Counter
from contextlib import nullcontext
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.operations import dependencies
from warden.analyse.scan.plan import ScanPlan, prepare
from warden.analyse.scan.policy_version import PolicyVersion
from warden.analyse.upgrade.snapshot_upgrade import Upgrade
from warden.base.errors import ScanError
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.snapshot.directory import write_snapshot

pytestmark = pytest.mark.spark

_ROWS, _A_TASK = 3000, 1000


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Topics of one cluster, which are in one file."""
    directory = tmp_path_factory.mktemp("tasks") / "snapshot"
    topics = {
        f"t{number}": {"numPartitions": 1, "replicationFactor": 1, "configs": {"retention.ms": "1"}}
        for number in range(_ROWS)
    }
    write_snapshot(directory, "c", {"topics": topics}, day=date(2026, 12, 1), format="parquet")
    return directory


def _write_log(path: Path) -> Path:
    """A decision log of one file: a third of its decisions by themselves, the others in requests of a hundred."""
    with path.open("w", encoding="utf-8") as log:
        for number in range(_ROWS // 3):
            document = {"operation": "CreateTopic", "cluster": "c", "now": "2026-12-01T00:00:00Z"}
            event = {"decision_id": f"one-{number}", "path": "kafka/decision", "input": document}
            print(json.dumps(event), file=log)
        for number in range(_ROWS // 150):
            common = {"operation": "CreateTopic", "cluster": "c", "now": f"2026-12-01T00:00:{number:02}Z"}
            items = {f"t{key}": {"request": {"topic": f"t{key}"}} for key in range(100)}
            event = {"decision_id": f"many-{number}", "path": "kafka/decisions"}
            print(json.dumps({**event, "input": {"common": common, "items": items}}), file=log)
    return path


def _count_persisted(spark: Any) -> int:
    persisted: int = spark.sparkContext._jsc.getPersistentRDDs().size()
    return persisted


def test_recorded_decisions(spark: Any, tmp_path: Path) -> None:
    """Each task has some, those of one request are in one task side by side, and nothing stays in memory."""
    from pyspark.sql import functions as F

    from spark_jobs.analyse.impact_inputs import from_decisions
    from spark_jobs.sources.decision_log import read_decisions

    before = _count_persisted(spark)
    decisions = read_decisions(spark, _write_log(tmp_path / "log.jsonl"))
    with from_decisions(decisions, (), "owner") as recorded:
        rows = recorded.inputs.select("shared", F.spark_partition_id().alias("task")).collect()

    several = [tuple(row) for row in rows if row["shared"] != "{}"]
    assert (_ROWS, _ROWS // _A_TASK) == (len(rows), len({row["task"] for row in rows}))
    assert sorted(set(several)) == sorted(key for key, _ in groupby(several))
    assert _ROWS // 150 == len(set(several))
    assert before == _count_persisted(spark)


def test_resources_of_a_snapshot(spark: Any, snapshot: Path, tmp_path: Path) -> None:
    """One file is work for several tasks; nothing stays in memory."""
    from pyspark.sql import functions as F

    from spark_jobs.analyse.impact_inputs import from_snapshot
    from spark_jobs.common.task_sizes import restore_task_sizes

    before = _count_persisted(spark)
    prepared = prepare(ScanPlan(snapshot, tmp_path), PolicyVersion("r1", dependencies=dependencies()))
    with restore_task_sizes(spark), from_snapshot(spark, prepared) as stored:
        tasks = [row[0] for row in stored.inputs.select(F.spark_partition_id()).collect()]

    assert (_ROWS, _ROWS // _A_TASK) == (len(tasks), len(set(tasks)))
    assert before == _count_persisted(spark)


@pytest.mark.parametrize("expected", [2, 3])
def test_topics_that_are_lost(spark: Any, tmp_path: Path, expected: int) -> None:
    """A cluster of another day, with a topic twice, has the two topics that it says, and not three."""
    from spark_jobs.analyse.impact_inputs import from_snapshot
    from spark_jobs.common.task_sizes import restore_task_sizes

    topic = {"numPartitions": 1, "replicationFactor": 1}
    for cluster, day, topics in (("c", 1, expected), ("d", 2, 2)):
        state = {"meta": {"topics": topics}, "topics": {"a": topic, "b": topic}}
        write_snapshot(tmp_path / "s", cluster, state, day=date(2026, 12, day), format="jsonl")
    (file,) = (tmp_path / "s" / "topics").glob("*/cluster=c/part-0.jsonl")
    file.write_bytes(file.read_bytes() + file.read_bytes().splitlines()[0])
    prepared = prepare(ScanPlan(tmp_path / "s", tmp_path), PolicyVersion("r1", dependencies=dependencies()))
    said = r"cluster=c: 2 topics are there by name \(and 1 a second time\), but the cluster's meta\.topics says 3: take"
    lost = pytest.raises(ScanError, match=said) if expected == 3 else nullcontext()
    with lost, restore_task_sizes(spark), from_snapshot(spark, prepared) as stored:
        assert ["a", "b", "b"] == sorted(row["id"] for row in stored.inputs.collect())


def test_stored_configs(spark: Any, snapshot: Path) -> None:
    """An upgrade check has each core read, and ask about, a part of the file."""
    from pyspark.sql import functions as F

    from spark_jobs.analyse.upgrade import find_upgrade_problems, read_stored_configs

    rows = read_stored_configs(spark, [snapshot])
    tasks = Counter(row[0] for row in rows.where("component = 'topic'").select(F.spark_partition_id()).collect())
    found = find_upgrade_problems(rows, RemoteOpa("http://127.0.0.1:9", None), Upgrade("3.9", "4.2", [], None))

    assert (_ROWS, spark.sparkContext.defaultParallelism) == (tasks.total(), len(tasks))
    assert rows.rdd.getNumPartitions() == found.rdd.getNumPartitions()
