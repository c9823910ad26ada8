"""The gateway as a server: its listeners, its probes, and its end."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Self

from warden.errors import ConfigurationError
from warden.gateway.config import Config, GatewayCluster
from warden.gateway.decider import Decider
from warden.gateway.metrics import Metrics
from warden.gateway.observer import Observer, say
from warden.gateway.relay import Relay, Route

if TYPE_CHECKING:
    from aiohttp import web

__all__ = ["Gateway", "serve"]


class Gateway:
    """All listeners of a configuration. An asynchronous context manager: leaving it drains the connections.

    Args:
        config: The configuration.
        probes: Host and port of ``/healthz``, ``/readyz`` and ``/metrics``; port 0 takes a free one.
    """

    def __init__(self, config: Config, probes: tuple[str, int]) -> None:
        self.metrics = Metrics()
        self.probes_port = 0
        self._config = config
        self._probes = probes
        self._decider = Decider(config.opa)
        self._relays: set[Relay] = set()
        self._servers: list[asyncio.Server] = []
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Listen.

        Raises:
            ConfigurationError: A port or a certificate cannot be had.
        """
        try:
            await self._stack.enter_async_context(self._decider)
            for cluster in self._config.clusters:
                await self._listen(cluster)
            await self._serve_probes()
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def _listen(self, cluster: GatewayCluster) -> None:
        observer, listener = Observer(cluster.name, self.metrics), _listener_tls(cluster)
        upstream = _upstream_tls(cluster)
        for broker in cluster.brokers:
            route = Route(cluster, broker, self._config.limits, self._decider, observer, upstream)
            try:
                server = await asyncio.get_running_loop().create_server(
                    lambda route=route: Relay(route, self._relays),
                    cluster.bind,
                    broker.port,
                    ssl=listener,
                    backlog=2048,
                )
            except OSError as error:
                raise ConfigurationError(f"{cluster.name}: {cluster.bind}:{broker.port}: {error.strerror}") from error
            self._servers.append(server)

    async def _serve_probes(self) -> None:
        from aiohttp import web

        app = web.Application()
        app.add_routes(
            [web.get("/healthz", _alive), web.get("/readyz", self._ready), web.get("/metrics", self._metrics)]
        )
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        self._stack.push_async_callback(runner.cleanup)
        host, port = self._probes
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise ConfigurationError(f"--listen {host}:{port}: {error.strerror}: give another address") from error
        self.probes_port = int(runner.addresses[0][1])

    async def _ready(self, _request: "web.Request") -> "web.Response":
        from aiohttp import web

        problem = await self._decider.ready()
        return web.json_response({"ready": problem is None, "opa": problem}, status=200 if problem is None else 503)

    async def _metrics(self, _request: "web.Request") -> "web.Response":
        from aiohttp import web

        return web.Response(body=self.metrics.text(), headers={"Content-Type": "text/plain; version=0.0.4"})

    async def _stop(self) -> None:
        for server in self._servers:
            server.close()
        for relay in tuple(self._relays):
            relay.drain()
        if self._relays:
            ends = [asyncio.ensure_future(relay.ended.wait()) for relay in self._relays]
            await asyncio.wait(ends, timeout=self._config.limits.drain_seconds)
            for end in ends:
                end.cancel()
        for relay in tuple(self._relays):
            relay.close()
        await self._stack.aclose()


async def serve(config: Config, probes: tuple[str, int], stopped: Callable[[], Awaitable[None]]) -> None:
    """Run a gateway until ``stopped`` returns, then drain its connections.

    Raises:
        ConfigurationError: A port or a certificate cannot be had.
    """
    async with Gateway(config, probes) as gateway:
        say(
            "listening",
            clusters={cluster.name: [broker.port for broker in cluster.brokers] for cluster in config.clusters},
            probes=f"{probes[0]}:{gateway.probes_port}",
        )
        await stopped()
        say("stopping")


async def _alive(_request: "web.Request") -> "web.Response":
    from aiohttp import web

    return web.json_response({"alive": True})


def _listener_tls(cluster: GatewayCluster) -> ssl.SSLContext | None:
    if cluster.tls is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(cluster.tls.certificate_file, cluster.tls.key_file)
    except (OSError, ssl.SSLError) as error:
        raise ConfigurationError(f"{cluster.name}: tls: certificate and key cannot be loaded: {error}") from error
    return context


def _upstream_tls(cluster: GatewayCluster) -> ssl.SSLContext | None:
    if cluster.upstream_tls is None:
        return None
    try:
        return ssl.create_default_context(cafile=cluster.upstream_tls.ca_file)
    except (OSError, ssl.SSLError) as error:
        raise ConfigurationError(f"{cluster.name}: upstreamTls.caFile cannot be loaded: {error}") from error
