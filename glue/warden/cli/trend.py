"""``warden trend``: an estate over days, and against what was declared."""

from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.cli.output import console, print_pieces

if TYPE_CHECKING:
    from warden.trend.drift import Drift
    from warden.trend.summary import Trend

__all__ = ["command"]

_PATH = click.Path(path_type=Path)


@click.command()
@click.option("--runs", type=_PATH, metavar="DIR", help="The --out of `warden scan`, with the runs of some days.")
@click.option("--declared", type=_PATH, metavar="DIR", help="YAML files that declare topics; needs --snapshot.")
@click.option("--snapshot", type=_PATH, metavar="DIR", help="Snapshot directory to hold against --declared.")
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="Its day; each cluster's newest otherwise.")
@click.option(
    "--fail-on",
    type=click.Choice(["new", "drift"]),
    multiple=True,
    help="Exit with 1 when a finding is new on the last day, or the estate has drifted; may be repeated.",
)
@click.option("--out", type=_PATH, metavar="DIR", help="Keep the history of every finding, as Parquet.")
@click.option("--master", default="local[*]", show_default=True, help="Spark's master URL.")
@click.option(
    "--output", type=click.Choice(["text", "json", "html"]), default="text", show_default=True, help="What to print."
)
def command(
    runs: Path | None,
    declared: Path | None,
    snapshot: Path | None,
    day: datetime | None,
    fail_on: tuple[str, ...],
    out: Path | None,
    master: str,
    output: str,
) -> int:
    """Show how compliance went over the days that were scanned, and how far the estate is from what was declared.

    With --runs: the share of topics that comply, by day, rule, cluster and owner, and for each finding when it was
    first seen, last seen and fixed. A topic that was not judged has nothing fixed, and one that is gone is told
    apart from one that was put right. With --declared and --snapshot: topics that are missing or not declared, and
    those with other partitions, replicas or configs. Files are Strimzi's KafkaTopic manifests, or topics as a
    snapshot has them.

    Exit status: 0, or 1 for what --fail-on names, 2 an error.

    \b
    Examples:
      warden trend --runs build/runs
      warden trend --runs build/runs --output html > trend.html
      warden trend --declared topics/ --snapshot snapshots --fail-on drift
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.errors import ConfigurationError

    if (declared is None) != (snapshot is None):
        raise ConfigurationError("--declared and --snapshot go together: the declarations, and what is there")
    if runs is None and declared is None:
        raise ConfigurationError("there is nothing to look at: give --runs, or --declared and --snapshot")
    given = {"new": (runs, "--runs"), "drift": (declared, "--declared and --snapshot")}
    for name in fail_on:
        if given[name][0] is None:
            raise ConfigurationError(f"--fail-on {name} could never fail without {given[name][1]}: give them too")
    drift = None if declared is None or snapshot is None else _drift(declared, snapshot, day)
    with TemporaryDirectory(prefix="warden-trend-") as scratch:
        kept = out or Path(scratch)
        trend = None if runs is None else _trend(runs, kept, master)
        _print(trend, drift, kept, output)
    failed = {"new": trend is not None and bool(trend.states["new"]), "drift": bool(drift)}
    return EXIT_DENIED if any(failed[name] for name in fail_on) else EXIT_OK


def _drift(declared: Path, snapshot: Path, day: datetime | None) -> "list[Drift]":
    from warden.snapshot.layout import latest_partitions
    from warden.trend.declared import read_declared
    from warden.trend.drift import drift_in

    partitions = latest_partitions(snapshot, day.date() if day else None)
    return drift_in(read_declared(declared, [part.cluster for part in partitions]), partitions)


def _trend(runs: Path, out: Path, master: str) -> "Trend":
    from warden.scan.local import spark_here
    from warden.toolchain.progress import working
    from warden.trend.runs import finished_runs

    found = finished_runs(runs)
    with spark_here(master) as spark:
        from spark_jobs.trend import history

        with working(f"following findings through {len(found)} run{'' if len(found) == 1 else 's'}"):
            return history(spark, found, out)


def _print(trend: "Trend | None", drift: "list[Drift] | None", out: Path, output: str) -> None:
    from warden.trend.documents import json_pieces
    from warden.trend.show import show_drift, show_trend

    if output == "json":
        print_pieces(json_pieces(trend, drift, out))
        return
    if output == "html":
        from warden.trend.page import trend_page

        print_pieces(trend_page(trend, drift, out))
        return
    shown = console()
    if trend is not None:
        show_trend(trend, shown)
    if drift is not None:
        shown.print()
        show_drift(drift, shown)
