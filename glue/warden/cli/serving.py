"""What commands that serve have in common: their loop, their address, and the signal that ends them."""

import asyncio
import signal
from typing import Any

from warden.errors import ConfigurationError

__all__ = ["new_runner", "parse_address", "wait_for_signal"]


def new_runner() -> Any:
    """Return an `asyncio.Runner` on uvloop where there is one."""
    try:
        import uvloop
    except ImportError:  # there is none for this system
        return asyncio.Runner()
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


async def wait_for_signal(stop: asyncio.Event | None = None) -> None:
    """Return at SIGTERM or SIGINT, or once an event is set."""
    stop = stop or asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()


def parse_address(listen: str, example: str) -> tuple[str, int]:
    """Return the host and port of ``--listen``.

    Raises:
        ConfigurationError: It is not host:port.
    """
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise ConfigurationError(f"--listen {listen} is not host:port: give one such as {example}")
    return host.strip("[]"), int(port)
