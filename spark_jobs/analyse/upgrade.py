"""Upgrade checks of many clusters, from their snapshots.

Rows go to Python because OPA is called in batches over one connection.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.frames import make_frame
from spark_jobs.common.place_files import escape_pattern
from spark_jobs.common.schemas import build_texts
from spark_jobs.sources.topics import read_topics
from warden.analyse.upgrade.snapshot_upgrade import StoredConfigs, UpgradeFinding, iter_findings, iter_stored_configs
from warden.base.errors import OpaUndefined
from warden.policy.opa.endpoints import OpaEndpoint
from warden.policy.opa.response_errors import parse_answer
from warden.state.snapshot.directory import read_without_topics
from warden.state.snapshot.layout import SnapshotPartition, select_latest_partitions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["STORED_CONFIGS", "UPGRADE_FINDING", "find_upgrade_problems", "read_stored_configs", "write_findings"]

_PATH = "kafka/upgrade/findings"

STORED_CONFIGS = T.StructType(build_texts("cluster", "component", "resource", "configs"))
"""What is evaluated; ``configs`` is JSON text."""

UPGRADE_FINDING = T.StructType(build_texts(*UpgradeFinding._fields))
"""What is found: one row for each value."""


def read_stored_configs(spark: SparkSession, snapshots: Sequence[Path]) -> DataFrame:
    """Read what the clusters of some snapshot directories have stored, each cluster on its newest day.

    Returns:
        A frame with the columns of `STORED_CONFIGS`; resources without overrides are left out.
    """
    whole = make_frame(spark, [], STORED_CONFIGS)
    for directory in snapshots:
        partitions = select_latest_partitions(directory)
        configs = F.to_json("configs", {"ignoreNullFields": "false"})
        topics = read_topics(spark, partitions).where(F.size("configs") > F.lit(0))
        rows = topics.select(
            "cluster", F.lit("topic").alias("component"), F.col("topic").alias("resource"), configs.alias("configs")
        )
        whole = whole.unionByName(rows).unionByName(make_frame(spark, _iter_broker_configs(partitions), STORED_CONFIGS))
    return whole.select(STORED_CONFIGS.names)


def _iter_broker_configs(partitions: Sequence[SnapshotPartition]) -> Iterator[tuple[str, str, str, str]]:
    """Brokers are few, and in the state that the driver reads anyway."""
    for partition in partitions:
        for row in iter_stored_configs(partition.cluster, read_without_topics(partition)):
            yield row.cluster, row.component, row.resource, json.dumps(row.configs)


def find_upgrade_problems(rows: DataFrame, endpoint: OpaEndpoint, *, before: str, after: str) -> DataFrame:
    """Ask about stored rows, in the tasks that read them: Spark divides the files of a snapshot among its cores.

    Args:
        rows: Columns of `STORED_CONFIGS`.
        endpoint: Where the tasks find OPA.
        before, after: The releases, such as ``3.9`` and ``4.2``.

    Returns:
        A frame with the columns of `UPGRADE_FINDING`.
    """
    return (
        rows.select(STORED_CONFIGS.names)
        .mapInArrow(_build_evaluator(endpoint, before, after), UPGRADE_FINDING)
        .select(UPGRADE_FINDING.names)
    )


def write_findings(findings: DataFrame, out: Path) -> dict[str, dict[str, int]]:
    """Write findings as Parquet, and count them by cluster and by what the release makes of the value.

    Args:
        findings: Columns of `UPGRADE_FINDING`; evaluated once.
        out: The directory; replaced.
    """
    findings.write.mode("overwrite").parquet(str(out))
    written = findings.sparkSession.read.schema(UPGRADE_FINDING).parquet(escape_pattern(out))
    counts: dict[str, dict[str, int]] = {}
    for row in written.groupBy("cluster", "outcome").count().sort("cluster", "outcome").collect():
        counts.setdefault(row["cluster"], {})[row["outcome"]] = row["count"]
    return counts


def _build_evaluator(
    endpoint: OpaEndpoint, before: str, after: str
) -> Callable[[Iterator["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]:
    from pyspark.sql.pandas.types import to_arrow_schema

    schema = to_arrow_schema(UPGRADE_FINDING)

    def evaluate_batches(batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa
        from pyspark import TaskContext

        task = TaskContext.get()
        with endpoint.open(1, task.partitionId() if task else 0) as post:

            def ask(document: Mapping[str, Any]) -> Any:
                answer = parse_answer(post(_PATH, json.dumps({"input": document}).encode()), _PATH)
                if "result" not in answer:
                    raise OpaUndefined(f"{_PATH} is undefined: give OPA the bundle of this Warden")
                return answer["result"]

            for batch in batches:
                columns = zip(*(column.to_pylist() for column in batch.columns), strict=True)
                rows = (
                    StoredConfigs(cluster, component, resource, json.loads(configs))
                    for cluster, component, resource, configs in columns
                )
                records = iter_findings(rows, ask, before=before, after=after)
                yield pa.RecordBatch.from_pylist([finding._asdict() for finding in records], schema=schema)

    return evaluate_batches
