"""Conversion between confluent-kafka's objects and Kafka's requests."""

from collections.abc import Mapping, Sequence
from typing import Any

from confluent_kafka import ConsumerGroupTopicPartitions, ElectionType, TopicPartition
from confluent_kafka.admin import (
    AclBinding,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    UserScramCredentialAlteration,
    UserScramCredentialDeletion,
)

from warden.policy.contract.names import CONFIG_RESOURCE_TYPES

__all__ = [
    "build_acl",
    "build_alter_configs_request",
    "build_create_partitions_request",
    "build_create_topics_request",
    "build_delete_records_request",
    "build_delete_topics_request",
    "build_election_request",
    "build_group_offsets_request",
    "build_incremental_alter_configs_request",
    "build_scram_request",
    "with_changes",
    "with_configs",
    "with_entries",
]

_ACL_NAMES = {"ANY": None, "BROKER": "CLUSTER"}  # librdkafka calls Kafka's CLUSTER, of the same number, so
_OPERATIONS = {"SET": 0, "DELETE": 1, "APPEND": 2, "SUBTRACT": 3}


def build_create_topics_request(topics: Sequence[NewTopic]) -> dict[str, Any]:
    """Return a CreateTopics request; with an assignment both numbers are -1, as librdkafka sends them."""
    return {"topics": [_encode_new_topic(topic) for topic in topics]}


def build_create_partitions_request(partitions: Sequence[NewPartitions]) -> dict[str, Any]:
    """Return a CreatePartitions request."""
    return {
        "topics": [
            {
                "name": new.topic,
                "count": new.new_total_count,
                "assignments": [{"brokerIds": list(replicas)} for replicas in new.replica_assignment or ()] or None,
            }
            for new in partitions
        ]
    }


def build_delete_topics_request(topics: Sequence[str]) -> dict[str, Any]:
    """Return a DeleteTopics request."""
    return {"topics": [{"name": topic, "topicId": None} for topic in topics]}


def build_delete_records_request(offsets: Sequence[TopicPartition]) -> dict[str, Any]:
    """Return a DeleteRecords request with one element for each partition."""
    return {
        "topics": [
            {"name": of.topic, "partitions": [{"partitionIndex": of.partition, "offset": of.offset}]} for of in offsets
        ]
    }


def build_alter_configs_request(resources: Sequence[ConfigResource]) -> dict[str, Any]:
    """Return a legacy AlterConfigs request."""
    return {
        "resources": [
            _encode_resource(
                resource, [{"name": name, "value": value} for name, value in resource.set_config_dict.items()]
            )
            for resource in resources
        ]
    }


def build_incremental_alter_configs_request(resources: Sequence[ConfigResource]) -> dict[str, Any]:
    """Return an IncrementalAlterConfigs request."""
    return {
        "resources": [
            _encode_resource(resource, [_encode_operation(entry) for entry in resource.incremental_configs])
            for resource in resources
        ]
    }


def build_acl(binding: AclBinding) -> dict[str, Any]:
    """Return the contract's ``acl`` of a binding, or of a filter: what matches any is null."""
    enums: dict[str, Any] = {
        "resourceType": binding.restype,
        "patternType": binding.resource_pattern_type,
        "operation": binding.operation,
        "permissionType": binding.permission_type,
    }
    names = {field: _ACL_NAMES.get(value.name, value.name) for field, value in enums.items()}
    return {"resourceName": binding.name, "principal": binding.principal, "host": binding.host, **names}


def build_scram_request(alteration: UserScramCredentialAlteration) -> dict[str, Any]:
    """Return the contract's AlterScram request, without salt and password."""
    if isinstance(alteration, UserScramCredentialDeletion):
        return {"user": alteration.user, "mechanism": _encode_mechanism(alteration.mechanism), "remove": True}
    info: Any = getattr(alteration, "scram_credential_info")  # noqa: B009 - of an upsertion, the only other kind
    return {"user": alteration.user, "mechanism": _encode_mechanism(info.mechanism), "iterations": info.iterations}


def build_group_offsets_request(of: ConsumerGroupTopicPartitions) -> dict[str, Any]:
    """Return the contract's AlterGroupOffsets request."""
    offsets = [
        {"topic": item.topic, "partition": item.partition, "offset": item.offset} for item in of.topic_partitions or ()
    ]
    return {"group": of.group_id, "offsets": offsets}


def build_election_request(type_: ElectionType, partitions: Sequence[TopicPartition] | None) -> dict[str, Any]:
    """Return the contract's ElectLeaders request; without partitions it is about all."""
    named: dict[str, list[int]] = {}
    for partition in partitions or ():
        named.setdefault(partition.topic, []).append(partition.partition)
    elected = [{"topic": topic, "partitions": numbers} for topic, numbers in named.items()]
    return {"electionType": type_.name, "topicPartitions": None if partitions is None else elected}


def with_configs(topic: NewTopic, request: Mapping[str, Any]) -> NewTopic:
    """Return a new topic with the configs of a decision input's request."""
    numbers = (
        {"replica_assignment": topic.replica_assignment}
        if topic.replica_assignment
        else {"replication_factor": topic.replication_factor}
    )
    return NewTopic(topic.topic, num_partitions=topic.num_partitions, config=dict(request["configs"]), **numbers)


def with_entries(resource: ConfigResource, request: Mapping[str, Any]) -> ConfigResource:
    """Return a resource with the full change of a decision input's request."""
    return ConfigResource(resource.restype, resource.name, set_config=dict(request["configs"]["entries"]))


def with_changes(resource: ConfigResource, request: Mapping[str, Any]) -> ConfigResource:
    """Return a resource with the incremental change of a decision input's request."""
    entries = [
        ConfigEntry(op["name"], op.get("value"), incremental_operation=AlterConfigOpType[op["op"]])
        for op in request["configs"]["ops"]
    ]
    return ConfigResource(resource.restype, resource.name, incremental_configs=entries)


def _encode_new_topic(topic: NewTopic) -> dict[str, Any]:
    configs = [{"name": name, "value": value} for name, value in (topic.config or {}).items()]
    if topic.replica_assignment:
        assignments = [
            {"partitionIndex": partition, "brokerIds": list(replicas)}
            for partition, replicas in enumerate(topic.replica_assignment)
        ]
        return {"name": topic.topic, "assignments": assignments, "configs": configs}
    return {
        "name": topic.topic,
        "numPartitions": topic.num_partitions,
        "replicationFactor": topic.replication_factor,
        "configs": configs,
    }


def _encode_resource(resource: ConfigResource, configs: list[dict[str, Any]]) -> dict[str, Any]:
    # librdkafka has numbers of its own
    code = CONFIG_RESOURCE_TYPES.get(resource.restype.name.lower(), resource.restype_int)
    return {"resourceType": code, "resourceName": resource.name, "configs": configs}


def _encode_operation(entry: ConfigEntry) -> dict[str, Any]:
    operation = entry.incremental_operation
    code = None if operation is None else _OPERATIONS[operation.name]
    return {"name": entry.name, "configOperation": code, "value": entry.value}


def _encode_mechanism(mechanism: Any) -> str:
    return str(mechanism.name).replace("_", "-")
