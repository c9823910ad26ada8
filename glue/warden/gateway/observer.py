"""What the gateway tells about itself: a line of the log for each guarded request, and metrics."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from warden.errors import OpaError
from warden.gateway.metrics import Metrics
from warden.gateway.output import Outcome

__all__ = ["LOG", "Observer", "say"]

LOG = logging.getLogger("warden.gateway")
"""Where the gateway logs."""


def say(message: str, level: int = logging.INFO, **fields: Any) -> None:
    """Log something, with fields of its own."""
    LOG.log(level, message, extra=fields)


class Observer:
    """Tells about the connections of one cluster.

    A line has names of resources, rules, codes and the policy's messages; nothing of a login, no config of a request.

    Args:
        cluster: Its name.
        metrics: What is counted.
    """

    def __init__(self, cluster: str, metrics: Metrics) -> None:
        self._cluster = cluster
        self._metrics = metrics
        self._bytes = {one: metrics.bytes.labels(cluster, one) for one in ("to_client", "to_broker")}

    def opened(self) -> None:
        """Count a connection."""
        self._metrics.connections.labels(self._cluster).inc()

    def ended(self) -> None:
        """Count a connection that has ended."""
        self._metrics.connections.labels(self._cluster).dec()

    def spoke(self) -> None:
        """Count a login in the name of a client with a certificate."""
        self._metrics.logins.labels(self._cluster).inc()

    def carried(self, direction: str, count: int) -> None:
        """Count bytes ``to_client`` or ``to_broker``."""
        self._bytes[direction].inc(count)

    def closed(self, reason: str, text: str, client: str) -> None:
        """Tell that a connection was closed, which its client sees without a reason."""
        self._metrics.closed.labels(self._cluster, reason).inc()
        say("connection closed", logging.WARNING, cluster=self._cluster, client=client, reason=text)

    def failed(self, client: str, error: Exception) -> None:
        """Log the trace of a defect, for which a connection was closed."""
        self._metrics.closed.labels(self._cluster, "defect").inc()
        fields = {"cluster": self._cluster, "client": client, "reason": "a defect"}
        LOG.error("connection closed", exc_info=error, extra=fields)

    def answered(self, seconds: float, error: OpaError | None) -> None:
        """Tell how long OPA took, and that it gave no decision."""
        self._metrics.seconds.labels(self._cluster).observe(seconds)
        if error is not None:
            self._metrics.undecided.labels(self._cluster, type(error).__name__).inc()
            say("nothing was decided", logging.ERROR, cluster=self._cluster, error=str(error))

    def decided(self, outcome: Outcome, client: str, decision_ids: Sequence[str]) -> None:
        """Tell what became of a guarded request."""
        head = outcome.request.head
        results = outcome.evaluation.results()
        self._metrics.requests.labels(self._cluster, head.api.name, outcome.extent).inc()
        for result in results.values():
            self._metrics.items.labels(self._cluster, head.api.name, "allowed" if result.allowed else "denied").inc()
        say(
            "decided",
            cluster=self._cluster,
            api=head.api.name,
            version=head.version,
            correlationId=head.correlation_id,
            clientId=head.client_id,
            client=client,
            principal=outcome.principal,
            decisionIds=list(decision_ids),
            forwarded=outcome.extent,
            items=[_item(outcome, key) for key in outcome.evaluation.parsed.items],
        )


def _item(outcome: Outcome, key: str) -> dict[str, Any]:
    evaluation = outcome.evaluation
    item, decision = evaluation.parsed.items[key], evaluation.decisions.get(key, {})
    found: dict[str, Any] = {"type": item.resource_type, "name": item.name}
    if item.refusal is not None:
        return found | {"allowed": False, "error": item.refusal.error_name, "message": item.refusal.error_message}
    error: Mapping[str, Any] = decision.get("error") or {}
    rules = [f"{one['rule']} {one['effect']}" for one in decision.get("violations", ())]
    found |= {"allowed": decision.get("allowed") is True}
    found |= {"rules": rules} if rules else {}
    if not error:
        return found
    # A message may show a config's value, and some of brokers' are passwords: OPA's decision log has it, starred out.
    message = None if item.resource_type == "broker" else error.get("message")
    return found | {"error": error.get("name"), "message": message}
