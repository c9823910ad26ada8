"""Name every stored list value that another release of Kafka would refuse or read otherwise, over many snapshots.

    spark-submit spark_jobs/upgrade_check.py --from 3.9 --to 4.2 --opa-url http://127.0.0.1:8181 --out DIR SNAPSHOT…

The rows go to Python for the same reason as in `compliance_scan`: they are asked about in batches over one connection.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.sources import read_topics
from warden.scan.doors import Opa
from warden.snapshot.layout import Partition, latest_partitions
from warden.snapshot.store import read_shared
from warden.upgrade.stored import Finding, Stored, findings, stored

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["FINDING", "STORED", "main", "stored_rows", "upgrade_findings"]

STORED = T.StructType([T.StructField(name, T.StringType()) for name in ("cluster", "component", "resource", "configs")])
"""What is asked about; ``configs`` is JSON text."""

FINDING = T.StructType([T.StructField(name, T.StringType()) for name in Finding._fields])
"""What is found: one row for each value."""


def stored_rows(spark: SparkSession, snapshots: Sequence[Path]) -> DataFrame:
    """Read what the clusters of some snapshot directories have stored, each cluster on its newest day.

    Returns:
        A frame with the columns of `STORED`; resources without overrides are left out.
    """
    whole = spark.createDataFrame([], STORED)
    for directory in snapshots:
        partitions = latest_partitions(directory)
        configs = F.to_json("configs", {"ignoreNullFields": "false"})
        topics = read_topics(spark, partitions).where(F.size("configs") > F.lit(0))
        rows = topics.select(
            "cluster", F.lit("topic").alias("component"), F.col("topic").alias("resource"), configs.alias("configs")
        )
        whole = whole.unionByName(rows).unionByName(spark.createDataFrame(list(_brokers(partitions)), STORED))
    return whole.select(STORED.names)


def _brokers(partitions: Sequence[Partition]) -> Iterator[tuple[str, str, str, str]]:
    """Brokers are few, and in the state that the driver reads anyway."""
    for part in partitions:
        for row in stored(part.cluster, read_shared(part)):
            yield row.cluster, row.component, row.resource, json.dumps(row.configs)


def upgrade_findings(rows: DataFrame, opa: Opa, *, before: str, after: str) -> DataFrame:
    """Ask about stored rows.

    Args:
        rows: Columns of `STORED`.
        opa: Where the tasks find OPA.
        before, after: The releases, such as ``3.9`` and ``4.2``.

    Returns:
        A frame with the columns of `FINDING`.
    """
    return rows.select(STORED.names).mapInArrow(_arrow_ask(opa, before, after), FINDING).select(FINDING.names)


def _arrow_ask(opa: Opa, before: str, after: str) -> Callable[[Iterator["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]:
    from pyspark.sql.pandas.types import to_arrow_schema

    schema = to_arrow_schema(FINDING)

    def ask(batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa

        from warden.opa.client import OpaClient

        with OpaClient(opa.url, token=opa.token) as client:
            for batch in batches:
                columns = zip(*(column.to_pylist() for column in batch.columns), strict=True)
                rows = (
                    Stored(cluster, component, resource, json.loads(configs))
                    for cluster, component, resource, configs in columns
                )
                found = findings(rows, partial(client.evaluate, "kafka/lists/upgrade"), before=before, after=after)
                yield pa.RecordBatch.from_pylist([one._asdict() for one in found], schema=schema)

    return ask


def main(arguments: list[str] | None = None) -> int:
    """Run the job under spark-submit; returns the exit status: 1 where something was found."""
    from spark_jobs.failures import readable_failures
    from warden.errors import WardenError

    parser = argparse.ArgumentParser(
        description="Name stored list values that another release of Kafka reads otherwise."
    )
    parser.add_argument("snapshots", type=Path, nargs="+", help="snapshot directories, seen by all executors")
    parser.add_argument("--from", dest="before", required=True, help="the release that runs, such as 3.9")
    parser.add_argument("--to", dest="after", required=True, help="the release to come, such as 4.2")
    parser.add_argument(
        "--out", type=Path, required=True, help="directory for the findings, as Parquet; it is replaced"
    )
    parser.add_argument("--opa-url", required=True, help="OPA as seen from the executors")
    options = parser.parse_args(arguments)
    spark = SparkSession.builder.appName("warden upgrade-check").getOrCreate()
    opa = Opa(options.opa_url, os.environ.get("WARDEN_OPA_QUERY_TOKEN"))
    try:
        with readable_failures():
            found = upgrade_findings(
                stored_rows(spark, options.snapshots), opa, before=options.before, after=options.after
            )
            found.write.mode("overwrite").parquet(str(options.out))
            counts = (
                spark.read.schema(FINDING).parquet(str(options.out)).groupBy("cluster", "outcome").count().collect()
            )
    except WardenError as error:
        print(f"upgrade_check: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    for row in sorted(counts, key=lambda one: (one["cluster"], one["outcome"])):
        print(f"{row['cluster']}: {row['count']} {row['outcome']}")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
