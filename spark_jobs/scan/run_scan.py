"""Run a scan from its plan to a directory of results, in five stages that hand on one value each.

| stage | in | hands on |
|---|---|---|
| `spark_jobs.scan.stages.read` | the sources of a plan | `Rows`: what there is to decide about, counted |
| `spark_jobs.scan.stages.divide` | rows | `Inputs`: each distinct input without a cached decision, once |
| `spark_jobs.scan.stages.ask` | inputs | `OpaDecisions`: OPA's on audit parts, and on rows once they are read |
| `spark_jobs.scan.stages.join` | answers | the table of decisions, one for each resource |
| `spark_jobs.scan.stages.write` | decisions | the other tables, and their figures |

`spark_jobs.scan.cache.scan_cache` has what earlier runs left. Spark handles the rows, the driver what is small.

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

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from spark_jobs.common.errors import translate_errors
from spark_jobs.common.place_files import remove
from spark_jobs.common.progress import Counter, watch_progress
from spark_jobs.common.task_sizes import restore_task_sizes
from spark_jobs.scan.cache.scan_cache import ScanCache
from spark_jobs.scan.lakehouse import add_run, prepare_tables
from spark_jobs.scan.phase_timer import PhaseTimer
from spark_jobs.scan.remote.remote_run import open_remote_run
from spark_jobs.scan.stages.ask import NEW_DECISIONS, ask_opa
from spark_jobs.scan.stages.divide import Inputs, divide_rows
from spark_jobs.scan.stages.finish import build_metrics, copy_earlier_run, write_documents
from spark_jobs.scan.stages.join import join_decisions
from spark_jobs.scan.stages.read import MARKED, ROWS, Rows, read_rows
from spark_jobs.scan.stages.write import write_results
from spark_jobs.scan.tables import COUNTS, check_format, convert_tables
from warden.analyse.report.summary import Summary
from warden.analyse.scan.plan import PreparedScan, ScanPlan, prepare
from warden.analyse.scan.policy_version import PolicyVersion, read_policy_version
from warden.analyse.scan.scan_rules import ScanRules, read_scan_rules
from warden.base.files.address import Address, Place
from warden.base.process.progress import print_status
from warden.base.process.run_directory import open_run_directory
from warden.policy.opa.endpoints import OpaEndpoint

__all__ = ["ScanResult", "run_scan"]

_SCRATCH = (ROWS, MARKED, NEW_DECISIONS, COUNTS)


@dataclass(frozen=True)
class ScanResult:
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
) -> ScanResult:
    """Scan a snapshot.

    Args:
        spark: A session.
        plan: What to evaluate and where the results go.
        endpoint: Where the tasks find OPA.
        here: Where the driver finds it, which asks it for its revision; the same where not given.
        source: What was evaluated, in words; the snapshot directory where not given.
        show: Called with (inputs evaluated, inputs to evaluate) while they are evaluated.

    Raises:
        ConfigurationError: Spark lacks the format of the plan's tables, or of those of a lakehouse.
        InputError: The snapshot is missing, damaged or empty, or the plan's tables are of a newer Warden.
        OpaError: OPA cannot be reached, or refuses.
        ScanError: The job failed.
    """
    timer, driver = PhaseTimer(), here or endpoint
    if plan.tables:
        prepare_tables(spark, plan.tables)
    with driver.build_client() as client:
        prepared = prepare(plan, read_policy_version(client))
        rules = read_scan_rules(client, prepared)
    _report_uncacheable_reasons(prepared.policy.uncacheable_reasons)
    cache, run_id = ScanCache(spark, prepared, partial(_read_policy, driver)), prepared.job.run_id
    with restore_task_sizes(spark):
        with (
            open_run_directory(plan.out, run_id) as directory,
            open_remote_run(spark, plan.out_address, run_id) as remote,
        ):
            tables: Place = remote.staging if remote else directory
            check_format(spark, tables, plan.format)
            with translate_errors():
                if earlier := cache.find_run():
                    summary, counts = copy_earlier_run(spark, earlier, prepared, directory)
                else:
                    stages = _Stages(spark, prepared, endpoint, rules, cache, timer, tables, show)
                    summary, counts = stages.run()
                    if remote:
                        remote.fetch_tables(directory)
            timer.end_phase("tables")
            summary = replace(summary, source=source or str(plan.source), seconds=round(timer.measure_total(), 2))
            metrics = build_metrics(prepared, counts, cache.inputs, timer)
            write_documents(directory, summary, metrics, rules)
            with translate_errors():
                convert_tables(spark, tables, plan.format)
            for scratch in _SCRATCH:
                remove(spark, tables / scratch)
            if remote:
                remote.publish(directory)
        cache.add_run(plan.out / run_id)
        done = ScanResult(plan.out / run_id, summary, metrics, remote.target if remote else None)
        if plan.tables:
            add_run(spark, plan.tables, summary, done.place)
    return done


@dataclass(frozen=True)
class _Stages:
    """The five stages; what they write is below `tables`."""

    spark: SparkSession
    prepared: PreparedScan
    endpoint: OpaEndpoint
    rules: ScanRules
    cache: ScanCache
    timer: PhaseTimer
    tables: Place
    show: Callable[[int, int], None] | None

    def run(self) -> tuple[Summary, dict[str, Any]]:
        """Return the figures of the tables, and what it took to make them."""
        rows = read_rows(self.spark, self.prepared, self.tables)
        self.cache.check_inputs()
        self.timer.end_phase("reading")
        counts = {"resources": rows.counted.resources, **self._decide(rows)}
        self.timer.end_phase("evaluating")
        summary, counts["notEvaluated"] = write_results(
            self.spark, self.prepared, rows.counted, self.rules.metadata, self.rules.applicable, self.tables
        )
        return summary, counts

    def _decide(self, rows: Rows) -> dict[str, Any]:
        """Write the table of decisions, and return how many inputs and requests it took."""
        spark, job = self.spark, self.prepared.job
        counter = Counter.create(spark)
        with divide_rows(rows, self.cache.read(spark)) as inputs, self._watch(counter, inputs):
            answers = ask_opa(spark, job, inputs, self.endpoint, counter, self.tables)
            fresh = join_decisions(spark, job, answers, self.tables / "decisions")
        self.cache.add_decisions(fresh, self.tables / NEW_DECISIONS)
        return {"evaluated": inputs.total, "batches": counter.requests}

    def _watch(self, counter: Counter, inputs: Inputs) -> AbstractContextManager[None]:
        if self.show and inputs.asks:
            return watch_progress(counter, inputs.total, self.show)
        return nullcontext()


def _read_policy(endpoint: OpaEndpoint) -> PolicyVersion:
    with endpoint.build_client() as client:
        return read_policy_version(client)


def _report_uncacheable_reasons(reasons: Sequence[str]) -> None:
    if reasons:
        more = f" (and {len(reasons) - 1} more, see metrics.json)" if len(reasons) > 1 else ""
        print_status(f"nothing is remembered, and every topic is evaluated whole: {reasons[0]}{more}")
