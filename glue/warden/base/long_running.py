"""Skeleton of programs that run on: their log, their probes and their loop, until a signal ends them."""

import asyncio
import logging
import os
import secrets
import socket
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Protocol

from warden.base.http.probes import ProbeServer
from warden.base.process.open_files import allow_open_files
from warden.base.process.signals import Stopped, stop_at_signal, wait_for_signal
from warden.base.telemetry.json_log import log_json_lines
from warden.base.telemetry.traces import start_tracing

__all__ = ["Program", "make_identity", "run_program", "run_server"]


class Program(Protocol):
    """A program of threads, as `run_program` runs it."""

    @property
    def is_alive(self) -> bool:
        """Whether it works: what ``/healthz`` tells."""

    def describe(self) -> Mapping[str, Any]:
        """Return what the first line of the log tells about it."""

    def to_document(self) -> Mapping[str, Any]:
        """Return what ``/readyz`` tells."""

    def encode_metrics(self) -> bytes:
        """Return what ``/metrics`` tells."""

    def run(self, stop: threading.Event) -> None:
        """Work until an event is set, and return once all has ended."""


def make_identity() -> str:
    """Return a name for this run of a program, unlike any other's."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"


def run_program(logger: str, message: str, make: Callable[[], Program], address: tuple[str, int]) -> None:
    """Run a program of threads until SIGTERM or Ctrl-C, with its probes at an address of their own.

    Args:
        logger: Name of its logger.
        message: The first line of its log.
        make: Makes the program.
        address: Host and port of the probes; port 0 takes a free one, which the log names.

    Raises:
        ConfigurationError: The address cannot be had, or the program cannot be made.
    """
    log_json_lines(logger)
    start_tracing(_name_service(logger))
    log, program = logging.getLogger(logger), make()
    stop = stop_at_signal(lambda: log.info("stopping"))
    probes = ProbeServer(
        *address, ready=program.to_document, metrics=program.encode_metrics, alive=lambda: program.is_alive
    )
    log.info(message, extra={**program.describe(), "listen": f"{address[0]}:{probes.port}"})
    try:
        program.run(stop)
    finally:
        probes.stop()


def run_server(
    logger: str, serve: Callable[[Stopped], Coroutine[Any, Any, None]], stopped: Stopped | None = None
) -> None:
    """Run a server on a loop, of uvloop where there is one, with as many connections as the system allows.

    Args:
        logger: Name of its logger.
        serve: Serves until its argument returns.
        stopped: That argument; None for SIGTERM or Ctrl-C.
    """
    log_json_lines(logger)
    start_tracing(_name_service(logger))
    allow_open_files()
    with _create_runner() as runner:
        runner.run(serve(stopped or wait_for_signal))


def _name_service(logger: str) -> str:
    return f"warden-{logger.rpartition('.')[2]}"


def _create_runner() -> Any:
    try:
        import uvloop
    except ImportError:  # there is none for this system
        return asyncio.Runner()
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)
