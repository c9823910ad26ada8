"""Rows of the tables that a scan writes."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.schemas import FINDING, NOT_EVALUATED, PASSES, RESOURCE_DECISION
from spark_jobs.scan.survey import name_sum
from warden.contract.severities import SEVERITIES
from warden.scan.evaluate import Job

__all__ = [
    "counts",
    "decision_rows",
    "finding_rows",
    "in_order",
    "not_evaluated_rows",
    "pass_rows",
    "write_lines",
    "write_table",
]

_RESOURCE = ("cluster", "day", "kind")


def decision_rows(evaluated: DataFrame, job: Job) -> DataFrame:
    """Return the table of decisions, with the columns of `RESOURCE_DECISION`.

    Args:
        evaluated: What the functions of `spark_jobs.scan.join_results` return.
        job: The scan.
    """
    return evaluated.select(
        F.lit(job.run_id).alias("run_id"),
        F.lit(job.revision).alias("revision"),
        "cluster",
        F.when(F.col("kind") == F.lit("topic"), F.col("resource")).alias("topic"),
        "owner",
        "status",
        "violations",
        "error",
        "day",
        "kind",
        "resource",
        F.col("hash").alias("input_hash"),
        F.col("item").alias("input"),
    ).select(RESOURCE_DECISION.names)


def counts(decisions: DataFrame) -> DataFrame:
    """Count resources by cluster, day, kind, owner and status, in ``resources``, and add up their ``names``."""
    return decisions.groupBy(*_RESOURCE, "owner", "status").agg(
        F.count("*").alias("resources"), name_sum().alias("names")
    )


def finding_rows(decisions: DataFrame) -> DataFrame:
    """Unfold decisions into one row for each violation, with the columns of `FINDING`."""
    shared = [name for name in RESOURCE_DECISION.names if name in FINDING.names]
    return (
        decisions.select(*shared, F.explode("violations").alias("violation"))
        .select(*shared, "violation.*")
        .select(FINDING.names)
    )


def not_evaluated_rows(decisions: DataFrame) -> DataFrame:
    """Return what could not be evaluated, with the columns of `NOT_EVALUATED`."""
    failed = decisions.where(F.col("status") == F.lit("ERROR"))
    return failed.withColumnRenamed("error", "reason").select(NOT_EVALUATED.names)


def pass_rows(
    spark: SparkSession, counts: DataFrame, findings: DataFrame, rules: Iterable[tuple[str, str, str]], job: Job
) -> DataFrame:
    """Count for each rule the resources that it evaluated, and those that pass, with the columns of `PASSES`.

    Args:
        spark: A session.
        counts: What `counts` returns.
        findings: The table of the run.
        rules: (cluster, kind, rule), as OPA lists them (``kafka/applicable_rules``).
        job: The run.
    """
    applied = spark.createDataFrame(
        list(rules), T.StructType([T.StructField(name, T.StringType()) for name in ("cluster", "kind", "rule")])
    )
    decided = counts.where(F.col("status") != F.lit("ERROR"))
    evaluated = decided.groupBy(*_RESOURCE).agg(F.sum("resources").alias("evaluated"))
    broken = findings.groupBy(*_RESOURCE, "rule").agg(F.count_distinct("resource").alias("broken"))
    counted = evaluated.join(F.broadcast(applied), ["cluster", "kind"]).join(broken, [*_RESOURCE, "rule"], "left")
    none = F.lit(0).cast("long")
    return counted.select(
        F.lit(job.run_id).alias("run_id"),
        F.lit(job.revision).alias("revision"),
        *_RESOURCE,
        "rule",
        "evaluated",
        F.coalesce("broken", none).alias("broken"),
        (F.col("evaluated") - F.coalesce("broken", none)).alias("passed"),
    ).select(PASSES.names)


def write_table(frame: DataFrame, directory: Path, format: str) -> None:
    """Write a table in a format of the session; CSV, which has no lists, gets them as JSON text."""
    if format == "csv":
        complex = (T.ArrayType, T.MapType, T.StructType)
        frame = frame.select(
            *[
                F.to_json(field.name).alias(field.name) if isinstance(field.dataType, complex) else F.col(field.name)
                for field in frame.schema.fields
            ]
        )
    options: Mapping[str, str] = {"csv": {"header": "true"}, "json": {"ignoreNullFields": "false"}}.get(format, {})
    frame.write.format(format).options(**options).save(str(directory))


def in_order(findings: DataFrame) -> DataFrame:
    """Put findings in one partition, most severe first."""
    rank = F.array_position(F.array(*[F.lit(severity) for severity in SEVERITIES]), F.col("severity"))
    last = F.when(rank == F.lit(0), F.lit(len(SEVERITIES) + 1)).otherwise(rank)
    return findings.repartition(1).sortWithinPartitions(last, "cluster", "day", "kind", "resource", "rule")


def write_lines(ordered: DataFrame, target: Path) -> None:
    """Write a frame of one partition as one file of JSON lines."""
    lines = target.with_name(target.name + "-lines")
    ordered.coalesce(1).write.option("ignoreNullFields", "false").json(str(lines))
    (part,) = lines.glob("part-*.json")
    part.rename(target)
    for rest in [*lines.iterdir()]:
        rest.unlink()
    lines.rmdir()
