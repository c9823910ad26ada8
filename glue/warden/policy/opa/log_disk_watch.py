"""A watch over the disk under OPA's log: OPA passes over lines that it cannot write, and goes on deciding."""

import os
import time
from pathlib import Path

from warden.base.files.private import open_private

__all__ = ["LogDiskWatch"]

_TRIAL = ".log-trial"
_PIECE = "\n" * 4096


class LogDiskWatch:
    """Tries now and then to write beside a log.

    Args:
        log: The log.
        interval: Seconds between two trials, at the least.
    """

    def __init__(self, log: Path, interval: float = 5.0) -> None:
        self._trial, self._interval = log.with_name(_TRIAL), interval
        self._tried_at = -interval
        self._problem: str | None = None

    def poll(self) -> str | None:
        """Return a sentence where it has just become impossible to write, or possible again; None otherwise."""
        if time.monotonic() - self._tried_at < self._interval:
            return None
        before, self._problem = self._problem, self._try()
        self._tried_at = time.monotonic()
        if self._problem == before:
            return None
        return self._problem or "decisions are logged again"

    def _try(self) -> str | None:
        try:
            with open_private(self._trial) as file:
                file.write(_PIECE)
                file.flush()
                os.fsync(file.fileno())  # only now some file systems look for room
        except OSError as error:
            return f"decisions are given but not logged, {self._trial.parent} cannot be written ({error.strerror})"
        finally:
            if self._trial.is_file():
                self._trial.unlink(missing_ok=True)
        return None
