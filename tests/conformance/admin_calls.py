"""Cases as calls of confluent-kafka's AdminClient, where it has a method that says them."""

from collections.abc import Callable
from typing import Any

from confluent_kafka import ConsumerGroupTopicPartitions, TopicPartition
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialDeletion,
    UserScramCredentialUpsertion,
)

from warden.policy.adapter.request_types import REQUEST_TYPES, RESOURCE_TYPES

__all__ = ["as_call"]

Call = tuple[str, list[Any], dict[str, Any]]

_SAID = {row.operation for row in REQUEST_TYPES.values()} | {operation for operation, _ in RESOURCE_TYPES.values()}
_NEWEST = 7  # of CreateTopics, the one request of which the cases tell the version
_WITHOUT_METHOD = {
    *("AddRaftVoter", "AlterQuota", "AlterReplicaLogDirs", "CreateDelegationToken", "DeleteGroupOffsets"),
    *("ExpireDelegationToken", "RemoveRaftVoter", "RenewDelegationToken", "UnregisterBroker", "UpdateFeatures"),
}
_RESOURCES = {"group": ResourceType.GROUP}
_ACL_RESOURCES = {**ResourceType.__members__, "CLUSTER": ResourceType.BROKER}  # as librdkafka calls it


def as_call(case: dict[str, Any]) -> Call | str:
    """Return the method, what it is given and its options; or what cannot be said so.

    Args:
        case: Of the suite.
    """
    document = case["input"]
    operation, request = document["operation"], document["request"]
    hindrances = {
        "what is known only later": "unknown" in document,
        "a misspelt decision input": "invalidInput" in case["expected"],
        "a host of the caller": "host" in document.get("principal", {}),
        "topics that are deleted together": request.get("topicsInRequest", 1) != 1,
        "an old version of a request": document.get("api", {}).get("version", _NEWEST) < _NEWEST,
        "no request of Kafka's": operation not in _SAID,
        "one result for all": operation == "ElectLeaders",
        "no method": operation in _WITHOUT_METHOD or "reassignments" in request,
    }
    if hindrance := next((words for words, hinders in hindrances.items() if hinders), ""):
        return hindrance
    try:
        made = _CALLS[operation](request)
    except (KeyError, TypeError, ValueError) as error:
        return f"what confluent-kafka's objects do not hold: {error}"
    return made or "fields of several requests, or of none"


def _create_topic(request: dict[str, Any]) -> Call | None:
    fields = {"topic", "numPartitions", "replicationFactor", "replicasAssignments", "configs", "labels"}
    if set(request) - fields:
        return None
    numbers: dict[str, Any] = {"replication_factor": request.get("replicationFactor", -1)}
    if given := request.get("replicasAssignments"):
        if set(given) != {str(number) for number in range(len(given))} or "replicationFactor" in request:
            return None
        numbers = {"replica_assignment": [given[str(number)] for number in range(len(given))]}
    topic = NewTopic(request["topic"], request.get("numPartitions", -1), config=request.get("configs", {}), **numbers)
    return "create_topics", [topic], {"labels": {request["topic"]: request.get("labels", {})}}


def _alter_topic(request: dict[str, Any]) -> Call | None:
    match sorted(request):
        case ["numPartitions", "topic"]:
            return "create_partitions", [NewPartitions(request["topic"], request["numPartitions"])], {}
        case ["configs", "topic"]:
            return _alteration(ResourceType.TOPIC, request["topic"], request["configs"])
    return None


def _delete_records(request: dict[str, Any]) -> Call | None:
    if len(offsets := request["deletedMessageOffsets"]) != 1:  # partitions are decided one by one
        return None
    ((partition, offset),) = offsets.items()
    return "delete_records", [TopicPartition(request["topic"], int(partition), offset)], {}


def _alteration(kind: ResourceType, name: str, change: dict[str, Any]) -> Call | None:
    match change:
        case {"mode": "incremental", "ops": ops}:
            entries = [
                ConfigEntry(op["name"], op.get("value"), incremental_operation=AlterConfigOpType[op["op"]])
                for op in ops
            ]
            resource = ConfigResource(kind, name, incremental_configs=entries)
            return "incremental_alter_configs", [resource], {}
        case {"mode": "full", "entries": entries}:
            return "alter_configs", [ConfigResource(kind, name, set_config=entries)], {}
    return None


def _acl(method: str, kind: type[AclBinding], acl: dict[str, Any]) -> Call:
    fields: list[Any] = [
        _ACL_RESOURCES[acl.get("resourceType", "ANY")],
        acl.get("resourceName"),
        ResourcePatternType[acl.get("patternType", "ANY")],
        acl.get("principal"),
        acl.get("host"),
        AclOperation[acl.get("operation", "ANY")],
        AclPermissionType[acl.get("permissionType", "ANY")],
    ]
    return method, [kind(*fields)], {}


def _alter_scram(request: dict[str, Any]) -> Call:
    mechanism = ScramMechanism[request["mechanism"].replace("-", "_")]
    if request.get("remove"):
        return "alter_user_scram_credentials", [UserScramCredentialDeletion(request["user"], mechanism)], {}
    info = ScramCredentialInfo(mechanism, request["iterations"])
    return "alter_user_scram_credentials", [UserScramCredentialUpsertion(request["user"], info, b"x", b"y")], {}


def _alter_offsets(request: dict[str, Any]) -> Call:
    offsets = [TopicPartition(one["topic"], one["partition"], one["offset"]) for one in request["offsets"]]
    return "alter_consumer_group_offsets", [ConsumerGroupTopicPartitions(request["group"], offsets)], {}


_CALLS: dict[str, Callable[[dict[str, Any]], Call | None]] = {
    "CreateTopic": _create_topic,
    "AlterTopic": _alter_topic,
    "DeleteTopic": lambda request: ("delete_topics", [request["topic"]], {}),
    "DeleteRecords": _delete_records,
    "AlterBroker": lambda request: _alteration(ResourceType.BROKER, request["broker"], request["configs"]),
    "AlterConfig": lambda request: _alteration(
        _RESOURCES[request["resource"]["type"]], request["resource"]["name"], request["configs"]
    ),
    "CreateAcl": lambda request: _acl("create_acls", AclBinding, request["acl"]),
    "DeleteAcl": lambda request: _acl("delete_acls", AclBindingFilter, request["acl"]),
    "AlterScram": _alter_scram,
    "AlterGroupOffsets": _alter_offsets,
    "DeleteGroup": lambda request: ("delete_consumer_groups", [request["group"]], {}),
}
