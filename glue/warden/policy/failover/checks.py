"""Checks of several OPAs in the background, so that no request of a user has to find out how one is."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from warden.base.errors import WardenError
from warden.base.process.backoff import Backoff
from warden.base.process.closing import AsyncManagedProgram
from warden.policy.contract.consistency import find_decision_fault
from warden.policy.failover.ranking import OpaCheckResult, OpaRanking

__all__ = ["AskOpa", "HealthChecks", "build_decision_check", "build_placement_check", "compute_check_pause"]

AskOpa = Callable[[str, str, dict[str, Any], float], Awaitable[dict[str, Any]]]
"""From an OPA's address, a path of its Data API, an input and seconds to the whole answer."""

_INTERVAL: Final = 2.0  # seconds between two checks of an OPA that decides, less up to a half
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 10.0  # seconds, after checks that failed
_SHARE: Final = 0.05  # of the time that one OPA may be busy with checks, however many clusters they are about
_GAP: Final = 0.2  # seconds between two checks, whatever wakes them
_LIMIT: Final = 2.0  # seconds for a check, or what one decision may take where that is less


class HealthChecks(AsyncManagedProgram):
    """One check after the other of each OPA. An asynchronous context manager: it checks while the block runs.

    Args:
        ranking: Takes what they find.
        check: Asks the OPA at an address how it is, within some seconds; it raises WardenError where that fails.
        timeout: Seconds that a decision may take.
    """

    def __init__(
        self, ranking: OpaRanking, check: Callable[[str, float], Awaitable[OpaCheckResult]], timeout: float
    ) -> None:
        self._ranking, self._check, self._limit = ranking, check, min(_LIMIT, timeout)
        self._events: dict[str, asyncio.Event] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._is_over = False  # a cancellation may be lost where what is awaited ends at the same time

    async def _start(self) -> None:
        loop = asyncio.get_running_loop()
        self._events = {url: asyncio.Event() for url in self._ranking.urls}

        def wake(url: str) -> None:
            loop.call_soon_threadsafe(self._events[url].set)

        self._ranking.wake = wake
        self._tasks = [asyncio.create_task(self._follow(url)) for url in self._ranking.urls]

    async def _stop(self) -> None:
        self._ranking.wake, self._is_over = lambda _: None, True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _follow(self, url: str) -> None:
        backoff, regular = Backoff(_FIRST_PAUSE, _LONGEST_PAUSE), Backoff(_INTERVAL, _INTERVAL)
        event = self._events[url]
        while not self._is_over:
            event.clear()
            began = time.monotonic()
            findings = await self._check_once(url)
            took = time.monotonic() - began
            self._ranking.record_check(url, findings)
            if findings.problem is None:
                backoff.reset()
                pause = max(regular.compute_delay(), compute_check_pause(took))
            else:
                pause = backoff.compute_delay()
            await asyncio.sleep(_GAP)
            with suppress(TimeoutError):
                async with asyncio.timeout(pause - _GAP):
                    await event.wait()

    async def _check_once(self, url: str) -> OpaCheckResult:
        try:
            return await self._check(url, self._limit)
        except WardenError as error:
            return OpaCheckResult(str(error), type(error).__name__)


def compute_check_pause(took: float) -> float:
    """Return how long an OPA is left alone after a check that took so many seconds: it may be about many clusters."""
    return min(_LONGEST_PAUSE, took * (1 / _SHARE - 1))


def build_decision_check(
    ask: AskOpa, clusters: tuple[str, ...], enforcement_point: str
) -> Callable[[str, float], Awaitable[OpaCheckResult]]:
    """Return a check that has an OPA decide about each cluster, and tell how old its state is.

    Args:
        ask: Asks.
        clusters: The clusters.
        enforcement_point: Who asks.
    """
    request = {"topic": "warden.failover.check"}
    items = {name: {"operation": "CreateTopic", "cluster": name, "request": request} for name in clusters}
    document = {"items": items, "common": {"enforcementPoint": enforcement_point}}

    async def check(url: str, limit: float) -> OpaCheckResult:
        began = time.monotonic()
        answer = await ask(url, "kafka/decisions", document, limit)
        waited = time.monotonic() - began
        decisions = answer["result"] if isinstance(answer["result"], dict) else {}
        for name in clusters:
            if (fault := find_decision_fault(decisions.get(name))) is not None:
                return OpaCheckResult(f"{url} does not decide: the answer is not a decision ({fault})")
        ages = {name: _add(decisions[name].get("stateAge"), waited) for name in clusters}
        revisions = [decisions[name].get("revision") for name in clusters]
        return OpaCheckResult(ages=ages, revision=next((str(revision) for revision in revisions if revision), None))

    return check


def build_placement_check(ask: AskOpa) -> Callable[[str, float], Awaitable[OpaCheckResult]]:
    """Return a check that has an OPA tell what it knows of clusters of Kubernetes; "" stands for all of them.

    Args:
        ask: Asks.
    """
    revisions: dict[str, Any] = {}

    async def check(url: str, limit: float) -> OpaCheckResult:
        answer = await ask(url, "io/k8s/federation/cluster_states", {"revision": revisions.get(url)}, limit)
        result = answer["result"]
        if not isinstance(result, dict):
            return OpaCheckResult(f"{url} does not say what it knows of clusters: check that it has Warden's bundle")
        revisions[url] = result.get("revision")
        return OpaCheckResult(ages={"": None if revisions[url] is None else 0.0})

    return check


def _add(age: object, seconds: float) -> float | None:
    return age + seconds if isinstance(age, int | float) else None
