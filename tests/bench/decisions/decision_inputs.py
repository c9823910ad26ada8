"""One decision input of each operation, about a small cluster: requests that the profile `production` allows."""

from typing import Any

__all__ = ["CLUSTER", "DELETABLE", "RULES", "decision_inputs", "state", "topic"]

CLUSTER = "prod-eu"
_TOPIC = "payments.orders.created"
# The topics that may be deleted, which are none as the settings are shipped.
DELETABLE = "payments.orders.*"
RULES: dict[str, Any] = {
    "KFK-BRK-011": {"params": {"join": ["4"], "leave": ["4"]}},
    "KFK-DEL-001": {"params": {"allowPatterns": [DELETABLE]}},
}
"""Settings of rules under which what the inputs are about is allowed."""

_NOW = "2026-11-21T10:00:00Z"
_OVERRIDES = {
    "cleanup.policy": "delete",
    "compression.type": "producer",
    "max.message.bytes": "1000000",
    "min.insync.replicas": "2",
    "retention.ms": "604800000",
}
_LABELS = {"owner": "payments", "dataClass": "internal"}
_BROKER = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "auto.create.topics.enable": "false",
    "default.replication.factor": "3",
    "listeners": "SSL://:9093",
    "log.retention.ms": "604800000",
    "min.insync.replicas": "2",
    "ssl.client.auth": "required",
}
_FILE = {
    **_BROKER,
    "process.roles": "broker",
    "node.id": "1",
    "controller.listener.names": "CONTROLLER",
    "controller.quorum.bootstrap.servers": "c1:9093",
    "listener.security.protocol.map": "SSL:SSL,CONTROLLER:SSL",
    "security.inter.broker.protocol": "SSL",
}
_ACL = {
    "resourceType": "TOPIC",
    "resourceName": _TOPIC,
    "patternType": "LITERAL",
    "principal": "User:alice",
    "host": "10.0.0.1",
    "operation": "READ",
    "permissionType": "ALLOW",
}
_QUOTAS = [
    {"key": "producer_byte_rate", "value": 1_000_000},
    {"key": "consumer_byte_rate", "value": 1_000_000},
    {"key": "request_percentage", "value": 50},
]
_ADMIN = {
    "resourceType": "CLUSTER",
    "resourceName": "kafka-cluster",
    "patternType": "LITERAL",
    "principal": "User:admin",
    "host": "*",
    "operation": "ALTER_CONFIGS",
    "permissionType": "ALLOW",
}


def topic() -> dict[str, Any]:
    """A topic with five overrides, as the cluster's state has it."""
    return {
        "numPartitions": 3,
        "replicationFactor": 3,
        "replicasAssignments": {"0": [1, 2, 3], "1": [2, 3, 1], "2": [3, 1, 2]},
        "configs": dict(_OVERRIDES),
        "labels": dict(_LABELS),
        "internal": False,
        "markedForDeletion": False,
        "reassigning": {},
    }


def state(topics: int = 1) -> dict[str, Any]:
    """The contract's cluster state with so many topics, each with a group that has read all of it long ago.

    Args:
        topics: How many, the one that the inputs are about among them; the totals stay those of one, so that no
            cap is reached and the decision is the same.
    """
    names = [_TOPIC, *(f"payments.orders.t{i}" for i in range(topics - 1))]
    group = {"members": 0, "offsets": {}}
    return {
        "clusterSize": 3,
        "brokers": {
            str(i): {"host": f"b{i}", "rack": rack, "configs": dict(_BROKER)}
            for i, rack in ((1, "a"), (2, "b"), (3, "c"))
        },
        "defaults": {"num.partitions": "3", "default.replication.factor": "3", "retention.ms": "604800000"},
        "topics": {name: topic() for name in names},
        "namesByMetric": {name.replace(".", "_"): [name] for name in names},
        "totals": {
            "topics": 1,
            "partitions": 3,
            "replicas": 9,
            "byBroker": {str(i): 3 for i in (1, 2, 3)},
            "byOwner": {"payments": {"topics": 1, "partitions": 3, "retainedBytes": 0, "unboundedReplicas": 9}},
            "byPrincipal": {"User:alice": {"topics": 1, "partitions": 3}},
        },
        "groups": {f"g-{name}": group for name in names},
        "consumers": {name: {f"g-{name}": {"members": 0, "offsets": {"0": 17}}} for name in names},
        "writes": dict.fromkeys(names, "2026-01-01T00:00:00Z"),
        "deletions": {"lastHour": 0},
        "acls": {"User:alice": [], "User:admin": [_ADMIN]},
        "users": {"alice": {}},
        "quotas": {},
        "clientConfigs": {"alice": {"": {"acks": "-1"}, "app": {"session.timeout.ms": "30000"}}},
        "meta": {
            "revision": "7",
            "observedAt": "2026-11-21T09:59:58Z",
            "topics": topics,
            "labels": True,
            "source": "kafka",
        },
    }


def decision_inputs() -> dict[str, dict[str, Any]]:
    """Operation → decision input, without the cluster's state."""
    return {
        operation: {
            "operation": operation,
            "cluster": CLUSTER,
            "principal": {"type": "User", "name": "admin"},
            "enforcementPoint": "ci",
            "now": _NOW,
            "request": request,
        }
        for operation, request in _requests().items()
    }


def _requests() -> dict[str, dict[str, Any]]:
    components = [
        {"entityType": "user", "matchType": "exact", "match": "alice"},
        {"entityType": "client-id", "matchType": "exact", "match": "app"},
    ]
    created = {"topic": "payments.orders.paid", "numPartitions": 6, "replicationFactor": 3}
    return {
        "CreateTopic": {**created, "configs": _OVERRIDES, "labels": _LABELS},
        "AlterTopic": {"topic": _TOPIC, "configs": _change("retention.ms", "1209600000")},
        "AuditTopic": {"topic": _TOPIC},
        "AuditTopicName": {"topic": _TOPIC, "internal": False},
        "AuditTopicLabels": {"topic": _TOPIC, "labels": _LABELS, "internal": False},
        "AuditTopicConfigs": {
            "numPartitions": 3,
            "replicationFactor": 3,
            "configs": _OVERRIDES,
            "labels": _LABELS,
            "internal": False,
        },
        "DeleteTopic": {"topic": _TOPIC},
        "DeleteRecords": {"topic": _TOPIC, "deletedMessageOffsets": {"0": 17}},
        "AlterBroker": {"broker": "1", "configs": _change("leader.replication.throttled.rate", "10000000")},
        "StartBroker": {"broker": "1", "configs": _FILE},
        "AuditBroker": {"broker": "1"},
        "AlterConfig": {
            "resource": {"type": "group", "name": "payments.readers"},
            "configs": _change("consumer.session.timeout.ms", "50000"),
        },
        "CreateAcl": {"acl": _ACL},
        "AuditAcl": {"acl": _ACL},
        "DeleteAcl": {"acl": {**_ACL, "host": None}},
        "AlterQuota": {"entity": {"user": "alice"}, "ops": _QUOTAS},
        "DescribeClientConfigs": {"components": components, "resolveEntity": True},
        "AlterClientConfigs": {
            "entity": {"user": "alice", "clientId": "app"},
            "ops": [{"key": "session.timeout.ms", "value": "45000"}],
        },
        "AuditClientConfigs": {"entity": {"user": "alice", "clientId": "app"}},
        "AlterScram": {"user": "alice", "mechanism": "SCRAM-SHA-512", "iterations": 8192},
        "ElectLeaders": {
            "electionType": "PREFERRED",
            "topicPartitions": [{"topic": "payments.orders.created", "partitions": [0]}],
        },
        "UnregisterBroker": {"broker": "4"},
        "AddRaftVoter": {"voter": "4"},
        "RemoveRaftVoter": {"voter": "4"},
        "AlterReplicaLogDirs": {"replicas": [{"topic": _TOPIC, "partitions": [0], "directory": "/var/lib/kafka"}]},
        "CreateDelegationToken": {"owner": None, "renewers": ["User:bob"], "maxLifetimeMs": 86400000},
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


def _change(name: str, value: str) -> dict[str, Any]:
    return {"mode": "incremental", "ops": [{"name": name, "op": "SET", "value": value}]}
