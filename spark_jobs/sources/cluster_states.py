"""Cluster states of a snapshot, one for each cluster and day, which the tasks read: the driver holds none of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as T

from spark_jobs.common.place_files import escape_pattern
from spark_jobs.common.schemas import PARTITION
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
    spark: SparkSession, partitions: Sequence[SnapshotPartition], build_rows: BuildRows, schema: T.StructType
) -> DataFrame:
    """Make rows of the states of some partitions of one snapshot directory, without their topics.

    Args:
        spark: A session.
        partitions: At least one.
        build_rows: Makes rows, as mappings, of a day, a cluster and its state; called in the tasks.
        schema: The columns of the rows.

    Raises:
        InputError: A state cannot be read; an error of the job that reads it.
    """
    base = partitions[0].format_path(partitions[0].directory / "clusters")
    files = [escape_pattern(part.format_path(part.build_file_path("clusters"))) for part in partitions]
    reader = spark.read.format("binaryFile").option("basePath", base)
    read = reader.schema(T.StructType([*_FILE.fields, *PARTITION.fields])).load(files)
    states = read.select(*PARTITION.names, "path", "content")
    return states.mapInArrow(_build_mapper(build_rows, schema), schema)


def _build_mapper(
    build_rows: BuildRows, schema: T.StructType
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
            for row in build_rows(day, cluster, _parse_state(path, content))
        )
        while some := list(islice(rows, _ROWS_AT_ONCE)):
            yield pa.RecordBatch.from_pylist(some, schema=fields)

    return build_batches


def _parse_state(path: str, content: bytes) -> dict[str, Any]:
    """What `warden.state.snapshot.directory.read_without_topics` returns, of a file that Spark has read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from warden.base.errors import InputError
    from warden.state.snapshot.lines import iter_lines, parse_line
    from warden.state.snapshot.rows import build_cluster_state

    try:
        if path.endswith(".parquet"):
            rows = pq.ParquetFile(pa.BufferReader(content)).read().to_pylist()
        else:
            rows = [dict(parse_line(line)) for _, line in iter_lines(content)]
    except (pa.ArrowException, ValueError) as error:
        raise InputError(f"{path}: not a row of a snapshot ({error}): take the snapshot again") from error
    state = build_cluster_state(path, rows, [])
    del state["topics"]
    return state
