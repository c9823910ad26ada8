"""Calls of several OPAs over aiohttp: the next one is called where one gives no answer."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from warden.base.errors import OpaError, OpaUnreachable
from warden.base.process.closing import AsyncManagedProgram
from warden.policy.failover.attempts import FailoverCall
from warden.policy.failover.checks import HealthChecks
from warden.policy.failover.failover_reasons import FailoverReason, Inspect
from warden.policy.failover.ranking import OpaCheckResult, OpaRanking
from warden.policy.opa.retry import RetryPolicy

__all__ = ["AsyncFailover"]

_ONCE = RetryPolicy(1)


def _accept(_url: str, _answer: Any) -> FailoverReason | None:
    return None


class AsyncFailover(AsyncManagedProgram):
    """An asynchronous context manager; safe to share between all tasks of a loop.

    Args:
        ranking: The OPAs.
        check: As of `HealthChecks`.
        timeout: Seconds that a decision may take.
    """

    def __init__(
        self, ranking: OpaRanking, check: Callable[[str, float], Awaitable[OpaCheckResult]], timeout: float
    ) -> None:
        self.ranking = ranking
        self._checks = HealthChecks(ranking, check, timeout)
        self._stack = AsyncExitStack()

    async def _start(self) -> None:
        await self._stack.enter_async_context(self._checks)

    async def _stop(self) -> None:
        await self._stack.aclose()

    async def ask(
        self,
        use: Callable[[str, float], Awaitable[Any]],
        cluster: str,
        limit: float,
        inspect: Inspect = _accept,
        retries: RetryPolicy = _ONCE,
    ) -> Any:
        """Return the answer of the first OPA that gives one.

        Args:
            use: Asks the OPA at an address within some seconds; it raises OpaError.
            cluster: As of `FailoverCall`.
            limit: Seconds for all attempts together.
            inspect: Says what is wrong with an answer.
            retries: How often all of them are tried where none can be reached, and how patiently.

        Raises:
            OpaError: None gave one.
        """
        loop = asyncio.get_running_loop()
        deadline, rounds = loop.time() + limit, 0
        while True:
            try:
                return await self._try(use, cluster, deadline - loop.time(), inspect)
            except OpaUnreachable:
                rounds += 1
                pause = retries.compute_pause(rounds, deadline - loop.time())
                if pause is None:
                    raise
            await asyncio.sleep(pause)

    async def _try(
        self, use: Callable[[str, float], Awaitable[Any]], cluster: str, limit: float, inspect: Inspect
    ) -> Any:
        attempts = FailoverCall(self.ranking, cluster, limit)
        while (turn := attempts.take_next()) is not None:
            try:
                answer = await use(*turn)
            except OpaError as error:
                attempts.record_failure(error)
            else:
                if attempts.accept(answer, inspect(turn[0], answer)):
                    return answer
        return attempts.use_doubtful_answer()
