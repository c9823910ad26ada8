"""Table of the Kafka requests that are decided about: where their resources are, and what each field becomes.

Names are those of Kafka's message definitions (``clients/src/main/resources/common/message/*.json``, 4.3) in camelCase,
as its own JSON converters write them. What differs between two forms is a difference between two rows.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from warden.policy.adapter.access import acl_binding, acl_filter, credential, parse_entity, parse_user, quota
from warden.policy.adapter.administration import election, feature_updates, read_unregistration, refuse_election
from warden.policy.adapter.fields import (
    Read,
    as_is,
    broker_lists,
    by_partition,
    by_partition_once,
    encode_full_change,
    encode_incremental_change,
    encode_named_configs,
    last_by_name,
    parse_full_change,
    parse_incremental_change,
)
from warden.policy.adapter.group_offsets import read_deleted_offsets, read_deleted_share_offsets, read_share_offsets

__all__ = ["REQUEST_TYPES", "RESOURCE_TYPES", "Field", "RequestType"]

RESOURCE_TYPES = {
    2: ("AlterTopic", "topic"),
    4: ("AlterBroker", "broker"),
    8: ("AlterConfig", "broker-logger"),
    16: ("AlterConfig", "client-metrics"),
    32: ("AlterConfig", "group"),
}
"""ConfigResource.Type by its code: the operation, and the type's name."""

_ASSIGNED_TWICE = (
    "Found multiple manual partition assignments for partition {}",
    (39, "INVALID_REPLICA_ASSIGNMENT"),
)
_TWICE = "Partition {} is reassigned twice in one request: name it once."


@dataclass(frozen=True, slots=True)
class Field:
    """A field of one resource.

    Args:
        name: Its name in the decision input.
        read: Makes the value of the one from the value of the other.
        is_absent: Says which values stand for "not given".
    """

    name: str
    read: Read = as_is
    is_absent: Callable[[Any], bool] = field(default=lambda value: value is None)


@dataclass(frozen=True, slots=True)
class RequestType:
    """One request form.

    Args:
        lists: The fields that hold its resources; none where it is decided as one (``read_whole``).
        operation: The decision input's operation; None where the resource's type decides (`RESOURCE_TYPES`).
        fields: The fields of a resource, by Kafka's name.
        repeated: What Kafka says of a resource named twice, ``{}`` for its name; None where it takes both.
        validates: Whether brokers know ``validateOnly`` for it: else a request that only asks must not reach them.
        write_configs: Makes the form's ``configs`` of the decision input's; None where it has none.
        response: The field of the response that holds the results; empty where the response is the result.
        unknown: Codes of resource types that brokers do not know in this form.
        common: The fields of the request itself that stand in the decision input of each resource, by Kafka's name.
        counted: The field of the decision input that tells how many resources the request names; None where none does.
        in_partitions: What a result of a partition holds beside the error, where results are per partition.
        text_since: First version whose response has a text; None: no version has.
        denial_since: First version that may answer POLICY_VIOLATION; older ones get UNKNOWN_SERVER_ERROR (KIP-201).
        resource: What its resources are called.
        subject: The field of the decision input's request that has a resource's name, where it has ``fields``.
        read: Makes the name and the decision input's request of a resource, of the list that it stands in and of the
            struct, where these are not ``fields`` of a topic or of a resource with configs.
        read_whole: Makes what the request is about and its decision input's request, where it is decided as one.
        refuse_whole: Makes the response of that request and the error; None where the error is all of it.
        whole_since: First version whose response has an error for the request.
        echo: Makes what else a result says, of the struct.
        identify: Makes what a result has in common with the struct that it is about; the same for all where results
            stand in the request's order.
        repeated_code: Kafka's code and its name of a resource named twice.
    """

    lists: tuple[str, ...]
    operation: str | None
    response: str
    fields: Mapping[str, Field] = field(default_factory=dict)
    repeated: str | None = None
    validates: bool = False
    unknown: frozenset[int] = frozenset()
    common: Mapping[str, Field] = field(default_factory=dict)
    counted: str | None = None
    write_configs: Callable[[Mapping[str, Any]], list[dict[str, Any]]] | None = None
    in_partitions: Mapping[str, Any] | None = None
    text_since: int | None = 0
    denial_since: int = 0
    resource: str = "topic"
    subject: str = "topic"
    read: Callable[[str, Mapping[str, Any]], tuple[str, dict[str, Any]]] | None = None
    read_whole: Callable[[Mapping[str, Any]], tuple[str, dict[str, Any]]] | None = None
    refuse_whole: Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, Any]] | None = None
    whole_since: int = 0
    echo: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None
    identify: Callable[[Mapping[str, Any]], Hashable] | None = None
    repeated_code: tuple[int, str] = (42, "INVALID_REQUEST")


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
                by_partition_once("brokerIds", *_ASSIGNED_TWICE),
                _is_empty,
            ),
            "configs": Field("configs", last_by_name, _is_empty),
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
        fields={"count": Field("numPartitions"), "assignments": Field("newAssignments", broker_lists)},
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
        fields={"partitions": Field("reassignments", by_partition_once("replicas", _TWICE))},
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
        fields={"partitions": Field("deletedMessageOffsets", by_partition("offset"))},
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
        read=acl_binding,
        echo=lambda _struct: {},
        identify=lambda _struct: None,
    ),
    "DeleteAcls": RequestType(
        lists=("filters",),
        operation="DeleteAcl",
        response="filterResults",
        resource="acl",
        read=acl_filter,
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
        read=quota,
        echo=lambda struct: {"entity": struct.get("entity")},
        identify=parse_entity,
    ),
    "AlterUserScramCredentials": RequestType(
        lists=("deletions", "upsertions"),
        operation="AlterScram",
        repeated="A user credential cannot be altered twice in the same request",
        response="results",
        resource="scram",
        read=credential,
        echo=lambda struct: {"user": struct.get("name")},
        identify=parse_user,
        repeated_code=(92, "DUPLICATE_RESOURCE"),
    ),
    "UpdateFeatures": RequestType(
        lists=(),
        operation="UpdateFeatures",
        validates=True,
        response="",
        resource="features",
        read_whole=feature_updates,
    ),
    "ElectLeaders": RequestType(
        lists=(),
        operation="ElectLeaders",
        response="",
        resource="leaders",
        read_whole=election,
        refuse_whole=refuse_election,
        whole_since=1,
    ),
    "UnregisterBroker": RequestType(
        lists=(),
        operation="UnregisterBroker",
        response="",
        resource="registration",
        read_whole=read_unregistration,
    ),
    "DeleteGroups": RequestType(
        lists=("groupsNames",),
        operation="DeleteGroup",
        response="results",
        text_since=3,
        resource="group",
        subject="group",
        echo=lambda struct: {"groupId": struct.get("name")},
    ),
    "OffsetDelete": RequestType(
        lists=(),
        operation="DeleteGroupOffsets",
        response="",
        text_since=None,
        resource="group",
        read_whole=read_deleted_offsets,
    ),
    "AlterShareGroupOffsets": RequestType(
        lists=(),
        operation="AlterGroupOffsets",
        response="",
        resource="group",
        read_whole=read_share_offsets,
    ),
    "DeleteShareGroupOffsets": RequestType(
        lists=(),
        operation="DeleteGroupOffsets",
        response="",
        resource="group",
        read_whole=read_deleted_share_offsets,
    ),
}
"""By the name of the request, without ``Request``."""
