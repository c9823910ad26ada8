"""Upgrade checks of many clusters, from their snapshots.

Rows go to Python because OPA is called in batches over one connection.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.frames import make_frame
from spark_jobs.common.place_files import check_replaceable, escape_pattern
from spark_jobs.common.schemas import build_texts
from spark_jobs.sources.cluster_states import map_cluster_states
from spark_jobs.sources.topics import check_topics, read_topics
from warden.analyse.upgrade.snapshot_upgrade import (
    StoredConfigs,
    Upgrade,
    UpgradeFinding,
    iter_findings,
    iter_stored_configs,
)
from warden.policy.opa.endpoints import OpaEndpoint
from warden.state.snapshot.directory import read_stored_state
from warden.state.snapshot.layout import SnapshotPartition, select_latest_partitions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["STORED_CONFIGS", "UPGRADE_FINDING", "find_upgrade_problems", "read_stored_configs", "write_findings"]

_IN_FLIGHT = 2

STORED_CONFIGS = T.StructType(build_texts("cluster", "component", "resource", "configs"))
"""What is evaluated; ``configs`` is JSON text."""

UPGRADE_FINDING = T.StructType(build_texts(*UpgradeFinding._fields))
"""What is found: one row for each value."""


def read_stored_configs(spark: SparkSession, snapshots: Sequence[Path]) -> DataFrame:
    """Read what the clusters of some snapshot directories have stored, each cluster on its newest day.

    Returns:
        A frame with the columns of `STORED_CONFIGS`; resources without overrides are left out.

    Raises:
        InputError: A file cannot be read, or has another content than a moment before.
        ScanError: A cluster has fewer topics than its state says.
    """
    whole = make_frame(spark, [], STORED_CONFIGS)
    for directory in snapshots:
        partitions = select_latest_partitions(directory)
        configs = F.to_json("configs", {"ignoreNullFields": "false"})
        topics = read_topics(spark, partitions)
        hashes = _check_states(topics, partitions)
        rows = topics.where(F.size("configs") > F.lit(0)).select(
            "cluster", F.lit("topic").alias("component"), F.col("topic").alias("resource"), configs.alias("configs")
        )
        others = map_cluster_states(spark, hashes, _build_stored_rows, STORED_CONFIGS)
        whole = whole.unionByName(rows).unionByName(others)
    return whole.select(STORED_CONFIGS.names)


def _check_states(topics: DataFrame, partitions: Sequence[SnapshotPartition]) -> dict[SnapshotPartition, str]:
    """Compare topics with what the states say of them, and return the hash of each state."""
    named = topics.groupBy("cluster").agg(F.count_distinct("topic").alias("topics")).collect()
    found = {row["cluster"]: row["topics"] for row in named}
    hashes = {}
    for partition in partitions:
        stored = read_stored_state(partition)
        check_topics(partition, stored.expected_topics, found.get(partition.cluster, 0))
        hashes[partition] = stored.sha256
    return hashes


def _build_stored_rows(_day: date, cluster: str, state: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for row in iter_stored_configs(cluster, state):
        yield {**row._asdict(), "configs": json.dumps(row.configs)}


def find_upgrade_problems(rows: DataFrame, endpoint: OpaEndpoint, upgrade: Upgrade) -> DataFrame:
    """Ask about stored rows, in the tasks that read them: Spark divides the files of a snapshot among its cores.

    Args:
        rows: Columns of `STORED_CONFIGS`.
        endpoint: Where the tasks find OPA.
        upgrade: From `warden.analyse.upgrade.snapshot_upgrade.read_upgrade`.

    Returns:
        A frame with the columns of `UPGRADE_FINDING`.
    """
    found = rows.select(STORED_CONFIGS.names).mapInArrow(_build_evaluator(endpoint, upgrade), UPGRADE_FINDING)
    return found.select(UPGRADE_FINDING.names)


def write_findings(findings: DataFrame, out: Path) -> dict[str, dict[str, int]]:
    """Write findings as Parquet, and count them by cluster and by what the release makes of the value.

    Args:
        findings: Columns of `UPGRADE_FINDING`; evaluated once.
        out: The directory; replaced.

    Raises:
        InputError: The directory holds anything else.
    """
    check_replaceable(findings.sparkSession, out)
    findings.write.mode("overwrite").parquet(str(out))
    written = findings.sparkSession.read.schema(UPGRADE_FINDING).parquet(escape_pattern(out))
    counts: dict[str, dict[str, int]] = {}
    for row in written.groupBy("cluster", "outcome").count().sort("cluster", "outcome").collect():
        counts.setdefault(row["cluster"], {})[row["outcome"]] = row["count"]
    return counts


def _build_evaluator(
    endpoint: OpaEndpoint, upgrade: Upgrade
) -> Callable[[Iterator["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]:
    from pyspark.sql.pandas.types import to_arrow_schema

    schema = to_arrow_schema(UPGRADE_FINDING)

    def evaluate_batches(batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        from itertools import islice

        import pyarrow as pa
        from pyspark import TaskContext

        task = TaskContext.get()
        rows = (
            StoredConfigs(cluster, component, resource, json.loads(configs))
            for batch in batches
            for cluster, component, resource, configs in zip(*(c.to_pylist() for c in batch.columns), strict=True)
        )
        with endpoint.open(_IN_FLIGHT, task.partitionId() if task else 0) as post:
            findings = iter_findings(rows, upgrade, post, in_flight=_IN_FLIGHT)
            while some := [finding._asdict() for finding in islice(findings, 500)]:
                yield pa.RecordBatch.from_pylist(some, schema=schema)

    return evaluate_batches
