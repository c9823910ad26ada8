"""The lease of a replica: which of several replicators writes it. Pure.

Both read their source, one writes. The replica's meta names its writer, and OPA undoes every patch unless the name is
still there (`warden.state.replicate.target`), so two writers at once do no harm: the later whole load wins, and the
other notices with its next patch. The other then only looks on, until the replica's ``observedAt`` has not moved for
the length of a lease, or the writer has taken its name off.
"""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from warden.base.timestamps import parse_timestamp

__all__ = ["LeaseView"]

_EARLIEST = datetime.min.replace(tzinfo=UTC)


class LeaseView:
    """What one replicator knows about the others.

    Args:
        identity: Its own name.
        length: Seconds without a new observation after which a replica is taken over.
    """

    def __init__(self, identity: str, length: float) -> None:
        self._identity, self._length = identity, length
        self._seen: tuple[str, Any] | None = None
        self._since = 0.0
        self._ours = _EARLIEST
        self.follows = False
        self.term = self._build_term()
        self.observed: datetime | None = None

    def find_leader(
        self, meta: Mapping[str, Any] | None, now: float, ours: datetime, wall: datetime | None = None
    ) -> str | None:
        """Return the replicator that keeps the replica, None where nobody does and we should.

        Args:
            meta: The replica's meta, None where there is no replica.
            now: Monotonic seconds.
            ours: When the source was last observed here: who has seen nothing since takes nothing over.
            wall: The time of day (UTC).
        """
        writer = _find_other_writer(meta, self._identity)
        observed = parse_timestamp((meta or {}).get("observedAt"))
        if writer is None or observed is None or meta is None:
            return self._set_leader(None)
        if self._seen != (writer, meta["observedAt"]):
            first = self._seen is None
            self._seen, self._since, self._ours, self.observed = (writer, meta["observedAt"]), now, ours, observed
            # Left by one that ended long ago: nobody needs to be waited for. Not so where we have seen nothing newer: a
            # snapshot of yesterday is observed yesterday by everybody, and two would take it from each other for ever.
            if first and (min(ours, wall or datetime.now(UTC)) - observed).total_seconds() > self._length:
                self._since, self._ours = now - self._length, _EARLIEST
        stale = now - self._since >= self._length and ours > self._ours
        return self._set_leader(None if stale else writer)

    def begin_term(self) -> None:
        """Begin a new term: the next revisions are unlike all before."""
        self.follows, self._seen, self.term = False, None, self._build_term()

    def _set_leader(self, leader: str | None) -> str | None:
        self.follows = leader is not None
        return leader

    def _build_term(self) -> str:
        return f"{int(time.time() * 1000):x}-{self._identity[-6:]}"


def _find_other_writer(meta: Mapping[str, Any] | None, identity: str) -> str | None:
    writers = (meta or {}).get("writer")
    names = [name for name in writers if name != identity] if isinstance(writers, Mapping) else []
    return names[0] if names else None
