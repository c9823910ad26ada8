"""Run a scan from its plan to a directory of results. Spark handles the rows, the driver what is small.

<out>/<run id>/decisions/       one row for each resource
               findings/        one row for each violation
               passes/          how often each rule was evaluated, broken and passed
               not_evaluated/   what could not be evaluated, with the reason and the input
               findings.jsonl   the findings of each cluster's newest day as JSON lines, most severe first
               summary.json     the figures
               rules.json       metadata of the rules that were evaluated
               metrics.json     what the run cost
               report.html      the figures and the findings as one page
"""

import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from spark_jobs.common.compat import bytes_below, cut_files, cut_shuffles
from spark_jobs.common.errors import readable_errors
from spark_jobs.common.schemas import ROW
from spark_jobs.scan.aggregate import figures
from spark_jobs.scan.decision_cache import DecisionCache
from spark_jobs.scan.evaluate import Evaluation
from spark_jobs.scan.input_rows import resource_rows
from spark_jobs.scan.problems import with_places
from spark_jobs.scan.survey import Survey, survey
from spark_jobs.scan.tables import SCRATCH, convert_tables, copy_tables, write_tables
from warden.errors import InputError, ScanError
from warden.opa.client import OpaClient
from warden.opa.endpoints import OpaEndpoint
from warden.process.run_directory import run_directory
from warden.report.finished_run import RULES
from warden.report.summary import Summary, summarise, summary_of
from warden.report.write import write_report
from warden.scan.audits import OPERATIONS
from warden.scan.fingerprint import inputs_digest
from warden.scan.plan import Plan, Prepared, prepare
from warden.scan.policy_version import PolicyVersion, read_policy_version
from warden.scan.rules import read_rules
from warden.toolchain.progress import say

__all__ = ["Done", "run_scan"]

# Nearly every row says something of its own: looking for what repeats would take longer than writing it down.
_READ_SOON = {"parquet.enable.dictionary": "false", "parquet.column.statistics.enabled": "false"}


@dataclass(frozen=True)
class Done:
    """A finished run.

    Args:
        directory: Where its results are.
        summary: Its figures.
        metrics: What it cost, and how much was evaluated; as in metrics.json.
    """

    directory: Path
    summary: Summary
    metrics: Mapping[str, Any] = field(default_factory=dict)


def run_scan(
    spark: SparkSession,
    plan: Plan,
    endpoint: OpaEndpoint,
    *,
    here: OpaEndpoint | None = None,
    source: str | None = None,
    show: Callable[[int, int], None] | None = None,
) -> Done:
    """Scan a snapshot.

    Args:
        spark: A session.
        plan: What to evaluate and where the results go.
        endpoint: Where the tasks find OPA.
        here: Where the driver finds it, which asks it for its revision; the same where not given.
        source: What was evaluated, in words; the snapshot directory where not given.
        show: Called with (inputs evaluated, inputs to evaluate) while they are evaluated.

    Raises:
        InputError: The snapshot is missing, damaged or empty.
        OpaError: OPA cannot be reached, or refuses.
        ScanError: The job failed.
    """
    clock = _Clock()
    with (here or endpoint).client() as client:
        prepared = prepare(plan, read_policy_version(client))
        applicable = list(_applicable_rules(client, prepared))
        rules = read_rules(client)
    _tell(prepared.policy.doubts)
    remembers = plan.remember and not prepared.policy.doubts
    cache = DecisionCache.open(plan.cache_directory, prepared.policy.context) if remembers else None
    inputs = inputs_digest(prepared) if cache and plan.format == "parquet" else None
    results = plan.out / prepared.job.run_id
    same: list[bool] = []

    def verify() -> bool:
        with (here or endpoint).client() as client:
            same.append(_unchanged(prepared.policy, read_policy_version(client)))
        return all(same)

    with run_directory(plan.out, results.name) as directory:
        with readable_errors():
            if cache and inputs and (earlier := cache.run(inputs)):
                summary, counts = _copied(spark, earlier, prepared, directory)
            else:
                rows, counted = _written_rows(spark, prepared, directory)
                if inputs != (inputs_digest(prepared) if inputs else None):
                    inputs = None  # somebody wrote to the snapshot meanwhile: nobody knows what was read
                clock.lap("reading")
                counts = Evaluation(spark, prepared, endpoint, directory, cache, show, verify).write(rows, counted)
                clock.lap("evaluating")
                tables = write_tables(spark, prepared, applicable, directory)
                counts["notEvaluated"] = _check_complete(tables.counts, prepared, counted)
                figured = figures(tables.of_newest(prepared))
                summary = summarise(
                    figured,
                    run_id=results.name,
                    revision=prepared.job.revision,
                    evaluated_at=prepared.now,
                    titles={id: rule.get("title", "") for id, rule in rules.items()},
                )
            clock.lap("tables")
        summary = replace(summary, source=source or str(plan.snapshot), seconds=round(clock.total(), 2))
        metrics = _metrics(prepared, counts, inputs, clock)
        _write_json(directory / "summary.json", summary.document())
        _write_json(directory / "metrics.json", metrics)
        (directory / RULES).write_text(json.dumps(rules, ensure_ascii=False), encoding="utf-8")
        write_report(directory, "html", directory / "report.html")
        convert_tables(spark, directory, plan.format)
        for scratch in ("rows", "marked", "learned", SCRATCH):
            shutil.rmtree(directory / scratch, ignore_errors=True)
    if cache and inputs and all(same):
        cache.add_run(inputs, results)
    return Done(results, summary, metrics)


def _tell(doubts: Sequence[str]) -> None:
    if doubts:
        more = f" (and {len(doubts) - 1} more, see metrics.json)" if len(doubts) > 1 else ""
        say(f"nothing is remembered, and every topic is evaluated whole: {doubts[0]}{more}")


def _unchanged(before: PolicyVersion, after: PolicyVersion) -> bool:
    """Return whether decisions rest on the same policy and data; other rules than at the beginning are an error."""
    if before.rules != after.rules:
        raise ScanError(f"the policy changed during the scan, from {before.rules} to {after.rules}: run it again")
    return before.context == after.context


def _copied(spark: SparkSession, earlier: Path, prepared: Prepared, directory: Path) -> tuple[Summary, dict[str, Any]]:
    """Take over what an earlier run found, which evaluated the same by the same policy."""
    before, summary = _read_json(earlier / "metrics.json"), summary_of(_read_json(earlier / "summary.json"))
    copy_tables(spark, earlier, directory, old=summary.run_id, new=prepared.job.run_id)
    evaluated_at = f"{prepared.now:%Y-%m-%dT%H:%M:%SZ}"
    counts = {"resources": before["resources"], "evaluated": 0, "batches": 0, "notEvaluated": before["notEvaluated"]}
    return replace(summary, run_id=prepared.job.run_id, evaluated_at=evaluated_at), counts


def _applicable_rules(client: OpaClient, prepared: Prepared) -> Iterator[tuple[str, str, str]]:
    clusters = {one.partition.cluster: one.labels for one in prepared.scanned}
    for cluster, labels in clusters.items():
        rules = client.evaluate(
            "kafka/applicable_rules", {"cluster": cluster, "enforcementPoint": "scan", "labels": labels}
        )
        for kind, operation in OPERATIONS.items():
            for rule in rules.get(operation, []):
                yield cluster, kind, rule


def _written_rows(spark: SparkSession, prepared: Prepared, directory: Path) -> tuple[DataFrame, Survey]:
    """Read the sources once. From here on nothing that happens to them matters, and a row has one id for good."""
    cut_files(spark, prepared.size)
    cut_shuffles(spark, prepared.size)
    rows = _kept_rows(spark, resource_rows(spark, prepared), directory / "rows")
    first = survey(rows, days=prepared.days)
    if not first.damaged and not first.repeated:
        return rows, first
    rows = _kept_rows(spark, with_places(spark, rows, first, prepared), directory / "marked")
    return rows, replace(survey(rows, days=prepared.days), inputs=0, repeated=first.repeated)


def _kept_rows(spark: SparkSession, rows: DataFrame, directory: Path) -> DataFrame:
    identified = rows.withColumn("id", F.monotonically_increasing_id())
    identified.select(ROW.names).write.options(**_READ_SOON).parquet(str(directory))
    cut_files(spark, bytes_below(directory))
    return spark.read.schema(ROW).parquet(str(directory))


def _check_complete(counts: DataFrame, prepared: Prepared, counted: Survey) -> int:
    """Compare by name what came out with what went in, and return how many were not evaluated."""
    sums = F.sum("resources").alias("evaluated"), F.sum("names").alias("names")
    by_status = counts.groupBy("day", "cluster", "kind", "status").agg(*sums).collect()
    totals = sum(row["evaluated"] for row in by_status), sum(row["names"] for row in by_status)
    if totals != (counted.resources, counted.names):
        raise ScanError(
            f"{counted.resources} resources were read, but not all of them have one decision: run the scan again"
        )
    not_evaluated: int = sum(row["evaluated"] for row in by_status if row["status"] == "ERROR")
    if not prepared.plan.whole:
        return not_evaluated
    evaluated: Counter[tuple[date, str]] = Counter()
    for row in by_status:
        if row["kind"] == "topic":
            evaluated[row["day"], row["cluster"]] += row["evaluated"]
    if not evaluated:
        raise InputError(f"{prepared.plan.snapshot}: the snapshot holds no topics, there is nothing to evaluate")
    surplus = counted.surplus()
    for one in prepared.scanned:
        key = one.partition.day, one.partition.cluster
        topics = evaluated[key] - surplus[key]
        if one.expected and topics < one.expected:
            twice = f" (and {surplus[key]} a second time)" if surplus[key] else ""
            raise ScanError(
                f"{one.partition.path('topics')}: {topics} topics are there by name{twice}, but the cluster's "
                f"meta.topics says {one.expected}: take the snapshot again"
            )
    return not_evaluated


def _metrics(prepared: Prepared, counts: Mapping[str, Any], inputs: str | None, clock: "_Clock") -> dict[str, Any]:
    seconds = clock.total()
    return {
        **counts,
        "inputs": inputs,
        "notRemembered": list(prepared.policy.doubts),
        "brokersUnreadable": sum(one.unreadable_brokers for one in prepared.scanned),
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
