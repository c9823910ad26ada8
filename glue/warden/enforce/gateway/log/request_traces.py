"""The spans of one connection's requests that are decided: from the client's request to its answer."""

from collections.abc import Sequence

from warden.base.telemetry.traces import NO_SPAN, Span, begin_span
from warden.enforce.gateway.connection.connection_state import AwaitingDecisions
from warden.enforce.gateway.connection.output import AuditRecord
from warden.enforce.gateway.pending_changes.settlements import Settlement
from warden.policy.adapter.evaluation import Evaluation
from warden.policy.opa.call_spans import DECISION_ID

__all__ = ["RequestTraces"]


class RequestTraces:
    """The spans that have not ended, by the evaluation of their request; Kafka's protocol has no place for a caller's.

    Args:
        cluster: Name of the cluster.
    """

    def __init__(self, cluster: str) -> None:
        self._cluster = cluster
        self._open: dict[int, tuple[Evaluation, Span, Span]] = {}  # of the request, and of the broker's part

    def begin(self, state: AwaitingDecisions, principal: str, host: str) -> Span:
        """Return the span of a request that waits for decisions; of one that has waited before, the same.

        Args:
            state: What the connection waits for.
            principal: The client's.
            host: From where it asks.
        """
        entry = self._open.get(id(state.evaluation))
        if entry is not None:
            return entry[1]
        head = state.head
        attributes = {
            "messaging.system": "kafka",
            "messaging.client.id": head.client_id,
            "messaging.kafka.api_version": head.version,
            "messaging.kafka.correlation_id": head.correlation_id,
            "client.address": host,
            "warden.cluster": self._cluster,
            "warden.principal": principal,
        }
        span = begin_span(head.api.name, "server", attributes=attributes)
        if span is not NO_SPAN:
            self._open[id(state.evaluation)] = (state.evaluation, span, NO_SPAN)
        return span

    def report(self, record: AuditRecord, decision_ids: Sequence[tuple[str, str]]) -> str | None:
        """Take what was decided about a request, and return the id of its trace; None where it is not kept.

        Args:
            record: The request.
            decision_ids: As of `warden.enforce.gateway.decisions.batches.BatchDecisions`.
        """
        entry = self._open.get(id(record.evaluation))
        if entry is None:
            return None
        evaluation, span, _ = entry
        results = evaluation.build_results().values()
        denied = sum(not result.allowed for result in results)
        span.set_attributes(
            {
                DECISION_ID: [id_ for id_, _ in decision_ids] or None,
                "warden.items": len(results),
                "warden.denied": denied,
                "warden.forwarded": record.extent,
            }
        )
        if record.extent == "none":
            self._end(evaluation)
        else:
            broker = begin_span(f"{record.request.head.api.name} broker", "client", parent=span.context)
            self._open[id(evaluation)] = (evaluation, span, broker)
        return span.trace_id

    def settle(self, settlement: Settlement) -> None:
        """Take what became of a request: with the broker's answer it ends."""
        if settlement.under_way is None:
            self._end(settlement.evaluation)

    def close(self) -> None:
        """End all: their client has gone."""
        for evaluation, span, _ in tuple(self._open.values()):
            span.fail("closed")
            self._end(evaluation)

    def _end(self, evaluation: Evaluation) -> None:
        _, *spans = self._open.pop(id(evaluation), (evaluation, NO_SPAN, NO_SPAN))
        for span in reversed(spans):
            span.end()
