"""The gateway's log and metrics: a line for each guarded request, and counts."""

import logging
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from warden.base.errors import OpaError
from warden.base.telemetry.metrics import observe
from warden.enforce.gateway.connection.output import AuditRecord
from warden.enforce.gateway.guards.ungoverned_changes import UngovernedChange
from warden.enforce.gateway.metrics import GatewayMetrics
from warden.policy.contract.effect import format_rule_and_effect

__all__ = ["LOG", "Observer", "log_event"]

LOG = logging.getLogger("warden.enforce.gateway")
"""Where the gateway logs."""


def log_event(message: str, level: int = logging.INFO, **fields: Any) -> None:
    """Log something, with fields of its own."""
    LOG.log(level, message, extra=fields)


class Observer:
    """Tells about the connections of one cluster.

    A line has names of resources, rules, codes and the policy's messages; nothing of a login, no config of a request.

    Args:
        cluster: Its name.
        metrics: What is counted.
    """

    def __init__(self, cluster: str, metrics: GatewayMetrics) -> None:
        self._cluster = cluster
        self._metrics = metrics
        self._unknown_brokers: set[int] = set()
        self._bytes = {direction: metrics.bytes.labels(cluster, direction) for direction in ("to_client", "to_broker")}

    def add_connection(self) -> None:
        """Count a connection."""
        self._metrics.connections.labels(self._cluster).inc()

    def remove_connection(self) -> None:
        """Count a connection that has ended."""
        self._metrics.connections.labels(self._cluster).dec()

    def record_impersonation(self) -> None:
        """Count a login in the name of a client with a certificate."""
        self._metrics.logins.labels(self._cluster).inc()

    def record_bytes(self, direction: str, count: int) -> None:
        """Count bytes ``to_client`` or ``to_broker``."""
        self._bytes[direction].inc(count)

    def report_ungoverned_change(self, change: UngovernedChange, principal: str, client: str) -> None:
        """Tell that a change passed without a decision, or was refused without one."""
        head = change.head
        self._metrics.ungoverned_changes.labels(self._cluster, change.name, change.action).inc()
        log_event(
            "not decided",
            logging.WARNING,
            cluster=self._cluster,
            api=head.api.name,
            change=change.name,
            version=head.version,
            correlationId=head.correlation_id,
            clientId=head.client_id,
            client=client,
            principal=principal,
            decided=False,
            forwarded="none" if change.action == "refuse" else "all",
        )

    def report_unknown_broker(self, broker: int) -> None:
        """Tell of a broker of the cluster's that the file does not name, once: no client can reach it."""
        self._metrics.unknown_brokers.labels(self._cluster).inc()
        if broker not in self._unknown_brokers:
            self._unknown_brokers.add(broker)
            log_event(
                "a broker that the configuration does not name",
                logging.WARNING,
                cluster=self._cluster,
                broker=broker,
                fix=f"add broker {broker} to brokers, with its address, or correct the id of one that is there",
            )

    def report_close(self, reason: str, text: str, client: str) -> None:
        """Tell that a connection was closed, which its client sees without a reason."""
        self._metrics.closed.labels(self._cluster, reason).inc()
        log_event("connection closed", logging.WARNING, cluster=self._cluster, client=client, reason=text)

    def report_defect(self, client: str, error: Exception) -> None:
        """Log the trace of a defect, for which a connection was closed."""
        self._metrics.closed.labels(self._cluster, "defect").inc()
        fields = {"cluster": self._cluster, "client": client, "reason": "a defect"}
        LOG.error("connection closed", exc_info=error, extra=fields)

    def report_opa_call(self, seconds: float, items: int, slow: bool) -> None:
        """Tell how long a call of OPA took, and that it took too long."""
        observe(self._metrics.seconds.labels(self._cluster), seconds)
        self._metrics.batch_items.labels(self._cluster).observe(items)
        if slow:
            log_event("OPA is slow", logging.WARNING, cluster=self._cluster, seconds=round(seconds, 3), items=items)

    def report_undecided(self, error: OpaError) -> None:
        """Tell that a request was not decided."""
        self._metrics.undecided.labels(self._cluster, type(error).__name__).inc()
        log_event(
            "nothing was decided", logging.ERROR, cluster=self._cluster, error=str(error), reason=type(error).__name__
        )

    def count_waiting_request(self) -> AbstractContextManager[None]:
        """Count a request that waits for its decision, within a ``with`` block."""
        return self._metrics.waiting.labels(self._cluster).track_inprogress()

    def report_request(
        self,
        record: AuditRecord,
        client: str,
        decision_ids: Sequence[tuple[str, str]],
        *,
        logs: bool = True,
        trace_id: str | None = None,
    ) -> None:
        """Tell what became of a guarded request; what it repeats of a moment ago is counted alone."""
        head = record.request.head
        results = record.evaluation.build_results()
        self._metrics.requests.labels(self._cluster, head.api.name, record.extent).inc()
        for result in results.values():
            self._metrics.items.labels(self._cluster, head.api.name, "allowed" if result.allowed else "denied").inc()
        if not logs:
            return
        log_event(
            "decided",
            cluster=self._cluster,
            api=head.api.name,
            version=head.version,
            correlationId=head.correlation_id,
            clientId=head.client_id,
            client=client,
            principal=record.principal,
            decisionIds=[id_ for id_, _ in decision_ids],
            decisionKeys=[prefix for _, prefix in decision_ids],
            forwarded=record.extent,
            traceId=trace_id,
            items=[_encode_item(record, key) for key in record.evaluation.parsed.items],
        )


def _encode_item(record: AuditRecord, key: str) -> dict[str, Any]:
    evaluation = record.evaluation
    item, decision = evaluation.parsed.items[key], evaluation.decisions.get(key, {})
    fields: dict[str, Any] = {"type": item.resource_type, "name": item.name}
    if item.refusal is not None:
        return fields | {"allowed": False, "error": item.refusal.error_name, "message": item.refusal.error_message}
    error: Mapping[str, Any] = decision.get("error") or {}
    rules = [format_rule_and_effect(violation) for violation in decision.get("violations", ())]
    fields |= {"allowed": decision.get("allowed") is True}
    fields |= {"rules": rules} if rules else {}
    if not error:
        return fields
    # A message may show a config's value, and some of brokers' are passwords: OPA's decision log has it, starred out.
    message = None if item.resource_type == "broker" else error.get("message")
    return fields | {"error": error.get("name"), "message": message}
