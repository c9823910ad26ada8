"""Fields of the kinds that are read: one that no version of a kind has is named, with the one that may be meant.

Strimzi's are those of its CRDs, of all releases together, by version; the others' those of their tools' sources.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from warden.analyse.check.model import Remark
from warden.analyse.check.nodes import Node, find_line, iter_entries
from warden.base.did_you_mean import did_you_mean

__all__ = ["GITOPS_TOPIC", "iter_unknown_fields", "list_unknown_fields"]

_Fields = Mapping[str, Any]  # name → the fields below it, a list with those of its items, None for anything

_METADATA: Final = dict.fromkeys(
    (
        *("annotations", "cluster", "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp"),
        *("finalizers", "generateName", "generation", "labels", "managedFields", "name", "namespace"),
        *("ownerReferences", "resourceVersion", "selfLink", "uid", "updateTimestamp"),
    )
)
_SECRET: Final = {"valueFrom": {"secretKeyRef": dict.fromkeys(("key", "name", "optional"))}}
_RATES: Final = ("consumerByteRate", "controllerMutationRate", "producerByteRate", "requestPercentage")
_ACL: Final = {
    "host": None,
    "operations": None,
    "resource": dict.fromkeys(("name", "patternType", "type")),
    "type": None,
}
_LABELS: Final = {"secret": {"metadata": {"annotations": None, "labels": None}}}


def _build_strimzi_user(acl: _Fields, authentication: _Fields) -> _Fields:
    return {
        "authentication": {"password": _SECRET, "type": None, **authentication},
        "authorization": {"acls": [acl], "type": None},
        "quotas": dict.fromkeys(_RATES),
        "template": _LABELS,
    }


_STRIMZI_USER: Final = _build_strimzi_user(_ACL, dict.fromkeys(("renewalDays", "validityDays")))
_STRIMZI_OLDER_USER: Final = _build_strimzi_user({**_ACL, "operation": None}, {})
_JIKKOU_ACL: Final = {**_ACL, "resource": dict.fromkeys(("pattern", "patternType", "type"))}

_AIVEN: Final = dict.fromkeys(("authSecretRef", "project", "serviceName"))
_AIVEN_ACL: Final = (
    *("host", "operation", "patternType", "permissionType"),
    *("principal", "resourceName", "resourceType"),
)
_AIVEN_RATES: Final = ("consumerByteRate", "producerByteRate", "requestPercentage")
_AIVEN_CONFIGS: Final = (
    *("cleanup_policy", "compression_type", "delete_retention_ms", "diskless_enable", "file_delete_delay_ms"),
    *("flush_messages", "flush_ms", "index_interval_bytes", "local_retention_bytes", "local_retention_ms"),
    *("max_compaction_lag_ms", "max_message_bytes", "message_downconversion_enable", "message_format_version"),
    *("message_timestamp_difference_max_ms", "message_timestamp_type", "min_cleanable_dirty_ratio"),
    *("min_compaction_lag_ms", "min_insync_replicas", "preallocate", "remote_storage_enable", "retention_bytes"),
    *("retention_ms", "segment_bytes", "segment_index_bytes", "segment_jitter_ms", "segment_ms"),
    "unclean_leader_election_enable",
)
_AIVEN_TOPIC: Final = {
    **_AIVEN,
    **dict.fromkeys(("partitions", "replication", "termination_protection", "topicName")),
    "config": dict.fromkeys(_AIVEN_CONFIGS),
    "tags": [dict.fromkeys(("key", "value"))],
}
_CROSSPLANE: Final = dict.fromkeys(
    (
        *("deletionPolicy", "managementPolicies", "providerConfigRef", "publishConnectionDetailsTo"),
        "writeConnectionSecretToRef",
    )
)
_CROSSPLANE_ACL: Final = ("Host", "Name", "Operation", "PatternTypeFilter", "PermissionType", "Principal", "Type")

_SPECS: Final[tuple[tuple[str, str, _Fields], ...]] = (
    (r"kafka\.strimzi\.io/.+", "KafkaTopic", dict.fromkeys(("config", "partitions", "replicas", "topicName"))),
    (r"kafka\.strimzi\.io/v1", "KafkaUser", _STRIMZI_USER),
    (r"kafka\.strimzi\.io/.+", "KafkaUser", _STRIMZI_OLDER_USER),
    (
        r"platform\.confluent\.io/.+",
        "KafkaTopic",
        dict.fromkeys(
            ("configs", "kafkaClusterRef", "kafkaRest", "kafkaRestClassRef", "name", "partitionCount", "replicas")
        ),
    ),
    (r"kafka\.jikkou\.io/.+", "KafkaTopic", dict.fromkeys(("configMapRefs", "configs", "partitions", "replicas"))),
    (r"kafka\.jikkou\.io/.+", "KafkaPrincipalAuthorization", {"acls": [_JIKKOU_ACL], "roles": None}),
    (
        r"kafka\.jikkou\.io/.+",
        "KafkaClientQuota",
        {"configs": None, "entity": dict.fromkeys(("clientId", "user")), "type": None},
    ),
    (
        r"kafka\.jikkou\.io/.+",
        "KafkaUser",
        {"authentications": [dict.fromkeys(("iterations", "password", "salt", "type"))]},
    ),
    (
        "v1",
        "Topic",
        dict.fromkeys(("configs", "description", "partitions", "replicationFactor", "tags")),
    ),
    (
        r".+",
        "ConfluentRolebinding",
        {
            **dict.fromkeys(("clustersScopeByIds", "clustersScopeByRegistryName", "kafkaClusterRef", "kafkaRest")),
            **dict.fromkeys(("kafkaRestClassRef", "role")),
            "principal": dict.fromkeys(("name", "type")),
            "resourcePatterns": [dict.fromkeys(("name", "patternType", "resourceType"))],
        },
    ),
    (
        "v1",
        "AccessControlEntry",
        dict.fromkeys(("grantedTo", "permission", "resource", "resourcePatternType", "resourceType")),
    ),
    (r"aiven\.io/.+", "KafkaTopic", _AIVEN_TOPIC),
    (r"aiven\.io/.+", "KafkaACL", {**_AIVEN, **dict.fromkeys(("permission", "topic", "username"))}),
    (r"aiven\.io/.+", "KafkaNativeACL", {**_AIVEN, **dict.fromkeys(_AIVEN_ACL)}),
    (r"aiven\.io/.+", "KafkaQuota", {**_AIVEN, **dict.fromkeys(("clientId", "user", *_AIVEN_RATES))}),
    (
        r"cluster\.redpanda\.com/.+",
        "Topic",
        dict.fromkeys(
            (
                *("additionalConfig", "cluster", "interval", "kafkaApiSpec", "metricsNamespace"),
                *("overwriteTopicName", "partitions", "replicationFactor"),
            )
        ),
    ),
    (
        r"cluster\.redpanda\.com/.+",
        "User",
        {
            "authentication": dict.fromkeys(("password", "syncCredentials", "type")),
            "authorization": {"acls": [_ACL], "type": None},
            **dict.fromkeys(("cluster", "template")),
        },
    ),
    (
        r"cluster\.redpanda\.com/.+",
        "RedpandaRole",
        {"authorization": {"acls": [_ACL]}, **dict.fromkeys(("cluster", "internal", "principals"))},
    ),
    (
        r"topic\.kafka(\.m)?\.crossplane\.io/.+",
        "Topic",
        {**_CROSSPLANE, "forProvider": dict.fromkeys(("config", "partitions", "replicationFactor"))},
    ),
    (
        r"acl\.kafka(\.m)?\.crossplane\.io/.+",
        "AccessControlList",
        {**_CROSSPLANE, "forProvider": dict.fromkeys(f"resource{name}" for name in _CROSSPLANE_ACL)},
    ),
)
"""``apiVersion``, kind and fields of ``spec``; the first row that fits counts."""

_TOPICCTL_META: Final = dict.fromkeys(
    ("cluster", "consumers", "description", "environment", "labels", "name", "region")
)
_TOPICCTL_RESOURCE: Final = dict.fromkeys(("host", "name", "patternType", "permission", "principal", "type"))
_WHOLE: Final[Mapping[str, _Fields]] = {
    "topicctl topic": {
        "meta": _TOPICCTL_META,
        "spec": {
            **dict.fromkeys(("partitions", "replicationFactor", "retentionMinutes", "settings")),
            "migration": dict.fromkeys(("partitionBatchSize", "throttleMB")),
            "placement": dict.fromkeys(("picker", "staticAssignments", "staticRackAssignments", "strategy")),
        },
    },
    "topicctl ACLs": {
        "meta": _TOPICCTL_META,
        "spec": {"acls": [{"operations": None, "resource": _TOPICCTL_RESOURCE}]},
    },
}

GITOPS_TOPIC: Final[_Fields] = dict.fromkeys(("configs", "partitions", "replication"))
"""Fields of a topic of kafka-gitops."""


def iter_unknown_fields(node: Node, file: str, version: str, kind: str) -> Iterator[Remark]:
    """Yield a remark about each field of a document that its kind does not have.

    Args:
        node: The document.
        file: Its file.
        version: Its ``apiVersion``; empty for a form without.
        kind: Its kind, or the form's name.
    """
    spec = next((spec for group, name, spec in _SPECS if name == kind and re.fullmatch(group, version)), None)
    whole = {"apiVersion": None, "kind": None, "metadata": _METADATA, "spec": spec, "status": None}
    yield from list_unknown_fields(node, file, f"{version} {kind}".strip(), _WHOLE.get(kind, whole))


def list_unknown_fields(node: Node, file: str, kind: str, known: _Fields, above: str = "") -> list[Remark]:
    """Return a remark about each field of a mapping, and below it, that is not known.

    Args:
        node: The mapping.
        file: Its file.
        kind: What it is, for the text.
        known: Its fields.
        above: Where it stands, with a dot at the end; empty for a document.
    """
    remarks: list[Remark] = []
    for key, value in iter_entries(node):
        name = str(key.value)
        if name not in known:
            said = f"unknown field {above}{name} of {kind}, which is not read{did_you_mean(name, known)}"
            remarks.append(Remark(file, find_line(key), said))
            continue
        below = known[name]
        inner = [value] if isinstance(below, Mapping) else _list_items(value) if below else []
        for item in inner:
            fields = below if isinstance(below, Mapping) else below[0]
            remarks += list_unknown_fields(item, file, kind, fields, f"{above}{name}.")
    return remarks


def _list_items(node: Node) -> list[Node]:
    return list(node.value) if node.tag.endswith(":seq") else []
