"""The signals that end a program that runs on."""

import asyncio
import queue
import signal
import threading
from collections.abc import Awaitable, Callable

__all__ = ["Stopped", "stop_at_signal", "wait_for_signal"]

Stopped = Callable[[], Awaitable[None]]
"""Returns when a server has to end."""


async def wait_for_signal(stop: asyncio.Event | None = None) -> None:
    """Return at SIGTERM or SIGINT, or once an event is set."""
    stop = stop or asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()


def stop_at_signal(report: Callable[[], None] = lambda: None) -> threading.Event:
    """Return an event that SIGTERM and SIGINT set.

    A thread sets it, not the handler: that runs in the midst of whatever the main thread does, and an event whose lock
    the main thread holds, for it waits or a first signal's handler is setting it, would never be set. To put into a
    `queue.SimpleQueue` is safe there.

    Args:
        report: Called before the event is set.
    """
    stop = threading.Event()
    seen: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: seen.put(number))

    def pass_on() -> None:
        seen.get()
        report()
        stop.set()

    threading.Thread(target=pass_on, name="signals", daemon=True).start()
    return stop
