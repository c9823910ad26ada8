"""Option ``--report`` of the commands that scan: reports in other formats, written with the results."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.analyse.report.write import FORMATS, write_report
from warden.base.did_you_mean import describe_unknown
from warden.base.errors import ConfigurationError
from warden.commands.shared.options import option

if TYPE_CHECKING:
    from warden.analyse.report.finished_run import Run

__all__ = ["ReportFile", "build_report_path", "check_reports", "report_option", "write_reports"]


@dataclass(frozen=True)
class ReportFile:
    """A report to write.

    Args:
        format: One of `warden.analyse.report.write.FORMATS`.
        path: The file to write; None for the format's own name in the run's directory.
    """

    format: str
    path: Path | None = None


def _parse_report_files(
    _context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]
) -> tuple[ReportFile, ...]:
    return tuple(_parse_report_file(text) for text in texts)


def _parse_report_file(text: str) -> ReportFile:
    format, separator, path = text.partition("=")
    if format not in FORMATS:
        raise click.BadParameter(describe_unknown("format", format, FORMATS))
    if separator and path in {"", "-"}:
        raise click.BadParameter(
            f"{text!r} names no file: write {format}=FILE, or {format} for {FORMATS[format]} in the run's directory; "
            f"`warden report --output {format} --out -` prints it"
        )
    return ReportFile(format, Path(path) if separator else None)


def report_option() -> Any:
    """Define the field of a command's options that ``--report`` fills, which may be given several times."""
    return option(
        "--report",
        callback=_parse_report_files,
        multiple=True,
        metavar="FORMAT[=FILE]",
        help=f"Write a report in this format too: {', '.join(FORMATS)}. Without FILE it goes to the run's directory. "
        "May be given several times.",
    )


def build_report_path(directory: Path, format: str, path: Path | None) -> Path:
    """Return where a report goes: to ``path``, else under the format's own name to the run's directory."""
    return path or directory / FORMATS[format]


def check_reports(reports: Sequence[ReportFile], tables: str) -> None:
    """Refuse, before anything is evaluated, reports that could not be written afterwards.

    Args:
        reports: The reports to write.
        tables: The format of the run's tables.

    Raises:
        ConfigurationError: The tables will not be Parquet, a directory is missing, or two reports are one file.
    """
    if reports and tables != "parquet":
        raise ConfigurationError(f"--report reads tables in Parquet: leave out --format {tables}, or --report")
    paths = [report.path for report in reports if report.path]
    for path in paths:
        if not path.parent.is_dir() or path.is_dir():
            what = "it is a directory" if path.is_dir() else f"there is no directory {path.parent}"
            raise ConfigurationError(f"--report {path}: {what}: name a file in a directory that is there")
        if paths.count(path) > 1:
            raise ConfigurationError(f"--report {path}: two reports cannot go to one file: name another for one")


def write_reports(run: "Run", reports: Sequence[ReportFile]) -> list[dict[str, str]]:
    """Write the reports of a run.

    Args:
        run: The run, or what of it is new.
        reports: The reports to write.

    Returns:
        ``format`` and ``path`` of each, in the same order.

    Raises:
        InputError: A report cannot be written; those before it are.
    """
    places = [(report.format, build_report_path(run.directory, report.format, report.path)) for report in reports]
    for format, path in places:
        write_report(run, format, path)
    return [{"format": format, "path": str(path)} for format, path in places]
