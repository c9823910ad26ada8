"""The thread that reads a source: it loads, polls, backs off after failures, and queues what it read."""

import logging
import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from warden.base.errors import SourceStale, WardenError
from warden.base.process.backoff import Backoff
from warden.state.replicate.status import SourceStatus
from warden.state.sources.source import Change, Source

__all__ = ["Event", "LoadedDocument", "PolledChanges", "SourceReader"]

_LOG = logging.getLogger(__name__)
_WAIT = 0.5  # seconds that a poll may wait before it looks whether something else is due


@dataclass(frozen=True)
class LoadedDocument:
    """A whole document that was read; ``for_comparison`` if it was read only because it was time to compare."""

    document: dict[str, Any]
    observed: datetime
    details: Mapping[str, Any]
    for_comparison: bool = False


@dataclass(frozen=True)
class PolledChanges:
    """The changes of one poll, which may be none."""

    changes: list[Change]
    observed: datetime
    details: Mapping[str, Any]


Event = LoadedDocument | PolledChanges


class SourceReader:
    """The reader of one source, in a thread of its own.

    Args:
        source: The source.
        every: Seconds between two loads in a row, at the least.
        compare: Seconds from one load to the next; 0 for never.
        status: Gets what happens.
        backoff: How long to wait after failures.
    """

    def __init__(
        self, source: Source, *, every: float, compare: float, status: SourceStatus, backoff: Backoff | None = None
    ) -> None:
        self._source, self._every, self._compare, self._status = source, every, compare, status
        self._backoff = backoff or Backoff(maximum=10.0)
        self._events: queue.Queue[Event] = queue.Queue(maxsize=4)
        self._again = threading.Event()
        self._again.set()
        self._begun = threading.Event()
        self._loaded_at: float | None = None

    def allow_loads(self) -> None:
        """Let the first load begin."""
        self._begun.set()

    def request_load(self) -> None:
        """Request a whole load in place of the next poll."""
        self._again.set()

    def take_events(self, timeout: float) -> list[Event]:
        """Return what has been read since the last call, waiting at most ``timeout`` seconds for it."""
        try:
            events = [self._events.get(timeout=max(0.001, timeout))]
        except queue.Empty:
            return []
        while True:
            try:
                events.append(self._events.get_nowait())
            except queue.Empty:
                return events

    def run(self, stop: threading.Event) -> None:
        """Read until ``stop`` is set; nothing before `allow_loads`."""
        while not self._begun.wait(0.2) and not stop.is_set():
            pass
        while not stop.is_set():
            try:
                event = self._read(stop)
            except SourceStale as error:
                self._status.count_event("reloads", "stale")
                _LOG.info("the source's position is lost, loading anew", extra={"error": str(error)})
                self._again.set()
                stop.wait(self._backoff.compute_delay())
            except Exception as error:
                if stop.is_set():
                    return
                self._report_failure(error)
                stop.wait(self._backoff.compute_delay())
            else:
                self._backoff.reset()
                self._status.source_error = None
                self._hand_on(event, stop)

    def _read(self, stop: threading.Event) -> Event:
        now = time.monotonic()
        due = bool(self._compare) and self._loaded_at is not None and now - self._loaded_at >= self._compare
        if not self._again.is_set() and not due:
            changes = self._source.poll(_WAIT)
            return PolledChanges(changes, self._require_observed(), dict(self._source.details))
        requested = self._again.is_set()
        if self._loaded_at is not None:
            stop.wait(self._loaded_at + self._every - now)
        self._again.clear()
        try:
            document = self._source.load()
        except BaseException:
            self._again.set()
            raise
        self._loaded_at = time.monotonic()
        self._status.count_event("loads", "requested" if requested else "compare")
        return LoadedDocument(
            document, self._require_observed(), dict(self._source.details), for_comparison=not requested
        )

    def _require_observed(self) -> datetime:
        observed = self._source.observed
        if observed is None:
            raise TypeError(f"the source {self._source.name} does not say when it was observed: set `observed` in load")
        return observed

    def _report_failure(self, error: Exception) -> None:
        expected = isinstance(error, WardenError)
        first = self._status.source_error is None
        self._status.source_error = str(error) or type(error).__name__
        self._status.count_event("errors", "source")
        self._again.set()
        if not expected:
            _LOG.error("the source failed in a way that it should not", exc_info=error)
        elif first:
            _LOG.warning("the source cannot be read, its replica stays as it is", extra={"error": str(error)})

    def _hand_on(self, event: Event, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                self._events.put(event, timeout=0.2)
            except queue.Full:
                continue
            return
