"""Read many live clusters into a snapshot directory, one task each: the job for spark-submit.

    spark-submit --py-files warden-modules.zip spark_jobs/snapshot_clusters.py --clusters clusters.yaml --out DIR

A cluster that cannot be read does not keep the others from being written; its last snapshot stays as it is.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import SparkSession
from pyspark.sql import types as T

from warden.snapshot.clusters import ListedCluster, read_clusters
from warden.snapshot.layout import FORMATS, Format

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["TAKEN", "main", "take_snapshots"]

TAKEN = T.StructType(
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
        Rows of `TAKEN`, in the order of the clusters.
    """
    frame = spark.range(0, len(clusters), 1, len(clusters))
    taken = frame.mapInArrow(_arrow_take(list(clusters), out, format, timeout), TAKEN).collect()
    found = {row["cluster"]: row.asDict() for row in taken}
    return [found[cluster.name] for cluster in clusters]


def _arrow_take(
    clusters: list[ListedCluster], out: Path, format: Format, timeout: float
) -> Callable[[Iterator["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]:
    from pyspark.sql.pandas.types import to_arrow_schema

    schema = to_arrow_schema(TAKEN)

    def take(batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa

        for batch in batches:
            rows = [_taken(clusters[index], out, format, timeout) for index in batch.column(0).to_pylist()]
            yield pa.RecordBatch.from_pylist(rows, schema=schema)

    return take


def _taken(cluster: ListedCluster, out: Path, format: Format, timeout: float) -> dict[str, Any]:
    from datetime import datetime

    from warden.errors import WardenError
    from warden.kafka.collect import collect
    from warden.snapshot.store import write_snapshot

    try:
        state = collect(cluster.bootstrap_servers, security=cluster.security(), timeout=timeout)
        observed = datetime.fromisoformat(state["meta"]["observedAt"])
        write_snapshot(out, cluster.name, state, day=observed.date(), format=format)
    except WardenError as error:
        return {"cluster": cluster.name, "topics": None, "missing": [], "error": str(error)}
    return {
        "cluster": cluster.name,
        "topics": len(state["topics"]),
        "missing": state["meta"]["missing"],
        "error": None,
    }


def main(arguments: list[str] | None = None) -> int:
    """Run the job under spark-submit; returns the exit status: 2 where a cluster could not be read."""
    from spark_jobs.failures import readable_failures
    from warden.errors import WardenError

    parser = argparse.ArgumentParser(description="Read many live clusters into a snapshot directory.")
    parser.add_argument("--clusters", type=Path, required=True, help="YAML file of the clusters")
    parser.add_argument("--out", type=Path, required=True, help="the snapshot directory, seen by all executors")
    parser.add_argument("--format", choices=FORMATS, default="parquet", help="how rows are stored (parquet)")
    parser.add_argument("--timeout", type=float, default=15.0, help="seconds for a connection and each request (15)")
    options = parser.parse_args(arguments)
    spark = SparkSession.builder.appName("warden snapshot").getOrCreate()
    try:
        with readable_failures():
            clusters = read_clusters(options.clusters)
            taken = take_snapshots(spark, clusters, options.out, format=options.format, timeout=options.timeout)
    except WardenError as error:
        print(f"snapshot_clusters: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    for row in taken:
        print(json.dumps(row, ensure_ascii=False))
    return 2 if any(row["error"] for row in taken) else 0


if __name__ == "__main__":
    sys.exit(main())
