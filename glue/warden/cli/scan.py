"""``warden scan``: judge every topic of a snapshot."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.cli.completion import PROFILE
from warden.cli.output import console
from warden.cli.report_option import Wanted, check_reports, report_option, write_reports
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
@click.option(
    "--opa-url",
    metavar="URL",
    multiple=True,
    help="An OPA that serves Warden's bundle, as the tasks see it; several take turns. "
    "Otherwise one is started on each host that judges.",
)
@click.option(
    "--opa-token", metavar="TOKEN", envvar="WARDEN_OPA_QUERY_TOKEN", show_envvar=True, help="Its query token."
)
@click.option(
    "--settings",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Settings for the bundle that is built.",
)
@click.option("--profile", type=PROFILE, metavar="NAME", help="Profile for the bundle that is built.")
@click.option(
    "--bundle",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A bundle that `warden bundle build` made; one is built otherwise.",
)
@click.option(
    "--opa",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="OPA's program for the machines that judge; the pinned one otherwise.",
)
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="The day to judge; each cluster's newest otherwise.")
@click.option("--from-day", type=click.DateTime(["%Y-%m-%d"]), help="First day of a history to judge.")
@click.option("--to-day", type=click.DateTime(["%Y-%m-%d"]), help="Last day of it.  [default: today]")
@click.option(
    "--now",
    type=click.DateTime(["%Y-%m-%dT%H:%M:%SZ"]),
    help="The time to judge at, UTC. Otherwise the clock; in a history the time of each observation.",
)
@click.option("--sample", type=float, default=1.0, show_default=True, help="Share of the resources to judge.")
@click.option("--where", metavar="SQL", help="Judge only topics that fulfil a condition of Spark SQL on their columns.")
@click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    help="Directory of remembered verdicts.  [default: .verdicts in --out]",
)
@click.option("--no-cache", is_flag=True, help="Ask about everything, and remember nothing.")
@click.option(
    "--format", default="parquet", show_default=True, help="Of the tables: parquet, json, csv, orc, or what Spark has."
)
@click.option(
    "--send", metavar="PART", multiple=True, help="Send this part of the cluster's state too, for a site's own rules."
)
@click.option("--run-id", metavar="NAME", help="Name of the run; a run of the same name is replaced.")
@click.option("--master", default="local[*]", show_default=True, help="Spark's master URL.")
@click.option("--conf", metavar="KEY=VALUE", multiple=True, help="Spark's configuration, as for spark-submit.")
@click.option(
    "--in-flight",
    type=click.IntRange(1, 64),
    help="Requests under way for each Spark task.  [default: 1, with --opa-url 2]",
)
@click.option(
    "--fail-on", type=click.Choice(SEVERITIES), help="Exit with 1 when a rule of this severity or a graver one denies."
)
@report_option
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def command(
    snapshot: Path,
    out: Path,
    opa_url: tuple[str, ...],
    opa_token: str | None,
    settings: Path | None,
    profile: str | None,
    bundle: Path | None,
    opa: Path | None,
    day: datetime | None,
    from_day: datetime | None,
    to_day: datetime | None,
    now: datetime | None,
    sample: float,
    where: str | None,
    cache: Path | None,
    no_cache: bool,
    format: str,
    send: tuple[str, ...],
    run_id: str | None,
    master: str,
    conf: tuple[str, ...],
    in_flight: int | None,
    fail_on: str | None,
    report: tuple[Wanted, ...],
    output: str,
) -> int:
    """Judge what is in the snapshot directory SNAPSHOT (topics, brokers, ACLs, client configs), with Spark and OPA.

    Results go to a directory under --out: a verdict on each resource, each finding, what passed and what was not judged
    as tables, the findings as JSON lines, the figures, and a report to open in a browser. What was judged before under
    the same policy is not asked again. A scan that has run ends with 0, whatever it found, unless --fail-on says
    otherwise; a resource that was not judged counts as the gravest finding there.

    \b
    Examples:
      warden snapshot --bootstrap-server localhost:9092 --out snapshots
      warden scan snapshots
      warden scan snapshots --fail-on high --output json
      warden scan snapshots --report sarif=warden.sarif --report junit=warden.xml
      warden scan snapshots --from-day 2026-11-01 --to-day 2026-11-30
      warden scan snapshots --where "cluster like 'prod-%' and numPartitions > 50"
      warden scan snapshots --opa-url https://opa.example:8181
      warden scan snapshots --master spark://spark.example:7077 --out /shared/runs
      warden scan snapshots --master sc://spark.example --opa-url https://opa.example:8181 --out /shared/runs
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.errors import ConfigurationError
    from warden.scan.plan import Plan, requests_under_way

    for option, value in (("--settings", settings), ("--profile", profile), ("--bundle", bundle), ("--opa", opa)):
        if opa_url and value:
            raise ConfigurationError(f"{option} is for the OPA that is started here: leave out --opa-url, or {option}")
        if bundle and value and option in {"--settings", "--profile"}:
            raise ConfigurationError(f"{option} is for a bundle that is built: leave out --bundle, or {option}")
    if day and (from_day or to_day):
        raise ConfigurationError("--day is one day, --from-day and --to-day are several: leave out one of them")
    if to_day and not from_day:
        raise ConfigurationError("--to-day needs --from-day: say where the history begins")
    check_reports(report, format)
    days = (from_day.date(), (to_day or datetime.now(UTC)).date()) if from_day else None
    plan = Plan(
        snapshot,
        out,
        day=day.date() if day else None,
        days=days,
        now=now.replace(tzinfo=UTC) if now else None,
        run_id=run_id,
        sample=sample,
        where=where,
        cache=cache,
        remember=not no_cache,
        format=format,
        state=send,
        in_flight=requests_under_way(in_flight, elsewhere=bool(opa_url)),
    )
    return judge_and_show(
        plan,
        opa_urls=opa_url,
        opa_token=opa_token,
        settings=settings,
        profile=profile,
        bundle=bundle,
        opa=opa,
        master=master,
        configs=_configs(conf),
        fail_on=fail_on,
        reports=report,
        output=output,
    )


def judge_and_show(
    plan: "Plan",
    *,
    opa_urls: Sequence[str] = (),
    opa_token: str | None = None,
    settings: Path | None = None,
    profile: str | None = None,
    bundle: Path | None = None,
    opa: Path | None = None,
    source: str | None = None,
    master: str = "local[*]",
    configs: Mapping[str, str] | None = None,
    fail_on: str | None = None,
    reports: Sequence[Wanted] = (),
    output: str = "text",
) -> int:
    """Scan, print the result, and return the exit status.

    Args:
        plan: What to judge and where the results go.
        opa_urls, opa_token: OPAs that are there; none to start one on each host that judges.
        settings: Settings file for the bundle that is built.
        profile: Profile for it.
        bundle: A bundle that was built before.
        opa: OPA's program; the pinned one where None.
        source: What is judged, in words.
        master: Spark's master URL.
        configs: Spark's configuration.
        fail_on: Severity from which on the status is 1; None for never.
        reports: What to write besides the page.
        output: ``text`` or ``json`` (the summary, what it cost, and where the results are).
    """
    import json

    from warden.report.summary import has_severity
    from warden.report.terminal import show

    plan.partitions()  # says at once what is wrong with the snapshot
    with ExitStack() as stack:
        done = _scan(plan, opa_urls, opa_token, settings, profile, bundle, opa, source, master, configs, stack)
    if output == "json":
        known = {"directory": str(done.directory), "reports": write_reports(done.directory, reports)}
        print(json.dumps({**known, "metrics": done.metrics, **done.summary.document()}, ensure_ascii=False))
    else:
        show(done.summary, done.directory, console())
        for each in write_reports(done.directory, reports):  # what was found is seen even where one cannot be written
            print(f"{each['path']}  ({each['format']})")
    grave = fail_on and (done.metrics["unjudged"] or has_severity(done.summary, fail_on))
    return EXIT_DENIED if grave else EXIT_OK


def _scan(
    plan: "Plan",
    opa_urls: Sequence[str],
    opa_token: str | None,
    settings: Path | None,
    profile: str | None,
    bundle: Path | None,
    opa: Path | None,
    source: str | None,
    master: str,
    configs: Mapping[str, str] | None,
    stack: ExitStack,
) -> "Done":
    from warden.errors import ConfigurationError
    from warden.scan.doors import Opa
    from warden.scan.launch import ScanningOpa, scanning_opa
    from warden.scan.local import spark_here, titles
    from warden.scan.progress import scan_progress

    if master.startswith("sc://") and not opa_urls:
        raise ConfigurationError(
            f"--master {master} needs --opa-url of warden scan: what starts there outlives the scan, OPA as well"
        )
    there = Opa(opa_urls[0], opa_token, tuple(opa_urls[1:])) if opa_urls else None
    known = {}
    if there:
        with there.client() as client:  # before Spark, which takes longer to start
            known = titles(client)
    spark = stack.enter_context(spark_here(master, configs))

    from spark_jobs.run import run_scan
    from spark_jobs.shipping import ship_modules

    if there:
        ship_modules(spark, Path(stack.enter_context(TemporaryDirectory(prefix="warden-"))))
        found = ScanningOpa(there, there, known)
    else:
        found = stack.enter_context(scanning_opa(spark, bundle, opa, settings, profile))
    with scan_progress() as progress:
        return run_scan(spark, plan, found.door, here=found.here, source=source, titles=found.titles, show=progress)


def _configs(given: Sequence[str]) -> dict[str, str]:
    from warden.errors import ConfigurationError

    for text in given:
        if "=" not in text:
            raise ConfigurationError(f"--conf {text} says no value: write --conf {text}=VALUE")
    return dict(text.split("=", 1) for text in given)
