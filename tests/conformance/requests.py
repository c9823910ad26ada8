"""Cases as requests of Kafka's protocol, and as files: where they can be said so."""

from base64 import urlsafe_b64decode
from typing import Any
from uuid import UUID

from warden.policy.contract.names import (
    ACL_OPERATIONS,
    ACL_PERMISSIONS,
    ACL_RESOURCE_TYPES,
    PATTERN_TYPES,
    SCRAM_MECHANISMS,
)

__all__ = ["as_file", "as_request"]

_ENVELOPE = {"operation", "request", "cluster", "enforcementPoint", "now", "clusterState"}
_Request = tuple[str, dict[str, Any]]

_OPERATIONS = {"SET": 0, "DELETE": 1, "APPEND": 2, "SUBTRACT": 3}
_UPGRADE_TYPES = {"UPGRADE": 1, "SAFE_DOWNGRADE": 2, "UNSAFE_DOWNGRADE": 3}
_TOPIC, _BROKER = 2, 4
_RESOURCES = {"broker-logger": 8, "client-metrics": 16, "group": 32}
_OF_A_TOPIC = {"topic", "numPartitions", "replicationFactor", "replicasAssignments", "configs"}
_ENTITIES = {"clientId": "client-id", "user": "user", "ip": "ip"}


def as_request(document: dict[str, Any]) -> _Request | None:
    """Return the API and the request, in Kafka's JSON, that a decision input came from; None where none did.

    Args:
        document: The decision input.
    """
    for read in (_of_topics, _of_configs, _of_access, _of_administration, _of_nodes, _of_tokens, _of_groups):
        if (made := read(document["operation"], document["request"])) is not None:
            return made
    return None


def _of_topics(operation: str, request: dict[str, Any]) -> _Request | None:
    match operation, sorted(request):
        case "CreateTopic", fields if not set(fields) - _OF_A_TOPIC:
            return "CreateTopics", {"topics": [_new_topic(request)], "validateOnly": False}
        case "AlterTopic", ["numPartitions", "topic"]:
            topic = {"name": request["topic"], "count": request["numPartitions"], "assignments": None}
            return "CreatePartitions", {"topics": [topic], "validateOnly": False}
        case "AlterTopic", ["reassignments", "topic"]:
            partitions = _by_partition(request["reassignments"], "replicas")
            return "AlterPartitionReassignments", {"topics": [{"name": request["topic"], "partitions": partitions}]}
        case "DeleteTopic", ["topic"] | ["topic", "topicsInRequest"]:
            return "DeleteTopics", {"topicNames": [request["topic"]]}
        case "DeleteRecords", _:
            partitions = _by_partition(request["deletedMessageOffsets"], "offset")
            return "DeleteRecords", {"topics": [{"name": request["topic"], "partitions": partitions}]}
    return None


def _of_configs(operation: str, request: dict[str, Any]) -> _Request | None:
    match operation, sorted(request):
        case "AlterTopic", ["configs", "topic"]:
            return _alteration(_TOPIC, request["topic"], request["configs"])
        case "AlterBroker", _:
            return _alteration(_BROKER, request["broker"], request["configs"])
        case "AlterConfig", _:
            resource = request["resource"]
            return _alteration(_RESOURCES[resource["type"]], resource["name"], request["configs"])
    return None


def _of_access(operation: str, request: dict[str, Any]) -> _Request | None:
    match operation:
        case "CreateAcl":
            acl = request["acl"]
            kinds = {
                "resourceType": ACL_RESOURCE_TYPES.index(acl["resourceType"]),
                "resourcePatternType": PATTERN_TYPES.index(acl["patternType"]),
            }
            names = {name: acl[name] for name in ("resourceName", "principal", "host")}
            return "CreateAcls", {"creations": [{**kinds, **names, **_codes(acl)}]}
        case "DeleteAcl":
            acl = request["acl"]
            kinds = {
                "resourceTypeFilter": ACL_RESOURCE_TYPES.index(acl.get("resourceType", "ANY")),
                "patternTypeFilter": PATTERN_TYPES.index(acl.get("patternType", "ANY")),
            }
            names = {f"{name}Filter": acl.get(name) for name in ("resourceName", "principal", "host")}
            return "DeleteAcls", {"filters": [{**kinds, **names, **_codes(acl)}]}
        case "AlterQuota":
            entity = [{"entityType": _ENTITIES[type_], "entityName": name} for type_, name in request["entity"].items()]
            ops = [{"value": 0.0, "remove": False, **op} for op in request["ops"]]
            return "AlterClientQuotas", {"entries": [{"entity": entity, "ops": ops}], "validateOnly": False}
        case "AlterScram":
            one = {"name": request["user"], "mechanism": SCRAM_MECHANISMS.index(request["mechanism"])}
            more = {"iterations": request.get("iterations", 4096), "salt": b"salt", "saltedPassword": bytes(32)}
            lists = ([one], []) if request.get("remove") else ([], [one | more])
            return "AlterUserScramCredentials", dict(zip(("deletions", "upsertions"), lists, strict=True))
    return None


def _of_administration(operation: str, request: dict[str, Any]) -> _Request | None:
    match operation:
        case "UpdateFeatures":
            updates = [one | {"upgradeType": _UPGRADE_TYPES[one["upgradeType"]]} for one in request["featureUpdates"]]
            return "UpdateFeatures", {"featureUpdates": updates, "timeoutMs": 60_000, "validateOnly": False}
        case "ElectLeaders":
            partitions = request.get("topicPartitions")
            type_ = int(request["electionType"] == "UNCLEAN")
            return "ElectLeaders", {"electionType": type_, "topicPartitions": partitions, "timeoutMs": 60_000}
        case "UnregisterBroker":
            return "UnregisterBroker", {"brokerId": int(request["broker"])}
    return None


def _of_nodes(operation: str, request: dict[str, Any]) -> _Request | None:
    match operation:
        case "AddRaftVoter" | "RemoveRaftVoter":
            listeners: dict[str, Any] = {"listeners": []} if operation == "AddRaftVoter" else {}
            directory = UUID(bytes=urlsafe_b64decode(request["directory"] + "=="))
            voter = {"clusterId": None, "voterId": int(request["voter"]), "voterDirectoryId": directory}
            return operation, voter | listeners
        case "AlterReplicaLogDirs":
            dirs = [
                {"path": one["directory"], "topics": [{"name": one["topic"], "partitions": one["partitions"]}]}
                for one in request["replicas"]
            ]
            return operation, {"dirs": dirs}
    return None


def _of_tokens(operation: str, request: dict[str, Any]) -> _Request | None:
    match operation:
        case "CreateDelegationToken":
            type_, _, name = (request.get("owner") or "").partition(":")
            renewers = [one.split(":") for one in request.get("renewers", ())]
            named = [{"principalType": type_, "principalName": name} for type_, name in renewers]
            owner = {"ownerPrincipalType": type_ or None, "ownerPrincipalName": name or None}
            return operation, {**owner, "renewers": named, "maxLifetimeMs": request["maxLifetimeMs"]}
        case "RenewDelegationToken" | "ExpireDelegationToken":
            return operation, {"hmac": b"h", **request}
    return None


def _of_groups(operation: str, request: dict[str, Any]) -> _Request | None:
    match operation:
        case "DeleteGroup":
            return "DeleteGroups", {"groupsNames": [request["group"]]}
        case "AlterGroupOffsets":
            topics = [
                {
                    "topicName": one["topic"],
                    "partitions": [{"partitionIndex": one["partition"], "startOffset": one["offset"]}],
                }
                for one in request["offsets"]
            ]
            return "AlterShareGroupOffsets", {"groupId": request["group"], "topics": topics}
        case "DeleteGroupOffsets" if any(one["partitions"] is None for one in request["topicPartitions"]):
            topics = [{"topicName": one["topic"]} for one in request["topicPartitions"]]
            return "DeleteShareGroupOffsets", {"groupId": request["group"], "topics": topics}
        case "DeleteGroupOffsets":
            topics = [
                {"name": one["topic"], "partitions": [{"partitionIndex": number} for number in one["partitions"]]}
                for one in request["topicPartitions"]
            ]
            return "OffsetDelete", {"groupId": request["group"], "topics": topics}
    return None


def _codes(acl: dict[str, Any]) -> dict[str, int]:
    operation, permission = (acl.get(name, "ANY") for name in ("operation", "permissionType"))
    return {"operation": ACL_OPERATIONS.index(operation), "permissionType": ACL_PERMISSIONS.index(permission)}


def _by_partition(values: dict[str, Any], field: str) -> list[dict[str, Any]]:
    return [{"partitionIndex": int(partition), field: value} for partition, value in values.items()]


def _new_topic(request: dict[str, Any]) -> dict[str, Any]:
    configs = [{"name": name, "value": value} for name, value in request.get("configs", {}).items()]
    numbers = {key: request.get(key, -1) for key in ("numPartitions", "replicationFactor")}
    assignments = _by_partition(request.get("replicasAssignments", {}), "brokerIds")
    return {"name": request.get("topic"), **numbers, "assignments": assignments, "configs": configs}


def _alteration(type_: int, name: str, change: dict[str, Any]) -> _Request | None:
    where = {"resourceType": type_, "resourceName": name}
    match change:
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
