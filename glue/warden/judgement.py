"""A whole Kafka request before the policy: asked in one go, with the configs that the policy wants merged in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from warden.adapter import Asked, Result, annotated, answer, remaining
from warden.decision import Decision
from warden.service import Warden

__all__ = ["Judgement", "judge"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the policy makes of a request.

    Args:
        asked: The request as it was read.
        results: Kafka's answer for each item.
        decisions: The decision about each item that was asked about; the last one, where configs were merged in.
        documents: The decision input of each of these.
        offered: Those of them into which configs of the policy were merged.
    """

    asked: Asked
    results: Mapping[str, Result]
    decisions: Mapping[str, Decision]
    documents: Mapping[str, Mapping[str, Any]]
    offered: Mapping[str, Mapping[str, Any]]

    @property
    def request(self) -> dict[str, Any] | None:
        """The request that may go on to Kafka; None where nothing may."""
        return remaining(self.asked, self.results, self.offered)

    def of(self, place: tuple[str, int]) -> Result:
        """Return the answer for what stands at a place of the request; what was not read is refused."""
        if self.asked.refusal is not None:
            return self.asked.refusal
        return self.results[self._key(place)]

    def offered_at(self, place: tuple[str, int]) -> Mapping[str, Any] | None:
        """Return the request that is offered for what stands at a place; None where it is as asked."""
        document = self.offered.get(self._key(place))
        request: Mapping[str, Any] | None = None if document is None else document["request"]
        return request

    def _key(self, place: tuple[str, int]) -> str:
        return next(key for key, item in self.asked.items.items() if place in item.places)


def judge(
    warden: Warden,
    asked: Asked,
    *,
    state: Mapping[str, Any] | None = None,
    labels: Mapping[str, Mapping[str, str]] | None = None,
) -> Judgement:
    """Ask about every item of a request.

    Args:
        warden: Whom to ask.
        asked: The request, from `warden.adapter.read`.
        state: The cluster's state; None for the replicated one.
        labels: Labels of new topics, by topic: Kafka's requests have no place for them.

    Raises:
        OpaError: Nothing was decided.
    """
    inputs = {key: _labelled(input, labels or {}) for key, input in asked.inputs.items()}
    decisions = dict(warden.decide_many(inputs, state=state)) if inputs else {}
    documents: dict[str, Mapping[str, Any]] = {key: {**warden.common(state), **input} for key, input in inputs.items()}
    offered = {}
    for key, decision in decisions.items():
        if decision.annotations.get("configs"):
            merged, judged = annotated(documents[key], decision.document, warden.ask)
            decisions[key] = Decision.from_document(judged)
            if merged is not documents[key]:
                documents[key] = offered[key] = merged
    results = answer(asked, {key: decision.document for key, decision in decisions.items()})
    return Judgement(asked, results, decisions, documents, offered)


def _labelled(input: Mapping[str, Any], labels: Mapping[str, Mapping[str, str]]) -> Mapping[str, Any]:
    request = input["request"]
    if input["operation"] != "CreateTopic" or request["topic"] not in labels:
        return input
    return {**input, "request": {**request, "labels": dict(labels[request["topic"]])}}
