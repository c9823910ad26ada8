"""Requests that wait for a change: one counter for each user, and an event that the next change sets."""

import asyncio
import random

__all__ = ["Changes"]

_JITTER = 0.2  # so that ten thousand waits which began together do not end together


class Changes:
    """What changes in one cluster. All methods but `announce` are for the event loop's thread.

    Args:
        loop: The event loop of who waits.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._counts: dict[str, int] = {}
        self._events: dict[str, asyncio.Event] = {}
        self._closing = False

    def count(self, user: str) -> int:
        """Return how often something of a user has changed: to be read before what is waited for."""
        return self._counts.get(user, 0)

    def announce(self, users: set[str]) -> None:
        """Tell, from any thread, that something of these users has changed."""
        self._loop.call_soon_threadsafe(self._take_in, users)

    async def wait(self, user: str, count: int, seconds: float) -> bool:
        """Wait until something of a user has changed since `count`, and return whether it has.

        Args:
            user: The user.
            count: As `count` said it.
            seconds: How long to wait at the most; it is up to a fifth less.
        """
        if self.count(user) != count or self._closing:
            return not self._closing
        event = self._events.setdefault(user, asyncio.Event())
        try:
            async with asyncio.timeout(seconds * random.uniform(1 - _JITTER, 1)):  # noqa: S311 - no secret
                await event.wait()
        except TimeoutError:
            return False
        return not self._closing

    def close(self) -> None:
        """End every wait, and those to come."""
        self._closing = True
        for event in self._events.values():
            event.set()

    def _take_in(self, users: set[str]) -> None:
        for user in users:
            self._counts[user] = self._counts.get(user, 0) + 1
            event = self._events.pop(user, None)
            if event is not None:
                event.set()
