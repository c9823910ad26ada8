"""Cluster states that tasks read, from snapshots on this machine and at an address."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from spark_jobs.common.errors import translate_errors
from spark_jobs.common.schemas import CLUSTER, PARTITION
from warden.base.errors import InputError, ScanError
from warden.base.files.address import Address
from warden.state.snapshot.directory import read_stored_state, read_without_topics, write_snapshot
from warden.state.snapshot.layout import Format, SnapshotPartition, list_partitions

pytestmark = pytest.mark.spark

_CLUSTERS: list[tuple[str, int, Format]] = [
    ("prod-eu", 20, "jsonl"),
    ("prod-eu", 21, "parquet"),
    ("a/b [1]*%", 21, "jsonl"),
    ("Köln", 21, "parquet"),
]


def write(directory: Path) -> list[SnapshotPartition]:
    """Clusters of some names on some days, in both formats."""
    for name, day, form in _CLUSTERS:
        topics = {"t": {"numPartitions": 1, "replicationFactor": 1}}
        state = {"meta": {"note": f"\u2028 {name}\r\n"}, "clusterSize": day, "acls": {}, "topics": topics}
        write_snapshot(directory, name, state, day=date(2026, 11, day), format=form)
    return list_partitions(directory)


def build_rows(day: date, cluster: str, state: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The whole state, twice."""
    yield from 2 * [{"day": day, "cluster": cluster, "state": json.dumps(state)}]


def read_hashes(partitions: list[SnapshotPartition]) -> dict[SnapshotPartition, str]:
    """What the driver keeps of each."""
    return {partition: read_stored_state(partition).sha256 for partition in partitions}


def open_states(spark: Any, hashes: Mapping[SnapshotPartition, str]) -> Any:
    """A frame of what the tasks read."""
    from pyspark.sql import types as T

    from spark_jobs.sources.cluster_states import map_cluster_states

    return map_cluster_states(spark, hashes, build_rows, T.StructType([*PARTITION.fields, *CLUSTER.fields]))


def read(spark: Any, partitions: list[SnapshotPartition]) -> list[tuple[date, str, Any]]:
    """What the tasks read, in order."""
    rows = open_states(spark, read_hashes(partitions)).collect()
    return sorted((row["day"], row["cluster"], json.loads(row["state"])) for row in rows)[::2]


@pytest.mark.parametrize("remote", [False, True])
def test_as_the_driver_reads_them(spark: Any, store: Path, remote: bool) -> None:
    """Whatever a cluster's name, and whichever the format."""
    found = write(store / "s[1]")
    place = Address("viewfs://estate/store/s[1]") if remote else None
    partitions = [replace(partition, address=place) for partition in found]

    expected = [(partition.day, partition.cluster, read_without_topics(partition)) for partition in found]
    assert sorted(expected, key=str) == sorted(read(spark, partitions), key=str)


def write_some(directory: Path, **more: Any) -> list[SnapshotPartition]:
    """Two clusters, of which the first has more than the other."""
    for name, fields in (("c", more), ("d", {})):
        write_snapshot(directory, name, {"topics": {}, **fields}, day=date(2026, 11, 21), format="jsonl")
    return list_partitions(directory)


@pytest.mark.parametrize("content", [b"", b'{"state": "{}"}'])
def test_replaced_before_spark_looks(spark: Any, lenient: None, tmp_path: Path, content: bytes) -> None:
    """What the driver knows of a state is not true of another one, nor are its rows left out."""
    hashes = read_hashes(write_some(tmp_path, acls={}))
    next(iter(hashes)).build_file_path("clusters").write_bytes(content)
    said = r"cluster=c/part-0\.jsonl: replaced while it was read: run the command again$"
    with pytest.raises(InputError, match=said), translate_errors():
        open_states(spark, hashes).collect()


@pytest.mark.parametrize("content", [b"", None])
def test_replaced_after_spark_looked(spark: Any, lenient: None, tmp_path: Path, content: bytes | None) -> None:
    """So is one that is emptied, or deleted, when Spark knows that it is there."""
    hashes = read_hashes(write_some(tmp_path))
    states, file = open_states(spark, hashes), next(iter(hashes)).build_file_path("clusters")
    file.unlink() if content is None else file.write_bytes(content)
    with pytest.raises((InputError, ScanError), match=r"cluster=c/part-0\.jsonl"), translate_errors():
        states.collect()
