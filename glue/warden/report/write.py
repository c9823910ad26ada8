"""Write a report in any of the formats, a piece at a time, whole or not at all."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from warden.errors import ConfigurationError, InputError
from warden.report.finished_run import Run, open_run
from warden.report.junit import junit
from warden.report.lines import csv_text, json_lines
from warden.report.openreports import open_reports
from warden.report.sarif import sarif

__all__ = ["FORMATS", "report_pieces", "write_report"]


def _html(run: Run) -> Iterator[str]:
    from warden.report.page import page_pieces

    return page_pieces(run)


_WRITERS: Mapping[str, Callable[[Run], Iterator[str]]] = {
    "html": _html,
    "sarif": sarif,
    "junit": junit,
    "csv": csv_text,
    "openreports": open_reports,
    "json": json_lines,
}

FORMATS: Mapping[str, str] = {
    "html": "report.html",
    "sarif": "report.sarif",
    "junit": "junit.xml",
    "csv": "findings.csv",
    "openreports": "openreports.json",
    "json": "report.jsonl",
}
"""Format → the name that its file has in a run's directory."""


def report_pieces(run: Run, format: str) -> Iterator[str]:
    """Yield the text of a report.

    Args:
        run: A finished run.
        format: One of `FORMATS`.

    Raises:
        ConfigurationError: The format is not known.
        InputError: The run's files are missing or damaged.
    """
    if format not in _WRITERS:
        raise ConfigurationError(f"report format {format!r} is not known: use one of {', '.join(FORMATS)}")
    return _WRITERS[format](run)


def write_report(run_directory: Path, format: str, out: Path) -> None:
    """Write the report of a run; what was at ``out`` is replaced when all of it is written.

    Args:
        run_directory: The directory of a run.
        format: One of `FORMATS`.
        out: The file to write.

    Raises:
        ConfigurationError: The format is not known.
        InputError: The run's files are missing or damaged, or ``out`` cannot be written.
    """
    pieces = report_pieces(open_run(run_directory), format)
    unfinished = out.with_name(f".{out.name}-{uuid.uuid4().hex}")
    try:
        with unfinished.open("w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
        unfinished.replace(out)
    except OSError as error:
        raise InputError(f"{out}: the report cannot be written ({error.strerror})") from error
    finally:
        unfinished.unlink(missing_ok=True)
