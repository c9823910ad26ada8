"""Context that every page of the console shares."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, TypeVar

from aiohttp import web

from warden.base.telemetry.traces import bind_context
from warden.console.config import ConsoleConfig
from warden.console.policy.engine import PolicyOpa
from warden.console.store.decision_store import DecisionStore

__all__ = ["NAVIGATION", "Console", "Page"]

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Console:
    """The console.

    Args:
        config: Its configuration.
        opa: The OPA whose policy is shown.
        pool: Threads for what would hold up the loop.
        store: The decisions.
        ending: Set when the console ends, so that answers that go on do not.
    """

    config: ConsoleConfig
    opa: PolicyOpa
    pool: ThreadPoolExecutor
    store: DecisionStore
    ending: asyncio.Event

    async def run(self, call: Callable[[], _Result]) -> _Result:
        """Call something in a thread, and return what it returns."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, bind_context(call))


@dataclass(frozen=True)
class Page:
    """A page of the console, with those below it.

    Args:
        title: Its name in the navigation.
        path: Where it is.
        routes: Returns its paths.
    """

    title: str
    path: str
    routes: Callable[[Console], list[web.RouteDef]]


NAVIGATION: Final = web.AppKey("navigation", tuple[Page, ...])
"""Where the application has its pages, in order."""
