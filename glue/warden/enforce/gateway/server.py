"""The gateway as a server: its listeners, its probes, and its end."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from warden.base.errors import ConfigurationError
from warden.base.http.app import build_probe_routes, serve_application
from warden.base.http.calls import describe_cause
from warden.base.http.probes import LISTEN_ERRORS
from warden.base.process.closing import AsyncManagedProgram
from warden.base.tls.listener import build_listener_context, load_server_context
from warden.base.tls.principals import PrincipalMapper
from warden.base.tls.reloading_context import ReloadingContext, load_client_context
from warden.enforce.gateway.config import GatewayCluster, GatewayConfig
from warden.enforce.gateway.connection.relay import Relay
from warden.enforce.gateway.decisions.decider import Decider
from warden.enforce.gateway.decisions.decision_queue import DecisionQueue
from warden.enforce.gateway.log.observer import LOG, Observer, log_event
from warden.enforce.gateway.login.account import AccountLogin
from warden.enforce.gateway.login.impersonation import ImpersonationServices
from warden.enforce.gateway.login.token_owners import TokenOwners
from warden.enforce.gateway.login.tokens import ClientTokens
from warden.enforce.gateway.metrics import GatewayMetrics
from warden.enforce.gateway.readiness import ReadinessProbe
from warden.enforce.gateway.recent_denials import RecentDenials
from warden.enforce.gateway.route import Route, index_routes
from warden.policy.failover.metrics import build_ranking

__all__ = ["Gateway", "serve"]


class Gateway(AsyncManagedProgram):
    """All listeners of a configuration. An asynchronous context manager: leaving it drains the connections.

    Args:
        config: The configuration.
        probes: Host and port of ``/healthz``, ``/readyz`` and ``/metrics``; port 0 takes a free one.
        shared: Whether other processes listen on the same ports.

    Raises:
        ConfigurationError: On entering: a port or a certificate cannot be had.
    """

    def __init__(self, config: GatewayConfig, probes: tuple[str, int], *, shared: bool = False) -> None:
        self.metrics = GatewayMetrics()
        self.probes_port = 0
        self._config = config
        self._probes = probes
        self._shared = shared
        names = [cluster.name for cluster in config.clusters]
        self._decider = Decider(
            config.opa, build_ranking(config.opa, names, LOG, self.metrics.registry, "warden_gateway")
        )
        self._calls = asyncio.Semaphore(config.opa.in_flight)
        self._readiness = ReadinessProbe(self._decider, names)
        self._relays: set[Relay] = set()
        self._servers: list[asyncio.Server] = []
        self._stack = AsyncExitStack()

    async def _start(self) -> None:
        await self._stack.enter_async_context(self._decider)
        for cluster in self._config.clusters:
            await self._listen(cluster)
        await self._serve_probes()

    async def _listen(self, cluster: GatewayCluster) -> None:
        listener, upstream = _load_listener_context(cluster), _load_upstream_context(cluster)
        observer, limits = Observer(cluster.name, self.metrics), self._config.limits
        impersonation = owners = None
        if cluster.account is not None and cluster.authentication == "sasl":
            owners = TokenOwners(AccountLogin(cluster.account, upstream, cluster.local_address))
        elif cluster.account is not None:
            tokens = ClientTokens(AccountLogin(cluster.account, upstream, cluster.local_address))
            self._stack.push_async_callback(tokens.close)
            impersonation = ImpersonationServices(PrincipalMapper(cluster.principal_mapping_rules), tokens)
        common = {"cluster": cluster.name, "enforcementPoint": "gateway"}
        queue = DecisionQueue(self._decider, common, self._calls, observer.report_opa_call)
        self._stack.callback(queue.close)
        shared = (limits, queue, observer, upstream, impersonation, owners, RecentDenials())
        routes = [Route(cluster, broker, *shared) for broker in cluster.brokers]
        if cluster.sni is None:
            for route in routes:
                await self._listen_at(cluster, route.broker.port, [route], listener)
        else:
            await self._listen_at(cluster, cluster.sni.port, routes, listener)

    async def _listen_at(
        self, cluster: GatewayCluster, port: int | None, routes: list[Route], tls: ReloadingContext | None
    ) -> None:
        names = index_routes(cluster, routes) if cluster.sni else None
        try:
            server = await asyncio.get_running_loop().create_server(
                lambda: Relay(routes, self._relays, names),
                cluster.bind,
                port,
                ssl=build_listener_context(tls, names) if tls else None,
                backlog=2048,
                reuse_port=self._shared or None,  # None where the system has no such option
            )
        except LISTEN_ERRORS as error:
            raise ConfigurationError(
                f"{cluster.name}: {cluster.bind}:{port}: {describe_cause(error)}: give another address"
            ) from error
        self._servers.append(server)

    async def _serve_probes(self) -> None:
        from aiohttp import web

        app = web.Application()
        app.add_routes(build_probe_routes(self._report_readiness, self.metrics.encode))
        serving = serve_application(app, self._probes, shared=self._shared)
        self.probes_port = await self._stack.enter_async_context(serving)

    async def _report_readiness(self) -> dict[str, Any]:
        problem = await self._readiness.find_problem()
        return {"ready": problem is None, "opa": problem}

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


def _load_listener_context(cluster: GatewayCluster) -> ReloadingContext | None:
    return load_server_context(cluster.tls, f"{cluster.name}: tls", LOG) if cluster.tls else None


def _load_upstream_context(cluster: GatewayCluster) -> ReloadingContext | None:
    tls = cluster.upstream_tls
    return load_client_context(tls.ca_file, None, f"{cluster.name}: upstreamTls", LOG) if tls else None


async def serve(
    config: GatewayConfig, probes: tuple[str, int], stopped: Callable[[], Awaitable[None]], *, shared: bool = False
) -> None:
    """Run a gateway until ``stopped`` returns, then drain its connections. The arguments are those of `Gateway`.

    Raises:
        ConfigurationError: A port or a certificate cannot be had.
    """
    async with Gateway(config, probes, shared=shared) as gateway:
        log_event(
            "listening",
            clusters={cluster.name: cluster.ports for cluster in config.clusters},
            probes=f"{probes[0]}:{gateway.probes_port}",
        )
        await stopped()
        log_event("stopping")
