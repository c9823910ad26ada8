"""Waiting requests, and the batches in which their items are decided: in turn, a share of each. No input or output."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from warden.base.telemetry.traces import NO_SPAN, Span, begin_span, find_context
from warden.enforce.gateway.pending_changes.pending_changes import RequestChanges
from warden.policy.contract.decision import Document
from warden.policy.opa.item_size import MAX_BODY_BYTES, measure_json

__all__ = ["BatchDecisions", "DecisionBatch", "WaitingRequest", "take_batch"]

_WITHIN = "/request/"  # below it stands what counts within a request alone
_PLACES = 3  # of an item's key in a document: its item, its order, its request
_PLACE_BYTES = 12  # of JSON around the key in each


@dataclass(frozen=True, slots=True)
class BatchDecisions:
    """OPA's answer.

    Args:
        decisions: The decisions by item.
        decision_ids: Ids in OPA's decision log, each with the prefix that the keys of these items have there.
        remembered: Whether OPA has given them to an earlier request.
        claim: What they let change; None where that is nothing.
    """

    decisions: Mapping[str, Document]
    decision_ids: Sequence[tuple[str, str]] = ()
    remembered: bool = False
    claim: RequestChanges | None = None


@dataclass(slots=True, eq=False)
class WaitingRequest:
    """A request of which items are not decided yet.

    Args:
        inputs: Decision inputs by item, in the request's order.
        common: What they have in common.
        deadline: When its client will not wait any longer, by the loop's clock.
        answer: Gets the answer.
        claim: What is let change.
        rest: The items that are in no batch yet.
        decisions: The decisions about the others.
        request_charges: What these add to what counts within the request alone.
        decision_ids: As of `BatchDecisions`.
        tried_alone: Whether one of its items was too slow with no others.
        trace: As of `warden.base.telemetry.traces.find_context`.
    """

    inputs: Mapping[str, Document]
    common: Document
    deadline: float
    answer: "asyncio.Future[BatchDecisions]"
    claim: RequestChanges
    rest: deque[str] = field(default_factory=deque)
    decisions: dict[str, Document] = field(default_factory=dict)
    request_charges: dict[str, float] = field(default_factory=dict)
    decision_ids: list[tuple[str, str]] = field(default_factory=list)
    tried_alone: bool = False
    trace: Any = field(default_factory=find_context)

    def __post_init__(self) -> None:
        self.rest.extend(self.inputs)

    def add_decisions(self, decisions: Mapping[str, Document], decision_id: tuple[str, str] | None) -> None:
        """Add the decisions about some of the items; with the last of them the request is answered.

        Args:
            decisions: By item.
            decision_id: As of `BatchDecisions`; None where OPA keeps none.
        """
        if self.answer.done():  # nobody will carry it out
            return
        self.decisions.update(decisions)
        for key, decision in decisions.items():
            self.claim.add(key, self.inputs[key], decision)
        self.decision_ids += [decision_id] if decision_id is not None else []
        for decision in decisions.values():
            for pointer, amount in decision.get("charges", {}).items():
                if pointer.startswith(_WITHIN):
                    self.request_charges[pointer] = self.request_charges.get(pointer, 0) + amount
        if len(self.decisions) == len(self.inputs):  # batches may end in another order than they began
            self.answer.set_result(BatchDecisions(self.decisions, self.decision_ids, claim=self.claim))

    def fail(self, error: Exception) -> None:
        """Let the request fail: what is decided of it is not carried out."""
        self.claim.release()
        if not self.answer.done():
            self.answer.set_exception(error)


@dataclass(frozen=True, slots=True)
class DecisionBatch:
    """Items of several requests.

    Args:
        parts: The requests with the keys of their items.
    """

    parts: tuple[tuple[WaitingRequest, tuple[str, ...]], ...]

    def __len__(self) -> int:
        return sum(len(keys) for _, keys in self.parts)

    @property
    def topics(self) -> frozenset[str]:
        """Names of the topics that its items are about."""
        named = (request.inputs[key]["request"].get("topic") for request, keys in self.parts for key in keys)
        return frozenset(name for name in named if isinstance(name, str))

    def to_document(self, common: Document, changes: Document) -> dict[str, Any]:
        """Return the input of ``kafka/decisions``.

        Args:
            common: What all requests have in common.
            changes: As of `warden.enforce.gateway.pending_changes.pending_changes.PendingChanges.to_document`.
        """
        items: dict[str, Document] = {}
        requests = {}
        for number, (request, keys) in enumerate(self.parts):
            pending = {"pending": request.request_charges} if request.request_charges else {}
            for key in keys:
                items[f"{number}/{key}"] = {**request.common, **request.inputs[key], **pending}
                requests[f"{number}/{key}"] = str(number)
        return {"items": items, "common": dict(common), "order": list(items), "requests": requests, "changes": changes}

    def begin_span(self) -> Span:
        """Begin the span of the call: part of the first request's trace, with links to the others'."""
        traced = [request.trace for request, _ in self.parts if request.trace is not None]
        if not traced:
            return NO_SPAN
        return begin_span("decide", parent=traced[0], links=traced[1:], attributes={"warden.items": len(self)})

    def deliver(self, decisions: Mapping[str, Document], decision_id: str | None) -> None:
        """Give each request its decisions, from an answer to `document`."""
        for number, (request, keys) in enumerate(self.parts):
            named = (decision_id, f"{number}/") if decision_id is not None else None
            request.add_decisions({key: decisions[f"{number}/{key}"] for key in keys}, named)

    def give_back(self, waiting: deque[WaitingRequest]) -> None:
        """Put all of it back, in front of what waits."""
        for request, keys in reversed(self.parts):
            request.rest.extendleft(reversed(keys))
            if request in waiting:
                waiting.remove(request)
            waiting.appendleft(request)


def take_batch(
    waiting: deque[WaitingRequest],
    most: int,
    *,
    requests: int | None = None,
    body_bytes: int = MAX_BODY_BYTES,
    measure: Callable[[Document], int] = measure_json,
) -> DecisionBatch:
    """Take the next items, a share of each request that waits; what has more of them goes to the end.

    A client waits for its request before it sends another one, so that a share for each is a share for each connection.

    Args:
        waiting: The requests, of which those that are taken whole are removed.
        most: Items in a batch; one at the least.
        requests: How many requests it may be of; None for all.
        body_bytes: JSON in a batch; one item goes whatever its size.
        measure: Returns the bytes of JSON that an item takes of these.
    """
    turns = min(len(waiting), requests or len(waiting))
    share = max(1, most // max(1, turns))
    parts, count, size = [], 0, 0
    for _ in range(turns):
        request = waiting.popleft()
        keys: list[str] = []
        while request.rest and len(keys) < share and count < most:
            key = request.rest[0]
            item = measure({**request.common, **request.inputs[key]}) + _PLACES * (len(key) + _PLACE_BYTES)
            if count and size + item > body_bytes:
                break
            keys.append(request.rest.popleft())
            count, size = count + 1, size + item
        if keys:
            parts.append((request, tuple(keys)))
        if request.rest and keys:
            waiting.append(request)
        elif request.rest:
            waiting.appendleft(request)
            break
    return DecisionBatch(tuple(parts))
