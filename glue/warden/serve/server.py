"""The service as a server: its port, its probes, and its end."""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from warden.errors import ConfigurationError, OpaError
from warden.opa.client import OpaClient
from warden.serve.callers import Callers
from warden.serve.cluster import Cluster
from warden.serve.config import Config
from warden.serve.failures import failures
from warden.serve.metrics import Metrics
from warden.serve.openapi import show_openapi
from warden.serve.service import Service
from warden.serve.waiting import Changes
from warden.tls.listener import listener_context, server_context
from warden.tls.principals import PrincipalMapper

__all__ = ["Server", "serve"]

_LOG = logging.getLogger("warden.serve")
_BACKLOG = 2048
_SHUTDOWN_SECONDS = 5.0


class Server:
    """Serves a configuration. An asynchronous context manager.

    Args:
        config: The configuration.
        host: Address to listen on.
        port: Port; 0 for a free one.
    """

    def __init__(self, config: Config, host: str, port: int) -> None:
        self.port = port
        self._config, self._host = config, host
        self._stack = ExitStack()
        self._clusters: dict[str, tuple[Cluster, Changes]] = {}
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        """Listen.

        Raises:
            ConfigurationError: The address cannot be had, or a token cannot be read.
        """
        try:
            await self._start()
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def _start(self) -> None:
        limits, loop = self._config.limits, asyncio.get_running_loop()
        client = self._stack.enter_context(self._config.opa.client())
        mapper = PrincipalMapper(self._config.principal_mapping_rules)
        callers = Callers(self._config.tokens(), mapper, limits.requests_per_second)
        tls, metrics = self._tls(), Metrics()
        for settings in self._config.clusters:
            changes = Changes(loop)
            cluster = Cluster(settings, client, changes.announce)
            self._clusters[settings.name] = cluster, changes
            cluster.start()
            self._stack.callback(cluster.stop)
        service = Service(self._clusters, callers, limits.wait_seconds)
        self._stack.callback(service.close)
        app = web.Application(client_max_size=limits.body_bytes, middlewares=[metrics.middleware(), failures])
        app.add_routes([*service.routes(), web.get("/healthz", _alive), web.get("/readyz", self._ready(client))])
        app.add_routes([web.get("/metrics", metrics.show), web.get("/openapi.json", show_openapi)])
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=_SHUTDOWN_SECONDS)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self.port, ssl_context=tls, backlog=_BACKLOG).start()
        except OSError as error:
            raise ConfigurationError(f"--listen {self._host}:{self.port}: {error.strerror}: give another") from error
        self.port = int(self._runner.addresses[0][1])

    def _tls(self) -> ssl.SSLContext | None:
        """What is listened with; a client need not show a certificate, it may have a token."""
        tls = self._config.tls
        return None if tls is None else listener_context(server_context(tls, "tls", _LOG, required=False))

    def _ready(self, client: OpaClient) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def ready(_request: web.Request) -> web.Response:
            problems = {name: cluster.problem for name, (cluster, _) in self._clusters.items()}
            opa = await asyncio.get_running_loop().run_in_executor(None, _problem, client)
            well = opa is None and not any(problems.values())
            document = {"ready": well, "opa": opa, "clusters": problems}
            return web.json_response(document, status=200 if well else 503)

        return ready

    async def _stop(self) -> None:
        for _, changes in self._clusters.values():
            changes.close()
        if self._runner is not None:
            await self._runner.cleanup()
        await asyncio.get_running_loop().run_in_executor(None, self._stack.close)


async def serve(config: Config, host: str, port: int, stopped: Callable[[], Awaitable[None]], say: Any) -> None:
    """Serve until ``stopped`` returns, then end what waits, and let requests under way end.

    Args:
        config: The configuration.
        host: Address to listen on.
        port: Port; 0 for a free one.
        stopped: Returns when the service has to end.
        say: Is called with the port once it is served.

    Raises:
        ConfigurationError: The address cannot be had, or a token cannot be read.
    """
    async with Server(config, host, port) as server:
        say(server.port)
        await stopped()


def _problem(client: OpaClient) -> str | None:
    try:
        client.evaluate("kafka/decisions", {"items": {}, "common": {}})
    except OpaError as error:
        return type(error).__name__
    return None


async def _alive(_request: web.Request) -> web.Response:
    return web.json_response({"alive": True})
