"""Rules and bounds that an estate breaks today, counted by class of clusters, from the tables of scans.

The bounds are those of rules whose parameter has a `direction` in METADATA. Two scans evaluate them under values that
every resource breaks, so that the rule itself says each resource's value in its message.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.frames import make_frame
from spark_jobs.common.place_files import escape_pattern
from spark_jobs.common.schemas import FINDING, NOT_EVALUATED, PASSES, build_texts

__all__ = ["count_survey"]

_GROUP = ["class", "rule"]
_CLASS, _BOUND = (
    T.StructType(build_texts(*names)) for names in (("cluster", "class"), ("rule", "param", "direction", "pattern"))
)


def count_survey(spark: SparkSession, runs: Mapping[str, Path], survey: Mapping[str, Any]) -> dict[str, Any]:
    """Count what three scans have found.

    Args:
        spark: A session.
        runs: ``all``, ``greatest`` and ``least`` → directory of the scan under those of the survey's settings.
        survey: What `checks.proposal.survey` returned.

    Returns:
        Class → ``unevaluated`` and ``rules``, as `checks.proposal.settings` reads it.
    """
    rows = make_frame(spark, survey["classes"].items(), _CLASS)
    passes = spark.read.schema(PASSES).parquet(escape_pattern(runs["all"] / "passes"))
    passes = passes.join(rows, "cluster", how="inner")
    findings = spark.read.schema(FINDING).parquet(escape_pattern(runs["all"] / "findings"))
    findings = findings.join(rows, "cluster", how="inner")
    evaluated = passes.groupBy(_GROUP).agg(F.sum("evaluated").alias("evaluated"), F.sum("broken").alias("broken"))
    counts: dict[str, Any] = {name: {"unevaluated": 0, "rules": {}} for name in set(survey["classes"].values())}
    for row in evaluated.collect():
        counted = {"evaluated": row["evaluated"], "broken": row["broken"], "outliers": [], "bounds": {}}
        counts[row["class"]]["rules"][row["rule"]] = counted
    for row in _select_outliers(findings, survey["outliers"]).collect():
        outlier = {"cluster": row["cluster"], "topic": row["topic"], "owner": row["owner"] or "unknown"}
        counts[row["class"]]["rules"][row["rule"]]["outliers"].append(outlier)
    bounds = make_frame(spark, survey["bounds"], _BOUND)
    probed = _read_probes(spark, runs, bounds).join(rows, "cluster", how="inner")
    bounded = evaluated.join(bounds, "rule", how="inner")
    for row in _compute_bounds(probed, bounded, survey["shares"]).collect():
        shown = counts[row["class"]]["rules"][row["rule"]]["bounds"].setdefault(row["param"], {})
        shown[str(row["share"])] = row["bound"]
    for run in runs.values():
        missing = spark.read.schema(NOT_EVALUATED).parquet(escape_pattern(run / "not_evaluated"))
        for row in missing.join(rows, "cluster", how="inner").groupBy("class").count().collect():
            counts[row["class"]]["unevaluated"] += row["count"]
    return counts


def _select_outliers(findings: DataFrame, most: int) -> DataFrame:
    """The topics that break each rule in each class, of many the first by name."""
    topics = findings.where(F.col("topic").isNotNull()).select(*_GROUP, "cluster", "topic", "owner").distinct()
    number = F.row_number().over(Window.partitionBy(*_GROUP).orderBy("cluster", "topic"))
    return topics.withColumn("number", number).where(F.col("number") <= F.lit(most)).orderBy(*_GROUP, "number")


def _read_probes(spark: SparkSession, runs: Mapping[str, Path], bounds: DataFrame) -> DataFrame:
    """By bound and resource the value that a finding's message says."""
    findings = [
        spark.read.schema(FINDING)
        .parquet(escape_pattern(runs[direction] / "findings"))
        .withColumn("direction", F.lit(direction))
        for direction in ("greatest", "least")
    ]
    value = F.expr("regexp_extract(message, pattern, 1)").cast("decimal(38,6)")
    return (
        findings[0]
        .unionByName(findings[1])
        .join(F.broadcast(bounds), ["rule", "direction"], how="inner")
        .groupBy("cluster", "resource", "rule", "param", "direction")
        .agg(F.first(value).alias("value"))
        # What has no limit is above every least value.
        .where((F.col("direction") == F.lit("greatest")) | (F.col("value") >= F.lit(0)))
    )


def _compute_bounds(probed: DataFrame, evaluated: DataFrame, shares: Sequence[int]) -> DataFrame:
    """By class, bound and share the value that so many resources pass, "any" where all do, "none" where none is enough.

    A value below 0 is no limit, which is more than any.
    """
    bound = ["class", "rule", "param"]
    limited = F.when(F.col("value") >= F.lit(0), F.col("value"))
    worst = F.when(F.col("direction") == F.lit("greatest"), -limited).otherwise(limited).asc_nulls_first()
    # Resources are counted by value before they are put in order: a class has few values, and many resources.
    counted = probed.groupBy(*bound, "direction", "value").agg(F.count("*").alias("count"))
    in_order = (
        Window.partitionBy(*bound).orderBy(worst, "value").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    )
    ranked = counted.withColumn("last", F.sum("count").over(in_order)).drop("direction")
    failing = F.floor(F.col("evaluated") * (F.lit(100) - F.col("share")) / F.lit(100))
    share = F.explode(F.array(*[F.lit(share) for share in shares])).alias("share")
    wanted = evaluated.select(*bound, "evaluated", share).select(*bound, "share", (failing + F.lit(1)).alias("number"))
    text = F.regexp_replace(F.col("value").cast("string"), r"\.?0+$", "")
    shown = F.when(F.col("value").isNull(), F.lit("any")).when(F.col("value") < F.lit(0), F.lit("none")).otherwise(text)
    first = F.col("last") - F.col("count") + F.lit(1)
    ranks = ranked.select(*[F.col(name).alias(f"_{name}") for name in bound], "value", first.alias("first"), "last")
    same = [F.col(name) == F.col(f"_{name}") for name in bound]
    placed = wanted.join(ranks, [*same, F.col("number").between(F.col("first"), F.col("last"))], how="left")
    return placed.select(*bound, "share", shown.alias("bound"))
