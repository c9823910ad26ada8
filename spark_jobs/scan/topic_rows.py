"""Rows of topics: decision inputs as JSON text, made in the JVM (2.4 times the speed of Python's json)."""

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.frames import make_frame
from spark_jobs.common.schemas import PARTITION, PARTS, ROW, TOPIC
from spark_jobs.scan.audit_parts import build_name_item, build_names_item, build_shared_items, read_columns
from spark_jobs.scan.dedupe_days import dedupe_days
from spark_jobs.scan.same_topic_elsewhere import SAME_TOPIC_ELSEWHERE
from spark_jobs.sources.topics import sanitise_text
from warden.analyse.scan.batches import DECISIONS, NAMES
from warden.analyse.scan.plan import PreparedScan

__all__ = ["build_topic_rows"]

_KEYS = T.StructType(PARTITION.fields)


def build_topic_rows(spark: SparkSession, topics: DataFrame, prepared: PreparedScan, damaged: str) -> DataFrame:
    """Return the columns of `ROW` but ``id`` and ``hash``; of topics that are the same on several days one row.

    Args:
        spark: A session.
        topics: Columns of `TOPIC` and `PARTITION`, and that of what is wrong with a row.
        prepared: The run.
        damaged: Name of that column, of type `spark_jobs.sources.topics.DAMAGED`.
    """
    cut = prepared.audit_part_plan
    rows = _with_common(spark, topics, prepared)
    clash = F.create_map("_metric", "_names").alias("namesByMetric") if "_names" in rows.columns else None
    item, path = _build_own_item(cut is not None, clash)
    if SAME_TOPIC_ELSEWHERE in rows.columns:
        item = F.concat(
            F.substring(item, F.lit(1), F.length(item) - F.lit(1)),
            F.lit(',"clusters":'),
            SAME_TOPIC_ELSEWHERE,
            F.lit("}"),
        )
    if cut:
        others = [name for name in rows.columns if name not in TOPIC.names]
        rows = rows.select(*others, *read_columns(cut))
    problem = F.when(F.col(damaged).isNotNull(), F.col(damaged)["problem"]).when(
        F.col("topic").isNull(), F.lit("the row of the snapshot has no topic")
    )
    rows = rows.withColumn("problem", problem)
    if prepared.days > 1:
        line = F.when(F.col("problem").isNotNull(), F.monotonically_increasing_id())  # each is reported by itself
        rows = dedupe_days(rows.withColumn("_line", line), {partition.day for partition in prepared.partitions})
    else:
        rows = rows.withColumn("other_days", F.lit(None).cast(ROW["other_days"].dataType))
    readable = F.col("problem").isNull()
    parts = build_shared_items(cut) if cut else [F.lit(None).cast("string")] * len(PARTS)
    return rows.select(
        *PARTITION.names,
        "other_days",
        F.lit("topic").alias("kind"),
        _sanitise_column("topic", damaged).alias("resource"),
        _sanitise_column(F.col("labels").getItem(prepared.policy.owner_label), damaged).alias("owner"),
        "common",
        F.when(readable, item).otherwise(F.col(damaged)["text"]).alias("item"),
        path.alias("path"),
        "problem",
        *[F.when(readable, part).alias(name) for name, part in zip(PARTS, parts, strict=True)],
    )


def _sanitise_column(column: Column | str, damaged: str) -> Column:
    """A column of a row; of one that is damaged as text that can be shown."""
    value = F.col(column) if isinstance(column, str) else column
    return F.when(F.col(damaged).isNull(), value).otherwise(sanitise_text(value))


def _with_common(spark: SparkSession, topics: DataFrame, prepared: PreparedScan) -> DataFrame:
    """Add ``common``, and ``_names``, the topics that have the same ``_metric``, where there are such."""
    shared_inputs = [
        (scanned.partition.day, scanned.partition.cluster, scanned.topic_input.id) for scanned in prepared.scanned
    ]
    common = make_frame(spark, shared_inputs, T.StructType([*_KEYS.fields, T.StructField("common", T.StringType())]))
    rows = topics.join(F.broadcast(common), PARTITION.names, how="left")
    names = [
        (scanned.partition.day, scanned.partition.cluster, metric, topics)
        for scanned in prepared.scanned
        for metric, topics in scanned.names
    ]
    if not names:
        return rows
    fields = [T.StructField("_metric", T.StringType()), T.StructField("_names", T.ArrayType(T.StringType()))]
    clashes = make_frame(spark, names, T.StructType([*_KEYS.fields, *fields]))
    rows = rows.withColumn("_metric", F.translate("topic", ".", "_"))
    return rows.join(F.broadcast(clashes), [*PARTITION.names, "_metric"], how="left")


def _build_own_item(divisible: bool, clash: Column | None) -> tuple[Column, Column]:
    """The input that is about this topic and no other, and the entry point that it goes to.

    Args:
        divisible: Whether audits are cut into parts.
        clash: The part of the cluster's state that names topics with the same name in metrics.
    """
    if not divisible:
        item = _build_topic_item()
        with_names = (
            item if clash is None else F.when(F.col("_names").isNull(), item).otherwise(_build_topic_item(clash))
        )
        return with_names, F.lit(DECISIONS)
    if clash is None:
        return build_names_item(), F.lit(NAMES)
    alone = F.col("_names").isNull()
    return F.when(alone, build_names_item()).otherwise(build_name_item(clash)), F.when(alone, F.lit(NAMES)).otherwise(
        F.lit(DECISIONS)
    )


def _build_topic_item(*more: Column) -> Column:
    """Nulls are kept: a config that is null is not one that is absent."""
    topic = F.struct(*[F.col(name) for name in TOPIC.names if name != "topic"])
    item = F.struct(
        F.struct("topic").alias("request"),
        F.struct(F.create_map("topic", topic).alias("topics"), *more).alias("clusterState"),
    )
    return F.to_json(item, {"ignoreNullFields": "false"})
