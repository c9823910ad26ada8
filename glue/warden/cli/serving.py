"""What commands that serve have in common: their loop, their address, and the signal that ends them."""

import asyncio
import queue
import signal
import threading
from collections.abc import Callable
from typing import Any

import click

from warden.errors import ConfigurationError

__all__ = ["json_option", "listen_option", "new_runner", "parse_address", "stop_at_signal", "wait_for_signal"]


def listen_option(default: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``--listen`` of a command whose port has probes and nothing else.

    Args:
        default: ``host:port``.
    """
    return click.option(
        "--listen",
        default=default,
        show_default=True,
        metavar="HOST:PORT",
        help="Where /healthz, /readyz and /metrics are served; port 0 takes a free one.",
    )


def json_option(help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``--output`` of a command that runs on, and prints something where it runs once.

    Args:
        help: What is printed.
    """
    return click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help=help)


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


def stop_at_signal() -> threading.Event:
    """Return an event that SIGTERM and SIGINT set.

    A thread sets it, not the handler: that runs in the midst of whatever the main thread does, and an event whose lock
    the main thread holds, for it waits or a first signal's handler is setting it, would never be set. To put into a
    `queue.SimpleQueue` is safe there.
    """
    stop = threading.Event()
    seen: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: seen.put(number))

    def pass_on() -> None:
        seen.get()
        stop.set()

    threading.Thread(target=pass_on, name="signals", daemon=True).start()
    return stop


def parse_address(listen: str, example: str) -> tuple[str, int]:
    """Return the host and port of ``--listen``.

    Raises:
        ConfigurationError: It is not host:port.
    """
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise ConfigurationError(f"--listen {listen} is not host:port: give one such as {example}")
    return host.strip("[]"), int(port)
