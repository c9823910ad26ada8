"""Requests that wait for a change: an event for each client that is waited for, which its next change sets."""

import asyncio
import random
from collections.abc import Iterable
from weakref import WeakValueDictionary

from warden.state.sources.kafka.client_configs.records import EntityKey

__all__ = ["ClientChanges"]

_JITTER = 0.2  # so that ten thousand waits which began together do not end together


class ClientChanges:
    """What changes in one cluster. All methods but `announce` are for the event loop's thread.

    Args:
        loop: The event loop of who waits.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._events: dict[str, WeakValueDictionary[str, asyncio.Event]] = {}  # by user and client-id
        self._closing = False

    def get_event(self, user: str, client: str) -> asyncio.Event:
        """Return what the next change of a client or of its user sets: to be had before what is waited for is read.

        Args:
            user: The user.
            client: The client-id; "" for none.
        """
        clients = self._events.setdefault(user, WeakValueDictionary())
        event = clients.get(client)
        if event is None:
            event = clients[client] = asyncio.Event()
        return event

    def announce(self, changed: Iterable[EntityKey] | None) -> None:
        """Tell, from any thread, that something of these entities has changed; None where that may be any."""
        self._loop.call_soon_threadsafe(self._set_events, changed)

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for a change, and return whether there was one.

        Args:
            event: From `get_event`.
            seconds: How long to wait at the most; it is up to a fifth less.
        """
        if not self._closing:
            try:
                async with asyncio.timeout(seconds * random.uniform(1 - _JITTER, 1)):  # noqa: S311 - no secret
                    await event.wait()
            except TimeoutError:
                return False
        return not self._closing

    def close(self) -> None:
        """End every wait, and those to come."""
        self._closing = True
        self._set_events(None)

    def _set_events(self, changed: Iterable[EntityKey] | None) -> None:
        for user, client in [(user, "") for user in self._events] if changed is None else changed:
            if client:
                event = self._events.get(user, WeakValueDictionary()).pop(client, None)
                events = [] if event is None else [event]
            else:  # what a user has lies under what its clients have
                events = list(self._events.pop(user, WeakValueDictionary()).values())
            for changed_event in events:
                changed_event.set()
