"""The finished runs in a directory, as scans leave them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from warden.errors import InputError
from warden.toolchain.progress import say

__all__ = ["RunOf", "finished_runs"]


@dataclass(frozen=True, order=True)
class RunOf:
    """One run.

    Args:
        judged_at: The time that was judged at (RFC 3339, UTC).
        run_id: Its name.
        revision: The bundle revision.
        directory: Where its results are.
    """

    judged_at: str
    run_id: str
    revision: str
    directory: Path

    @property
    def day(self) -> date:
        """The day that was judged."""
        return datetime.fromisoformat(self.judged_at).date()


def finished_runs(directory: Path) -> Sequence[RunOf]:
    """Return the runs below a directory, oldest first.

    Runs under way and links are left out; so are, with a word on stderr, runs over a part of the resources (--sample,
    --where), in which the others would seem to be gone.

    Raises:
        InputError: There is no run, or the summary of one is damaged.
    """
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory: name the --out of `warden scan`")
    found = []
    for path in sorted(directory.glob("*/summary.json")):
        if path.parent.is_symlink() or path.parent.name.startswith("."):
            continue
        try:
            summary = json.loads(path.read_text(encoding="utf-8"))
            run = RunOf(summary["judged_at"], summary["run_id"], summary["revision"], path.parent)
            datetime.fromisoformat(run.judged_at)
            if _is_whole(path.with_name("metrics.json")):
                found.append(run)
            else:
                say(f"{path.parent} is left out: it is a scan of a part, and says nothing about the others")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}: not the summary of a run ({error}): take the run away or scan again") from error
    if not found:
        raise InputError(f"{directory}: no whole run in it: `warden scan --out {directory}` makes some")
    return sorted(found)


def _is_whole(metrics: Path) -> bool:
    if not metrics.is_file():
        return True
    told = json.loads(metrics.read_text(encoding="utf-8"))
    return told.get("sample", 1) == 1 and not told.get("where")
