"""The service as a server: its port, its probes, and its end."""

import asyncio
import logging
from contextlib import AsyncExitStack, ExitStack
from typing import Any

from aiohttp import web

from warden.base.errors import OpaError
from warden.base.http.app import AsyncHttpServer, build_probe_routes, serve_application
from warden.base.http.request_spans import trace_requests
from warden.base.tls.listener import build_optional_login_context
from warden.base.tls.principals import PrincipalMapper
from warden.enforce.service.callers import Callers
from warden.enforce.service.cluster import ClusterFollower
from warden.enforce.service.config import ServiceConfig
from warden.enforce.service.failures import answer_failures
from warden.enforce.service.long_poll import ClientChanges
from warden.enforce.service.metrics import ServiceMetrics
from warden.enforce.service.openapi import show_openapi
from warden.enforce.service.openapi_page import show_openapi_page
from warden.enforce.service.service import Service
from warden.policy.failover.checks import HealthChecks, build_decision_check
from warden.policy.failover.client import FailoverClient
from warden.policy.failover.metrics import build_ranking
from warden.policy.failover.ranking import OpaRanking
from warden.policy.opa.client import OpaClient

__all__ = ["ServiceServer"]

_LOG = logging.getLogger("warden.enforce.service")
_SHUTDOWN_SECONDS = 5.0


class ServiceServer(AsyncHttpServer):
    """Serves a configuration. An asynchronous context manager.

    Args:
        config: The configuration.
        host: Address to listen on.
        port: Port; 0 for a free one.

    Raises:
        ConfigurationError: On entering: the address cannot be had, or a token cannot be read.
    """

    log = _LOG

    def __init__(self, config: ServiceConfig, host: str, port: int) -> None:
        self.port = port
        self._config, self._host = config, host
        self._stack, self._serving = ExitStack(), AsyncExitStack()
        self._clusters: dict[str, tuple[ClusterFollower, ClientChanges]] = {}

    async def _start(self) -> None:
        limits, loop = self._config.limits, asyncio.get_running_loop()
        metrics = ServiceMetrics()
        client, ranking = await self._open_opa(metrics)
        mapper = PrincipalMapper(self._config.principal_mapping_rules)
        callers = Callers(self._config.read_tokens(), mapper, limits.requests_per_second)
        tls = build_optional_login_context(self._config.tls, _LOG)
        for settings in self._config.clusters:
            changes = ClientChanges(loop)
            cluster = ClusterFollower(settings, client, changes.announce)
            self._clusters[settings.name] = cluster, changes
            cluster.start()
            self._stack.callback(cluster.stop)
        service = Service(self._clusters, callers, limits.wait_seconds)
        self._stack.callback(service.close)
        middlewares = [trace_requests, metrics.build_middleware(), answer_failures]
        app = web.Application(client_max_size=limits.body_bytes, middlewares=middlewares)
        app.add_routes(service.build_routes())
        app.add_routes(build_probe_routes(lambda: self._report_readiness(client, ranking), metrics.encode))
        app.add_routes([web.get("/openapi.json", show_openapi), web.get("/docs", show_openapi_page)])
        serving = serve_application(app, (self._host, self.port), tls=tls, shutdown_seconds=_SHUTDOWN_SECONDS)
        self.port = await self._serving.enter_async_context(serving)

    async def _open_opa(self, metrics: ServiceMetrics) -> tuple[OpaClient, OpaRanking | None]:
        """Return the client of OPA; of several what is known of them too, which are checked from now on."""
        opa, floor = self._config.opa, self._config.opa.build_floor()
        names = [cluster.name for cluster in self._config.clusters]
        ranking = build_ranking(opa, names, _LOG, metrics.registry, "warden_service")
        if ranking is None:
            return self._stack.enter_context(opa.build_client(floor)), None
        client = self._stack.enter_context(FailoverClient(opa, ranking, floor))
        check = build_decision_check(client.ask_one, ranking.clusters, "service")
        await self._serving.enter_async_context(HealthChecks(ranking, check, opa.timeout))
        return client, ranking

    async def _report_readiness(self, client: OpaClient, ranking: OpaRanking | None) -> dict[str, Any]:
        problems = {name: cluster.problem for name, (cluster, _) in self._clusters.items()}
        if ranking is None:
            opa = await asyncio.get_running_loop().run_in_executor(None, _check_opa, client)
        else:
            failure = ranking.find_common_failure()
            opa = None if failure is None else " ".join(sorted(failure[1]))
        return {"ready": opa is None and not any(problems.values()), "opa": opa, "clusters": problems}

    async def _stop(self) -> None:
        for cluster, changes in self._clusters.values():
            cluster.end()  # each before one is waited for
            changes.close()
        await self._serving.aclose()
        await asyncio.get_running_loop().run_in_executor(None, self._stack.close)


def _check_opa(client: OpaClient) -> str | None:
    try:
        client.evaluate("kafka/decisions", {"items": {}, "common": {}})
    except OpaError as error:
        return type(error).__name__
    return None
