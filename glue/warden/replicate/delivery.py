"""One copy in OPA, kept as it is to be: swapped in as a whole, patched, looked at, and whole again after any doubt."""

import logging
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from warden.errors import OpaError, OpaUndefined
from warden.replicate.backoff import Backoff
from warden.replicate.compare import differences
from warden.replicate.config import Replicated
from warden.replicate.lease import Lease
from warden.replicate.meta import describe
from warden.replicate.mirror import Mirror
from warden.replicate.patch import Operation
from warden.replicate.status import Status
from warden.replicate.target import Target

__all__ = ["Delivery", "Wanted"]

_LOG = logging.getLogger(__name__)
_CHECK = 1.0  # seconds between two looks at OPA's copy, so that a restart is noticed within two


@dataclass
class Wanted:
    """What OPA is to hold now.

    Attributes:
        mirror: The document.
        kept: The top-level keys that the mirror was made to keep, None for all.
        observed: When it was true.
        details: What the source knows for meta.
        pending: Operations that OPA has not had yet.
    """

    mirror: Mirror
    kept: frozenset[str] | None
    observed: datetime
    details: Mapping[str, Any]
    pending: list[Operation]


class Delivery:
    """Brings OPA what it is to hold, and knows whether OPA has it.

    Args:
        replicated: The source and how it is replicated.
        target: Its place in OPA.
        status: Gets what happens.
        identity: This replicator's name.

    Attributes:
        current: Whether OPA holds what it is to hold, but for what is pending.
    """

    def __init__(self, replicated: Replicated, target: Target, status: Status, *, identity: str) -> None:
        self._source, self._every = replicated.source, replicated.every
        self._target, self._status, self._identity = target, status, identity
        self._lease = Lease(identity, replicated.lease)
        self._backoff = Backoff()
        self.current = False
        self._written_at = self._checked_at = -1e9
        self._not_before = 0.0
        self._lost = False  # whether OPA could not even be asked when last it was
        self._number = 0
        self._comparison: Iterator[str | None] | None = None

    def left(self) -> dict[str, Any] | None:
        """Return the meta of the copy that an earlier run left, None where there is none.

        Raises:
            OpaError: OPA does not tell.
        """
        meta = self._target.meta()
        self._status.opa_error = None
        self._backoff.reset()
        return meta

    def pauses(self) -> bool:
        """Whether a pause after a failure lasts; it ends early where OPA was out of reach and is back."""
        return time.monotonic() < self._not_before and not self._returned()

    def bring(self, wanted: Wanted) -> None:
        """Write what is due: all of it, what is pending, or a sign of life; or look whether the copy is still ours.

        Raises:
            OpaError: OPA did not do what it was asked.
        """
        if not self.current:
            if self._may_lead(wanted):
                self._swap(wanted)
            return
        now = time.monotonic()
        fresh = self._status.observed is None or wanted.observed > self._status.observed
        if wanted.pending or (fresh and now - self._written_at >= self._every / 2):
            self._patch(wanted)
        elif now - max(self._checked_at, self._written_at) >= _CHECK:
            self._checked_at = now
            self._status.count("checks")
            if not self._target.owns(self._target.meta()):
                raise OpaUndefined("OPA was restarted, or somebody else wrote")
        if self._comparison is not None:
            self._compare(self._comparison)

    def compare(self, mirror: Mirror) -> None:
        """Begin to compare OPA's copy with a mirror, some of it with each `bring`."""
        self._comparison = differences(mirror.document, self._target.part)

    def doubt(self) -> None:
        """OPA may hold anything: all is written with the next `bring`."""
        self.current, self._comparison = False, None

    def failed(self, error: OpaError) -> None:
        """All is written anew, after a pause where OPA itself is what failed."""
        held = self.current
        self.doubt()
        if isinstance(error, OpaUndefined) and held:
            _LOG.warning("OPA's copy is gone or another's, all is written anew", extra={"reason": str(error)})
            self._status.count("reloads", "marker")
            return
        if self._status.opa_error is None:
            _LOG.warning("OPA does not take writes, trying again with growing pauses", extra={"error": str(error)})
        self._status.opa_error = str(error)
        self._status.count("errors", "opa")
        self._not_before = time.monotonic() + self._backoff.pause()

    def finish(self, wanted: Wanted) -> None:
        """Write what is pending once more and give the copy free, where it is ours."""
        if not self.current:
            return
        try:
            self._patch(wanted)
            self._target.release()
        except OpaError as error:
            _LOG.info("the copy could not be given free", extra={"error": str(error)})

    def _patch(self, wanted: Wanted) -> None:
        if wanted.pending:
            self._number += 1
        sent = self._target.patch(wanted.pending, self._meta(wanted))
        self._status.count("operations", by=len(wanted.pending))
        self._wrote("patch", sent, wanted)

    def _swap(self, wanted: Wanted) -> None:
        self._lease.renew()
        self._number += 1
        sent = self._target.swap(wanted.mirror.document, self._meta(wanted))
        _LOG.info("swapped in as a whole", extra={"bytes": sent, "entries": wanted.mirror.counts})
        self.current = True
        self._wrote("swap", sent, wanted)

    def _wrote(self, kind: str, sent: int, wanted: Wanted) -> None:
        wanted.pending = []
        self._written_at = time.monotonic()
        self._backoff.reset()
        status = self._status
        if status.opa_error:
            _LOG.info("OPA takes writes again")
        status.opa_error, status.leader, status.loaded = None, None, True
        status.observed, status.entries = wanted.observed, wanted.mirror.counts
        status.lag = max(0.0, (datetime.now(UTC) - wanted.observed).total_seconds())
        status.count("writes", kind)
        status.count("bytes", kind, sent)

    def _meta(self, wanted: Wanted) -> dict[str, Any]:
        self._status.revision = f"{self._lease.term}.{self._number}"
        return describe(self._source, wanted.mirror, self._status.revision, wanted.observed, wanted.details)

    def _may_lead(self, wanted: Wanted) -> bool:
        """Whether no other replicator keeps the copy fresh; looked at once a second."""
        now = time.monotonic()
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

    def _compare(self, comparison: Iterator[str | None]) -> None:
        found = next(comparison, "")
        if found == "":
            self._comparison = None
            self._status.count("comparisons")
        elif found:
            _LOG.warning("OPA's copy is not what was written, all is written anew", extra={"place": found})
            self._status.count("repairs")
            self.doubt()

    def _returned(self) -> bool:
        """Whether OPA was out of reach and is back; a look a second."""
        now = time.monotonic()
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
