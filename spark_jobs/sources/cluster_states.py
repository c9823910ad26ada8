"""Cluster states of a snapshot, one for each cluster and day, which the tasks read: the driver holds none of them.

The driver has read each before, and the tasks take nothing but the same bytes: what it knows is true of their rows.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as T

from spark_jobs.common.place_files import READ_ALL, escape_pattern
from spark_jobs.common.schemas import PARTITION
from warden.base.errors import InputError
from warden.state.snapshot.layout import SnapshotPartition

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["map_cluster_states"]

BuildRows = Callable[[date, str, Mapping[str, Any]], Iterable[Mapping[str, Any]]]

# All columns of Spark's source of whole files, which takes no others.
_FILE = T.StructType(
    [
        T.StructField("path", T.StringType()),
        T.StructField("modificationTime", T.TimestampType()),
        T.StructField("length", T.LongType()),
        T.StructField("content", T.BinaryType()),
    ]
)
_ROWS_AT_ONCE = 500


def map_cluster_states(
    spark: SparkSession, hashes: Mapping[SnapshotPartition, str], build_rows: BuildRows, schema: T.StructType
) -> DataFrame:
    """Make rows of the states of some partitions of one snapshot directory, without their topics.

    Args:
        spark: A session.
        hashes: Partition → hash of its state as the driver has read it
            (`warden.state.snapshot.directory.StoredState`); at least one.
        build_rows: Makes rows, as mappings, of a day, a cluster and its state; called in the tasks.
        schema: The columns of the rows.

    Raises:
        InputError: A state is no longer what the driver has read; also an error of the job that reads it.
    """
    partitions = list(hashes)
    base = partitions[0].format_path(partitions[0].directory / "clusters")
    files = [escape_pattern(part.format_path(part.build_file_path("clusters"))) for part in partitions]
    reader = spark.read.format("binaryFile").options(basePath=base, **READ_ALL)
    read = reader.schema(T.StructType([*_FILE.fields, *PARTITION.fields])).load(files)
    listed = {(row["day"], row["cluster"]) for row in read.select(PARTITION.names).collect()}
    for part in partitions:
        if (part.day, part.cluster) not in listed:  # Spark leaves out what is empty
            raise InputError(_describe_replaced(part.format_path(part.build_file_path("clusters"))))
    by_key = {(part.day, part.cluster): sha256 for part, sha256 in hashes.items()}
    states = read.select(*PARTITION.names, "path", "content")
    return states.mapInArrow(_build_mapper(by_key, build_rows, schema), schema)


def _describe_replaced(path: str) -> str:
    return f"{path}: replaced while it was read: run the command again"


def _build_mapper(
    hashes: Mapping[tuple[date, str], str], build_rows: BuildRows, schema: T.StructType
) -> Callable[[Iterator["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]:
    from pyspark.sql.pandas.types import to_arrow_schema

    fields = to_arrow_schema(schema)

    def build_batches(batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        from itertools import islice

        import pyarrow as pa

        files = (
            (day.as_py(), cluster.as_py(), path.as_py(), content.as_py())
            for batch in batches
            for day, cluster, path, content in zip(*batch.columns, strict=True)
        )
        rows = iter(
            row
            for day, cluster, path, content in files
            for row in build_rows(day, cluster, _parse_state(path, content, hashes[day, cluster]))
        )
        while some := list(islice(rows, _ROWS_AT_ONCE)):
            yield pa.RecordBatch.from_pylist(some, schema=fields)

    return build_batches


def _parse_state(path: str, content: bytes, sha256: str) -> dict[str, Any]:
    from warden.state.snapshot.directory import parse_state

    if hashlib.sha256(content).hexdigest() != sha256:
        raise InputError(_describe_replaced(path))
    return parse_state(path, content)
