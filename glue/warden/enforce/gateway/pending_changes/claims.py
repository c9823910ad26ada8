"""The changes that one connection's requests have under way."""

from collections.abc import Iterable

from warden.enforce.gateway.pending_changes.pending_changes import RequestChanges
from warden.enforce.gateway.pending_changes.settlements import Settlement
from warden.policy.adapter.evaluation import Evaluation

__all__ = ["ConnectionClaims"]


class ConnectionClaims:
    """What was let change, by the evaluation of the request that changes it."""

    def __init__(self) -> None:
        self._claims: dict[int, tuple[Evaluation, list[RequestChanges]]] = {}
        self._forwarded: set[int] = set()

    def release(self, evaluation: Evaluation, keys: Iterable[str]) -> None:
        """Release items that are decided again: none may count against itself."""
        for claim in self._claims.get(id(evaluation), (evaluation, []))[1]:
            claim.release(keys)

    def add(self, evaluation: Evaluation, claim: RequestChanges | None) -> None:
        """Add what a round of decisions lets change."""
        if claim is not None:
            self._claims.setdefault(id(evaluation), (evaluation, []))[1].append(claim)

    def settle(self, settlement: Settlement) -> None:
        """Take what became of a request."""
        key = id(settlement.evaluation)
        _, claims = self._claims.get(key, (None, ()))
        for claim in claims:
            if settlement.under_way is not None:
                claim.retain_only(settlement.under_way)
            else:
                claim.confirm(settlement.done)
                claim.retain_only(settlement.unheard)
                claim.mark_unconfirmed()
        if settlement.under_way:
            self._forwarded.add(key)
        else:
            self._claims.pop(key, None)
            self._forwarded.discard(key)

    def close(self) -> None:
        """End: what has gone on may be done by the broker, what has not will not be."""
        for key, (_, claims) in self._claims.items():
            for claim in claims:
                if key in self._forwarded:
                    claim.mark_unconfirmed()
                else:
                    claim.release()
        self._claims = {}
