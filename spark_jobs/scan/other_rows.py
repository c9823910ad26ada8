"""Rows of brokers, ACLs and client configs, made of the cluster states by the tasks that read them."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.schemas import PARTITION, PARTS, ROW, build_texts
from spark_jobs.sources.cluster_states import map_cluster_states
from warden.analyse.scan.audits import iter_audits
from warden.analyse.scan.batches import DECISIONS
from warden.analyse.scan.plan import PreparedScan

__all__ = ["build_other_rows"]

_TEXTS = ("kind", "resource", "owner", "common", "item", "path", "problem", "_topic", "_without")
_SCHEMA = T.StructType([*PARTITION.fields, *build_texts(*_TEXTS)])


def build_other_rows(spark: SparkSession, topics: DataFrame, prepared: PreparedScan) -> DataFrame:
    """Return the columns of `ROW` but ``id`` and ``hash``. Whether a topic is there that one names, only Spark knows.

    Args:
        spark: A session.
        topics: Columns of `TOPIC` and `PARTITION`.
        prepared: The run.
    """
    own = {operation: reads.own for operation, reads in prepared.policy.dependencies.items()}
    shared = {
        (scan.partition.day, scan.partition.cluster): {kind: each.id for kind, each in scan.other_inputs.items()}
        for scan in prepared.scanned
    }

    def build_rows(day: date, cluster: str, state: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for audit in iter_audits(state, shared[day, cluster], own):
            yield {
                "day": day,
                "cluster": cluster,
                "kind": audit.kind,
                "resource": audit.resource,
                "common": audit.common,
                "item": audit.item,
                "path": DECISIONS,
                "_topic": audit.topic,
                "_without": audit.item_without_topic,
            }

    audited = {scan.partition: scan.state_sha256 for scan in prepared.scanned if scan.other_inputs}
    others = map_cluster_states(spark, audited, build_rows, _SCHEMA)
    if any("acl" in scan.other_inputs for scan in prepared.scanned):
        there = topics.select(*PARTITION.names, F.col("topic").alias("_topic"), F.lit(True).alias("_there")).distinct()
        others = others.join(there, [*PARTITION.names, "_topic"], how="left")
        exists = F.col("_topic").isNull() | F.col("_there").isNotNull()
        others = others.withColumn("item", F.when(exists, F.col("item")).otherwise(F.col("_without"))).drop("_there")
    none = {name: F.lit(None).cast(ROW[name].dataType) for name in (*PARTS, "other_days")}
    return others.drop("_topic", "_without").withColumns(none)
