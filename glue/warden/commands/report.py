"""``warden report``: the results of a scan in another format."""

from dataclasses import dataclass
from pathlib import Path

import click

from warden.analyse.report.write import FORMATS
from warden.base.extras import check_extras
from warden.base.files.address import Place
from warden.commands import EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.options import argument, group, option, with_options
from warden.commands.shared.output import OutputFile, print_pieces
from warden.commands.shared.place_option import PlaceType
from warden.commands.shared.report_option import build_report_path
from warden.commands.shared.run_copies import copy_runs
from warden.commands.shared.spark_options import SparkOptions

__all__ = ["ReportOptions", "command"]

_PLACE = PlaceType()
_RUN, _BASELINE = "RUN", "--baseline"


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """Which run to report, how, and where to."""

    run: Place = argument(type=_PLACE)
    output: str = option(
        "--output", type=Choice([*FORMATS]), default="html", show_default=True, help="The format of the report."
    )
    out: Path | None = option(
        "--out",
        type=OutputFile("findings.csv"),
        metavar="FILE",
        help='File to write, "-" for standard output.  [default: in the run\'s directory]',
    )
    baseline: Place | None = option(
        "--baseline",
        type=_PLACE,
        metavar="BASELINE",
        help="An earlier run, or a directory of runs: report what is new since. SARIF has all, with `baselineState`.",
    )
    spark: SparkOptions = group(SparkOptions)


@click.command()
@with_options(ReportOptions)
def command(options: ReportOptions) -> int:
    """Write the report of RUN, the directory of a run, or one of runs, whose latest is taken.

    RUN and --baseline may be addresses of Spark's file systems (s3a://…); the report goes there too, but for --out.

    Every format is complete: each finding, each waiver, each resource that was not evaluated.

    \b
      html          one page for a browser, which needs nothing else
      sarif         SARIF 2.1.0, for code scanning; waived findings are suppressed
      junit         JUnit XML: a suite for each cluster, a test case for each topic
      csv           for spreadsheets
      controls      CSV for auditors: what the run shows about each control of each framework
      openreports   Kubernetes Report (openreports.io/v1alpha1), for kubectl apply
      json          JSON lines, one for each finding

    \b
    Examples:
      warden report build/runs
      warden report build/runs --output csv --out findings.csv
      warden report build/runs/nightly --output openreports --out - | kubectl apply -f -
      warden report s3a://estate/runs --conf spark.jars.packages=org.apache.hadoop:hadoop-aws:3.5.0
      warden report build/runs --baseline build/runs/release-7 --output sarif --out new.sarif
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.analyse.report.finished_run import open_run
    from warden.analyse.report.new_findings import select_new
    from warden.analyse.report.write import iter_report, write_report

    check_extras("pyarrow", "jinja2")

    with copy_runs(options.spark, {_RUN: options.run, _BASELINE: options.baseline}) as copies:
        opened = open_run(copies.directories[_RUN])
        if baseline := copies.directories.get(_BASELINE):
            opened = select_new(open_run(baseline), opened)
        if str(options.out) == "-":
            print_pieces(iter_report(opened, options.output))
            return EXIT_OK
        path = build_report_path(opened.directory, options.output, options.out)
        write_report(opened, options.output, path)
        click.echo(copies.put_report(_RUN, path))
    return EXIT_OK
