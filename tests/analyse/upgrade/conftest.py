"""One OPA with Warden's bundle, one Spark session, and a snapshot with what an upgrade would change."""

from datetime import date
from pathlib import Path

import pytest

from warden.state.snapshot.directory import write_snapshot

KRAFT = {"node.id": "1", "process.roles": "broker", "controller.listener.names": "CONTROLLER"}
DEFAULTS = dict.fromkeys(("group.coordinator.threads", "num.recovery.threads.per.data.dir"), "1")
TOPIC = {"numPartitions": 1, "replicationFactor": 1, "replicasAssignments": {"0": [1]}}

ACL = {
    "permissionType": "ALLOW",
    "operation": "READ",
    "resourceType": "TOPIC",
    "resourceName": "orders",
    "patternType": "LITERAL",
    "principal": "User:a",
    "host": "10.0.0.0/8",
}


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two clusters, of which one has what an upgrade changes, in two formats."""
    directory = tmp_path_factory.mktemp("upgrade") / "snapshot"
    topics = {
        "a": {**TOPIC, "configs": {"cleanup.policy": "delete,delete", "retention.ms": "1"}},
        "b": {**TOPIC, "configs": {"cleanup.policy": ""}},
        "c": {**TOPIC, "configs": {"cleanup.policy": "compact"}},
        "d": {**TOPIC, "configs": {}},
    }
    brokers = {
        "": {"configs": {"num.recovery.threads.per.data.dir": "1"}},
        "1": {"host": "h", "configs": {**KRAFT, "listeners": "PLAINTEXT://:9092,", "num.partitions": "3"}},
        "2": {"host": "i", "configs": {**KRAFT, "group.coordinator.threads": "1", "log.message.format.version": "2.8"}},
    }
    old = {
        "brokers": brokers,
        "topics": topics,
        "features": {"metadata.version": 6},
        "acls": {"User:a": [ACL]},
        "meta": {},
    }
    write_snapshot(directory, "old", old, day=date(2026, 11, 21), format="jsonl")
    quiet = {"host": "h", "configs": {**KRAFT, **DEFAULTS}}
    good = {
        "brokers": {"1": quiet},
        "topics": {"c": topics["c"]},
        "features": {"metadata.version": 20},
        "acls": {},
        "meta": {},
    }
    write_snapshot(directory, "good", good, day=date(2026, 11, 20), format="parquet")
    return directory
