"""``warden scan``: judge every topic of a snapshot."""

from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.report.summary import SEVERITIES

if TYPE_CHECKING:
    from spark_jobs.run import Done
    from warden.scan.plan import Plan

__all__ = ["command", "judge_and_show"]


@click.command()
@click.argument("snapshot", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("build/runs"),
    show_default=True,
    help="Directory for the results; each run has its own in it.",
)
@click.option("--opa-url", metavar="URL", help="An OPA that serves Warden's bundle; one is started here otherwise.")
@click.option("--opa-token", metavar="TOKEN", help="Its query token; better given as WARDEN_SCAN_OPA_TOKEN.")
@click.option(
    "--settings",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Settings for the OPA started here.",
)
@click.option("--profile", metavar="NAME", help="Profile for the OPA started here.")
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="The day to judge; each cluster's newest otherwise.")
@click.option(
    "--now", type=click.DateTime(["%Y-%m-%dT%H:%M:%SZ"]), help="The time to judge at, UTC; the clock otherwise."
)
@click.option("--run-id", metavar="NAME", help="Name of the run; a run of the same name is replaced.")
@click.option("--master", default="local[*]", show_default=True, help="Spark's master URL.")
@click.option(
    "--in-flight",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Requests under way for each Spark task.",
)
@click.option(
    "--fail-on", type=click.Choice(SEVERITIES), help="Exit with 1 when a rule of this severity or a graver one denies."
)
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def command(
    snapshot: Path,
    out: Path,
    opa_url: str | None,
    opa_token: str | None,
    settings: Path | None,
    profile: str | None,
    day: datetime | None,
    now: datetime | None,
    run_id: str | None,
    master: str,
    in_flight: int,
    fail_on: str | None,
    output: str,
) -> int:
    """Judge every topic of the snapshot directory SNAPSHOT, with Spark and OPA.

    Results go to a directory under --out: the verdict on each topic and each finding as Parquet, the findings as JSON
    lines, the figures, and a report to open in a browser. A scan that has run ends with 0, whatever it found, unless
    --fail-on says otherwise; a topic that cannot be judged counts as the gravest finding there.

    \b
    Examples:
      warden snapshot --bootstrap-server localhost:9092 --out snapshots
      warden scan snapshots
      warden scan snapshots --fail-on high --output json
      warden scan snapshots --opa-url https://opa.example:8181
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.errors import ConfigurationError
    from warden.scan.plan import Plan

    for option, value in (("--settings", settings), ("--profile", profile)):
        if opa_url and value:
            raise ConfigurationError(f"{option} is for the OPA that is started here: leave out --opa-url, or {option}")
    plan = Plan(
        snapshot,
        out,
        day=day.date() if day else None,
        now=now.replace(tzinfo=UTC) if now else None,
        run_id=run_id,
        in_flight=in_flight,
    )
    return judge_and_show(
        plan,
        opa_url=opa_url,
        opa_token=opa_token,
        settings=settings,
        profile=profile,
        master=master,
        fail_on=fail_on,
        output=output,
    )


def judge_and_show(
    plan: "Plan",
    *,
    opa_url: str | None = None,
    opa_token: str | None = None,
    settings: Path | None = None,
    profile: str | None = None,
    source: str | None = None,
    master: str = "local[*]",
    fail_on: str | None = None,
    output: str = "text",
) -> int:
    """Scan, print the result, and return the exit status.

    Args:
        plan: What to judge and where the results go.
        opa_url, opa_token: An OPA that is there; None to build the bundle and start one.
        settings: Settings file for the bundle that is built.
        profile: Profile for it.
        source: What is judged, in words.
        master: Spark's master URL.
        fail_on: Severity from which on the status is 1; None for never.
        output: ``text`` or ``json`` (the summary and where the results are).
    """
    import json

    from rich.console import Console

    from warden.report.summary import has_severity
    from warden.report.terminal import show

    done = _scan(plan, opa_url, opa_token, settings, profile, source, master)
    if output == "json":
        print(json.dumps({"directory": str(done.directory), **done.summary.document()}, ensure_ascii=False))
    else:
        show(done.summary, done.directory, Console())
    return EXIT_DENIED if fail_on and has_severity(done.summary, fail_on) else EXIT_OK


def _scan(
    plan: "Plan",
    opa_url: str | None,
    opa_token: str | None,
    settings: Path | None,
    profile: str | None,
    source: str | None,
    master: str,
) -> "Done":
    from warden.scan.local import judging_opa, scan_progress, spark_here
    from warden.snapshot.layout import latest_partitions

    latest_partitions(plan.snapshot, plan.day)  # says at once what is wrong with the snapshot
    with ExitStack() as stack:
        found = stack.enter_context(judging_opa(opa_url, opa_token, settings, profile))
        spark = stack.enter_context(spark_here(master))

        from spark_jobs.run import run_scan

        with scan_progress() as progress:
            return run_scan(spark, plan, found.opa, source=source, titles=found.titles, show=progress)
