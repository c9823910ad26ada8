"""The option ``--report`` of the commands that judge: reports in other forms, written with the run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from warden.errors import ConfigurationError
from warden.report.write import FORMATS, write_report

__all__ = ["Wanted", "check_reports", "report_option", "report_place", "write_reports"]


@dataclass(frozen=True)
class Wanted:
    """A report that is wanted.

    Args:
        format: One of `warden.report.write.FORMATS`.
        path: The file to write; None for the format's own name in the run's directory.
    """

    format: str
    path: Path | None = None


def _wanted(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> tuple[Wanted, ...]:
    return tuple(_one(text) for text in given)


def _one(text: str) -> Wanted:
    format, separator, path = text.partition("=")
    if format not in FORMATS:
        raise click.BadParameter(f"format {format!r} is not known: use one of {', '.join(FORMATS)}")
    if separator and path in {"", "-"}:
        raise click.BadParameter(
            f"{text!r} names no file: write {format}=FILE, or {format} for {FORMATS[format]} in the run's directory; "
            f"`warden report --output {format} --out -` prints it"
        )
    return Wanted(format, Path(path) if separator else None)


def report_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option ``--report``, which may be given several times, as its parameter ``report``."""
    return click.option(
        "--report",
        callback=_wanted,
        multiple=True,
        metavar="FORMAT[=FILE]",
        help=f"Write a report in this form too: {', '.join(FORMATS)}. Without FILE it goes to the run's directory. "
        "May be given several times.",
    )(command)


def report_place(directory: Path, format: str, path: Path | None) -> Path:
    """Return where a report goes: to ``path``, else under the format's own name to the run's directory."""
    return path or directory / FORMATS[format]


def check_reports(reports: Sequence[Wanted], tables: str) -> None:
    """Refuse, before anything is judged, reports that could not be written afterwards.

    Args:
        reports: What is wanted.
        tables: The format of the run's tables.

    Raises:
        ConfigurationError: The tables will not be Parquet, a directory is missing, or two reports are one file.
    """
    if reports and tables != "parquet":
        raise ConfigurationError(f"--report reads tables in Parquet: leave out --format {tables}, or --report")
    paths = [each.path for each in reports if each.path]
    for path in paths:
        if not path.parent.is_dir() or path.is_dir():
            what = "it is a directory" if path.is_dir() else f"there is no directory {path.parent}"
            raise ConfigurationError(f"--report {path}: {what}; name a file in a directory that is there")
        if paths.count(path) > 1:
            raise ConfigurationError(f"--report {path}: two reports cannot go to one file: name another for one")


def write_reports(directory: Path, reports: Sequence[Wanted]) -> list[dict[str, str]]:
    """Write the reports of a run.

    Args:
        directory: The run's directory.
        reports: What is wanted.

    Returns:
        ``format`` and ``path`` of each, in the same order.

    Raises:
        InputError: A report cannot be written; those before it are.
    """
    places = [(each.format, report_place(directory, each.format, each.path)) for each in reports]
    for format, path in places:
        write_report(directory, format, path)
    return [{"format": format, "path": str(path)} for format, path in places]
