"""What an estate breaks today: rules and bounds counted by class of clusters, from the tables of scans.

The bounds are those of rules whose parameter has a `direction` in METADATA. Two scans evaluate them under values that
every resource breaks, so that the rule itself says each resource's value in its message.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from spark_jobs.common.schemas import FINDING, NOT_EVALUATED, PASSES

__all__ = ["count_baseline"]

_GROUP = ["class", "rule"]


def count_baseline(spark: SparkSession, runs: Mapping[str, Path], survey: Mapping[str, Any]) -> dict[str, Any]:
    """Count what three scans have found.

    Args:
        spark: A session.
        runs: ``all``, ``greatest`` and ``least`` → directory of the scan under those of the survey's settings.
        survey: What `checks.proposal.survey` returned.

    Returns:
        Class → ``unevaluated`` and ``rules``, as `checks.proposal.settings` reads it.
    """
    rows = spark.createDataFrame(list(survey["classes"].items()), "cluster string, class string")
    passes = spark.read.schema(PASSES).parquet(str(runs["all"] / "passes")).join(rows, "cluster")
    findings = spark.read.schema(FINDING).parquet(str(runs["all"] / "findings")).join(rows, "cluster")
    evaluated = passes.groupBy(_GROUP).agg(F.sum("evaluated").alias("evaluated"), F.sum("broken").alias("broken"))
    counts: dict[str, Any] = {name: {"unevaluated": 0, "rules": {}} for name in set(survey["classes"].values())}
    for row in evaluated.collect():
        counted = {"evaluated": row["evaluated"], "broken": row["broken"], "outliers": [], "bounds": {}}
        counts[row["class"]]["rules"][row["rule"]] = counted
    for row in _outliers(findings, survey["outliers"]).collect():
        one = {"cluster": row["cluster"], "topic": row["topic"], "owner": row["owner"] or "unknown"}
        counts[row["class"]]["rules"][row["rule"]]["outliers"].append(one)
    for bound in survey["bounds"]:
        probed = spark.read.schema(FINDING).parquet(str(runs[bound["direction"]] / "findings")).join(rows, "cluster")
        of_rule = evaluated.where(F.col("rule") == F.lit(bound["rule"]))
        for row in _bounds(probed, of_rule, bound, survey["shares"]).collect():
            shown = counts[row["class"]]["rules"][bound["rule"]]["bounds"].setdefault(bound["param"], {})
            shown[str(row["share"])] = row["bound"]
    for run in runs.values():
        missing = spark.read.schema(NOT_EVALUATED).parquet(str(run / "not_evaluated")).join(rows, "cluster")
        for row in missing.groupBy("class").count().collect():
            counts[row["class"]]["unevaluated"] += row["count"]
    return counts


def _outliers(findings: DataFrame, most: int) -> DataFrame:
    """The topics that break each rule in each class, of many the first by name."""
    topics = findings.where(F.col("topic").isNotNull()).select(*_GROUP, "cluster", "topic", "owner").distinct()
    number = F.row_number().over(Window.partitionBy(*_GROUP).orderBy("cluster", "topic"))
    return topics.withColumn("number", number).where(F.col("number") <= F.lit(most)).orderBy(*_GROUP, "number")


def _bounds(probed: DataFrame, evaluated: DataFrame, bound: Mapping[str, Any], shares: Sequence[int]) -> DataFrame:
    """By class and share the bound that so many resources pass, "any" where every number does, "none" where none."""
    greatest = bound["direction"] == "greatest"
    value = F.regexp_extract("message", bound["pattern"], 1).cast("decimal(38,6)")
    values = (
        probed.where(F.col("rule") == F.lit(bound["rule"]))
        .select("class", "cluster", "resource", value.alias("value"))
        .where(F.lit(greatest) | (F.col("value") >= F.lit(0)))  # what has no limit is above every least value
    )
    # The worst first: below 0 is no limit, which is more than any.
    worst: list[Column] = (
        [(F.col("value") < F.lit(0)).desc(), F.col("value").desc()] if greatest else [F.col("value").asc()]
    )
    number = F.row_number().over(Window.partitionBy("class").orderBy(*worst))
    ranked = values.groupBy("class", "cluster", "resource").agg(F.first("value").alias("value"))
    ranked = ranked.select("class", "value", number.alias("number"))
    failing = F.floor(F.col("evaluated") * (F.lit(100) - F.col("share")) / F.lit(100))
    wanted = evaluated.select(
        "class", "evaluated", F.explode(F.array(*[F.lit(share) for share in shares])).alias("share")
    )
    wanted = wanted.select("class", "share", (failing + F.lit(1)).alias("number"))
    text = F.regexp_replace(F.col("value").cast("string"), r"\.?0+$", "")
    shown = F.when(F.col("value").isNull(), F.lit("any")).when(F.col("value") < F.lit(0), F.lit("none")).otherwise(text)
    return wanted.join(ranked, ["class", "number"], "left").select("class", "share", shown.alias("bound"))
