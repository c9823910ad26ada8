"""One OPA with Warden's bundle, one Spark session, and a snapshot with what an upgrade would change."""

from datetime import date
from pathlib import Path

import pytest

from warden.snapshot.store import write_snapshot

TOPIC = {"numPartitions": 1, "replicationFactor": 1, "replicasAssignments": {"0": [1]}}


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
    brokers = {"1": {"host": "h", "configs": {"listeners": "PLAINTEXT://:9092,", "num.partitions": "3"}}}
    write_snapshot(
        directory, "old", {"brokers": brokers, "topics": topics, "meta": {}}, day=date(2026, 11, 21), format="jsonl"
    )
    good = {"brokers": {}, "topics": {"c": topics["c"]}, "meta": {}}
    write_snapshot(directory, "good", good, day=date(2026, 11, 20), format="parquet")
    return directory
