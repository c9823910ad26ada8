"""Reports that are requested together with a run: what is understood, what is refused before anything is evaluated."""

from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.analyse.report.conftest import DECISIONS, FINDINGS, written_run
from warden.analyse.report.finished_run import open_run
from warden.analyse.report.write import write_report
from warden.base.errors import ConfigurationError
from warden.commands.shared.options import with_options
from warden.commands.shared.report_option import ReportFile, check_reports, report_option, write_reports


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a command that scans."""

    report: tuple[ReportFile, ...] = report_option()


@click.command()
@with_options(Options)
def command(options: Options) -> int:
    """Print what was understood."""
    print([(each.format, each.path and str(each.path)) for each in options.report])
    return 0


@pytest.mark.parametrize(
    ("arguments", "understood"),
    [
        ([], "[]"),
        (["--report", "sarif"], "[('sarif', None)]"),
        (["--report", "sarif=a=b.sarif", "--report", "csv"], "[('sarif', 'a=b.sarif'), ('csv', None)]"),
    ],
)
def test_what_is_understood(arguments: list[str], understood: str) -> None:
    """A format alone, or with a file, whose name may have "=" in it."""
    assert f"{understood}\n" == CliRunner().invoke(command, arguments).stdout


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("pdf", "unknown format pdf: write one of html, sarif, junit, csv, controls, openreports, json"),
        ("SARIF=x", "unknown format SARIF: write sarif, the nearest of "),
        ("", "unknown format '': "),
        ("junit=", "'junit=' names no file: write junit=FILE, or junit for junit.xml in the run's directory; "),
        ("csv=-", "'csv=-' names no file: write csv=FILE, or csv for findings.csv in the run's directory; "),
    ],
)
def test_what_is_refused_at_once(given: str, said: str) -> None:
    """One sentence that says what to write instead."""
    refused = CliRunner().invoke(command, ["--report", given])

    assert 2 == refused.exit_code
    assert f"Invalid value for '--report': {said}" in refused.stderr


def test_what_could_not_be_written_afterwards(tmp_path: Path) -> None:
    """No hour of scanning ends in a file that cannot be; what is left out here passes."""
    missing, file = tmp_path / "missing" / "a.csv", tmp_path / "a.csv"
    for reports, tables, said in (
        ([ReportFile("csv")], "orc", "--report reads tables in Parquet: leave out --format orc, or --report"),
        ([ReportFile("csv", missing)], "parquet", f"--report {missing}: there is no directory {missing.parent}: name"),
        ([ReportFile("csv", tmp_path)], "parquet", f"--report {tmp_path}: it is a directory: name a file in"),
        (
            [ReportFile("csv", file), ReportFile("json", file)],
            "parquet",
            f"--report {file}: two reports cannot go to one",
        ),
    ):
        with pytest.raises(ConfigurationError) as refused:
            check_reports(reports, tables)
        assert str(refused.value).startswith(said)
    check_reports([], "orc")
    check_reports([ReportFile("csv"), ReportFile("json", file)], "parquet")


def test_what_is_written(tmp_path: Path) -> None:
    """Each where it was requested, the same as `warden report` writes."""
    run = written_run(tmp_path / "r", DECISIONS, FINDINGS)
    written = write_reports(open_run(run), [ReportFile("junit", tmp_path / "j.xml"), ReportFile("csv")])
    write_report(open_run(run), "junit", tmp_path / "same.xml")

    assert [
        {"format": "junit", "path": str(tmp_path / "j.xml")},
        {"format": "csv", "path": str(run / "findings.csv")},
    ] == written
    assert (tmp_path / "same.xml").read_bytes() == (tmp_path / "j.xml").read_bytes()
    assert (run / "findings.csv").read_text().startswith("run_id,revision,")
