"""``warden scan``: evaluate every resource of a snapshot."""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from warden.base.errors import ConfigurationError, InputError
from warden.base.extras import check_extras
from warden.base.files.address import Address, show_original_addresses
from warden.base.process.progress import print_status
from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.shared.options import with_options
from warden.commands.shared.output import build_console
from warden.commands.shared.report_option import write_reports
from warden.commands.shared.run_copies import RunCopies
from warden.commands.shared.scan_options import ScanOptions

if TYPE_CHECKING:
    from concurrent.futures import Future

    from pyspark.sql import SparkSession

    from spark_jobs.scan.run_scan import ScanResult
    from warden.analyse.notify.config import NotifyConfig
    from warden.analyse.report.finished_run import Run
    from warden.analyse.report.new_findings import ComparedRun
    from warden.analyse.scan.plan import ScanPlan
    from warden.policy.bundle.build import Bundle

__all__ = ["command", "scan"]

_BASELINE = "baseline"  # the copy of a baseline that is at an address
_OUT = "--out"


@click.command()
@with_options(ScanOptions)
def command(options: ScanOptions) -> int:
    """Evaluate what is in the snapshot directory SNAPSHOT (topics, brokers, ACLs, client configs), with Spark and OPA.

    Results go to a directory under --out: a decision on each resource, each finding, what passed and what was not
    evaluated as tables, the findings as JSON lines, the figures, and a report to open in a browser. What was evaluated
    before under the same policy is not sent to OPA again. A scan that has run ends with 0, whatever it found, unless
    --fail-on says otherwise; a resource that was not evaluated counts as the most severe finding there.

    SNAPSHOT, --out, --cache and --baseline may be addresses of Spark's file systems (s3a://…, gs://…, abfss://…,
    hdfs://…). --tables adds the run to tables of Delta or Iceberg, where Spark's session has them.

    With Spark's cluster: `spark-submit … spark_jobs/jobs/compliance_scan.py` takes the same options.

    \b
    Examples:
      warden snapshot --bootstrap-server localhost:9092 --out snapshots
      warden scan snapshots
      warden scan snapshots --fail-on high --output json
      warden scan snapshots --baseline build/runs --fail-on high --report sarif
      warden scan snapshots --report sarif=warden.sarif --report junit=warden.xml
      warden scan snapshots --from-day 2026-11-01 --to-day 2026-11-30
      warden scan snapshots --where "cluster like 'prod-%' and numPartitions > 50"
      warden scan snapshots --opa-url https://opa.example:8181
      warden scan snapshots --master spark://spark.example:7077 --out /shared/runs
      warden scan s3a://estate/snapshots --out s3a://estate/runs --cache s3a://estate/decisions
      warden scan s3a://estate/snapshots --out s3a://estate/runs --master spark://spark.example:7077
      warden scan snapshots --master sc://spark.example --opa-url https://opa.example:8181 --out /shared/runs
      warden scan snapshots --tables delta:s3a://estate/warden --master spark://spark.example:7077
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    check_extras("pyspark", "pyarrow", "pandas", "jinja2")
    return scan(options)


def _open_baseline(directory: Path, plan: "ScanPlan") -> "Run":
    """Open the baseline before the scan, which makes itself the latest run.

    Raises:
        ConfigurationError: The scan would replace it.
        InputError: It is not a run.
    """
    from warden.analyse.report.finished_run import open_run

    baseline = open_run(directory)
    resolved = baseline.directory.resolve()
    if plan.run_id and not plan.out_address and (plan.out / plan.run_id).resolve() == resolved:
        raise ConfigurationError(
            f"--run-id {plan.run_id} would replace the run that --baseline names: write another id"
        )
    return replace(baseline, directory=resolved)


def _fetch_baseline(address: Address, plan: "ScanPlan", directory: Path, spark: "SparkSession") -> "Run":
    """As `_open_baseline`, where the baseline is at an address: a directory gets a copy."""
    from spark_jobs.scan.remote.remote_run import fetch_run
    from warden.analyse.report.finished_run import open_run

    fetched = fetch_run(spark, address, directory)
    if plan.run_id and plan.out_address and plan.out_address / plan.run_id == fetched:
        raise ConfigurationError(
            f"--run-id {plan.run_id} would replace the run that --baseline names: write another id"
        )
    return open_run(directory)


def _read_channels(file: Path | None) -> "NotifyConfig | None":
    """Read who gets messages, before the scan.

    Raises:
        ConfigurationError: The file is none of `warden notify`.
    """
    if file is None:
        return None
    from warden.analyse.notify.config import read_notify_config  # it alone needs pydantic here

    return read_notify_config(file)


def _notify(run: "Run", new: "Run", channels: "NotifyConfig") -> None:
    """Send messages about a run, and say on stderr what became of them.

    Raises:
        InputError: A message could not be sent.
    """
    from warden.analyse.notify.run_notify import notify

    notifications = list(notify(run, new, channels, today=datetime.now(UTC).date()))
    for result in notifications:
        print_status(f"{result.status}: {result.channel}: {result.error or result.message.title}")
    if failures := sum(result.status == "failed" for result in notifications):
        unsent = f"{failures} of {len(notifications)} messages could not be sent"
        raise InputError(f"{unsent}: `warden notify {run.directory}` with the same configuration sends them")


def scan(options: ScanOptions, *, source: str | None = None, built: "Future[Bundle] | None" = None) -> int:
    """Scan a snapshot, print the result, and return the exit status.

    Args:
        options: The options of the command.
        source: What is scanned, in words; the snapshot directory where None.
        built: The bundle, of `warden.policy.opa.session.build_in_background`; None: built beside Spark's start.
    """
    with TemporaryDirectory(prefix="warden-scan-") as scratch:
        copies = Path(scratch)
        plan = options.build_plan(copies)
        places = {
            plan.snapshot: plan.snapshot_address,
            plan.out: plan.out_address,
            copies / _BASELINE: options.results.baseline,
        }
        addresses = {copy: place for copy, place in places.items() if isinstance(place, Address)}
        with show_original_addresses(addresses), ExitStack() as stack:
            return _scan(options, plan, copies, stack, source, built)


def _scan(
    options: ScanOptions,
    plan: "ScanPlan",
    copies: Path,
    stack: ExitStack,
    source: str | None,
    built: "Future[Bundle] | None",
) -> int:
    from warden.analyse.report.finished_run import open_run
    from warden.analyse.report.new_findings import select_new
    from warden.analyse.report.summary import has_failure
    from warden.analyse.report.terminal import show
    from warden.analyse.scan.progress import show_scan_progress
    from warden.policy.opa.session import build_in_background, open_session

    results, opa = options.results, options.build_opa_options()
    if not plan.snapshot_address:
        plan.select_partitions()  # says at once what is wrong with the snapshot
    baseline = _open_baseline(results.baseline, plan) if isinstance(results.baseline, Path) else None
    channels = _read_channels(results.notify)
    if opa.urls:  # before Spark, which takes longer to start
        with open_session(opa) as first, first.build_client() as client:
            client.read_revision()
    built = built or stack.enter_context(build_in_background(opa))
    spark = stack.enter_context(options.spark.open_session())

    from spark_jobs.common.job_opa import open_job_opa
    from spark_jobs.scan.remote.remote_run import put_report
    from spark_jobs.scan.remote.remote_snapshot import fetch_snapshot
    from spark_jobs.scan.run_scan import run_scan

    fetch_snapshot(spark, plan)
    if isinstance(results.baseline, Address):
        baseline = _fetch_baseline(results.baseline, plan, copies / _BASELINE, spark)
    with open_job_opa(spark, opa, built) as session, show_scan_progress() as progress:
        done = run_scan(spark, plan, session.endpoint, here=session.driver, source=source, show=progress)
    if not done.address:
        stack.close()  # nobody needs Spark any more
    if results.output == "text":
        show(done.summary, done.place, build_console())
    run = open_run(done.directory)  # after the figures: reports may fail
    since = select_new(baseline, run) if baseline else None
    reports = write_reports(since or run, results.report)
    if done.address:
        reports = [
            {**report, "path": str(put_report(spark, Path(report["path"]), done.directory, done.address))}
            for report in reports
        ]
    _print_reports(done, since, reports, output=results.output)
    if channels:
        copies_of = {_OUT: done.address} if done.address else {}
        runs = RunCopies({_OUT: done.directory}, copies_of, spark)
        _notify(run, since or runs.select_new_since_last(_OUT, run), channels)
    summary = since.summary if since else done.summary
    fails = results.fail_on and (done.metrics["notEvaluated"] or has_failure(summary, results.fail_on))
    return EXIT_DENIED if fails else EXIT_OK


def _print_reports(
    done: "ScanResult", since: "ComparedRun | None", reports: Sequence[Mapping[str, str]], *, output: str
) -> None:
    from warden.analyse.report.terminal import show_since

    if output == "json":
        compared = {"baseline": since.to_document()} if since else {}
        written = {"directory": str(done.place), "reports": reports, **compared}
        print(json.dumps({**written, "metrics": done.metrics, **done.summary.to_document()}, ensure_ascii=False))
        return
    for report in reports:
        print(f"{report['path']}  ({report['format']})")
    if since:
        show_since(since.to_document(), build_console())
