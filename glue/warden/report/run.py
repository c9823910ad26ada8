"""A finished run as its directory holds it, read again row by row, whatever its size."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warden.errors import InputError
from warden.report.summary import Summary, summary_of
from warden.scan.verdicts import ERROR

__all__ = ["RULES", "Run", "open_run"]

RULES = "rules.json"
"""File of a run with the metadata of the rules that judged: what the entry point ``catalog/rules`` answered."""

_FINDINGS = "findings.jsonl"


@dataclass(frozen=True)
class Run:
    """A run.

    Args:
        directory: Where its results are.
        summary: Its figures.
        rules: Metadata of the rules by id, as ``catalog/rules`` gives it; empty where it is not known.
    """

    directory: Path
    summary: Summary
    rules: Mapping[str, Any] = field(default_factory=dict)

    @property
    def findings_path(self) -> Path:
        """The findings as JSON lines."""
        return self.directory / _FINDINGS

    def findings(self) -> Iterator[dict[str, Any]]:
        """Yield every finding, gravest first.

        Raises:
            InputError: The file is missing or damaged.
        """
        try:
            with self.findings_path.open(encoding="utf-8") as lines:
                for line in lines:
                    yield json.loads(line)
        except OSError as error:
            raise InputError(f"{self.findings_path}: cannot be read ({error.strerror}): is this a run?") from error
        except ValueError as error:
            raise InputError(f"{self.findings_path}: not JSON lines ({error}): scan again") from error

    def verdicts(self, cluster: str | None = None, status: str | None = None) -> Iterator[dict[str, Any]]:
        """Yield the verdict on every resource, those of one cluster or of one status only where that is given.

        Raises:
            InputError: The verdicts are missing or damaged.
        """
        import pyarrow as pa
        import pyarrow.dataset as ds

        wanted = [(name, value) for name, value in (("cluster", cluster), ("status", status)) if value is not None]
        matching = None
        for name, value in wanted:
            one = ds.field(name) == value
            matching = one if matching is None else matching & one
        try:
            for batch in ds.dataset(self.directory / "verdicts", format="parquet").to_batches(filter=matching):
                yield from batch.to_pylist()
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"{self.directory / 'verdicts'}: cannot be read ({error}): is this a run?") from error

    def unjudged(self) -> Iterator[dict[str, Any]]:
        """Yield what could not be judged, each with its ``error``."""
        if self.summary.errors:
            yield from self.verdicts(status=ERROR)


def open_run(directory: Path) -> Run:
    """Read what a run is about.

    Args:
        directory: A run's own directory, or one of runs whose link ``latest`` leads to it.

    Raises:
        InputError: There is no run, or its summary is damaged.
    """
    if not (directory / "summary.json").is_file() and (directory / "latest").exists():
        directory /= "latest"
    path = directory / "summary.json"
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        rules = directory / RULES
        known = json.loads(rules.read_text(encoding="utf-8")) if rules.is_file() else {}
        return Run(directory, summary_of(document), known)
    except OSError as error:
        raise InputError(f"{directory}: not a run, it has no summary.json: `warden scan` makes runs") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not the summary of a run ({error}): scan again") from error
