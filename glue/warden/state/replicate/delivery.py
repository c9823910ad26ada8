"""Delivery of one replica to OPA: swapped in as a whole, patched, checked, and swapped in again after a failure."""

import logging
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from warden.base.errors import OpaError, OpaUndefined
from warden.base.process.backoff import Backoff
from warden.base.telemetry.traces import NO_SPAN, Span, begin_span
from warden.state.lease import LeaseView
from warden.state.replicate.compare import iter_differences
from warden.state.replicate.config import ReplicatedSource
from warden.state.replicate.meta import build_meta
from warden.state.replicate.patch import Operation
from warden.state.replicate.replica import Replica
from warden.state.replicate.status import SourceStatus
from warden.state.replicate.target import Target
from warden.state.sources.source import ResumableSource

__all__ = ["Delivery", "DesiredState"]

_LOG = logging.getLogger(__name__)
_CHECK = 1.0  # seconds between two polls of OPA's replica, so that a restart is noticed within two


@dataclass
class DesiredState:
    """The state that OPA is to hold now.

    Attributes:
        replica: The document.
        parts: The top-level keys that the replica has, None for all.
        observed: When it was true.
        details: What the source knows for meta.
        pending: Operations that OPA has not had yet.
    """

    replica: Replica
    parts: frozenset[str] | None
    observed: datetime
    details: Mapping[str, Any]
    pending: list[Operation]


class Delivery:
    """Writes one replica to OPA, and checks that OPA still has it.

    Args:
        replicated: The source and how it is replicated.
        target: Where it is in OPA.
        status: Gets what happens.
        identity: This replicator's name.

    Attributes:
        is_current: Whether OPA holds what it is to hold, but for what is pending.
    """

    def __init__(self, replicated: ReplicatedSource, target: Target, status: SourceStatus, *, identity: str) -> None:
        self._source, self._every = replicated.source, replicated.settings.interval
        self._target, self._status, self._identity = target, status, identity
        self._lease = LeaseView(identity, replicated.settings.lease)
        self._backoff = Backoff()
        self.is_current = False
        self._written_at = self._checked_at = -1e9
        self._not_before = 0.0
        self._lost = False  # whether OPA did not even answer the last request
        self._number = 0
        self._comparison: Iterator[str | None] | None = None

    def read_previous_meta(self) -> dict[str, Any] | None:
        """Return the meta of the replica that an earlier run left, None where there is none.

        Raises:
            OpaError: OPA does not answer.
        """
        meta = self._target.read_meta()
        self._status.opa_error = None
        self._backoff.reset()
        return meta

    def read_previous_entries(self, part: str | None) -> dict[str, Any] | None:
        """Return a part of the replica that an earlier run left, None where there is none.

        Raises:
            OpaError: OPA does not answer.
        """
        return self._target.read_entries(part)

    def is_paused(self) -> bool:
        """Whether a pause after a failure lasts; it ends early where OPA was out of reach and is back."""
        return time.monotonic() < self._not_before and not self._has_returned()

    def sync(self, desired: DesiredState) -> None:
        """Write what is due: all of it, what is pending, or a sign of life; or look whether the replica is still ours.

        Raises:
            OpaError: OPA did not take it.
        """
        if not self.is_current:
            if self._may_lead(desired):
                self._swap(desired)
            return
        now = time.monotonic()
        fresh = desired.observed != self._status.observed  # earlier too, after a clock was set back
        if desired.pending or (fresh and now - self._written_at >= self._every / 2):
            self._patch(desired)
        elif now - max(self._checked_at, self._written_at) >= _CHECK:
            self._checked_at = now
            self._status.count_event("checks")
            if not self._target.owns(self._target.read_meta()):
                raise OpaUndefined("OPA was restarted, or somebody else wrote")
        if self._comparison is not None:
            self._advance_comparison(self._comparison)

    def begin_comparison(self, replica: Replica) -> None:
        """Begin to compare OPA's content with a replica, some of it with each `sync`."""
        self._comparison = iter_differences(replica.document, self._target.read_part)

    def invalidate(self) -> None:
        """Take OPA's content for unknown: all is written with the next `sync`."""
        self.is_current, self._comparison = False, None

    def handle_failure(self, error: OpaError) -> None:
        """Write all anew, after a pause if OPA itself failed."""
        was_current = self.is_current
        self.invalidate()
        if isinstance(error, OpaUndefined) and was_current:
            _LOG.warning("the replica in OPA is gone or another's, all is written anew", extra={"reason": str(error)})
            self._status.count_event("reloads", "marker")
            return
        if self._status.opa_error is None:
            _LOG.warning("OPA does not take writes, trying again with growing pauses", extra={"error": str(error)})
        self._status.opa_error = str(error)
        self._status.count_event("errors", "opa")
        self._not_before = time.monotonic() + self._backoff.compute_delay()

    def release(self, desired: DesiredState) -> None:
        """Write what is pending once more and release the replica, where it is ours."""
        if not self.is_current:
            return
        try:
            self._patch(desired)
            self._target.release()
        except OpaError as error:
            _LOG.info("the replica could not be released", extra={"error": str(error)})

    def _patch(self, desired: DesiredState) -> None:
        if desired.pending:
            self._number += 1
        with self._begin_span("patch replica", len(desired.pending)) if desired.pending else NO_SPAN:
            sent = self._target.patch(desired.pending, self._build_meta(desired))
        self._status.count_event("operations", by=len(desired.pending))
        self._record_write("patch", sent, desired)

    def _swap(self, desired: DesiredState) -> None:
        self._lease.begin_term()
        self._number += 1
        with self._begin_span("swap replica"):
            sent = self._target.swap(desired.replica.document, self._build_meta(desired))
        _LOG.info("swapped in as a whole", extra={"bytes": sent, "entries": desired.replica.counts})
        self.is_current = True
        self._record_write("swap", sent, desired)

    def _begin_span(self, name: str, operations: int | None = None) -> Span:
        source = f"{self._source.kind}/{self._source.name}"
        return begin_span(name, attributes={"warden.source": source, "warden.operations": operations})

    def _record_write(self, kind: str, sent: int, desired: DesiredState) -> None:
        desired.pending = []
        self._written_at = time.monotonic()
        self._backoff.reset()
        status = self._status
        if status.opa_error:
            _LOG.info("OPA takes writes again")
        status.opa_error, status.leader, status.loaded = None, None, True
        status.observed, status.entries = desired.observed, desired.replica.counts
        status.lag = max(0.0, (datetime.now(UTC) - desired.observed).total_seconds())
        status.count_event("writes", kind)
        status.count_event("bytes", kind, sent)

    def _build_meta(self, desired: DesiredState) -> dict[str, Any]:
        self._status.revision = f"{self._lease.term}.{self._number}"
        return build_meta(self._source, desired.replica, self._status.revision, desired.observed, desired.details)

    def _may_lead(self, desired: DesiredState) -> bool:
        """Whether no other replicator keeps the replica fresh; looked at once a second."""
        now = time.monotonic()
        if self._lease.follows and now - self._checked_at < _CHECK:
            return False
        self._checked_at = now
        try:
            meta = self._target.read_meta()
        except OpaError:
            self._lost = True
            raise
        self._lost, self._status.opa_error = False, None
        if meta and isinstance(self._source, ResumableSource):
            self._source.follow(meta)
        leader = self._lease.find_leader(meta, now, desired.observed)
        if leader != self._status.leader:
            _LOG.info("another replicator leads" if leader else "leading", extra={"leader": leader or self._identity})
        self._status.leader = leader
        if leader is None or meta is None:
            return True
        self._status.loaded = True
        self._status.observed, self._status.revision = self._lease.observed, str(meta.get("revision"))
        return False

    def _advance_comparison(self, comparison: Iterator[str | None]) -> None:
        difference = next(comparison, "")
        if difference == "":
            self._comparison = None
            self._status.count_event("comparisons")
        elif difference:
            _LOG.warning("the replica in OPA is not what was written, all is written anew", extra={"path": difference})
            self._status.count_event("repairs")
            self.invalidate()

    def _has_returned(self) -> bool:
        """Whether OPA was out of reach and is back; a poll a second."""
        now = time.monotonic()
        if now - self._checked_at < _CHECK:
            return False
        self._checked_at = now
        self._status.count_event("checks")
        try:
            self._target.read_meta()
        except OpaError:
            self._lost = True
            return False
        returned, self._lost = self._lost, False
        return returned
