"""Voters, and log directories of brokers, on a real broker: what is denied it does not see, the rest it answers."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest

from tests.enforce.gateway.test_administration import sender, versions

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

__all__ = ["sender"]

DIRECTORY = UUID(int=7)
LISTENER = {"name": "CONTROLLER", "host": "localhost", "port": 9093}


def voter(name: str) -> dict[str, Any]:
    """A request about controller 7."""
    more = {"listeners": [LISTENER], "timeoutMs": 1000} if name == "AddRaftVoter" else {}
    return {"clusterId": None, "voterId": 7, "voterDirectoryId": DIRECTORY, **more}


def moves(*partitions: int) -> dict[str, Any]:
    """Replicas of a topic that is not there, to a directory that is not either."""
    return {"dirs": [{"path": "/none", "topics": [{"name": "moved.a", "partitions": list(partitions)}]}]}


def codes(fields: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    """The error of each replica."""
    return [
        (one["topicName"], part["partitionIndex"], part["errorCode"])
        for one in fields["results"]
        for part in one["partitions"]
    ]


@pytest.mark.parametrize(("name", "done"), [("AddRaftVoter", "added"), ("RemoveRaftVoter", "removed")])
def test_voters(sender, name, done):
    """As the cluster's settings list none, each is denied; where they list them the controller's answer comes."""
    for version in versions(name):
        denied = sender("gate", name, version, voter(name))
        direct, through = (sender(way, name, version, voter(name)) for way in ("direct", "second"))

        sentence = f"KFK-BRK-011: controller 7 may not be {done} as a voter"
        assert (44, sentence) == (denied["errorCode"], denied["errorMessage"])
        assert direct == through
        assert direct["errorCode"] not in {0, 44}


@pytest.mark.parametrize("version", versions("AlterReplicaLogDirs"))
def test_moves_between_log_directories(sender, version):
    """Two at once are one too many; one has the broker's answer."""
    denied = sender("gate", "AlterReplicaLogDirs", version, moves(0, 1))
    direct, through = (sender(way, "AlterReplicaLogDirs", version, moves(0)) for way in ("direct", "gate"))

    assert [("moved.a", 0, 44), ("moved.a", 1, 44)] == codes(denied)
    assert direct == through
    assert [("moved.a", 0, 57)] == codes(direct)  # LOG_DIR_NOT_FOUND
