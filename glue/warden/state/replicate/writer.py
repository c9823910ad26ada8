"""The thread that applies what was read from a source to its replica, and writes the replica to OPA."""

import logging
import threading
import time
from collections.abc import Callable

from warden.base.errors import OpaError
from warden.base.process.backoff import Backoff
from warden.state.replicate.config import ReplicatedSource
from warden.state.replicate.delivery import Delivery, DesiredState
from warden.state.replicate.losses import LossTracker
from warden.state.replicate.patch import Operation
from warden.state.replicate.reader import Event, LoadedDocument, PolledChanges, SourceReader
from warden.state.replicate.replica import Replica
from warden.state.replicate.status import SourceStatus
from warden.state.sources.source import ResumableSource

__all__ = ["Writer"]

_LOG = logging.getLogger(__name__)
_PARTS_INTERVAL = 2.0  # seconds between two looks at what OPA's rules read
_RECENT = 0.25  # seconds that a turn waits for news


class Writer:
    """The writer of one source's replica, in a thread of its own.

    Whatever fails, the replica stays and follows the source, and what is written after a failure is all of it. So a
    restart of OPA costs the source nothing.

    Args:
        replicated: The source and how it is replicated.
        delivery: What writes the replica to OPA.
        reader: Where news come from.
        status: Gets what happens.
        required_parts: Returns the top-level keys to keep, None for all; called again and again, as OPA's rules may
            change.
        accept_loss: Whether the first loss is believed, however large.
    """

    def __init__(
        self,
        replicated: ReplicatedSource,
        delivery: Delivery,
        reader: SourceReader,
        status: SourceStatus,
        *,
        required_parts: Callable[[], frozenset[str] | None],
        accept_loss: bool,
    ) -> None:
        self._delivery, self._reader, self._status = delivery, reader, status
        self._source = replicated.source
        self._required_parts = required_parts
        self._parts: frozenset[str] | None = None
        self._parts_read_at = -1e9
        self._losses = LossTracker(replicated.settings.guard, self._source.entries, accept=accept_loss)
        self._desired: DesiredState | None = None
        self._resumed = False  # whether the replica that OPA had at the start has been read

    def run(self, stop: threading.Event) -> None:
        """Write until ``stop`` is set, then once more what is pending, and release the replica."""
        backoff = Backoff()
        while not stop.is_set():
            try:
                self._turn()
            except OpaError as error:
                self._delivery.handle_failure(error)
            except Exception:
                _LOG.exception("writing failed in a way that it should not, all is loaded and written anew")
                self._status.count_event("errors", "writer")
                self._delivery.invalidate()
                self._reader.request_load()  # what was taken in last may be lost
                stop.wait(backoff.compute_delay())
            else:
                backoff.reset()
        if self._desired is not None:
            self._delivery.release(self._desired)

    def _turn(self) -> None:
        """Take in what was read, and do what is due; returns within a second or so unless OPA is slow."""
        if not self._resumed:
            self._resume()
            return
        for event in self._reader.take_events(_RECENT):
            self._apply_event(event)
        if self._desired is None or self._delivery.is_paused():
            return
        self._delivery.sync(self._desired)
        if self._delivery.is_current and time.monotonic() - self._parts_read_at >= _PARTS_INTERVAL:
            self._parts_read_at = time.monotonic()
            self._update_parts()

    def _resume(self) -> None:
        """Read the replica that an earlier run left, before anything is compared or written."""
        if self._delivery.is_paused():
            time.sleep(_RECENT)
            return
        self._parts = self._required_parts()
        meta = self._delivery.read_previous_meta()
        if meta and isinstance(self._source, ResumableSource):
            self._source.resume(meta, self._delivery.read_previous_entries(self._source.entries))
        self._resumed = True
        if meta:
            self._losses.remember(meta)
        self._reader.allow_loads()

    def _apply_event(self, event: Event) -> None:
        if self._status.held and not isinstance(event, LoadedDocument):
            return  # a change of what was not taken in: the load that was requested has it all
        desired = self._desired
        if self._is_held(event, desired.replica if desired else None):
            return
        if desired is not None and (desired.parts == self._parts or isinstance(event, PolledChanges)):
            changed = (
                desired.replica.apply(event.changes)
                if isinstance(event, PolledChanges)
                else self._apply_load(event, desired)
            )
            desired.observed, desired.details = event.observed, event.details
            if self._delivery.is_current:
                desired.pending += changed
        elif isinstance(event, LoadedDocument):
            replica = Replica(event.document, parts=self._parts, depth=self._source.depth)
            self._desired = DesiredState(replica, self._parts, event.observed, event.details, [])
            self._delivery.invalidate()

    def _apply_load(self, event: LoadedDocument, desired: DesiredState) -> list[Operation]:
        changed = desired.replica.become(event.document)
        if event.for_comparison:
            self._status.count_event("drift", by=len(changed))
            self._delivery.begin_comparison(desired.replica)
        return changed

    def _is_held(self, event: Event, replica: Replica | None) -> bool:
        """Whether the guard holds an event back; then a load is requested, to see whether it shows the loss too."""
        if isinstance(event, LoadedDocument):
            held = self._losses.check_load(replica, event.document, event.details, time.monotonic())
        else:
            held = self._losses.check_changes(replica, event.changes, event.details, time.monotonic())
        if held:
            if self._status.held is None:
                _LOG.error("a loss is held back", extra={"loss": held})
                self._status.count_event("held")
            self._reader.request_load()
        elif self._status.held:
            _LOG.warning("nothing is held back any more")
        self._status.held = held
        return held is not None

    def _update_parts(self) -> None:
        """Request a load, and write all of it, if OPA's rules read other parts than they did."""
        parts = self._required_parts()
        if parts != self._parts:
            _LOG.info("OPA's rules read other parts", extra={"parts": sorted(parts) if parts is not None else "all"})
            self._parts = parts
            self._reader.request_load()
