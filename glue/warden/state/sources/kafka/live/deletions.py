"""Number of topics deleted in the last hour, kept over restarts of the replicator. Pure."""

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

from warden.base.timestamps import parse_timestamp

__all__ = ["DeletionCounter"]

_HOUR = 3600
_MINUTE = 60
_MAX_DELETIONS = 1000


class DeletionCounter:
    """Counts deletions by the minute.

    The count of the last hour is known only once an hour has been watched. What was watched is kept in the replica's
    ``meta.deletions``, so that a restart goes on from there; after a longer gap the hour begins anew. A topic that is
    back with the id that it had was never deleted: it is not counted any more. Over a restart that holds for the latest
    1,000 deletions, so that a storm of them does not swell the meta; of those before, too many are counted.

    Args:
        assume_none: Whether nothing was deleted in the hour before the start, where nobody knows.
    """

    def __init__(self, *, assume_none: bool = False) -> None:
        self._minutes: dict[int, int] = {}
        self._gone: dict[str, int] = {}  # minute in which a topic was counted, by its id
        self._since: float | None = None
        self._head_start = _HOUR if assume_none else 0

    def resume(self, meta: Mapping[str, Any], now: float, *, gap: float = 300.0) -> bool:
        """Go on from the meta of a replica, and return whether that can be done.

        Args:
            meta: The meta.
            now: Seconds of the epoch.
            gap: Longest time without a poll, in seconds.
        """
        kept, seen = meta.get("deletions"), parse_timestamp(meta.get("observedAt"))
        if not isinstance(kept, Mapping) or seen is None or now - seen.timestamp() > gap:
            return False
        since, minutes = kept.get("since"), kept.get("minutes")
        if not isinstance(since, (int, float)) or not isinstance(minutes, Mapping):
            return False
        self._since = float(since)
        self._minutes = {int(minute): int(count) for minute, count in minutes.items() if str(minute).isdecimal()}
        self._gone = _read_gone(meta)
        return True

    def find_missed_minutes(self, meta: Mapping[str, Any], now: float) -> dict[str, int]:
        """Return what another replicator has counted in the last hour and this one has not: minutes, by topics' ids.

        Args:
            meta: The meta of the replica that the other writes.
            now: Seconds of the epoch.
        """
        first = _compute_first_minute(now)
        return {id: minute for id, minute in _read_gone(meta).items() if minute >= first and id not in self._gone}

    def count_missed(self, missed: Mapping[str, int]) -> None:
        """Count what `find_missed_minutes` found: topics that came and went between two polls, or before the first."""
        for id, minute in missed.items():
            if id not in self._gone:
                self._minutes[minute] = self._minutes.get(minute, 0) + 1
                self._gone[id] = minute

    def watch(self, now: float) -> None:
        """Say that from now on every deletion is counted; harmless when said again."""
        if self._since is None:
            self._since = now - self._head_start

    def forget(self) -> None:
        """Say that deletions may have gone unseen: an hour has to be watched before they are known again."""
        self._since, self._head_start = None, 0

    def count_deleted(self, topics: int, now: float, ids: Iterable[str] = ()) -> None:
        """Count topics that were deleted now.

        Args:
            topics: How many.
            now: Seconds of the epoch.
            ids: Their ids, of those that have one.
        """
        if topics:
            minute = int(now // _MINUTE)
            self._minutes[minute] = self._minutes.get(minute, 0) + topics
            self._gone |= dict.fromkeys(ids, minute)

    def take_back(self, ids: Iterable[str]) -> None:
        """Count those of some topics no more that were counted: they are there."""
        for id in self._gone.keys() & set(ids) if self._gone else ():
            minute = self._gone.pop(id)
            if minute in self._minutes:
                self._minutes[minute] -= 1

    def count_last_hour(self, now: float) -> int | None:
        """Return how many topics were deleted in the last hour; None where that is not known yet."""
        first = _compute_first_minute(now)
        self._minutes = {minute: count for minute, count in self._minutes.items() if minute >= first and count}
        self._gone = {id: minute for id, minute in self._gone.items() if minute >= first}
        if self._since is None or now - self._since < _HOUR:
            return None
        return sum(self._minutes.values())

    def dump(self) -> dict[str, Any]:
        """Return what `resume` needs, for the replica's meta."""
        minutes = {str(minute): count for minute, count in self._minutes.items()}
        gone = sorted(self._gone.items(), key=itemgetter(1))  # OPA gives them back by their names
        return {"since": self._since, "minutes": minutes, "gone": dict(gone[-_MAX_DELETIONS:])}


def _compute_first_minute(now: float) -> int:
    """The minute that the last hour begins in."""
    return int((now - _HOUR) // _MINUTE)


def _read_gone(meta: Mapping[str, Any]) -> dict[str, int]:
    kept = meta.get("deletions")
    gone = kept.get("gone") if isinstance(kept, Mapping) else None
    if not isinstance(gone, Mapping):
        return {}
    return {str(id): minute for id, minute in gone.items() if isinstance(minute, int)}
