"""The gateway's metrics, in Prometheus' text format."""

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from warden.process.metrics import new_registry

__all__ = ["Metrics"]

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """What the gateway counts, by cluster; each instance has a registry of its own."""

    def __init__(self) -> None:
        self._registry = registry = new_registry()

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"warden_gateway_{name}", text, ("cluster", *labels), registry=registry)

        self.connections = Gauge(
            "warden_gateway_connections",
            "Connections of clients that are open.",
            ("cluster",),
            registry=registry,
            multiprocess_mode="livesum",
        )
        self.requests = counter(
            "guarded_requests", "Guarded requests, by what of them was forwarded.", "api", "forwarded"
        )
        self.items = counter("decided_items", "Resources of guarded requests.", "api", "result")
        self.undecided = counter("undecided", "Times that OPA gave no decision, by the reason.", "reason")
        self.closed = counter("closed_connections", "Connections that the gateway closed, by the reason.", "reason")
        self.logins = counter("logins", "Logins at brokers in the names of clients with certificates.")
        self.bytes = counter("bytes", "Bytes carried.", "direction")
        self.seconds = Histogram(
            "warden_gateway_decision_seconds",
            "Time that decisions took, OPA's and the way there.",
            ("cluster",),
            buckets=_SECONDS,
            registry=registry,
        )

    def text(self) -> bytes:
        """Return all metrics, with those of this process; of several workers, their sums."""
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]  # it has no types
        return generate_latest(together)
