"""The webhook's metrics, in Prometheus' text format."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import Counter, Histogram

from warden.base.telemetry.metrics import build_registry, encode_metrics, observe

__all__ = ["WebhookMetrics"]

_OPERATIONS = ("", "CREATE", "UPDATE", "DELETE", "CONNECT")  # none where the request cannot be read
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class WebhookMetrics:
    """What the webhook counts; each instance has a registry of its own.

    Attributes:
        registry: The registry.
    """

    def __init__(self) -> None:
        self.registry = registry = build_registry()
        self._reviews = Counter(
            "warden_webhook_reviews", "Requests by operation and result.", ("operation", "result"), registry=registry
        )
        self._seconds = Histogram(
            "warden_webhook_decision_seconds", "Time that OPA took.", buckets=_SECONDS, registry=registry
        )

    @contextmanager
    def time(self) -> Iterator[None]:
        """Take the time of the block, in which OPA responds, with all attempts."""
        began = time.perf_counter()
        try:
            yield
        finally:
            observe(self._seconds, time.perf_counter() - began)

    def count_review(self, operation: str, result: str) -> None:
        """Count a request with its result, such as ``allowed``; an operation that no API server has is ``other``."""
        self._reviews.labels(operation if operation in _OPERATIONS else "other", result).inc()

    def encode(self, accept: str) -> tuple[bytes, str]:
        """Return all metrics, with those of this process; as `warden.base.telemetry.metrics.encode_metrics`."""
        return encode_metrics(self.registry, accept)
