"""Figures of a scan: Spark counts, the driver gets a few small tables."""

from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from spark_jobs.scan.tables import Tables
from warden.policy.contract.severities import SEVERITIES

__all__ = ["count_figures"]

_WORST = 25
_ERRORS = 100


def count_figures(tables: Tables) -> dict[str, list[dict[str, Any]]]:
    """Count a run.

    Args:
        tables: What it has written.

    Returns:
        ``statuses`` (topics only; by cluster, by owner: status, topics), ``findings`` (by rule, severity and effect; by
        cluster and severity; by owner and severity: findings, topics), ``worst`` (resources with the most severe
        violations: those with most of the highest severity, of equals with most of the next one) and ``errors``
        (resources that could not be evaluated, the first 100 by name). Where ``topic`` is not one it says what the
        resource is.
    """
    return {
        "statuses": _collect_rows(_count_statuses(tables.counts.where(F.col("kind") == F.lit("topic")))),
        "findings": _collect_rows(_count_findings(_name_subjects(tables.findings))),
        "worst": _collect_rows(_select_worst(_name_subjects(tables.decisions))),
        "errors": _collect_rows(_select_errors(tables.not_evaluated)),
    }


def _name_subjects(frame: DataFrame) -> DataFrame:
    """Topics by name, others as by `warden.analyse.report.finding.format_subject`: "" is the default of all brokers."""
    name = F.when(F.col("resource") == F.lit(""), F.lit("(default)")).otherwise(F.col("resource"))
    return frame.withColumn("topic", F.coalesce("topic", F.concat_ws(" ", "kind", name)))


def _count_statuses(counts: DataFrame) -> DataFrame:
    cluster, owner, status = F.col("cluster"), F.col("owner"), F.col("status")
    return (
        counts.select("cluster", "owner", "status", "resources")
        .groupingSets([[cluster, status], [owner, status]], cluster, owner, status)
        .agg(_flag_grouping("cluster"), F.sum("resources").alias("topics"))
        .select("cluster", "owner", "status", "by_cluster", "topics")
    )


def _count_findings(findings: DataFrame) -> DataFrame:
    names = ["rule", "severity", "effect", "cluster", "owner"]
    sets = [["rule", "severity", "effect"], ["cluster", "severity"], ["owner", "severity"]]
    return (
        findings.select(*names, F.struct("cluster", "topic").alias("on"))
        .groupingSets([[F.col(n) for n in group] for group in sets], *[F.col(n) for n in names])
        .agg(
            _flag_grouping("rule"),
            _flag_grouping("cluster"),
            F.count(F.lit(1)).alias("findings"),
            F.count_distinct("on").alias("topics"),
        )
        .select(*names, "by_rule", "by_cluster", "findings", "topics")
    )


def _select_worst(decisions: DataFrame) -> DataFrame:
    counts = [_count_violations(severity) for severity in SEVERITIES]
    rules = F.array_distinct("violations.rule")
    return (
        decisions.where(F.size("violations") > 0)
        .withColumns({"_counts": F.array(*counts), "rules": rules})
        .orderBy(F.desc("_counts"), "cluster", "topic")
        .limit(_WORST)
        .select("cluster", "topic", "owner", "status", "rules")
    )


def _count_violations(severity: str) -> Column:
    return F.size(F.filter("violations", lambda violation: violation["severity"] == F.lit(severity)))


def _select_errors(not_evaluated: DataFrame) -> DataFrame:
    name = F.when(F.col("kind") == F.lit("topic"), F.col("resource"))
    named = _name_subjects(not_evaluated.withColumn("topic", name)).withColumnRenamed("reason", "error")
    return named.select("cluster", "topic", "owner", "error").orderBy("cluster", "topic").limit(_ERRORS)


def _flag_grouping(name: str) -> Column:
    """True in the rows of a grouping set that has the column; its value may be null in either case."""
    return (F.grouping(name) == F.lit(0)).alias(f"by_{name}")


def _collect_rows(frame: DataFrame) -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in frame.collect()]
