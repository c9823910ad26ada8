"""Write a report in any of the formats, a piece at a time, whole or not at all."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import ConfigurationError, InputError

if TYPE_CHECKING:
    from warden.analyse.report.finished_run import Run

__all__ = ["FORMATS", "iter_report", "write_report"]


# Format → module beside this one, imported when it is used, and its function of a run.
_WRITERS: Mapping[str, tuple[str, str]] = {
    "html": ("page", "render_page"),
    "sarif": ("sarif", "iter_sarif"),
    "junit": ("junit", "iter_junit"),
    "csv": ("lines", "iter_csv"),
    "controls": ("lines", "iter_controls_csv"),
    "openreports": ("openreports", "iter_openreports"),
    "json": ("lines", "iter_json_lines"),
}

FORMATS: Mapping[str, str] = {
    "html": "report.html",
    "sarif": "report.sarif",
    "junit": "junit.xml",
    "csv": "findings.csv",
    "controls": "controls.csv",
    "openreports": "openreports.json",
    "json": "report.jsonl",
}
"""Format → the name that its file has in a run's directory."""


def iter_report(run: "Run", format: str) -> Iterator[str]:
    """Yield the text of a report.

    Args:
        run: A finished run.
        format: One of `FORMATS`.

    Raises:
        ConfigurationError: The format is not known.
        InputError: The run's files are missing or damaged.
    """
    if format not in _WRITERS:
        raise ConfigurationError(describe_unknown("report format", format, FORMATS))
    module, function = _WRITERS[format]
    write: Callable[[Run], Iterator[str]] = getattr(import_module(f"warden.analyse.report.{module}"), function)
    return write(run)


def write_report(run: "Run", format: str, out: Path) -> None:
    """Write the report of a run; what was at ``out`` is replaced when all of it is written.

    Args:
        run: A finished run, or what of it is new (`warden.analyse.report.new_findings.select_new`).
        format: One of `FORMATS`.
        out: The file to write.

    Raises:
        ConfigurationError: The format is not known.
        InputError: The run's files are missing or damaged, or ``out`` cannot be written.
    """
    pieces = iter_report(run, format)
    unfinished = out.with_name(f".{out.name}-{uuid.uuid4().hex}")
    try:
        with unfinished.open("w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
        unfinished.replace(out)
    except OSError as error:
        raise InputError(f"{out}: the report cannot be written ({error.strerror})") from error
    finally:
        unfinished.unlink(missing_ok=True)
