"""Heartbeats of Kafka Streams groups (KIP-1071), by which a broker creates a topology's internal topics.

Who joins sends the topology. The broker keeps it, and creates what is missing then or at a later heartbeat of anybody's
that says nothing of topics: so all is decided when the topology comes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from warden.enforce.gateway.guards.guarded_request import GuardedRequest, GuardResult
from warden.enforce.gateway.guards.topology import compute_partition_counts, iter_internal_topics, list_source_topics
from warden.enforce.gateway.login.upstream import encode_request as own_request
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.apis import APIS
from warden.enforce.gateway.wire.frames import LENGTH, ProtocolError, Raw, RequestHeader
from warden.enforce.gateway.wire.responses import encode_response, extract_response_body
from warden.policy.adapter import Result, parse_request
from warden.policy.adapter.evaluation import Evaluation
from warden.policy.adapter.results import POLICY_VIOLATION

__all__ = ["build_evaluation", "build_result", "encode_answer", "encode_topic_lookup"]

_METADATA: Final = 3
_LOOKUP: Final = 12


def encode_topic_lookup(request: GuardedRequest) -> bytes | None:
    """Return the request that asks the broker for the topics of a topology; None where the heartbeat brings none.

    Raises:
        ProtocolError: The heartbeat says more than the gateway can read.
    """
    if not request.message.exact:
        raise ProtocolError(
            f"{request.head.api.name} v{request.head.version}: a request that the gateway cannot read all of"
        )
    subtopologies = _list_subtopologies(request)
    if not subtopologies:
        return None
    names = list_source_topics(subtopologies) | {info["name"] for info in iter_internal_topics(subtopologies)}
    fields = {"topics": [{"topicId": None, "name": name} for name in sorted(names)], "allowAutoTopicCreation": False}
    return own_request("Metadata", _LOOKUP, request.head.correlation_id, fields)[1]


def build_evaluation(request: GuardedRequest, topics: Raw | None) -> Evaluation:
    """Return the evaluation of what the broker will create: the internal topics that the client does not see.

    The number of partitions is what the topology says, or what follows from the topics that it reads; where that is not
    known, the decision input says so (``unknown``).

    Args:
        request: The heartbeat.
        topics: The broker's answer to `encode_topic_lookup`; None where the heartbeat brings no topology.

    Raises:
        ProtocolError: The topology points at topics that it does not have.
        Undecodable: The answer is none.
    """
    subtopologies = _list_subtopologies(request)
    existing = _read_partition_counts(request, topics) if topics is not None else {}
    try:
        counts = compute_partition_counts(subtopologies, existing)
    except IndexError:
        name = f"{request.head.api.name} v{request.head.version}"
        raise ProtocolError(f"{name}: a group of topics points at one that its subtopology does not have") from None
    missing = [info for info in iter_internal_topics(subtopologies) if info["name"] not in existing]
    parsed = parse_request("CreateTopics", {"topics": [_build_topic(info, counts) for info in missing]})
    evaluation = Evaluation(parsed)
    for key, document in parsed.inputs.items():
        if parsed.items[key].name not in counts:
            evaluation.inputs[key] = _without_partitions(document)
    return evaluation


def build_result(request: GuardedRequest, evaluation: Evaluation) -> GuardResult:
    """Return what follows from the decisions: a heartbeat goes on whole or not at all.

    What is left out of it the broker would create at the next one.
    """
    results = evaluation.build_results()
    refused = evaluation.amended or not all(result.allowed for result in results.values())
    return GuardResult(None if refused else request.raw, results, "none" if refused else "all")


def encode_answer(
    request: GuardedRequest, evaluation: Evaluation, results: Mapping[str, Result], _broker: Raw | None
) -> bytes:
    """Return the answer to a heartbeat that does not go on."""
    parsed, fields = evaluation.parsed, request.message.fields
    denied = {parsed.items[key].name: result for key, result in results.items() if not result.allowed}
    lines = [f"{name}: {result.error_message}" for name, result in denied.items()]
    lines += [
        _format_proposal(str(parsed.items[key].name), parsed.inputs[key], to) for key, to in evaluation.amended.items()
    ]
    codes = [result.error_code for result in denied.values()]
    error = {"errorCode": codes[0] if codes else POLICY_VIOLATION, "errorMessage": "; ".join(lines)}
    member = {name: fields[name] for name in ("memberId", "memberEpoch")}
    return encode_response(request.head, {**error, **member, "status": None})


def _list_subtopologies(request: GuardedRequest) -> Sequence[Mapping[str, Any]]:
    topology = request.message.fields["topology"]
    return topology["subtopologies"] if topology is not None else ()


def _read_partition_counts(request: GuardedRequest, raw: Raw) -> dict[str, int]:
    head = RequestHeader(APIS[_METADATA], _LOOKUP, request.head.correlation_id, None, LENGTH)
    topics = codec.decode(_METADATA, _LOOKUP, "Response", extract_response_body(head, raw)).fields["topics"]
    return {topic["name"]: len(topic["partitions"]) for topic in topics if topic["partitions"]}


def _build_topic(info: Mapping[str, Any], counts: Mapping[str, int]) -> dict[str, Any]:
    configs = [{"name": config["key"], "value": config["value"]} for config in info["topicConfigs"]]
    usual = {"replicationFactor": info["replicationFactor"] or -1, "assignments": [], "configs": configs}
    return {"name": info["name"], "numPartitions": counts.get(info["name"], -1), **usual}


def _without_partitions(document: Mapping[str, Any]) -> dict[str, Any]:
    request = {name: value for name, value in document["request"].items() if name != "numPartitions"}
    return {**document, "request": request, "unknown": ["/request/numPartitions"]}


def _format_proposal(name: str, document: Mapping[str, Any], merged: Mapping[str, Any]) -> str:
    before, after = (item["request"].get("configs") or {} for item in (document, merged))
    wanted = ", ".join(f"{config}={value}" for config, value in sorted(after.items()) if before.get(config) != value)
    return f"{name}: the policy wants {wanted}: set that for the topic in the application"
