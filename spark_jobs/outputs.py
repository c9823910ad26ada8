"""The tables of a run."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.schemas import FINDING, PASSES, UNJUDGED, VERDICT
from warden.report.summary import SEVERITIES
from warden.scan.evaluate import Job

__all__ = ["counts", "dead_letters", "findings", "in_order", "passes", "verdicts", "write_lines", "write_table"]

_RESOURCE = ("cluster", "day", "kind")


def verdicts(judged: DataFrame, job: Job) -> DataFrame:
    """Name each row's run; ``judged`` is what `spark_jobs.outcomes.outcomes` returns. Columns of `VERDICT`."""
    return judged.select(
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
    ).select(VERDICT.names)


def counts(verdicts: DataFrame) -> DataFrame:
    """Count resources by all that is told of them: cluster, day, kind, owner and status, in ``resources``."""
    return verdicts.groupBy(*_RESOURCE, "owner", "status").agg(F.count("*").alias("resources"))


def findings(verdicts: DataFrame) -> DataFrame:
    """Unfold verdicts into one row for each violation, with the columns of `FINDING`."""
    known = [name for name in VERDICT.names if name in FINDING.names]
    return (
        verdicts.select(*known, F.explode("violations").alias("violation"))
        .select(*known, "violation.*")
        .select(FINDING.names)
    )


def dead_letters(verdicts: DataFrame) -> DataFrame:
    """Return the dead letters, with the columns of `UNJUDGED`."""
    failed = verdicts.where(F.col("status") == F.lit("ERROR"))
    return failed.withColumnRenamed("error", "reason").select(UNJUDGED.names)


def passes(
    spark: SparkSession, counts: DataFrame, findings: DataFrame, asked: Iterable[tuple[str, str, str]], job: Job
) -> DataFrame:
    """Count for each rule who was asked and who passed, with the columns of `PASSES`.

    Args:
        spark: A session.
        counts: What `counts` returns.
        findings: The table of the run.
        asked: (cluster, kind, rule), as OPA tells them (``kafka/evidence``).
        job: The run.
    """
    rules = spark.createDataFrame(
        list(asked), T.StructType([T.StructField(name, T.StringType()) for name in ("cluster", "kind", "rule")])
    )
    told = counts.where(F.col("status") != F.lit("ERROR"))
    judged = told.groupBy(*_RESOURCE).agg(F.sum("resources").alias("judged"))
    broken = findings.groupBy(*_RESOURCE, "rule").agg(F.count_distinct("resource").alias("broken"))
    counted = judged.join(F.broadcast(rules), ["cluster", "kind"]).join(broken, [*_RESOURCE, "rule"], "left")
    none = F.lit(0).cast("long")
    return counted.select(
        F.lit(job.run_id).alias("run_id"),
        F.lit(job.revision).alias("revision"),
        *_RESOURCE,
        "rule",
        "judged",
        F.coalesce("broken", none).alias("broken"),
        (F.col("judged") - F.coalesce("broken", none)).alias("passed"),
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
    """Put findings in one partition, gravest first."""
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
