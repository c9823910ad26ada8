"""Cases as requests of Kafka's protocol, and as files: where they can be said so."""

from typing import Any

__all__ = ["as_file", "as_request"]

_ENVELOPE = {"operation", "request", "cluster", "enforcementPoint", "now", "clusterState"}
_OPERATIONS = {"SET": 0, "DELETE": 1, "APPEND": 2, "SUBTRACT": 3}
_TOPIC = 2


def as_request(document: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Return the API and the request, in Kafka's JSON, that a decision input came from; None where none did.

    Args:
        document: The decision input.
    """
    request = document["request"]
    match document["operation"], sorted(request):
        case "CreateTopic", fields if not set(fields) - {"topic", "numPartitions", "replicationFactor", "configs"}:
            return "CreateTopics", {"topics": [_new_topic(request)], "validateOnly": False}
        case "AlterTopic", ["configs", "topic"]:
            return _alteration(request)
        case "AlterTopic", ["numPartitions", "topic"]:
            topic = {"name": request["topic"], "count": request["numPartitions"], "assignments": None}
            return "CreatePartitions", {"topics": [topic], "validateOnly": False}
        case "DeleteTopic", ["topic"] | ["topic", "topicsInRequest"]:
            return "DeleteTopics", {"topicNames": [request["topic"]]}
        case _:
            return None


def _new_topic(request: dict[str, Any]) -> dict[str, Any]:
    configs = [{"name": name, "value": value} for name, value in request.get("configs", {}).items()]
    numbers = {key: request.get(key, -1) for key in ("numPartitions", "replicationFactor")}
    return {"name": request.get("topic"), **numbers, "assignments": [], "configs": configs}


def _alteration(request: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    where = {"resourceType": _TOPIC, "resourceName": request["topic"]}
    match request["configs"]:
        case {"mode": "incremental", "ops": ops}:
            configs = [
                {"name": op["name"], "configOperation": _OPERATIONS[op["op"]], "value": op.get("value")} for op in ops
            ]
            return "IncrementalAlterConfigs", {"resources": [{**where, "configs": configs}], "validateOnly": False}
        case {"mode": "full", "entries": entries}:
            configs = [{"name": name, "value": value} for name, value in entries.items()]
            return "AlterConfigs", {"resources": [{**where, "configs": configs}], "validateOnly": False}
        case _:
            return None


def as_file(document: dict[str, Any]) -> dict[str, Any] | None:
    """Return a new topic as Warden's own form has it; None where a file cannot say it.

    Args:
        document: The decision input.
    """
    request, state = document["request"], document.get("clusterState") or {}
    fields = {"topic", "numPartitions", "replicationFactor", "configs", "labels"}
    if document["operation"] != "CreateTopic" or set(document) - _ENVELOPE or set(request) - fields:
        return None
    texts = [*request.get("configs", {}).values(), *request.get("labels", {}).values()]
    numbers = [request.get(key, 1) for key in ("numPartitions", "replicationFactor")]
    if not all(isinstance(each, str) for each in texts) or not all(number == -1 or number > 0 for number in numbers):
        return None
    if not isinstance(request.get("topic"), str) or not request["topic"] or request["topic"] in state.get("topics", {}):
        return None
    return {"cluster": document["cluster"], **request}
