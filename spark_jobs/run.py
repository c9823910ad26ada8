"""One run, from a plan to a directory of results. Spark does the rows; what is small comes to the driver.

<out>/<run id>/verdicts/        one row for each resource
               findings/        one row for each violation
               passes/          how often each rule was asked, broken and passed
               unjudged/        what could not be judged, with the reason and the input
               findings.jsonl   the findings of each cluster's newest day as JSON lines, gravest first
               summary.json     the figures
               rules.json       what the rules say that judged
               metrics.json     what the run cost
               report.html      the figures and the findings as one page
"""

import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from spark_jobs.aggregate import figures
from spark_jobs.failures import readable_failures
from spark_jobs.judging import Judging
from spark_jobs.reach import bytes_below, cut_files, cut_shuffles
from spark_jobs.schemas import ROW
from spark_jobs.sources import resource_rows
from spark_jobs.tables import SCRATCH, convert_tables, copy_tables, write_tables
from spark_jobs.verdict_cache import VerdictCache
from warden.errors import InputError, ScanError
from warden.opa.client import OpaClient
from warden.report.run import RULES
from warden.report.summary import Summary, summarise, summary_of
from warden.report.write import write_report
from warden.scan.audits import OPERATIONS
from warden.scan.basis import ask_basis
from warden.scan.doors import Door
from warden.scan.inputs import inputs_digest
from warden.scan.local import rules_known
from warden.scan.place import run_directory
from warden.scan.plan import Plan, Prepared, prepare

__all__ = ["Done", "run_scan"]

# Nearly every row says something of its own: looking for what repeats would take longer than writing it down.
_READ_SOON = {"parquet.enable.dictionary": "false", "parquet.column.statistics.enabled": "false"}


@dataclass(frozen=True)
class Done:
    """A finished run.

    Args:
        directory: Where its results are.
        summary: Its figures.
        metrics: What it cost, and how much was judged; as in metrics.json.
    """

    directory: Path
    summary: Summary
    metrics: Mapping[str, Any] = field(default_factory=dict)


def run_scan(
    spark: SparkSession,
    plan: Plan,
    door: Door,
    *,
    here: Door | None = None,
    source: str | None = None,
    titles: Mapping[str, str] | None = None,
    show: Callable[[int, int], None] | None = None,
) -> Done:
    """Scan a snapshot.

    Args:
        spark: A session.
        plan: What to judge and where the results go.
        door: Where the tasks find OPA.
        here: Where the driver finds it, which asks it for its revision; the same where not given.
        source: What was judged, in words; the snapshot directory where not given.
        titles: Rule id → title, for the reports.
        show: Called with (inputs judged, inputs to judge) while they are judged.

    Raises:
        InputError: The snapshot is missing, damaged or empty.
        OpaError: OPA cannot be reached, or refuses.
        ScanError: The job failed.
    """
    clock = _Clock()
    with (here or door).client() as client:
        prepared = prepare(plan, ask_basis(client))
        asked = list(_rules_asked(client, prepared))
        known = rules_known(client)
    cache = VerdictCache.open(plan.verdicts, prepared.basis.context) if plan.remember else None
    inputs = inputs_digest(prepared) if cache and plan.format == "parquet" else None
    place = plan.out / prepared.job.run_id
    with run_directory(plan.out, place.name) as directory:
        with readable_failures():
            if cache and inputs and (earlier := cache.run(inputs)):
                summary, counts = _copied(spark, earlier, prepared, directory)
            else:
                rows = _written_rows(spark, prepared, directory)
                if inputs != (inputs_digest(prepared) if inputs else None):
                    inputs = None  # somebody wrote to the snapshot meanwhile: nobody knows what was read
                clock.lap("reading")
                counts = Judging(spark, prepared, door, directory, cache, show).write(rows)
                clock.lap("judging")
                tables = write_tables(spark, prepared, asked, directory)
                counts["unjudged"] = _check_complete(tables.counts, prepared, counts["resources"])
                figured = figures(tables.of_newest(prepared))
                summary = summarise(
                    figured,
                    run_id=place.name,
                    revision=prepared.job.revision,
                    judged_at=prepared.now,
                    titles=titles or {},
                )
            clock.lap("tables")
        summary = replace(summary, source=source or str(plan.snapshot), seconds=round(clock.total(), 2))
        metrics = _metrics(prepared, counts, inputs, clock)
        _write_json(directory / "summary.json", summary.document())
        _write_json(directory / "metrics.json", metrics)
        (directory / RULES).write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")
        write_report(directory, "html", directory / "report.html")
        convert_tables(spark, directory, plan.format)
        for scratch in ("rows", "learned", SCRATCH):
            shutil.rmtree(directory / scratch, ignore_errors=True)
    if cache and inputs:
        cache.add_run(inputs, place)
    return Done(place, summary, metrics)


def _copied(spark: SparkSession, earlier: Path, prepared: Prepared, directory: Path) -> tuple[Summary, dict[str, Any]]:
    """Take over what an earlier run found, which judged the same by the same policy."""
    before, summary = _read_json(earlier / "metrics.json"), summary_of(_read_json(earlier / "summary.json"))
    copy_tables(spark, earlier, directory, old=summary.run_id, new=prepared.job.run_id)
    judged_at = f"{prepared.now:%Y-%m-%dT%H:%M:%SZ}"
    counts = {"resources": before["resources"], "asked": 0, "batches": 0, "unjudged": before["unjudged"]}
    return replace(summary, run_id=prepared.job.run_id, judged_at=judged_at), counts


def _rules_asked(client: OpaClient, prepared: Prepared) -> Iterator[tuple[str, str, str]]:
    clusters = {one.partition.cluster: one.labels for one in prepared.scanned}
    for cluster, labels in clusters.items():
        rules = client.evaluate("kafka/evidence", {"cluster": cluster, "point": "scan", "labels": labels})
        for kind, operation in OPERATIONS.items():
            for rule in rules.get(operation, []):
                yield cluster, kind, rule


def _written_rows(spark: SparkSession, prepared: Prepared, directory: Path) -> DataFrame:
    """Read the sources once. From here on nothing that happens to them matters, and a row has one id for good."""
    cut_files(spark, prepared.size)
    cut_shuffles(spark, prepared.size)
    found = resource_rows(spark, prepared).withColumn("id", F.monotonically_increasing_id())
    found.select(ROW.names).write.options(**_READ_SOON).parquet(str(directory / "rows"))
    cut_files(spark, bytes_below(directory / "rows"))
    return spark.read.schema(ROW).parquet(str(directory / "rows"))


def _check_complete(counts: DataFrame, prepared: Prepared, total: int) -> int:
    """Compare what came out with what went in, and return the number of dead letters."""
    found = counts.groupBy("day", "cluster", "kind", "status").agg(F.sum("resources").alias("judged")).collect()
    if sum(row["judged"] for row in found) != total:
        raise ScanError(f"{total} resources were read, but not all of them have one verdict: run the scan again")
    unjudged: int = sum(row["judged"] for row in found if row["status"] == "ERROR")
    if not prepared.plan.whole:
        return unjudged
    judged: Counter[tuple[date, str]] = Counter()
    for row in found:
        if row["kind"] == "topic":
            judged[row["day"], row["cluster"]] += row["judged"]
    if not judged:
        raise InputError(f"{prepared.plan.snapshot}: the snapshot holds no topics, there is nothing to judge")
    for one in prepared.scanned:
        part = one.partition
        topics = judged[part.day, part.cluster]
        if one.expected and topics < one.expected:
            raise ScanError(
                f"{part.path('topics')}: {topics} topics were judged, but the cluster's meta.topics says "
                f"{one.expected}: take the snapshot again"
            )
    return unjudged


def _metrics(prepared: Prepared, counts: Mapping[str, Any], inputs: str | None, clock: "_Clock") -> dict[str, Any]:
    seconds = clock.total()
    return {
        **counts,
        "inputs": inputs,
        "brokersUntold": sum(one.untold for one in prepared.scanned),
        "days": prepared.days,
        "sample": prepared.plan.sample,
        "where": prepared.plan.where,
        "seconds": {name: round(passed, 2) for name, passed in clock.laps.items()} | {"total": round(seconds, 2)},
        "perSecond": round(counts["resources"] / seconds, 1),
    }


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _write_json(path: Path, document: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


class _Clock:
    """Seconds of each phase."""

    def __init__(self) -> None:
        self._started = self._last = time.monotonic()
        self.laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        now = time.monotonic()
        self.laps[name], self._last = now - self._last, now

    def total(self) -> float:
        return time.monotonic() - self._started
