"""Rows of brokers, ACLs and client configs, from the cluster states that the driver has read."""

from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.frames import make_frame
from spark_jobs.common.schemas import PARTITION, PARTS, ROW, build_texts
from warden.analyse.scan.audits import AuditedResource
from warden.analyse.scan.batches import DECISIONS
from warden.analyse.scan.plan import PreparedScan
from warden.state.snapshot.layout import SnapshotPartition

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
    rows = [_build_row(scanned.partition, audit) for scanned in prepared.scanned for audit in scanned.audits]
    others = make_frame(spark, rows, _SCHEMA)
    if any(audit.topic is not None for scanned in prepared.scanned for audit in scanned.audits):
        there = topics.select(*PARTITION.names, F.col("topic").alias("_topic"), F.lit(True).alias("_there")).distinct()
        others = others.join(there, [*PARTITION.names, "_topic"], how="left")
        exists = F.col("_topic").isNull() | F.col("_there").isNotNull()
        others = others.withColumn("item", F.when(exists, F.col("item")).otherwise(F.col("_without"))).drop("_there")
    none = {name: F.lit(None).cast(ROW[name].dataType) for name in (*PARTS, "other_days")}
    return others.drop("_topic", "_without").withColumns(none)


def _build_row(partition: SnapshotPartition, audit: AuditedResource) -> tuple[Any, ...]:
    texts = (audit.kind, audit.resource, None, audit.common.id, audit.item, DECISIONS)
    return (partition.day, partition.cluster, *texts, None, audit.topic, audit.item_without_topic)
