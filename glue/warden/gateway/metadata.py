"""Requests for metadata, by which a broker creates the topics that are not there: those are decided first."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from warden.adapter import ParsedRequest, Result, parse_request
from warden.adapter.evaluation import Evaluation
from warden.gateway import codec
from warden.gateway.frames import LENGTH, Head, ProtocolError, Raw, frame
from warden.gateway.responses import response, response_body

__all__ = ["creatable", "creating", "missing_topics", "parse_creations", "with_topics", "without_creation"]

_UNKNOWN_TOPIC: Final = 3
# What clients act upon at once, and what a broker answers to one that may not create: with POLICY_VIOLATION itself
# producers would ask again until their time is over.
_SHOWN: Final = {44: 29, 17: 17}


def without_creation(head: Head, raw: bytes) -> bytes:
    """Return a Metadata request that creates nothing: a topic that is not there is answered as unknown.

    Args:
        head: Its head, of version 4 or later: versions before have no field that says so.
        raw: Its frame.

    Raises:
        ProtocolError: It says more than the gateway can read, so that it cannot be changed.
        Undecodable: It is none.
    """
    message = _request(head, raw)
    if not message.fields["allowAutoTopicCreation"] or not message.fields["topics"]:
        return raw
    if not message.exact:
        raise ProtocolError(f"{head.api.name} v{head.version}: a request that the gateway cannot read all of")
    return _framed(head, raw, {**message.fields, "allowAutoTopicCreation": False})


def missing_topics(head: Head, broker: Raw) -> list[str]:
    """Return the topics that a response does not know; none where the gateway could not change that response.

    Raises:
        Undecodable: It is none.
    """
    message = codec.decode(head.api.key, head.version, "Response", response_body(head, broker))
    if not message.exact:
        return []
    topics = message.fields["topics"]
    return [topic["name"] for topic in topics if topic["errorCode"] == _UNKNOWN_TOPIC and topic["name"]]


def parse_creations(names: Sequence[str]) -> ParsedRequest:
    """Return what a broker would create: topics with its own defaults."""
    usual = {"numPartitions": -1, "replicationFactor": -1, "assignments": [], "configs": []}
    return parse_request("CreateTopics", {"topics": [{"name": name} | usual for name in names], "validateOnly": False})


def creatable(evaluation: Evaluation) -> tuple[dict[str, Result], list[str]]:
    """Return what was decided by topic, and the topics that the broker may create.

    A broker creates by its defaults: there is no place for configs that the policy wants.
    """
    results, items = evaluation.results(), evaluation.parsed.items
    by_name = {str(item.name): results[key] for key, item in items.items()}
    amended = {str(items[key].name) for key in evaluation.amended}
    return by_name, [name for name, result in by_name.items() if result.allowed and name not in amended]


def creating(head: Head, raw: bytes, names: Sequence[str]) -> bytes:
    """Return the request about some of its topics alone, which the broker creates.

    Raises:
        Undecodable: It is none.
    """
    fields = _request(head, raw).fields
    topics = [topic for topic in fields["topics"] if topic.get("name") in names]
    return _framed(head, raw, {**fields, "topics": topics})


def with_topics(head: Head, broker: Raw, results: Mapping[str, Result], created: Raw | None) -> bytes:
    """Return a response with what became of the topics that were missing in it.

    Args:
        head: The head of its request.
        broker: The response.
        results: What was decided, by topic.
        created: The response to `creating`; None where nothing was created.

    Raises:
        Undecodable: One of them is none.
    """
    fields = codec.decode(head.api.key, head.version, "Response", response_body(head, broker)).fields
    later = {}
    if created is not None:
        answer = codec.decode(head.api.key, head.version, "Response", response_body(head, created)).fields
        later = {topic["name"]: topic for topic in answer["topics"]}
    topics = [later.get(topic["name"]) or _refused(topic, results) for topic in fields["topics"]]
    return response(head, {**fields, "topics": topics})


def _refused(topic: Mapping[str, Any], results: Mapping[str, Result]) -> Mapping[str, Any]:
    result = results.get(topic["name"])
    if result is None or result.error_code not in _SHOWN:
        return topic
    return {**topic, "errorCode": _SHOWN[result.error_code]}


def _request(head: Head, raw: bytes) -> codec.Message:
    return codec.decode(head.api.key, head.version, "Request", raw[head.body :])


def _framed(head: Head, raw: bytes, fields: Mapping[str, Any]) -> bytes:
    return frame(raw[LENGTH : head.body], codec.encode(head.api.key, head.version, "Request", fields))
