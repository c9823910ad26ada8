"""Finished scans in a directory."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from warden.base.errors import InputError
from warden.base.files.address import Address
from warden.base.process.progress import print_status

__all__ = ["FinishedScan", "list_finished_scans"]


@dataclass(frozen=True, order=True)
class FinishedScan:
    """One scan.

    Args:
        evaluated_at: The time that was evaluated at (RFC 3339, UTC).
        run_id: Its name.
        revision: The bundle revision.
        directory: Where its results are.
    """

    evaluated_at: str
    run_id: str
    revision: str
    directory: Path

    @property
    def day(self) -> date:
        """The day that was evaluated."""
        return datetime.fromisoformat(self.evaluated_at).date()


def list_finished_scans(directory: Path, address: Address | None = None) -> Sequence[FinishedScan]:
    """Return the runs below a directory, oldest first.

    Runs under way and links are left out; so are, with a word on stderr, runs over a part of the resources (--sample,
    --where), in which the others would seem to be gone.

    Args:
        directory: That of runs, or of copies of their summaries.
        address: Where the runs are that it has copies of.

    Raises:
        InputError: There is no run, or the summary of one is damaged.
    """
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory: name the --out of `warden scan`")
    runs = []
    for path in sorted(directory.glob("*/summary.json")):
        if path.parent.is_symlink() or path.parent.name.startswith("."):
            continue
        try:
            summary = json.loads(path.read_text(encoding="utf-8"))
            run = FinishedScan(summary["evaluated_at"], summary["run_id"], summary["revision"], path.parent)
            datetime.fromisoformat(run.evaluated_at)
            if _is_whole(path.with_name("metrics.json")):
                runs.append(run)
            else:
                place = (address or directory) / path.parent.name
                print_status(f"{place} is left out: it is a scan of a part, and says nothing about the others")
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(f"{path}: not the summary of a run ({error}): take the run away or scan again") from error
    if not runs:
        raise InputError(f"{directory}: no whole run in it: `warden scan --out {directory}` makes some")
    return sorted(runs)


def _is_whole(metrics: Path) -> bool:
    if not metrics.is_file():
        return True
    metrics_of = json.loads(metrics.read_text(encoding="utf-8"))
    return metrics_of.get("sample", 1) == 1 and not metrics_of.get("where")
