"""The service's metrics, in Prometheus' text format."""

import asyncio

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from prometheus_client import Counter, Gauge, Histogram

from warden.base.telemetry.metrics import build_registry, encode_metrics, observe

__all__ = ["ServiceMetrics"]

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class ServiceMetrics:
    """What the service counts, by the paths that it has; each instance has a registry of its own.

    Attributes:
        registry: The registry.
    """

    def __init__(self) -> None:
        self.registry = registry = build_registry()
        self._requests = Counter(
            "warden_service_requests", "Requests by path and HTTP status.", ("path", "status"), registry=registry
        )
        self._seconds = Histogram(
            "warden_service_seconds",
            "Time until the answer, that of waiting for a change with it.",
            ("path",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._open = Gauge("warden_service_open_requests", "Requests not answered yet.", ("path",), registry=registry)

    def build_middleware(self) -> Middleware:
        """Return what counts each request."""

        @web.middleware
        async def count_request(request: web.Request, handler: Handler) -> web.StreamResponse:
            resource, loop = request.match_info.route.resource, asyncio.get_running_loop()
            path = "other" if resource is None else resource.canonical
            began, status = loop.time(), "ended by the caller"
            self._open.labels(path).inc()
            try:
                answer = await handler(request)
                status = str(answer.status)
                return answer
            finally:
                self._open.labels(path).dec()
                self._requests.labels(path, status).inc()
                observe(self._seconds.labels(path), loop.time() - began)

        return count_request

    def encode(self, accept: str) -> tuple[bytes, str]:
        """Return all metrics, with those of this process; as `warden.base.telemetry.metrics.encode_metrics`."""
        return encode_metrics(self.registry, accept)
