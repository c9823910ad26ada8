"""Snapshots of many live clusters, one Spark task for each cluster.

A cluster that cannot be read does not keep the others from being written; its last snapshot stays as it is.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import SparkSession
from pyspark.sql import types as T

from warden.state.snapshot.layout import Format
from warden.state.sources.kafka.clusters import ListedCluster

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["SNAPSHOT_RESULT", "take_snapshots"]

SNAPSHOT_RESULT = T.StructType(
    [
        T.StructField("cluster", T.StringType()),
        T.StructField("topics", T.LongType()),
        T.StructField("missing", T.ArrayType(T.StringType())),
        T.StructField("error", T.StringType()),
    ]
)
"""One row for each cluster: ``missing`` is what it did not tell; where ``error`` is set nothing was written."""


def take_snapshots(
    spark: SparkSession,
    clusters: Sequence[ListedCluster],
    out: Path,
    *,
    format: Format = "parquet",
    timeout: float = 15.0,
) -> list[dict[str, Any]]:
    """Read clusters, each in a task of its own, and write their states.

    Args:
        spark: A session.
        clusters: The clusters.
        out: The snapshot directory, seen by all executors.
        format: How rows are stored.
        timeout: Seconds for a connection, and for each request.

    Returns:
        Rows of `SNAPSHOT_RESULT`, in the order of the clusters.
    """
    frame = spark.range(0, len(clusters), 1, len(clusters))
    taken = frame.mapInArrow(_build_snapshot_taker(list(clusters), out, format, timeout), SNAPSHOT_RESULT).collect()
    by_name = {row["cluster"]: row.asDict() for row in taken}
    return [by_name[cluster.name] for cluster in clusters]


def _build_snapshot_taker(
    clusters: list[ListedCluster], out: Path, format: Format, timeout: float
) -> Callable[[Iterator["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]:
    from pyspark.sql.pandas.types import to_arrow_schema

    schema = to_arrow_schema(SNAPSHOT_RESULT)

    def take(batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa

        for batch in batches:
            rows = [_take_snapshot(clusters[index], out, format, timeout) for index in batch.column(0).to_pylist()]
            yield pa.RecordBatch.from_pylist(rows, schema=schema)

    return take


def _take_snapshot(cluster: ListedCluster, out: Path, format: Format, timeout: float) -> dict[str, Any]:
    from datetime import datetime

    from warden.base.errors import WardenError
    from warden.state.snapshot.directory import write_snapshot
    from warden.state.sources.kafka.read.collect import collect

    try:
        stated = cluster.sees == "all"
        state = collect(cluster.bootstrap_servers, security=cluster.read_security(), timeout=timeout, stated=stated)
        observed = datetime.fromisoformat(state["meta"]["observedAt"])
        write_snapshot(out, cluster.name, state, day=observed.date(), format=format, partial=True)
    except WardenError as error:
        return {"cluster": cluster.name, "topics": None, "missing": [], "error": str(error)}
    return {
        "cluster": cluster.name,
        "topics": len(state["topics"]),
        "missing": state["meta"]["missing"],
        "error": None,
    }
