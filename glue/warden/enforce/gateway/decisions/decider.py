"""Decisions from OPA: one call for a batch of items, within a time limit."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any

from warden.base.errors import OpaInputTooLarge, OpaUndefined
from warden.base.process.closing import AsyncManagedProgram
from warden.base.tls.reloading_context import load_client_context
from warden.enforce.gateway.config import GatewayOpa
from warden.enforce.gateway.log.observer import LOG
from warden.policy.contract.consistency import find_decision_fault
from warden.policy.failover.async_failover import AsyncFailover
from warden.policy.failover.checks import build_decision_check
from warden.policy.failover.failover_reasons import FailoverReason, find_failover_reason
from warden.policy.failover.ranking import OpaRanking
from warden.policy.opa.async_client import AsyncOpaClient
from warden.policy.opa.item_size import find_size_problem, measure_json
from warden.policy.opa.response_errors import read_text

__all__ = ["Decider"]


class Decider(AsyncManagedProgram):
    """Asks one OPA, or several. An asynchronous context manager; safe to share between all connections of a loop.

    Args:
        settings: Where it is, and how long it may take.
        ranking: What is known of several OPAs; None for one.

    Attributes:
        decided_at: When it last decided, by the loop's clock.
        ranking: As above.
    """

    def __init__(self, settings: GatewayOpa, ranking: OpaRanking | None = None) -> None:
        self.settings, self.ranking = settings, ranking
        self.decided_at = float("-inf")
        self._place = f"{' or '.join(settings.addresses)}/v1/data/kafka/decisions"
        tls = load_client_context(settings.ca_file, None, "opa", LOG)
        self._client = AsyncOpaClient(tls, settings.token.read if settings.token else None, settings.build_floor())
        self._stack = AsyncExitStack()
        self._failover: AsyncFailover | None = None
        if ranking is not None:
            check = build_decision_check(self._ask, ranking.clusters, "gateway")
            self._failover = AsyncFailover(ranking, check, settings.timeout)

    async def _start(self) -> None:
        await self._stack.enter_async_context(self._client)
        if self._failover is not None:
            await self._stack.enter_async_context(self._failover)

    async def _stop(self) -> None:
        await self._stack.aclose()

    def check_size(self, inputs: Mapping[str, Mapping[str, Any]]) -> None:
        """Look at the size of a request's decision inputs.

        Raises:
            OpaInputTooLarge: One of them is too large to be sent.
        """
        most = self.settings.max_item_bytes
        if measure_json(dict(inputs)) > most and (problem := find_size_problem(inputs, most)):
            raise OpaInputTooLarge(problem)

    async def decide(
        self,
        batch: Mapping[str, Any],
        limit: float | None = None,
        shows: Callable[[float], bool] = lambda _: True,
    ) -> tuple[dict[str, Mapping[str, Any]], str | None]:
        """Return the decisions by item, and OPA's id of them, which is None where it keeps none.

        Args:
            batch: The input of ``kafka/decisions``.
            limit: Seconds; None for those of the settings.
            shows: Of several OPAs, whether a state of an age may be decided by.

        Raises:
            OpaError: Nothing was decided: OPA is out of reach, too slow, refuses, fails, or has no such policy.
        """
        seconds = limit or self.settings.timeout
        if self._failover is None:
            document = await self._ask(self.settings.addresses[0], "kafka/decisions", batch, seconds)
        else:
            document = await self._ask_several(self._failover, batch, seconds, shows)
        result = document["result"]
        if not isinstance(result, dict):
            raise OpaUndefined(f"{self._place} has no decisions: check that OPA has loaded Warden's bundle")
        for key in batch["items"]:
            if (fault := find_decision_fault(result.get(key))) is not None:
                raise OpaUndefined(
                    f"{self._place} did not decide the item {key!r}: the answer is not a decision ({fault})"
                )
        self.decided_at = asyncio.get_running_loop().time()
        return result, read_text(document, "decision_id")

    def find_oldest(self, cluster: str, age: float, waited: float) -> float:
        """Return the age of the oldest state of a cluster that is decided by; of one OPA that of its last answer.

        Args:
            cluster: Its name.
            age: Of the state by which something was decided just now, in seconds.
            waited: Seconds that the answer took, by which it may have grown older.
        """
        return age if self.ranking is None else self.ranking.find_oldest(cluster, age + waited)

    async def _ask_several(
        self, failover: AsyncFailover, batch: Mapping[str, Any], limit: float, shows: Callable[[float], bool]
    ) -> dict[str, Any]:
        cluster, clock = str(batch["common"].get("cluster")), asyncio.get_running_loop().time
        began = clock()

        async def use(url: str, seconds: float) -> dict[str, Any]:
            nonlocal began
            began = clock()
            return await self._ask(url, "kafka/decisions", batch, seconds)

        def inspect(url: str, answer: Mapping[str, Any]) -> FailoverReason | None:
            if (doubt := find_failover_reason(url, answer["result"], batch["items"])) is not None:
                return doubt
            ages = [age for item in answer["result"].values() if isinstance(age := item.get("stateAge"), int | float)]
            age = max(ages) + clock() - began if ages else None
            if age is not None:
                failover.ranking.record_state_age(url, cluster, age)
            if age is not None and not shows(age):
                return FailoverReason(
                    f"{url} has a state without changes that were let through: see its replicator", True
                )
            return None

        answer: dict[str, Any] = await failover.ask(use, cluster, limit, inspect)
        return answer

    async def _ask(self, url: str, path: str, document: Mapping[str, Any], limit: float) -> dict[str, Any]:
        """Return OPA's whole answer; what is sent has no blanks, as it is measured."""
        body = json.dumps({"input": document}, separators=(",", ":")).encode()
        return await self._client.ask(f"{url}/v1/data/{path}", body, limit)
