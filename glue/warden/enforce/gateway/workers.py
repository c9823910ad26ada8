"""Several processes of one gateway on the same ports: the system gives each connection to one (SO_REUSEPORT)."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence
from tempfile import TemporaryDirectory
from typing import Final

from warden.base.errors import ConfigurationError
from warden.base.http.calls import describe_cause
from warden.enforce.gateway.config import GatewayConfig
from warden.enforce.gateway.log.observer import log_event

__all__ = ["WORKER", "run_workers"]

WORKER: Final = "WARDEN_GATEWAY_WORKER"
"""The environment variable that makes a process a worker, which ends when its standard input does."""

_METRICS: Final = "PROMETHEUS_MULTIPROC_DIR"
_PAUSE: Final = 1.0  # seconds before a worker that has ended by itself is replaced
_MISTAKE: Final = 2  # the exit status of a worker that another one would share


async def run_workers(config: GatewayConfig, arguments: Sequence[str]) -> int:
    """Run the workers of a configuration until SIGTERM or Ctrl-C, and replace those that end by themselves.

    Args:
        config: The configuration.
        arguments: Of each worker's command line, behind ``warden``.

    Returns:
        The exit status: 2 where a worker could not begin.

    Raises:
        ConfigurationError: A port is taken.
    """
    for cluster in config.clusters:
        for port in cluster.ports:
            _check_port_free(cluster.name, cluster.bind, port)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    with TemporaryDirectory(prefix="warden-gateway-") as directory:
        environment = {**os.environ, WORKER: "1", _METRICS: directory}
        command = [sys.executable, "-m", "warden", *arguments]
        statuses = await asyncio.gather(*(_keep_running(command, environment, stop) for _ in range(config.workers)))
    return max(statuses)


async def _keep_running(command: Sequence[str], environment: dict[str, str], stop: asyncio.Event) -> int:
    """Keep one worker running."""
    begun = False
    while True:
        process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, env=environment)
        ended, stopped = asyncio.ensure_future(process.wait()), asyncio.ensure_future(stop.wait())
        await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if stop.is_set():
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            return max(0, await ended)
        status = await ended
        _drop_live_gauges(environment[_METRICS], process.pid)
        if status == _MISTAKE and not begun:
            stop.set()
            return status
        begun = True
        log_event("worker ended", logging.ERROR, worker=process.pid, status=status)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), _PAUSE)
            return 0


def _drop_live_gauges(directory: str, worker: int) -> None:
    """Count the connections of a worker no more."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker, directory)  # type: ignore[no-untyped-call]  # it has no types


def _check_port_free(cluster: str, bind: str, port: int) -> None:
    """Two gateways would share a port without knowing."""
    try:
        socket.create_server((bind, port), family=socket.AF_INET6 if ":" in bind else socket.AF_INET).close()
    except OSError as error:
        raise ConfigurationError(f"{cluster}: {bind}:{port}: {describe_cause(error)}: give another address") from error
