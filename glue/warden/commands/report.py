"""``warden report``: the results of a scan in another format."""

from pathlib import Path

import click

from warden.analyse.report.write import FORMATS
from warden.base.extras import check_extras
from warden.commands import EXIT_OK
from warden.commands.choice import Choice
from warden.commands.output import OutputFile, print_pieces
from warden.commands.report_option import report_path

__all__ = ["command"]


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--output", type=Choice([*FORMATS]), default="html", show_default=True, help="The format of the report.")
@click.option(
    "--out",
    type=OutputFile("findings.csv"),
    metavar="FILE",
    help='File to write, "-" for standard output.  [default: in the run\'s directory]',
)
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="BASELINE",
    help="An earlier run, or a directory of runs: report what is new since. SARIF has all, with `baselineState`.",
)
def command(run: Path, output: str, out: Path | None, baseline: Path | None) -> int:
    """Write the report of RUN, the directory of a run, or one of runs, whose latest is taken.

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
      warden report build/runs --baseline build/runs/release-7 --output sarif --out new.sarif
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.analyse.report.finished_run import open_run
    from warden.analyse.report.new_findings import select_new
    from warden.analyse.report.write import report_pieces, write_report

    check_extras("pyarrow", "jinja2")

    opened = open_run(run)
    if baseline:
        opened = select_new(open_run(baseline), opened)
    if str(out) == "-":
        print_pieces(report_pieces(opened, output))
        return EXIT_OK
    path = report_path(opened.directory, output, out)
    write_report(opened, output, path)
    click.echo(path)
    return EXIT_OK
