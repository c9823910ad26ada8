"""Settlements of requests that were let through: the part that the broker did, from its response. No I/O."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import Raw, RequestHeader
from warden.enforce.gateway.wire.responses import extract_response_body
from warden.policy.adapter.evaluation import Evaluation
from warden.policy.adapter.request_types import REQUEST_TYPES
from warden.policy.contract.names import CONFIG_RESOURCE_TYPES

__all__ = ["Settlement", "read_settlement", "select_topic_changes"]

_TOPIC: Final = CONFIG_RESOURCE_TYPES["topic"]
_TIMED_OUT: Final = 7
_BEING_MADE: Final = frozenset({3, 5})
"""What a broker answers about a topic that its controller is to make."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of the changes of a request.

    Args:
        evaluation: Its decisions.
        under_way: The items that have gone on and are not answered; None where the broker has answered.
        done: Those that the broker has done.
        unheard: Those of which it does not say what becomes.
    """

    evaluation: Evaluation
    under_way: frozenset[str] | None = None
    done: frozenset[str] = frozenset()
    unheard: frozenset[str] = frozenset()


def select_topic_changes(evaluation: Evaluation, allowed: Iterable[str]) -> frozenset[str]:
    """Return those of some items that change a topic, as their decisions say."""
    decisions = evaluation.decisions
    return frozenset(key for key in allowed if "effect" in decisions[key] or decisions[key].get("charges"))


def read_settlement(head: RequestHeader, evaluation: Evaluation, keys: frozenset[str], raw: Raw) -> Settlement:
    """Return what the broker did.

    Args:
        head: The request's head.
        evaluation: Its decisions.
        keys: The items that it has seen and that change a topic.
        raw: Its response.

    Raises:
        Undecodable: It is none.
    """
    fields = codec.decode(head.api.key, head.version, "Response", extract_response_body(head, raw)).fields
    if head.api.name == "StreamsGroupHeartbeat":  # topics are made later
        return Settlement(evaluation, unheard=keys if fields["errorCode"] == 0 else frozenset())
    codes = {key: _find_code(head.api.name, fields, evaluation, key) for key in keys}
    unheard = _BEING_MADE if head.api.name == "Metadata" else {_TIMED_OUT}
    return Settlement(
        evaluation,
        done=frozenset(key for key, code in codes.items() if code == 0),
        unheard=frozenset(key for key, code in codes.items() if code in unheard),
    )


def _find_code(api: str, fields: Mapping[str, Any], evaluation: Evaluation, key: str) -> int:
    item = evaluation.parsed.items[key]
    if fields.get("errorCode"):
        return int(fields["errorCode"])
    for row in fields["topics" if api == "Metadata" else REQUEST_TYPES[api].response]:
        if "resourceName" in row:
            fits = row["resourceType"] == _TOPIC and row["resourceName"] == item.name
        else:
            fits = row.get("name") == item.name or (item.topic_id is not None and row.get("topicId") == item.topic_id)
        if fits:
            codes = {int(entry["errorCode"]) for entry in ([row] if "errorCode" in row else row.get("partitions", ()))}
            return codes.pop() if len(codes) == 1 else _TIMED_OUT  # some of it may be done
    return _TIMED_OUT
