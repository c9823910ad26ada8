"""The gateway's metrics, in Prometheus' text format."""

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.multiprocess import MultiProcessCollector

from warden.base.telemetry.metrics import build_registry, encode_metrics

__all__ = ["GatewayMetrics"]

_ITEMS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class GatewayMetrics:
    """What the gateway counts, by cluster; each instance has a registry of its own.

    Attributes:
        registry: The registry.
    """

    def __init__(self) -> None:
        self.registry = registry = build_registry()

        def build_counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"warden_gateway_{name}", text, ("cluster", *labels), registry=registry)

        self.connections = Gauge(
            "warden_gateway_connections",
            "Connections of clients that are open.",
            ("cluster",),
            registry=registry,
            multiprocess_mode="livesum",
        )
        self.waiting = Gauge(
            "warden_gateway_waiting_requests",
            "Requests that wait for their decision, or are being decided.",
            ("cluster",),
            registry=registry,
            multiprocess_mode="livesum",
        )
        self.batch_items = Histogram(
            "warden_gateway_batch_items",
            "Resources that were decided in one call of OPA.",
            ("cluster",),
            buckets=_ITEMS,
            registry=registry,
        )
        self.requests = build_counter(
            "guarded_requests", "Guarded requests, by what of them was forwarded.", "api", "forwarded"
        )
        self.items = build_counter("decided_items", "Resources of guarded requests.", "api", "result")
        self.undecided = build_counter(
            "undecided",
            "Requests that OPA gave no decision for, by the reason: Overloaded where it had too many.",
            "reason",
        )
        self.closed = build_counter(
            "closed_connections", "Connections that the gateway closed, by the reason.", "reason"
        )
        self.unknown_brokers = build_counter(
            "unknown_brokers", "Times that a response named a broker that the configuration does not."
        )
        self.ungoverned_changes = build_counter(
            "undecided_changes", "Changes that no decision is about, by what became of them.", "api", "action"
        )
        self.logins = build_counter("logins", "Logins at brokers in the names of clients with certificates.")
        self.bytes = build_counter("bytes", "Bytes carried.", "direction")
        self.seconds = Histogram(
            "warden_gateway_decision_seconds",
            "Time that a call of OPA took.",
            ("cluster",),
            buckets=_SECONDS,
            registry=registry,
        )

    def encode(self, accept: str) -> tuple[bytes, str]:
        """Return all metrics, with those of this process; of several workers their sums, which have no exemplars.

        As `warden.base.telemetry.metrics.encode_metrics`.
        """
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return encode_metrics(self.registry, accept)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]  # it has no types
        return encode_metrics(together, accept)
