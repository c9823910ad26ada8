"""Run a scan from its plan to a directory of results, in five stages that hand on one value each.

| stage | in | hands on |
|---|---|---|
| `spark_jobs.scan.read` | the sources of a plan | `Rows`: what there is to decide about, counted |
| `spark_jobs.scan.divide` | rows | `Inputs`: each distinct input that is not remembered, once |
| `spark_jobs.scan.ask` | inputs | `Answers`: OPA's decisions on them |
| `spark_jobs.scan.join` | answers | the table of decisions, one for each resource |
| `spark_jobs.scan.write` | decisions | the other tables, and their figures |

`spark_jobs.scan.remember` has what earlier runs left. Spark handles the rows, the driver what is small.

<out>/<run id>/decisions/       one row for each resource
               findings/        one row for each violation
               passes/          how often each rule was evaluated, broken and passed
               not_evaluated/   what could not be evaluated, with the reason and the input
               findings.jsonl   the findings of each cluster's newest day as JSON lines, most severe first
               summary.json     the figures
               rules.json       metadata of the rules that were evaluated
               frameworks.json  frameworks of controls that the rules name
               metrics.json     what the run cost
               report.html      the figures and the findings as one page
               controls.csv     what the run shows about each control
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from spark_jobs.common.errors import translate_errors
from spark_jobs.common.place_files import remove
from spark_jobs.common.progress import Counter, watch_progress
from spark_jobs.scan.ask import ask_opa
from spark_jobs.scan.divide import divide_rows
from spark_jobs.scan.join import join_decisions
from spark_jobs.scan.lakehouse import add_run, prepare_tables
from spark_jobs.scan.read import Rows, read_rows
from spark_jobs.scan.remember import Memory
from spark_jobs.scan.remote_run import open_remote_run
from spark_jobs.scan.tables import SCRATCH, convert_tables, copy_tables
from spark_jobs.scan.write import write_results
from warden.analyse.report.finished_run import FRAMEWORKS, RULES, open_run
from warden.analyse.report.summary import Summary, parse_summary
from warden.analyse.report.write import FORMATS, write_report
from warden.analyse.scan.audits import OPERATIONS
from warden.analyse.scan.plan import Prepared, ScanPlan, prepare
from warden.analyse.scan.policy_version import PolicyVersion, read_policy_version
from warden.analyse.scan.rules import read_rules_and_frameworks
from warden.base.files.address import Address, Place
from warden.base.process.run_directory import run_directory
from warden.base.toolchain.progress import say
from warden.base.version import __version__
from warden.policy.opa.client import OpaClient
from warden.policy.opa.endpoints import OpaEndpoint

__all__ = ["Done", "run_scan"]

_LEARNED = "learned"


@dataclass(frozen=True)
class Done:
    """A finished run.

    Args:
        directory: Where its results are.
        summary: Its figures.
        metrics: What it cost, and how much was evaluated; as in metrics.json.
        address: Where its results are if ``directory`` has a copy of them; None otherwise.
    """

    directory: Path
    summary: Summary
    metrics: Mapping[str, Any] = field(default_factory=dict)
    address: Address | None = None

    @property
    def place(self) -> Place:
        """Where its results are for good."""
        return self.address or self.directory


def run_scan(
    spark: SparkSession,
    plan: ScanPlan,
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
        ConfigurationError: Spark lacks the format of the plan's tables.
        InputError: The snapshot is missing, damaged or empty, or the plan's tables are of a newer Warden.
        OpaError: OPA cannot be reached, or refuses.
        ScanError: The job failed.
    """
    clock = _Clock()
    if plan.tables:
        prepare_tables(spark, plan.tables)

    def read_policy() -> PolicyVersion:
        with (here or endpoint).client() as client:
            return read_policy_version(client)

    with (here or endpoint).client() as client:
        prepared = prepare(plan, read_policy_version(client))
        applicable = list(_applicable_rules(client, prepared))
        rules, frameworks = read_rules_and_frameworks(client)
    _tell(prepared.policy.uncacheable_reasons)
    memory, results = Memory(spark, prepared, read_policy), plan.out / prepared.job.run_id
    with (
        run_directory(plan.out, results.name) as directory,
        open_remote_run(spark, plan.out_address, results.name) as remote,
    ):
        tables: Place = remote.staging if remote else directory
        with translate_errors():
            if earlier := memory.find_run():
                summary, counts = _copy_earlier_run(spark, earlier, prepared, directory)
            else:
                rows = read_rows(spark, prepared, tables)
                memory.check_inputs()
                clock.lap("reading")
                counts = {"resources": rows.counted.resources}
                counts |= _decide(spark, prepared, rows, endpoint, memory, tables, show)
                clock.lap("evaluating")
                summary, counts["notEvaluated"] = write_results(
                    spark, prepared, rows.counted, rules, applicable, tables
                )
                if remote:
                    remote.fetch_tables(directory)
            clock.lap("tables")
        summary = replace(summary, source=source or str(plan.source), seconds=round(clock.measure_total(), 2))
        metrics = _metrics(prepared, counts, memory.inputs, clock)
        _write_json(directory / "summary.json", summary.document())
        _write_json(directory / "metrics.json", metrics)
        for name, document in {RULES: rules, FRAMEWORKS: frameworks}.items():
            (directory / name).write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
        run = open_run(directory)
        for form in ("html", "controls"):
            write_report(run, form, directory / FORMATS[form])
        convert_tables(spark, tables, plan.format)
        for scratch in ("rows", "marked", _LEARNED, SCRATCH):
            remove(spark, tables / scratch)
        if remote:
            remote.publish(directory)
    memory.add_run(results)
    done = Done(results, summary, metrics, remote.target if remote else None)
    if plan.tables:
        add_run(spark, plan.tables, summary, done.place)
    return done


def _decide(
    spark: SparkSession,
    prepared: Prepared,
    rows: Rows,
    endpoint: OpaEndpoint,
    memory: Memory,
    tables: Place,
    show: Callable[[int, int], None] | None,
) -> dict[str, Any]:
    """Write the table of decisions on rows, and return how many inputs and requests it took."""
    job, counter, learned = prepared.job, Counter.of(spark), tables / _LEARNED
    with divide_rows(rows, memory.read(spark)) as inputs:
        shown = watch_progress(counter, inputs.total, show) if show and inputs.asks else nullcontext()
        with shown:
            answers = ask_opa(spark, job, inputs, endpoint, counter, learned)
            fresh = join_decisions(spark, job, answers, tables / "decisions")
    memory.add_decisions(fresh, learned)
    return {"evaluated": inputs.total, "batches": counter.requests}


def _tell(doubts: Sequence[str]) -> None:
    if doubts:
        more = f" (and {len(doubts) - 1} more, see metrics.json)" if len(doubts) > 1 else ""
        say(f"nothing is remembered, and every topic is evaluated whole: {doubts[0]}{more}")


def _copy_earlier_run(
    spark: SparkSession, earlier: Path, prepared: Prepared, directory: Path
) -> tuple[Summary, dict[str, Any]]:
    """Take over what an earlier run found, which evaluated the same by the same policy."""
    before, summary = _read_json(earlier / "metrics.json"), parse_summary(_read_json(earlier / "summary.json"))
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


def _metrics(prepared: Prepared, counts: Mapping[str, Any], inputs: str | None, clock: "_Clock") -> dict[str, Any]:
    seconds = clock.measure_total()
    return {
        **counts,
        "version": __version__,
        "inputs": inputs,
        "notRemembered": list(prepared.policy.uncacheable_reasons),
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

    def measure_total(self) -> float:
        return time.monotonic() - self._started
