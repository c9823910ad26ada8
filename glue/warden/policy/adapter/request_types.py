"""Table of the Kafka requests that are decided about: where their resources are, and what each field becomes.

Names are those of Kafka's message definitions (``clients/src/main/resources/common/message/*.json``, 4.3) in camelCase,
as its own JSON converters write them. What differs between two forms is a difference between two rows.
"""

from collections.abc import Mapping
from typing import Any

from warden.policy.adapter.access import (
    build_acl_binding,
    build_acl_filter,
    build_credential,
    build_quota,
    identify_entity,
    identify_user,
)
from warden.policy.adapter.administration_types import ADMINISTRATION_TYPES
from warden.policy.adapter.fields import (
    build_partition_reader,
    build_strict_partition_reader,
    encode_full_change,
    encode_incremental_change,
    encode_named_configs,
    list_replica_assignments,
    parse_full_change,
    parse_incremental_change,
    parse_named_configs,
)
from warden.policy.adapter.request_type import Field, RequestType
from warden.policy.contract.names import CONFIG_RESOURCE_TYPES

__all__ = ["REQUEST_TYPES", "RESOURCE_TYPES", "Field", "RequestType"]

_OPERATIONS = {"topic": "AlterTopic", "broker": "AlterBroker"}
RESOURCE_TYPES = {code: (_OPERATIONS.get(name, "AlterConfig"), name) for name, code in CONFIG_RESOURCE_TYPES.items()}
"""ConfigResource.Type by its code: the operation, and the type's name."""

_ASSIGNED_TWICE = (
    "Found multiple manual partition assignments for partition {}",
    (39, "INVALID_REPLICA_ASSIGNMENT"),
)
_TWICE = "Partition {} is reassigned twice in one request: name it once."


def _is_empty(value: Any) -> bool:
    return value is None or value in ([], ())


def _is_default(value: Any) -> bool:
    return value is None or value is True


REQUEST_TYPES: Mapping[str, RequestType] = {
    "CreateTopics": RequestType(
        lists=("topics",),
        operation="CreateTopic",
        fields={
            "numPartitions": Field("numPartitions"),
            "replicationFactor": Field("replicationFactor"),
            "assignments": Field(
                "replicasAssignments",
                build_strict_partition_reader("brokerIds", *_ASSIGNED_TWICE),
                _is_empty,
            ),
            "configs": Field("configs", parse_named_configs, _is_empty),
        },
        repeated="Duplicate topic name.",
        validates=True,
        response="topics",
        write_configs=encode_named_configs,
        text_since=1,
    ),
    "CreatePartitions": RequestType(
        lists=("topics",),
        operation="AlterTopic",
        fields={"count": Field("numPartitions"), "assignments": Field("newAssignments", list_replica_assignments)},
        repeated="Duplicate topic name.",
        validates=True,
        response="results",
    ),
    "AlterConfigs": RequestType(
        lists=("resources",),
        operation=None,
        fields={"configs": Field("configs", parse_full_change)},
        repeated="Each resource must appear at most once.",
        validates=True,
        response="responses",
        unknown=frozenset({8}),
        write_configs=encode_full_change,
    ),
    "IncrementalAlterConfigs": RequestType(
        lists=("resources",),
        operation=None,
        fields={"configs": Field("configs", parse_incremental_change)},
        repeated="Each resource must appear at most once.",
        validates=True,
        response="responses",
        write_configs=encode_incremental_change,
    ),
    # A broker takes a partition named twice as two reassignments, one after the other: no decision can be about both.
    "AlterPartitionReassignments": RequestType(
        lists=("topics",),
        operation="AlterTopic",
        fields={"partitions": Field("reassignments", build_strict_partition_reader("replicas", _TWICE))},
        common={"allowReplicationFactorChange": Field("allowReplicationFactorChange", is_absent=_is_default)},
        response="responses",
        in_partitions={},
    ),
    # KIP-201 wanted version 2 for its text and its POLICY_VIOLATION; that number was taken, and the text came with 5.
    "DeleteTopics": RequestType(
        lists=("topics", "topicNames"),
        operation="DeleteTopic",
        repeated="Duplicate topic name.",
        response="responses",
        counted="topicsInRequest",
        text_since=5,
        denial_since=5,
    ),
    # No version has the KIP's text. The newest is what clients of today speak, and they know the code: a broker sends
    # it for a topic that is only compacted.
    "DeleteRecords": RequestType(
        lists=("topics",),
        operation="DeleteRecords",
        fields={"partitions": Field("deletedMessageOffsets", build_partition_reader("offset"))},
        response="topics",
        in_partitions={"lowWatermark": -1},
        text_since=None,
        denial_since=2,
    ),
    "CreateAcls": RequestType(
        lists=("creations",),
        operation="CreateAcl",
        response="results",
        resource="acl",
        read=build_acl_binding,
        echo=lambda _struct: {},
        identify=lambda _struct: None,
    ),
    "DeleteAcls": RequestType(
        lists=("filters",),
        operation="DeleteAcl",
        response="filterResults",
        resource="acl",
        read=build_acl_filter,
        echo=lambda _struct: {"matchingAcls": []},
        identify=lambda _struct: None,
    ),
    "AlterClientQuotas": RequestType(
        lists=("entries",),
        operation="AlterQuota",
        repeated="Ignoring duplicate entity ClientQuotaEntity(entries={{}})",
        validates=True,
        response="entries",
        resource="quota",
        read=build_quota,
        echo=lambda struct: {"entity": struct.get("entity")},
        identify=identify_entity,
    ),
    "AlterUserScramCredentials": RequestType(
        lists=("deletions", "upsertions"),
        operation="AlterScram",
        repeated="A user credential cannot be altered twice in the same request",
        response="results",
        resource="scram",
        read=build_credential,
        echo=lambda struct: {"user": struct.get("name")},
        identify=identify_user,
        repeated_code=(92, "DUPLICATE_RESOURCE"),
    ),
    **ADMINISTRATION_TYPES,
}
"""By the name of the request, without ``Request``."""
