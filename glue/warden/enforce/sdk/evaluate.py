"""Evaluate a whole Kafka request, with the configs that the policy proposes merged in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from warden.enforce.sdk.warden import Warden
from warden.policy.adapter import ParsedRequest, Result, build_results, select_allowed
from warden.policy.adapter.evaluation import Evaluation
from warden.policy.contract.decision import Decision

__all__ = ["EvaluatedRequest", "evaluate_request"]


@dataclass(frozen=True, slots=True)
class EvaluatedRequest:
    """A request with the decisions about it.

    Args:
        parsed: The request as it was read.
        results: Kafka's answer for each item.
        decisions: The decision about each item that could be read; the last one, where configs were merged in.
        documents: The decision input of each of these.
        amended: Those of them into which configs of the policy were merged.
    """

    parsed: ParsedRequest
    results: Mapping[str, Result]
    decisions: Mapping[str, Decision]
    documents: Mapping[str, Mapping[str, Any]]
    amended: Mapping[str, Mapping[str, Any]]

    @property
    def request(self) -> dict[str, Any] | None:
        """The request that may go on to Kafka; None where nothing may."""
        return select_allowed(self.parsed, self.results, self.amended)

    def get_result(self, position: tuple[str, int]) -> Result:
        """Return the answer for what stands at a position of the request; what was not read is refused.

        Raises:
            ValueError: Nothing stands there.
        """
        if self.parsed.refusal is not None:
            return self.parsed.refusal
        return self.results[self._get_key(position)]

    def find_amended(self, position: tuple[str, int]) -> Mapping[str, Any] | None:
        """Return the request suggested for what stands at a position; None where it is unchanged.

        Raises:
            ValueError: Nothing stands there.
        """
        document = self.amended.get(self._get_key(position))
        request: Mapping[str, Any] | None = None if document is None else document["request"]
        return request

    def _get_key(self, position: tuple[str, int]) -> str:
        for key, item in self.parsed.items.items():
            if position in item.positions:
                return key
        raise ValueError(f"the request has nothing at {position}")


def evaluate_request(
    warden: Warden,
    parsed: ParsedRequest,
    *,
    state: Mapping[str, Any] | None = None,
    labels: Mapping[str, Mapping[str, str]] | None = None,
) -> EvaluatedRequest:
    """Evaluate every item of a request.

    Args:
        warden: The client that evaluates.
        parsed: The request, from `warden.parse_request`.
        state: The cluster's state; None for the replicated one.
        labels: Labels of new topics, by topic: Kafka's requests have no place for them.

    Raises:
        OpaError: Nothing was decided.
    """
    evaluation = Evaluation(parsed)
    evaluation.inputs = {key: _add_labels(input, labels or {}) for key, input in parsed.inputs.items()}
    while missing := evaluation.collect_missing():
        decided = warden.decide_many(missing, state=state, in_order=True)
        evaluation.add_decisions(missing, {key: decision.document for key, decision in decided.items()})
    inputs = {**evaluation.inputs, **evaluation.amended}
    documents = {key: {**warden.build_shared_input(state), **input} for key, input in inputs.items()}
    decisions = {key: Decision.from_document(document) for key, document in evaluation.decisions.items()}
    amended = {key: documents[key] for key in evaluation.amended}
    results = build_results(parsed, evaluation.decisions)
    return EvaluatedRequest(parsed, results, decisions, documents, amended)


def _add_labels(input: Mapping[str, Any], labels: Mapping[str, Mapping[str, str]]) -> Mapping[str, Any]:
    request = input["request"]
    if input["operation"] != "CreateTopic" or request["topic"] not in labels:
        return input
    return {**input, "request": {**request, "labels": dict(labels[request["topic"]])}}
