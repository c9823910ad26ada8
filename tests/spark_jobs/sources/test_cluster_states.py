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
from warden.base.errors import InputError
from warden.base.files.address import Address
from warden.state.snapshot.directory import read_without_topics, write_snapshot
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


def read(spark: Any, partitions: list[SnapshotPartition]) -> list[tuple[date, str, Any]]:
    """What the tasks read, in order."""
    from pyspark.sql import types as T

    from spark_jobs.sources.cluster_states import map_cluster_states

    schema = T.StructType([*PARTITION.fields, *CLUSTER.fields])
    with translate_errors():
        rows = map_cluster_states(spark, partitions, build_rows, schema).collect()
    return sorted((row["day"], row["cluster"], json.loads(row["state"])) for row in rows)[::2]


@pytest.mark.parametrize("remote", [False, True])
def test_as_the_driver_reads_them(spark: Any, store: Path, remote: bool) -> None:
    """Whatever a cluster's name, and whichever the format."""
    found = write(store / "s[1]")
    place = Address("viewfs://estate/store/s[1]") if remote else None
    partitions = [replace(partition, address=place) for partition in found]

    expected = [(partition.day, partition.cluster, read_without_topics(partition)) for partition in found]
    assert sorted(expected, key=str) == sorted(read(spark, partitions), key=str)


@pytest.mark.parametrize(("form", "content"), [("jsonl", b"{"), ("jsonl", b'{"state": "["}'), ("parquet", b"PAR1")])
def test_damage(spark: Any, tmp_path: Path, form: Format, content: bytes) -> None:
    """The file is named."""
    write_snapshot(tmp_path, "c", {"topics": {}}, day=date(2026, 11, 21), format=form)
    (partition,) = list_partitions(tmp_path)
    partition.build_file_path("clusters").write_bytes(content)
    with pytest.raises(InputError, match=rf"cluster=c/part-0\.{form}: "):
        read(spark, [partition])
