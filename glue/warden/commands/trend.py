"""``warden trend``: compliance over days, and drift from what was declared."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from warden.base.errors import ConfigurationError
from warden.base.extras import check_extras
from warden.base.files.address import Address, Place, show_original_addresses
from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.options import group, option, with_options
from warden.commands.shared.output import build_console, print_pieces
from warden.commands.shared.place_option import LocalPath, PlaceType
from warden.commands.shared.spark_options import SparkOptions

if TYPE_CHECKING:
    from warden.analyse.trend.drift import Drift
    from warden.analyse.trend.summary import Trend

__all__ = ["TrendOptions", "command"]

_PATH, _PLACE = LocalPath(path_type=Path), PlaceType()


@dataclass(frozen=True, kw_only=True)
class TrendOptions:
    """Which scans to follow, and which declarations to compare with."""

    runs: Place | None = option(
        "--runs",
        type=_PLACE,
        metavar="DIR",
        help="The --out of `warden scan`, with the results of some days; or its address (s3a://…).",
    )
    declared: Path | None = option(
        "--declared", type=_PATH, metavar="DIR", help="YAML files that declare topics; needs --snapshot."
    )
    snapshot: Place | None = option(
        "--snapshot",
        type=_PLACE,
        metavar="DIR",
        help="Snapshot directory to hold against --declared, or its address (s3a://…).",
    )
    day: datetime | None = option(
        "--day", type=click.DateTime(["%Y-%m-%d"]), help="Its day; each cluster's newest otherwise."
    )
    fail_on: tuple[str, ...] = option(
        "--fail-on",
        type=Choice(["new", "drift"]),
        multiple=True,
        help="Exit with 1 when a finding is new on the last day, or the estate has drifted; may be repeated.",
    )
    out: Place | None = option(
        "--out", type=_PLACE, metavar="DIR", help="Keep the history of every finding here or at an address, as Parquet."
    )
    spark: SparkOptions = group(SparkOptions)
    output: str = option(
        "--output",
        type=Choice(["text", "json", "html"]),
        default="text",
        show_default=True,
        help="What to print.",
    )


@click.command()
@with_options(TrendOptions)
def command(options: TrendOptions) -> int:
    """Show how compliance went over the days that were scanned, and how far the estate is from what was declared.

    With --runs: the share of topics that comply, by day, rule, cluster and owner, and for each finding when it was
    first seen, last seen and fixed. A topic that was not evaluated has nothing fixed, and one that is gone is reported
    apart from one that was put right. With --declared and --snapshot: topics that are missing or not declared, and
    those with other partitions, replicas or configs. Files are Strimzi's KafkaTopic manifests, or topics as a
    snapshot has them.

    Exit status: 0, or 1 for what --fail-on names, 2 an error.

    \b
    Examples:
      warden trend --runs build/runs
      warden trend --runs build/runs --output html > trend.html
      warden trend --runs s3a://estate/runs --conf spark.jars.packages=org.apache.hadoop:hadoop-aws:3.5.0
      warden trend --declared topics/ --snapshot snapshots --fail-on drift
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    check_extras("pyspark", "pyarrow", "pandas", "jinja2")
    _check(options)
    drift = _list_drift(options)
    with TemporaryDirectory(prefix="warden-trend-") as scratch:
        out = options.out if isinstance(options.out, Path) else Path(scratch)
        trend = _follow_runs(options, out, Path(scratch) / "runs")
        _print(trend, drift, out, options.output)
    failed = {"new": trend is not None and bool(trend.states["new"]), "drift": bool(drift)}
    return EXIT_DENIED if any(failed[name] for name in options.fail_on) else EXIT_OK


def _check(options: TrendOptions) -> None:
    if (options.declared is None) != (options.snapshot is None):
        raise ConfigurationError("--declared and --snapshot go together: the declarations, and what is there")
    options.spark.check_places({"--runs": options.runs, "--out": options.out, "--snapshot": options.snapshot})
    if options.runs is None and options.declared is None:
        raise ConfigurationError("there is nothing to look at: give --runs, or --declared and --snapshot")
    needed = {"new": (options.runs, "--runs"), "drift": (options.declared, "--declared and --snapshot")}
    for name in options.fail_on:
        if needed[name][0] is None:
            raise ConfigurationError(f"--fail-on {name} could never fail without {needed[name][1]}: give them too")


def _list_drift(options: TrendOptions) -> "list[Drift] | None":
    if options.declared is None or options.snapshot is None:
        return None
    from warden.analyse.trend.declarations import read_declared_topics
    from warden.analyse.trend.drift import list_drift
    from warden.state.snapshot.layout import select_latest_partitions

    day = options.day.date() if options.day else None
    with _open_snapshot(options.snapshot, day, options.spark) as snapshot:
        partitions = select_latest_partitions(snapshot, day)
        return list_drift(
            read_declared_topics(options.declared, [partition.cluster for partition in partitions]), partitions
        )


@contextmanager
def _open_snapshot(snapshot: Place, day: date | None, spark: SparkOptions) -> Iterator[Path]:
    """Yield the directory of a snapshot, or one with a copy of what is at an address."""
    if isinstance(snapshot, Path):
        yield snapshot
        return
    with spark.open_session() as session:
        from spark_jobs.scan.remote.remote_snapshot import open_snapshot_copy

        with open_snapshot_copy(session, snapshot, day) as copy:
            yield copy


def _follow_runs(options: TrendOptions, out: Path, copies: Path) -> "Trend | None":
    """Follow the findings of the runs, if there are any to look at.

    Args:
        options: Which runs.
        out: Gets the histories, or a copy where they go to an address.
        copies: Gets the summaries of runs that are at an address.
    """
    if options.runs is None:
        return None
    from warden.analyse.trend.runs import list_finished_scans
    from warden.base.process.progress import show_working

    place = options.runs
    runs = list_finished_scans(place) if isinstance(place, Path) else []  # says what is wrong before Spark starts
    with options.spark.open_session() as spark:
        from spark_jobs.analyse.remote_trend import fetch_histories, list_remote_scans
        from spark_jobs.analyse.trend import follow_findings

        at = place if isinstance(place, Address) else None
        if at:
            with show_original_addresses({copies: at}):
                runs = list_remote_scans(spark, at, copies)
        with show_working(f"following findings through {len(runs)} run{'' if len(runs) == 1 else 's'}"):
            trend = follow_findings(spark, runs, options.out or out, at)
        if isinstance(options.out, Address):
            fetch_histories(spark, options.out, out)
        return trend


def _print(trend: "Trend | None", drift: "list[Drift] | None", out: Path, output: str) -> None:
    from warden.analyse.report.trend.documents import iter_json
    from warden.analyse.report.trend.show import show_drift, show_trend

    if output == "json":
        print_pieces(iter_json(trend, drift, out))
        return
    if output == "html":
        from warden.analyse.report.trend.page import render_trend_page

        print_pieces(render_trend_page(trend, drift, out))
        return
    shown = build_console()
    if trend is not None:
        show_trend(trend, shown)
    if drift is not None:
        shown.print()
        show_drift(drift, shown)
