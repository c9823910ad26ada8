"""The service as a server: its port, its probes, and its end."""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, ExitStack
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from warden.errors import OpaError
from warden.opa.client import OpaClient
from warden.process.http_app import listening, probe_routes
from warden.serve.callers import Callers
from warden.serve.cluster import Cluster
from warden.serve.config import Config
from warden.serve.failures import failures
from warden.serve.metrics import Metrics
from warden.serve.openapi import show_openapi
from warden.serve.openapi_page import show_openapi_page
from warden.serve.service import Service
from warden.serve.waiting import Changes
from warden.tls.listener import listener_context, server_context
from warden.tls.principals import PrincipalMapper

__all__ = ["Server", "serve"]

_LOG = logging.getLogger("warden.serve")
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
        self._stack, self._serving = ExitStack(), AsyncExitStack()
        self._clusters: dict[str, tuple[Cluster, Changes]] = {}

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
        client = self._stack.enter_context(self._config.opa.client(self._config.opa.floor()))
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
        app.add_routes([*service.routes(), *probe_routes(lambda: self._ready(client), metrics.text)])
        app.add_routes([web.get("/openapi.json", show_openapi), web.get("/docs", show_openapi_page)])
        serving = listening(app, (self._host, self.port), tls=tls, shutdown_seconds=_SHUTDOWN_SECONDS)
        self.port = await self._serving.enter_async_context(serving)

    def _tls(self) -> ssl.SSLContext | None:
        """What is listened with; a client need not show a certificate, it may have a token."""
        tls = self._config.tls
        return None if tls is None else listener_context(server_context(tls, "tls", _LOG, required=False))

    async def _ready(self, client: OpaClient) -> dict[str, Any]:
        problems = {name: cluster.problem for name, (cluster, _) in self._clusters.items()}
        opa = await asyncio.get_running_loop().run_in_executor(None, _problem, client)
        return {"ready": opa is None and not any(problems.values()), "opa": opa, "clusters": problems}

    async def _stop(self) -> None:
        for _, changes in self._clusters.values():
            changes.close()
        await self._serving.aclose()
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
