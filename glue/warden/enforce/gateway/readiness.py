"""Readiness (``/readyz``): whether requests could be decided now. It never waits behind clients' requests."""

import asyncio
from collections.abc import Sequence
from typing import Final

from warden.base.errors import OpaError, OpaTimeout
from warden.enforce.gateway.decisions.decider import Decider
from warden.policy.failover.ranking import OpaRanking

__all__ = ["ReadinessProbe"]

_LIMIT: Final = 0.7  # seconds: probes wait for one
_GOOD_FOR: Final = 2.0  # seconds that an answer counts
_BUSY: Final = 30.0  # seconds for which an OPA that decides and is slow counts as there


class ReadinessProbe:
    """Asks OPA about each cluster, not more often than it matters.

    Args:
        decider: Asks OPA.
        clusters: Names of those whose clients the gateway carries.
    """

    def __init__(self, decider: Decider, clusters: Sequence[str]) -> None:
        self._decider = decider
        self._clusters = clusters
        self._problem: str | None = None
        self._at = float("-inf")
        self._asking: asyncio.Task[None] | None = None

    async def find_problem(self) -> str | None:
        """Return why not every request could be decided now; None where all could."""
        if self._decider.ranking is not None:
            return self._find_problem_of_all(self._decider.ranking)
        if asyncio.get_running_loop().time() - self._at > _GOOD_FOR:
            if self._asking is None or self._asking.done():
                self._asking = asyncio.get_running_loop().create_task(self._ask())
            await self._asking
        return self._problem

    def _find_problem_of_all(self, ranking: OpaRanking) -> str | None:
        """Return why none of several OPAs could decide: what their checks have found."""
        failure = ranking.find_common_failure()
        if failure is None:
            unknown = ranking.list_clusters_without_state()
            return _build_problem(unknown) if unknown else None
        problem, kinds = failure
        recent = asyncio.get_running_loop().time() - self._decider.decided_at < _BUSY
        return None if recent and OpaTimeout.__name__ in kinds else problem

    async def _ask(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            self._problem = await self._find()
        except OpaTimeout as error:
            recent = loop.time() - self._decider.decided_at < _BUSY
            self._problem = None if recent else str(error)
        except OpaError as error:
            self._problem = str(error)
        self._at = loop.time()

    async def _find(self) -> str | None:
        items = {
            name: {"operation": "CreateTopic", "cluster": name, "request": {"topic": "warden.gateway.readiness"}}
            for name in self._clusters
        }
        common = {"enforcementPoint": "gateway"}
        limit = min(_LIMIT, self._decider.settings.timeout)
        decisions, _ = await self._decider.decide({"items": items, "common": common, "order": list(items)}, limit)
        unknown = [name for name in self._clusters if decisions[name].get("stateAge") is None]
        return _build_problem(unknown) if unknown else None


def _build_problem(clusters: Sequence[str]) -> str:
    return (
        f"OPA has no state of {', '.join(clusters)}, so every change there is denied: see that the replicator has "
        "this name, and runs"
    )
