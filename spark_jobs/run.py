"""One run, from a plan to a directory of results. Spark does the rows; what is small comes to the driver.

<out>/<run id>/verdicts/        Parquet, one row for each topic
               findings/        Parquet, one row for each violation
               findings.jsonl   the same as JSON lines, gravest first
               summary.json     the figures
               rules.json       what the rules say that judged
               report.html      the figures and the findings as one page
"""

import json
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from spark_jobs.aggregate import figures
from spark_jobs.compliance_scan import Opa, findings, judge_topics, read_topics
from spark_jobs.failures import readable_failures
from spark_jobs.progress import watched
from spark_jobs.schemas import FINDING, VERDICT
from warden.errors import InputError, ScanError
from warden.opa.client import OpaClient
from warden.report.run import RULES
from warden.report.summary import SEVERITIES, Summary, summarise
from warden.report.write import write_report
from warden.scan.local import rules_known
from warden.scan.place import run_directory
from warden.scan.plan import Plan, Prepared, prepare

__all__ = ["Done", "run_scan", "task_bytes"]

_KIB = 1024


@dataclass(frozen=True)
class Done:
    """A finished run.

    Args:
        directory: Where its results are.
        summary: Its figures.
    """

    directory: Path
    summary: Summary


def run_scan(
    spark: SparkSession,
    plan: Plan,
    opa: Opa,
    *,
    source: str | None = None,
    titles: Mapping[str, str] | None = None,
    show: Callable[[int, int], None] | None = None,
) -> Done:
    """Scan a snapshot.

    Args:
        spark: A session.
        plan: What to judge and where the results go.
        opa: Where the tasks find OPA; the driver asks it for its revision.
        source: What was judged, in words; the snapshot directory where not given.
        titles: Rule id → title, for the reports.
        show: Called with (tasks done, tasks in all) while rows are judged.

    Raises:
        InputError: The snapshot is missing, damaged or empty.
        OpaError: OPA cannot be reached, or refuses.
        ScanError: The job failed.
    """
    started = time.monotonic()
    with OpaClient(opa.url, token=opa.token) as client:
        prepared = prepare(plan, client.revision())
        rules = rules_known(client)
    with run_directory(plan.out, prepared.job.run_id) as directory:
        with readable_failures():
            spark.conf.set("spark.sql.files.maxPartitionBytes", task_bytes(spark, prepared))
            judged = judge_topics(read_topics(spark, prepared.partitions), prepared.job, opa)
            with watched(spark, show) if show else nullcontext():
                judged.write.parquet(str(directory / "verdicts"))
            verdicts = spark.read.schema(VERDICT).parquet(str(directory / "verdicts"))
            found = _write_findings(findings(verdicts), directory)
            counted = figures(verdicts, found)
        summary = summarise(
            counted,
            run_id=prepared.job.run_id,
            revision=prepared.job.revision,
            judged_at=prepared.now,
            source=source or str(plan.snapshot),
            seconds=time.monotonic() - started,
            titles=titles or {},
        )
        _check_complete(summary, prepared, plan.snapshot)
        text = json.dumps(summary.document(), indent=2, ensure_ascii=False)
        (directory / "summary.json").write_text(text + "\n", encoding="utf-8")
        (directory / RULES).write_text(json.dumps(rules, ensure_ascii=False), encoding="utf-8")
        write_report(directory, "html", directory / "report.html")
    return Done(plan.out / prepared.job.run_id, summary)


def task_bytes(spark: SparkSession, prepared: Prepared) -> int:
    """About four tasks for each core: more even out the end and show progress, but each costs some 70 ms of Python."""
    wanted = prepared.size // (4 * spark.sparkContext.defaultParallelism)
    return min(max(wanted, 256 * _KIB), 64 * _KIB * _KIB)


def _write_findings(found: DataFrame, directory: Path) -> DataFrame:
    """Write the findings in order, once; the Parquet files serve the figures, the JSON lines people and programs."""
    rank = F.array_position(F.array(*[F.lit(severity) for severity in SEVERITIES]), F.col("severity"))
    last = F.when(rank == F.lit(0), F.lit(len(SEVERITIES) + 1)).otherwise(rank)
    ordered = found.repartition(1).sortWithinPartitions(last, "cluster", "topic", "rule").select(FINDING.names)
    ordered.write.parquet(str(directory / "findings"))
    written = found.sparkSession.read.schema(FINDING).parquet(str(directory / "findings"))
    lines = directory / "lines"
    written.coalesce(1).write.option("ignoreNullFields", "false").json(str(lines))
    (part,) = lines.glob("part-*.json")
    part.rename(directory / "findings.jsonl")
    for rest in [*lines.iterdir()]:
        rest.unlink()
    lines.rmdir()
    return written


def _check_complete(summary: Summary, prepared: Prepared, snapshot: Path) -> None:
    if summary.topics == 0:
        raise InputError(f"{snapshot}: the snapshot holds no topics, there is nothing to judge")
    if prepared.topics and summary.topics < prepared.topics:
        raise ScanError(
            f"{snapshot}: {summary.topics} topics were judged, but the clusters' meta.topics say {prepared.topics}: "
            "take the snapshot again"
        )
