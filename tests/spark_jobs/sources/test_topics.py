"""Topic rows of snapshots, of every format side by side: names of clusters stay text, and only damage is an error."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.state.snapshot.damage import DAMAGE, GOOD
from warden.base.errors import InputError, ScanError, WardenError
from warden.state.snapshot.directory import write_snapshot
from warden.state.snapshot.layout import SnapshotPartition, select_latest_partitions
from warden.state.snapshot.lines import NO_TEXT

pytestmark = pytest.mark.spark

DAY = date(2026, 12, 1)
PLAIN = {"numPartitions": 1, "replicationFactor": 1, "configs": {"retention.ms": "1"}, "labels": {}}
SEAM = {**PLAIN, "labels": {"pattern": "{env}{team}"}}
"""A topic in order, whose file is read line by line since two objects might share one."""


def write(directory: Path, cluster: str, topic: dict[str, Any], format: Any = "jsonl") -> Path:
    """Write a cluster of one topic, and return the file of its topics."""
    write_snapshot(directory, cluster, {"topics": {f"of-{cluster}": topic}}, day=DAY, format=format)
    return SnapshotPartition(directory, cluster, DAY, format).list_files("topics")[0]


@pytest.mark.parametrize("damaged", [None, "_damaged"])
def test_names_of_clusters_stay_text(spark: Any, tmp_path: Path, damaged: str | None) -> None:
    """A number, one with leading noughts, and a word, in files of every kind."""
    from spark_jobs.sources.topics import read_topics

    for cluster, topic, format in (
        ("12", SEAM, "jsonl"),
        ("007", SEAM, "jsonl"),
        ("prod", PLAIN, "jsonl"),
        ("0008", PLAIN, "jsonl"),
        ("09", PLAIN, "parquet"),
    ):
        write(tmp_path, cluster, topic, format)
    rows = read_topics(spark, select_latest_partitions(tmp_path), damaged=damaged)
    alone = [part for part in select_latest_partitions(tmp_path) if part.cluster == "007"]

    names = ["0008", "007", "09", "12", "prod"]
    found = [tuple(row) for row in rows.select("cluster", "topic", "day").orderBy("cluster").collect()]
    assert [(name, f"of-{name}", DAY) for name in names] == found
    assert [("007", DAY)] == read_topics(spark, alone, damaged=damaged).select("cluster", "day").collect()


def test_only_damage_is_an_error(spark: Any, tmp_path: Path) -> None:
    """Braces in a label are no damage; an upgrade check reads the topic as it is."""
    from spark_jobs.analyse.upgrade import read_stored_configs

    write(tmp_path, "c", SEAM)

    (row,) = read_stored_configs(spark, [tmp_path]).where("component = 'topic'").collect()
    assert ("c", "topic", "of-c", {"retention.ms": "1"}) == (*row[:3], json.loads(row["configs"]))


@pytest.mark.parametrize("damage", ["two in a line", "NUL", "cut off"])
def test_damage_is_an_error_with_its_file(spark: Any, tmp_path: Path, damage: str) -> None:
    """In a file that is read line by line, and in one that is not; the error says what to do."""
    from spark_jobs.analyse.upgrade import STORED_CONFIGS, read_stored_configs
    from spark_jobs.common.errors import translate_errors

    file = write(tmp_path, "c", PLAIN)
    with file.open("ab") as lines:
        lines.write(DAMAGE[damage] + b"\n")

    problem = NO_TEXT if damage == "NUL" else "the line of the snapshot cannot be read"
    with pytest.raises(InputError) as raised, translate_errors():
        read_stored_configs(spark, [tmp_path]).mapInArrow(lambda batches: batches, STORED_CONFIGS).collect()
    said = f"{file}: {problem}: `warden scan` says which lines are damaged"
    assert said == str(raised.value).replace("file:///", "/")


@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_files_that_spark_would_leave_out(spark: Any, tmp_path: Path, format: Any) -> None:
    """One that is missing, and one that is empty where the state says how many topics there are."""
    from spark_jobs.analyse.upgrade import read_stored_configs

    for cluster, meta in (("c", {"topics": 1}), ("d", {})):
        write_snapshot(tmp_path, cluster, {"meta": meta, "topics": {"t": PLAIN}}, day=DAY, format=format)
    assert 2 == read_stored_configs(spark, [tmp_path]).count()

    file = SnapshotPartition(tmp_path, "c", DAY, format).list_files("topics")[0]
    file.write_bytes(b"")
    said = f"{file} is empty, although the snapshot lists the cluster"
    if format == "jsonl":
        said = f"{file.parent}: 0 topics are there by name, but the cluster's meta.topics says 1: take the snapshot"
    with pytest.raises(WardenError, match=f"^{said}"):
        read_stored_configs(spark, [tmp_path])
    file.unlink()
    with pytest.raises(InputError, match=f"^{file} is missing, although the snapshot lists the cluster"):
        read_stored_configs(spark, [tmp_path])


@pytest.mark.parametrize(("topic", "format"), [(PLAIN, "jsonl"), (SEAM, "jsonl"), (PLAIN, "parquet")])
def test_a_file_that_is_deleted_meanwhile(
    spark: Any, lenient: None, tmp_path: Path, topic: dict[str, Any], format: Any
) -> None:
    """Its rows are not left out, whatever the session's configuration says."""
    from spark_jobs.common.errors import translate_errors
    from spark_jobs.sources.topics import read_topics

    file = write(tmp_path, "c", topic, format)
    rows = read_topics(spark, select_latest_partitions(tmp_path))
    file.unlink()
    with pytest.raises(ScanError, match=rf"cluster=c/part-0\.{format} does not exist$"), translate_errors():
        rows.collect()


def test_no_damage_is_read_as_if_there_were_none(spark: Any, tmp_path: Path) -> None:
    """Each kind in a file of its own: a line is one row, and none is lost in front of it or behind it."""
    from spark_jobs.sources.topics import read_topics

    for number, damage in enumerate(DAMAGE.values()):
        write(tmp_path, f"c{number}", PLAIN).write_bytes(GOOD + b"\n" + damage + b"\n")
    rows = read_topics(spark, select_latest_partitions(tmp_path), damaged="_damaged").collect()
    found = {name: [row["cluster"] for row in rows].count(f"c{number}") for number, name in enumerate(DAMAGE)}

    assert dict.fromkeys(DAMAGE, 2) == found
    assert len(DAMAGE) == sum(row["_damaged"] is not None for row in rows)
    assert {"shop.orders.created"} == {row["topic"] for row in rows if row["_damaged"] is None}


def test_a_directory_whose_name_is_a_pattern(spark: Any, tmp_path: Path) -> None:
    """It is read, and not another one that the pattern means."""
    from spark_jobs.sources.topics import read_topics

    for name, topic, format in (("s[1]", PLAIN, "parquet"), ("s[1]", SEAM, "jsonl"), ("s1", SEAM, "jsonl")):
        write(tmp_path / name, f"{name[0]}-{format}" if name == "s[1]" else "other", topic, format)
    rows = read_topics(spark, select_latest_partitions(tmp_path / "s[1]"))

    assert ["s-jsonl", "s-parquet"] == sorted(row["cluster"] for row in rows.collect())
