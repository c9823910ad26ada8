"""Requests for metadata, by which a broker creates the topics that are not there: those are decided first."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from warden.enforce.gateway.guards.guarded_request import GuardedRequest, GuardResult
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH, ProtocolError, Raw, RequestHeader, encode_frame
from warden.enforce.gateway.wire.responses import encode_response, extract_response_body
from warden.policy.adapter import ParsedRequest, Result, parse_request
from warden.policy.adapter.evaluation import Evaluation
from warden.policy.adapter.results import POLICY_VIOLATION

__all__ = ["build_evaluation", "build_result", "encode_answer", "encode_lookup", "may_create"]

_UNKNOWN_TOPIC: Final = 3
# What clients act upon at once, and what a broker answers to one that may not create: with POLICY_VIOLATION itself
# producers would ask again until their time is over. All else is what the broker has answered: not there, try again.
_CLIENT_CODES: Final = {POLICY_VIOLATION: 29, 17: 17}


class MetadataEvaluation(Evaluation):
    """The decisions about what a broker would create, with its answer before that.

    Args:
        parsed: The creations.
        version: Of the request.
        found: The broker's answer.
    """

    def __init__(self, parsed: ParsedRequest, version: int, found: Raw) -> None:
        super().__init__(parsed)
        self.found = found
        api = {"api": {"key": "Metadata", "version": version}}
        self.inputs = {key: {**document, **api} for key, document in self.inputs.items()}


def may_create(request: GuardedRequest) -> bool:
    """Return whether a broker may create topics at a request; of version 4 or later, which say so."""
    fields = request.message.fields
    return bool(fields["allowAutoTopicCreation"] and fields["topics"])


def encode_lookup(request: GuardedRequest) -> bytes:
    """Return a request that creates nothing: a topic that is not there is answered as unknown.

    Raises:
        ProtocolError: It says more than the gateway can read, so that it cannot be changed.
    """
    head, message = request.head, request.message
    if not message.exact:
        raise ProtocolError(f"{head.api.name} v{head.version}: a request that the gateway cannot read all of")
    return _encode_frame(head, request.raw, {**message.fields, "allowAutoTopicCreation": False})


def build_evaluation(request: GuardedRequest, topics: Raw | None) -> MetadataEvaluation:
    """Return the evaluation of what a broker would create: topics with its own defaults.

    Args:
        request: The request.
        topics: The broker's answer to `encode_lookup`.

    Raises:
        Undecodable: The answer is none.
    """
    found = topics or b""
    usual = {"numPartitions": -1, "replicationFactor": -1, "assignments": [], "configs": []}
    missing = [{"name": name} | usual for name in _list_missing_topics(request.head, found)]
    parsed = parse_request("CreateTopics", {"topics": missing, "validateOnly": False})
    return MetadataEvaluation(parsed, request.head.version, found)


def build_result(request: GuardedRequest, evaluation: Evaluation) -> GuardResult:
    """Return what follows from the decisions: the request about the topics alone that the broker may create.

    A broker creates by its defaults: there is no place for configs that the policy wants.
    """
    results, items = evaluation.build_results(), evaluation.parsed.items
    names = {items[key].name for key, result in results.items() if result.allowed and key not in evaluation.amended}
    extent = "all" if len(names) == len(results) else "some" if names else "none"
    if not names:
        return GuardResult(None, results, extent)
    topics = [topic for topic in request.message.fields["topics"] if topic.get("name") in names]
    forward = _encode_frame(request.head, request.raw, {**request.message.fields, "topics": topics})
    return GuardResult(forward, results, extent, merges=True)


def encode_answer(
    request: GuardedRequest, evaluation: Evaluation, results: Mapping[str, Result], broker: Raw | None
) -> Raw:
    """Return the broker's answer with what became of the topics that were missing in it.

    Args:
        request: The request.
        evaluation: Of `build_evaluation`.
        results: What was decided.
        broker: The response to the request about what may be created; None where nothing may.

    Raises:
        Undecodable: One of the responses is none.
    """
    head, found = request.head, evaluation.found if isinstance(evaluation, MetadataEvaluation) else b""
    if not results:
        return found
    by_name = {evaluation.parsed.items[key].name: result for key, result in results.items()}
    created = {topic["name"]: topic for topic in _decode_response_topics(head, broker)} if broker is not None else {}
    fields = codec.decode(head.api.key, head.version, "Response", extract_response_body(head, found)).fields
    topics = [created.get(topic["name"]) or _apply_refusal(topic, by_name) for topic in fields["topics"]]
    return encode_response(head, {**fields, "topics": topics})


def _list_missing_topics(head: RequestHeader, broker: Raw) -> list[str]:
    """Return the topics that a response does not know; none where the gateway could not change that response."""
    message = codec.decode(head.api.key, head.version, "Response", extract_response_body(head, broker))
    if not message.exact:
        return []
    topics = message.fields["topics"]
    return [topic["name"] for topic in topics if topic["errorCode"] == _UNKNOWN_TOPIC and topic["name"]]


def _decode_response_topics(head: RequestHeader, raw: Raw) -> Sequence[Mapping[str, Any]]:
    topics: Sequence[Mapping[str, Any]] = codec.decode(
        head.api.key, head.version, "Response", extract_response_body(head, raw)
    ).fields["topics"]
    return topics


def _apply_refusal(topic: Mapping[str, Any], results: Mapping[str | None, Result]) -> Mapping[str, Any]:
    result = results.get(topic["name"])
    if result is None or result.error_code not in _CLIENT_CODES:
        return topic
    return {**topic, "errorCode": _CLIENT_CODES[result.error_code]}


def _encode_frame(head: RequestHeader, raw: bytes, fields: Mapping[str, Any]) -> bytes:
    return encode_frame(raw[LENGTH : head.body_start], codec.encode(head.api.key, head.version, "Request", fields))
