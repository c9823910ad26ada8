"""Rows of the tables that a scan writes."""

from collections.abc import Iterable, Mapping

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.frames import make_frame
from spark_jobs.common.place_files import keep_part
from spark_jobs.common.schemas import FINDING, NOT_EVALUATED, PARTITION, PASSES, RESOURCE_DECISION, build_texts
from spark_jobs.common.severities import build_severity_rank
from spark_jobs.scan.row_counts import sum_names
from warden.analyse.scan.decision_rows import ERROR
from warden.analyse.scan.evaluate import ScanJob
from warden.analyse.scan.plan import PreparedScan
from warden.base.files.address import Place

__all__ = [
    "build_decision_rows",
    "count_passes",
    "count_resources",
    "select_not_evaluated",
    "sort_findings",
    "unfold_findings",
    "write_lines",
    "write_table",
]

_RESOURCE = ("cluster", "day", "kind")
_HAS_LABELS = T.StructField("_has_labels", T.BooleanType())
_RULE = T.StructType([*build_texts("cluster"), _HAS_LABELS, *build_texts("kind", "rule")])
_LABELS = T.StructType([*PARTITION.fields, _HAS_LABELS])


def build_decision_rows(evaluated: DataFrame, job: ScanJob) -> DataFrame:
    """Return the table of decisions, with the columns of `RESOURCE_DECISION`.

    Args:
        evaluated: Resources with what was decided on each, of `spark_jobs.scan.stages.join`.
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


def count_resources(decisions: DataFrame) -> DataFrame:
    """Count resources by cluster, day, kind, owner and status, in ``resources``, and add up their ``names``."""
    return decisions.groupBy(*_RESOURCE, "owner", "status").agg(
        F.count("*").alias("resources"), sum_names().alias("names")
    )


def unfold_findings(decisions: DataFrame) -> DataFrame:
    """Unfold decisions into one row for each violation, with the columns of `FINDING`."""
    shared = [name for name in RESOURCE_DECISION.names if name in FINDING.names]
    return (
        decisions.select(*shared, F.explode("violations").alias("violation"))
        .select(*shared, "violation.*")
        .select(FINDING.names)
    )


def select_not_evaluated(decisions: DataFrame) -> DataFrame:
    """Return what could not be evaluated, with the columns of `NOT_EVALUATED`."""
    failed = decisions.where(F.col("status") == F.lit(ERROR))
    return failed.withColumnRenamed("error", "reason").select(NOT_EVALUATED.names)


def count_passes(
    spark: SparkSession,
    counts: DataFrame,
    findings: DataFrame,
    rules: Iterable[tuple[str, bool, str, str]],
    prepared: PreparedScan,
) -> DataFrame:
    """Count for each rule the resources that it evaluated, and those that pass, with the columns of `PASSES`.

    Args:
        spark: A session.
        counts: What `count_resources` returns.
        findings: The table of the run.
        rules: (cluster, whether labels are known, kind, rule), as OPA lists them (``kafka/applicable_rules``).
        prepared: The run, which knows on which days a cluster's labels are known.
    """
    job, applied = prepared.job, F.broadcast(make_frame(spark, rules, _RULE))
    known = [(scan.partition.day, scan.partition.cluster, scan.has_labels) for scan in prepared.scanned]
    labels = F.broadcast(make_frame(spark, known, _LABELS))
    decided = counts.where(F.col("status") != F.lit(ERROR))
    evaluated = decided.groupBy(*_RESOURCE).agg(F.sum("resources").alias("evaluated"))
    broken = findings.groupBy(*_RESOURCE, "rule").agg(F.count_distinct("resource").alias("broken"))
    by_day = evaluated.join(labels, PARTITION.names, how="inner")
    by_rule = by_day.join(applied, ["cluster", _HAS_LABELS.name, "kind"], how="inner")
    counted = by_rule.join(broken, [*_RESOURCE, "rule"], how="left")
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


def write_table(frame: DataFrame, directory: Place, format: str) -> None:
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


def sort_findings(findings: DataFrame) -> DataFrame:
    """Put findings in one partition, most severe first."""
    rank = build_severity_rank()
    return findings.repartition(1).sortWithinPartitions(rank, "cluster", "day", "kind", "resource", "rule")


def write_lines(spark: SparkSession, ordered: DataFrame, directory: Place, name: str) -> None:
    """Write a frame of one partition as one file of JSON lines, of this name."""
    lines = directory / f"{name}-lines"
    ordered.coalesce(1).write.option("ignoreNullFields", "false").json(str(lines))
    keep_part(spark, lines, ".json", directory / name)
