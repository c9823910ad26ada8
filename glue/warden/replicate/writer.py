"""The half of a replication that writes to OPA: whole at first, then what changed, whole again after any doubt."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from warden.errors import OpaError, OpaUndefined
from warden.replicate.backoff import Backoff
from warden.replicate.compare import differences
from warden.replicate.config import Replicated
from warden.replicate.lease import Lease
from warden.replicate.losses import Losses
from warden.replicate.meta import describe
from warden.replicate.mirror import Mirror
from warden.replicate.patch import Operation
from warden.replicate.reader import Changed, Event, Loaded, Reader
from warden.replicate.source import Resumes
from warden.replicate.status import Status
from warden.replicate.target import Target

__all__ = ["Writer"]

_LOG = logging.getLogger(__name__)
_ASK = 2.0  # seconds between two looks at what OPA's rules read
_CHECK = 1.0  # seconds between two looks at OPA's copy, so that a restart is noticed within two
_RECENT = 0.25  # seconds that a turn waits for news


@dataclass
class _Wanted:
    """What OPA is to hold now.

    Attributes:
        mirror: The document.
        observed: When it was true.
        details: What the source knows for meta.
        pending: Operations that OPA has not had yet.
    """

    mirror: Mirror
    observed: datetime
    details: Mapping[str, Any]
    pending: list[Operation]


class Writer:
    """Writes one source's copy, in a thread of its own.

    Whatever fails, the mirror stays and follows the source, and what is written after a failure is all of it. So a
    restart of OPA costs the source nothing.

    Args:
        replicated: The source and how it is replicated.
        target: Its place in OPA.
        reader: Where news come from.
        status: Gets what happens.
        identity: This replicator's name.
        keep: Tells which top-level keys to keep, None for all; asked again and again, as OPA's rules may change.
        accept_loss: Whether the first loss is believed, however large.
        backoff: How long to wait after failed writes.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        replicated: Replicated,
        target: Target,
        reader: Reader,
        status: Status,
        *,
        identity: str,
        keep: Callable[[], frozenset[str] | None] = lambda: None,
        accept_loss: bool = False,
        backoff: Backoff | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._target, self._reader, self._status = target, reader, status
        self._source, self._every = replicated.source, replicated.every
        self._keep = keep
        self._kept: frozenset[str] | None = None
        self._losses = Losses(replicated.guard, self._source.entries, accept=accept_loss)
        self._lease = Lease(identity, replicated.lease)
        self._backoff, self._clock = backoff or Backoff(), clock
        self._wanted: _Wanted | None = None
        self._known = False  # whether what OPA had at the start has been seen
        self._current = False  # whether OPA holds the mirror but for what is pending
        self._written_at = self._checked_at = self._asked_at = -1e9
        self._not_before = 0.0
        self._lost = False  # whether OPA could not even be asked when last it was
        self._number = 0
        self._comparison: Iterator[str | None] | None = None
        self._identity = identity

    def run(self, stop: threading.Event) -> None:
        """Write until ``stop`` is set, then once more what is pending, and give the copy free."""
        while not stop.is_set():
            try:
                self.turn()
            except OpaError as error:
                self._failed(error)
            except Exception:
                _LOG.exception("writing failed in a way that it should not, all is loaded and written anew")
                self._status.count("errors", "writer")
                self._doubt()
                self._reader.load_again()  # what was taken in last may be lost
                stop.wait(self._backoff.pause())
        if self._current:
            try:
                self._deliver_pending()
                self._target.release()
            except OpaError as error:
                _LOG.info("the copy could not be given free", extra={"error": str(error)})

    def turn(self) -> None:
        """Take in what was read, and do what is due; returns within a second or so unless OPA is slow.

        Raises:
            OpaError: OPA did not do what it was asked.
        """
        if not self._known:
            self._get_to_know()
            return
        for event in self._reader.take(_RECENT):
            self._take_in(event)
        if self._wanted is None or (self._clock() < self._not_before and not self._returned()):
            return
        if self._current:
            self._keep_current(self._wanted)
        elif self._may_lead(self._wanted):
            self._swap(self._wanted)

    def _get_to_know(self) -> None:
        """See what an earlier run left, before anything is judged or written."""
        if self._clock() < self._not_before and not self._returned():
            time.sleep(_RECENT)
            return
        meta, self._kept = self._target.meta(), self._keep()
        self._known = True
        self._status.opa_error = None
        self._backoff.reset()
        if meta:
            self._losses.remember(meta)
            if isinstance(self._source, Resumes):
                self._source.resume(meta)
        self._reader.begin()

    def _take_in(self, event: Event) -> None:
        if self._status.held and not isinstance(event, Loaded):
            return  # a change of what was not taken in: the load that was asked for has it all
        wanted = self._wanted
        if self._is_held(event, wanted.mirror if wanted else None):
            return
        if wanted is not None:
            changed = wanted.mirror.apply(event.changes) if isinstance(event, Changed) else self._became(event, wanted)
            wanted.observed, wanted.details = event.observed, event.details
            if self._current:
                wanted.pending += changed
        elif isinstance(event, Loaded):
            mirror = Mirror(event.document, wanted=self._kept, depth=self._source.depth)
            self._wanted = _Wanted(mirror, event.observed, event.details, [])

    def _became(self, event: Loaded, wanted: _Wanted) -> list[Operation]:
        changed = wanted.mirror.become(event.document)
        if event.compare:
            self._status.count("drift", by=len(changed))
            self._comparison = differences(wanted.mirror.document, self._target.part)
        return changed

    def _is_held(self, event: Event, mirror: Mirror | None) -> bool:
        """Whether the guard holds an event back; then a load is asked for, to see whether that shows the loss too."""
        if isinstance(event, Loaded):
            held = self._losses.of_load(mirror, event.document, event.details, self._clock())
        else:
            held = self._losses.of_changes(mirror, event.changes, self._clock())
        if held:
            if self._status.held is None:
                _LOG.error("a loss is held back", extra={"loss": held})
                self._status.count("held")
            self._reader.load_again()
        elif self._status.held:
            _LOG.warning("nothing is held back any more")
        self._status.held = held
        return held is not None

    def _keep_current(self, wanted: _Wanted) -> None:
        now = self._clock()
        fresh = self._status.observed is None or wanted.observed > self._status.observed
        if wanted.pending or (fresh and now - self._written_at >= self._every / 2):
            self._deliver_pending()
        elif now - max(self._checked_at, self._written_at) >= _CHECK:
            self._checked_at = now
            self._status.count("checks")
            if not self._target.owns(self._target.meta()):
                raise OpaUndefined("OPA was restarted, or somebody else wrote")
        if self._comparison is not None:
            self._compare()
        if now - self._asked_at >= _ASK:
            self._asked_at = now
            self._keep_what_is_read()

    def _keep_what_is_read(self) -> None:
        """Load and write all anew where OPA's rules read other parts than they did."""
        kept = self._keep()
        if kept != self._kept:
            _LOG.info("OPA's rules read other parts", extra={"parts": sorted(kept) if kept is not None else "all"})
            self._kept, self._wanted = kept, None
            self._doubt()
            self._reader.load_again()

    def _deliver_pending(self) -> None:
        wanted = self._wanted
        if wanted is None:
            return
        if wanted.pending:
            self._number += 1
        sent = self._target.patch(wanted.pending, self._meta(wanted))
        self._status.count("operations", by=len(wanted.pending))
        self._wrote("patch", sent, wanted)

    def _swap(self, wanted: _Wanted) -> None:
        self._lease.renew()
        self._number += 1
        sent = self._target.swap(wanted.mirror.document, self._meta(wanted))
        _LOG.info("swapped in as a whole", extra={"bytes": sent, "entries": wanted.mirror.counts})
        self._current = True
        self._wrote("swap", sent, wanted)

    def _wrote(self, kind: str, sent: int, wanted: _Wanted) -> None:
        wanted.pending = []
        self._written_at = self._clock()
        self._backoff.reset()
        status = self._status
        if status.opa_error:
            _LOG.info("OPA takes writes again")
        status.opa_error, status.leader, status.loaded = None, None, True
        status.observed, status.entries = wanted.observed, wanted.mirror.counts
        status.lag = max(0.0, (datetime.now(UTC) - wanted.observed).total_seconds())
        status.count("writes", kind)
        status.count("bytes", kind, sent)

    def _meta(self, wanted: _Wanted) -> dict[str, Any]:
        self._status.revision = f"{self._lease.term}.{self._number}"
        return describe(self._source, wanted.mirror, self._status.revision, wanted.observed, wanted.details)

    def _may_lead(self, wanted: _Wanted) -> bool:
        """Whether no other replicator keeps the copy fresh; looked at once a second."""
        now = self._clock()
        if self._lease.follows and now - self._checked_at < _CHECK:
            return False
        self._checked_at = now
        try:
            meta = self._target.meta()
        except OpaError:
            self._lost = True
            raise
        self._lost, self._status.opa_error = False, None
        leader = self._lease.leader(meta, now, wanted.observed)
        if leader != self._status.leader:
            _LOG.info("another replicator leads" if leader else "leading", extra={"leader": leader or self._identity})
        self._status.leader = leader
        if leader is None or meta is None:
            return True
        self._status.loaded = True
        self._status.observed, self._status.revision = self._lease.observed, str(meta.get("revision"))
        return False

    def _compare(self) -> None:
        if self._comparison is None:
            return
        found = next(self._comparison, "")
        if found == "":
            self._comparison = None
            self._status.count("comparisons")
        elif found:
            _LOG.warning("OPA's copy is not what was written, all is written anew", extra={"place": found})
            self._status.count("repairs")
            self._doubt()

    def _doubt(self) -> None:
        """OPA may hold anything: write all of it."""
        self._current, self._comparison = False, None
        if self._wanted:
            self._wanted.pending = []

    def _failed(self, error: OpaError) -> None:
        held = self._current
        self._doubt()
        if isinstance(error, OpaUndefined) and held:
            _LOG.warning("OPA's copy is gone or another's, all is written anew", extra={"reason": str(error)})
            self._status.count("reloads", "marker")
            return
        if self._status.opa_error is None:
            _LOG.warning("OPA does not take writes, trying again with growing pauses", extra={"error": str(error)})
        self._status.opa_error = str(error)
        self._status.count("errors", "opa")
        self._not_before = self._clock() + self._backoff.pause()

    def _returned(self) -> bool:
        """While a pause lasts: whether OPA was out of reach and is back, so that the pause may end; a look a second."""
        now = self._clock()
        if now - self._checked_at < _CHECK:
            return False
        self._checked_at = now
        self._status.count("checks")
        try:
            self._target.meta()
        except OpaError:
            self._lost = True
            return False
        returned, self._lost = self._lost, False
        return returned
