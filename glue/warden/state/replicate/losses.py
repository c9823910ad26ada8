"""Losses: the entries that a load or a poll would take out of a replica, and whether the guard holds them back."""

from collections.abc import Iterable, Mapping
from typing import Any

from warden.state.replicate.loss_guard import LossGuard
from warden.state.replicate.replica import Replica
from warden.state.sources.source import REMOVED, Change

__all__ = ["LossTracker"]

_PARTIAL = "the source does not see all of them: believed only after a start with --accept-loss"


class LossTracker:
    """The size of the replica before, and since when a loss is seen.

    Args:
        guard: Which losses are held back.
        entries: The top-level key that is counted below; None to count top-level keys.
        accept: Whether the first loss is believed, however large: an operator's word.
    """

    def __init__(self, guard: LossGuard, entries: str | None, *, accept: bool = False) -> None:
        self._guard, self._entries, self._accept = guard, entries, accept
        self._since: float | None = None
        self._before = 0
        self._cluster: Any = None

    def remember(self, meta: Mapping[str, Any]) -> None:
        """Take in what an earlier run left in OPA."""
        count = meta.get(self._entries) if self._entries else sum(1 for _ in meta.get("counts", {}))
        self._before = count if isinstance(count, int) else 0
        self._cluster = meta.get("clusterId")

    def check_load(
        self, replica: Replica | None, document: Mapping[str, Any], details: Mapping[str, Any], now: float
    ) -> str | None:
        """Return why a load is held back, None where it is not.

        Args:
            replica: What the replica has; None where this run has written none yet.
            document: What was loaded.
            details: As `warden.state.sources.source.Source.details`; another ``clusterId`` than before is never
                believed.
            now: Monotonic seconds.
        """
        cluster = details.get("clusterId")
        if self._cluster not in (None, cluster) and not self._accept:
            return (
                f"another cluster answers ({cluster}, it was {self._cluster}): correct the address, "
                "or start again with --accept-loss"
            )
        new = self._select_entries(document)
        if replica is None:
            before, lost = self._before, max(0, self._before - len(new))
        else:
            old = self._select_entries(replica.document)
            before, lost = len(old), len(old.keys() - new.keys())
        partial = self._is_partial(details)
        if partial and replica is None and lost and not self._accept:
            return f"{lost} of {before} {self._entries} would go, and {_PARTIAL}"
        held = self._explain_hold(before, lost, now, partial=partial)
        if held is None:
            self._cluster, self._accept = cluster, False
        return held

    def check_changes(
        self, replica: Replica | None, changes: Iterable[Change], details: Mapping[str, Any], now: float
    ) -> str | None:
        """Return why the changes of a poll are held back, None where it is not; arguments as in `check_load`."""
        if replica is None:
            return None
        old = self._select_entries(replica.document)
        above = () if self._entries is None else (self._entries,)
        gone: set[str] = set()
        for path, value in changes:
            if path == above:
                gone |= old.keys() - (value.keys() if isinstance(value, Mapping) else set())
            elif len(path) == len(above) + 1 and path[:-1] == above:
                (gone.add if value is REMOVED else gone.discard)(path[-1])
        return self._explain_hold(len(old), len(gone & old.keys()), now, partial=self._is_partial(details))

    def _is_partial(self, details: Mapping[str, Any]) -> bool:
        """Whether the source knows that there may be entries that it does not see."""
        return self._entries is not None and self._entries in details.get("unknown", ())

    def _explain_hold(self, before: int, lost: int, now: float, *, partial: bool) -> str | None:
        if self._accept or not self._guard.holds(before, lost, None if partial else self._since, now):
            self._since = None
            return None
        if partial:
            return f"{lost} of {before} {self._entries} would go, and {_PARTIAL}"
        self._since = now if self._since is None else self._since
        until = (
            "a loss of everything is believed only after a start with --accept-loss"
            if lost >= before
            else f"believed when each read shows it for {self._guard.confirm_after:g} s, or with --accept-loss"
        )
        return f"{lost} of {before} {self._entries or 'entries'} would go: {until}"

    def _select_entries(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        part = document if self._entries is None else document.get(self._entries)
        return part if isinstance(part, Mapping) else {}
