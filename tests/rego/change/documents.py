"""Random states of a cluster, and random changes of what is in them."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, Final

from tests.rego.change.settings import shipped_rules
from tests.rego.values.pairs import catalog
from tests.rego.values.rules import numbers_in
from tests.rego.values.spellings import bases

__all__ = ["BROKER", "TOPIC", "Document", "change", "document", "empty", "state", "unchanged"]

Document = dict[str, Any]
TOPIC: Final = "shop.orders.made"
BROKER: Final = "1"
_SIZE: Final = 5  # brokers
# What rules look at, so that some of it is in most states.
_WATCHED: Final = {
    "topic": [
        "cleanup.policy",
        "compression.type",
        "max.message.bytes",
        "min.insync.replicas",
        "retention.bytes",
        "retention.ms",
        "segment.ms",
        "segment.bytes",
        "flush.ms",
        "min.compaction.lag.ms",
        "max.compaction.lag.ms",
        "min.cleanable.dirty.ratio",
        "unclean.leader.election.enable",
        "delete.retention.ms",
        "message.timestamp.type",
        "local.retention.ms",
    ],
    "broker": [
        "log.retention.ms",
        "min.insync.replicas",
        "unclean.leader.election.enable",
        "log.cleanup.policy",
        "log.cleaner.threads",
        "num.io.threads",
        "message.max.bytes",
        "max.connections",
        "log.segment.bytes",
        "leader.replication.throttled.rate",
    ],
    "group": ["consumer.session.timeout.ms", "consumer.heartbeat.interval.ms"],
}
_CLIENT: Final[dict[str, list[Any]]] = {
    "acks": ["0", "1", "-1"],
    "session.timeout.ms": ["1000", "45000"],
    "heartbeat.interval.ms": ["1", "3000"],
}
_QUOTA: Final[dict[str, list[Any]]] = {"producer_byte_rate": [1, 2**20, 2**40], "request_percentage": [0.5, 50, 1000]}


@cache
def _near() -> frozenset[int]:
    numbers = {number for row in shipped_rules().values() for number in numbers_in(row["params"])}
    return frozenset({number + step for number in numbers for step in (-1, 0, 1)})


@cache
def _values(kind: str) -> dict[str, list[str]]:
    rows = {name: row for name, row in catalog(kind)["configs"].items() if row.get("dynamic", "") != "read-only"}
    found = {name: bases(row, set(_near())) for name, row in rows.items() if not row.get("internal")}
    return {name: texts for name, texts in found.items() if texts}


def _key(chance: Random, kind: str) -> str:
    watched = [name for name in _WATCHED[kind] if name in _values(kind)]
    return chance.choice(watched if chance.random() < 0.7 else sorted(_values(kind)))


def _configs(chance: Random, kind: str, most: int) -> dict[str, str]:
    names = {_key(chance, kind) for _ in range(chance.randrange(most + 1))}
    return {name: chance.choice(_values(kind)[name]) for name in sorted(names)}


def _replicas(chance: Random, count: int) -> list[int]:
    return chance.sample(range(1, _SIZE + 1), count)


def _topic(chance: Random) -> Document:
    partitions, replicas = chance.choice([1, 1, 2, 3, 5, 6]), chance.choice([1, 2, 3, 3, 4])
    assignments = {str(i): _replicas(chance, replicas) for i in range(partitions)}
    if chance.random() < 0.2:
        assignments[str(partitions - 1)] = _replicas(chance, chance.randrange(1, 5))
    moving = {"0": {"adding": [], "removing": assignments["0"][:1]}} if chance.random() < 0.1 and replicas > 1 else {}
    return {
        "numPartitions": partitions,
        "replicationFactor": len(assignments["0"]),
        "replicasAssignments": assignments,
        "configs": _configs(chance, "topic", 5),
        "labels": chance.choice([{}, {"owner": "shop"}, {"owner": "shop", "dataClass": "internal", "tier": "gold"}]),
        "internal": False,
        "markedForDeletion": False,
        "reassigning": moving,
    }


def _broker(chance: Random, shared: dict[str, str]) -> Document:
    """One whose state tells which of its configs are dynamic, in most cases."""
    own = _configs(chance, "broker", 5)
    beneath = {**({"log.retention.hours": chance.choice(["1", "168"])} if chance.random() < 0.3 else {}), **shared}
    found = {"host": "b", "rack": chance.choice(["a", "b"]), "configs": {**beneath, **own}}
    if chance.random() < 0.8:
        found |= {"dynamicConfigs": own, "fallbackConfigs": {name: beneath[name] for name in own if name in beneath}}
    return found


def state(chance: Random) -> Document:
    """Return a cluster's state with a topic, its brokers, a group, quotas and client configs."""
    shared = _configs(chance, "broker", 3)
    brokers = {str(i): _broker(chance, shared) for i in range(1, _SIZE + 1)}
    return {
        "clusterSize": _SIZE,
        "brokers": {"": {"configs": shared}, **brokers},
        "defaults": _configs(chance, "topic", 2),
        "topics": {TOPIC: _topic(chance)},
        "totals": {"topics": 1, "partitions": 9, "replicas": 9, "byBroker": {}, "byOwner": {}, "byPrincipal": {}},
        "resourceConfigs": {"group": {"shop.readers": _configs(chance, "group", 2)}, "client-metrics": {}},
        "quotas": {"user=shop": {key: chance.choice(values) for key, values in _QUOTA.items()}},
        "clientConfigs": {"shop": {"": {key: chance.choice(values) for key, values in _CLIENT.items()}}},
        "deletions": {"lastHour": 0},
        "meta": {"observedAt": "2026-11-21T09:59:58Z", "labels": True},
    }


def document(operation: str, request: Document, of_cluster: Document, cluster: str) -> Document:
    """Return the decision input about a request."""
    return {
        "operation": operation,
        "cluster": cluster,
        "now": "2026-11-21T10:00:00Z",
        "principal": {"type": "User", "name": "shop"},
        "enforcementPoint": "ci",
        "request": request,
        "clusterState": of_cluster,
    }


_NOTHING: Final[Document] = {"mode": "incremental", "ops": []}
_EMPTY: Final[dict[str, Document]] = {
    "AlterTopic": {"topic": TOPIC},
    "AlterBroker": {"broker": BROKER, "configs": _NOTHING},
    "AlterConfig": {"resource": {"type": "group", "name": "shop.readers"}, "configs": _NOTHING},
    "AlterQuota": {"entity": {"user": "shop"}, "ops": []},
    "AlterClientConfigs": {"entity": {"user": "shop"}, "ops": []},
}


def empty(operation: str) -> Document:
    """Return the request that alters nothing."""
    return _EMPTY[operation]


def unchanged(operation: str, of_cluster: Document) -> Iterator[Document]:
    """Yield requests that leave everything as it is, in each form that has one."""
    yield empty(operation)
    if operation in ("AlterQuota", "AlterClientConfigs"):
        return
    configs = _stored(operation, of_cluster)
    request = empty(operation)
    yield {**request, "configs": {"mode": "full", "entries": configs}}
    yield {**request, "configs": {"mode": "resolved", "before": configs, "after": configs}}
    ops = [{"name": name, "op": "SET", "value": text} for name, text in configs.items()]
    yield {**request, "configs": {"mode": "incremental", "ops": ops}}
    if operation == "AlterTopic":
        topic = of_cluster["topics"][TOPIC]
        yield {**request, "reassignments": topic["replicasAssignments"]}


def _stored(operation: str, of_cluster: Document) -> dict[str, str]:
    configs: dict[str, str]
    if operation == "AlterTopic":
        configs = of_cluster["topics"][TOPIC]["configs"]
    elif operation == "AlterBroker":
        broker = of_cluster["brokers"][BROKER]
        configs = broker.get("dynamicConfigs", broker["configs"])
    else:
        configs = of_cluster["resourceConfigs"]["group"]["shop.readers"]
    return configs


def change(chance: Random, operation: str, of_cluster: Document) -> Document:
    """Return a random request that alters something, with configs as single operations."""
    request = empty(operation)
    if operation == "AlterQuota":
        key = chance.choice(sorted(_QUOTA))
        return {**request, "ops": [{"key": key, "value": chance.choice(_QUOTA[key])}]}
    if operation == "AlterClientConfigs":
        key = chance.choice(sorted(_CLIENT))
        return {**request, "ops": [{"key": key, "value": chance.choice(_CLIENT[key])}]}
    kind = {"AlterTopic": "topic", "AlterBroker": "broker", "AlterConfig": "group"}[operation]
    if kind == "topic" and chance.random() < 0.4:
        request = {**request, **_of_partitions(chance, of_cluster["topics"][TOPIC])}
        if chance.random() < 0.7:
            return request
    names = {_key(chance, kind) for _ in range(chance.choice([1, 1, 2, 3]))} | set(
        chance.sample(sorted(_stored(operation, of_cluster)), chance.choice([0, 0, 1]))
        if _stored(operation, of_cluster)
        else ()
    )
    ops = [_op(chance, name, _values(kind).get(name, ["1"])) for name in sorted(names)]
    return {**request, "configs": {"mode": "incremental", "ops": ops}}


def _op(chance: Random, name: str, values: list[str]) -> Document:
    if chance.random() < 0.25:
        return {"name": name, "op": "DELETE"}
    return {"name": name, "op": "SET", "value": chance.choice(values)}


def _of_partitions(chance: Random, topic: Document) -> Document:
    partitions: int = topic["numPartitions"]
    kind = chance.randrange(3)
    if kind == 0:
        return {"numPartitions": partitions + chance.choice([1, 2, 4])}
    if kind == 1:
        more = chance.choice([1, 2])
        replicas = chance.randrange(1, 5)
        return {
            "numPartitions": partitions + more,
            "newAssignments": [_replicas(chance, replicas) for _ in range(more)],
        }
    moved = chance.sample(range(partitions), chance.randrange(1, partitions + 1))
    replicas = chance.randrange(1, 5)
    return {"reassignments": {str(i): _replicas(chance, replicas) for i in moved}}
