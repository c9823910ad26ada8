"""A document of each operation that is as the contract says, and ways to spoil it."""

import copy
from collections.abc import Iterator
from typing import Any

__all__ = ["VALID", "find_at", "places", "spoiled"]

_TOPIC = {
    "numPartitions": 2,
    "replicationFactor": 3,
    "replicasAssignments": {"0": [1, 2, 3], "1": [2, 3, 1]},
    "configs": {"retention.ms": "86400000", "min.insync.replicas": "2"},
    "labels": {"owner": "payments", "dataClass": "internal"},
    "internal": False,
    "markedForDeletion": False,
    "reassigning": {},
}
_STATE = {
    "clusterSize": 3,
    "brokers": {
        "": {"configs": {"log.retention.ms": "1000"}},
        "1": {
            "host": "b1",
            "rack": "a",
            "configs": {"log.retention.ms": "500"},
            "dynamicConfigs": {"log.retention.ms": "500"},
            "fallbackConfigs": {"log.retention.ms": "1000"},
        },
        "2": {"host": "b2", "rack": "b", "configs": {}},
        "3": {"host": "b3", "rack": "c", "configs": {}},
    },
    "defaults": {"num.partitions": "3", "retention.ms": "604800000"},
    "topics": {"payments.orders.created": _TOPIC},
    "meta": {"observedAt": "2026-11-21T09:59:58Z"},
}
_CHANGE = {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "SET", "value": "90000000"}]}
_ACL = {
    "resourceType": "TOPIC",
    "resourceName": "payments.orders.created",
    "patternType": "LITERAL",
    "principal": "User:alice",
    "host": "10.0.0.1",
    "operation": "READ",
    "permissionType": "ALLOW",
}
_FILE = {
    "process.roles": "broker",
    "node.id": "1",
    "controller.listener.names": "CONTROLLER",
    "controller.quorum.bootstrap.servers": "c1:9093",
}
_REQUESTS: dict[str, dict[str, Any]] = {
    "CreateTopic": {
        "topic": "payments.orders.paid",
        "numPartitions": 6,
        "replicationFactor": 3,
        "configs": {"retention.ms": "86400000", "min.insync.replicas": "2"},
        "labels": {"owner": "payments"},
    },
    "AlterTopic": {"topic": "payments.orders.created", "configs": _CHANGE, "numPartitions": 4},
    "AuditTopic": {"topic": "payments.orders.created"},
    "AuditTopicName": {"topic": "payments.orders.created", "internal": False},
    "AuditTopicLabels": {"topic": "payments.orders.created", "labels": {"owner": "payments"}, "internal": False},
    "AuditTopicConfigs": {
        "topic": "payments.orders.created",
        "numPartitions": 2,
        "replicationFactor": 3,
        "configs": {"retention.ms": "86400000", "min.insync.replicas": "2"},
        "labels": {"owner": "payments"},
        "internal": False,
    },
    "DeleteTopic": {"topic": "payments.orders.created", "topicsInRequest": 2},
    "DeleteRecords": {"topic": "payments.orders.created", "deletedMessageOffsets": {"0": 17}},
    "AlterBroker": {"broker": "1", "configs": _CHANGE | {"ops": [{"name": "log.retention.ms", "op": "DELETE"}]}},
    "StartBroker": {"broker": "1", "configs": {**_FILE, "log.retention.ms": "86400000"}},
    "AuditBroker": {"broker": "1"},
    "AlterConfig": {
        "resource": {"type": "group", "name": "g"},
        "configs": {"mode": "full", "entries": {"consumer.session.timeout.ms": "50000"}},
    },
    "CreateAcl": {"acl": _ACL},
    "DeleteAcl": {"acl": _ACL | {"host": None}},
    "AuditAcl": {"acl": _ACL},
    "AlterQuota": {"entity": {"user": "alice"}, "ops": [{"key": "producer_byte_rate", "value": 1000000}]},
    "AlterScram": {"user": "alice", "mechanism": "SCRAM-SHA-256", "iterations": 8192},
    "ElectLeaders": {
        "electionType": "PREFERRED",
        "topicPartitions": [{"topic": "payments.orders.created", "partitions": [0]}],
    },
    "UnregisterBroker": {"broker": "4"},
    "AddRaftVoter": {"voter": "4", "directory": "ZQ2nTvv0TW6Dr3q1h7TgSQ"},
    "RemoveRaftVoter": {"voter": "4", "directory": "ZQ2nTvv0TW6Dr3q1h7TgSQ"},
    "AlterReplicaLogDirs": {
        "replicas": [{"topic": "payments.orders.created", "partitions": [0], "directory": "/var/lib/kafka"}]
    },
    "CreateDelegationToken": {"maxLifetimeMs": 86400000, "owner": "User:bob", "renewers": ["User:carol"]},
    "RenewDelegationToken": {"renewPeriodMs": 86400000},
    "ExpireDelegationToken": {"expiryTimePeriodMs": -1},
    "AlterGroupOffsets": {
        "group": "g",
        "offsets": [{"topic": "payments.orders.created", "partition": 0, "offset": 42}],
    },
    "DeleteGroup": {"group": "g"},
    "DeleteGroupOffsets": {
        "group": "g",
        "topicPartitions": [{"topic": "payments.orders.created", "partitions": [0]}],
    },
    "UpdateFeatures": {
        "featureUpdates": [{"feature": "metadata.version", "maxVersionLevel": 30, "upgradeType": "UPGRADE"}]
    },
}
VALID: dict[str, dict[str, Any]] = {
    operation: {
        "operation": operation,
        "cluster": "prod-eu",
        "principal": {"type": "User", "name": "alice"},
        "enforcementPoint": "ci",
        "validateOnly": False,
        "now": "2026-11-21T10:00:00Z",
        "request": request,
        "clusterState": _STATE,
        "api": {"key": "CreateTopics", "version": 7},
    }
    for operation, request in _REQUESTS.items()
}


def places(document: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of every field of a document that the contract gives a type, the cluster's state left out."""
    if isinstance(document, dict):
        for key, value in document.items():
            if key != "clusterState":
                yield (*path, key)
                yield from places(value, (*path, key))


def spoiled(document: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Return the document with another value at a path."""
    copied = copy.deepcopy(document)
    find_at(copied, path[:-1])[path[-1]] = value
    return copied


def find_at(document: Any, path: tuple[Any, ...]) -> Any:
    """Return the value at a path of a document."""
    for piece in path:
        document = document[piece]
    return document
