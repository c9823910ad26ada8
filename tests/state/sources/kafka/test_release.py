"""The release of a cluster: of a real broker, and of levels that say none."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from warden.base.errors import KafkaUnreachable
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.catalog import read_catalog
from warden.state.sources.kafka.login.connection import Connection, connect
from warden.state.sources.kafka.login.error_codes import NotDisclosed
from warden.state.sources.kafka.read.brokers import Broker, Cluster, read_cluster
from warden.state.sources.kafka.read.release import ReleaseReader, find_release


@pytest.mark.kafka
def test_of_a_broker(broker: LocalBroker) -> None:
    """The release of a running broker, and what somebody states in its place."""
    with connect(broker.bootstrap_servers) as connection:
        cluster = read_cluster(connection)
        found = ReleaseReader()

        assert found.read(connection, cluster) == ".".join(str(read_catalog("topic")["kafka"]).split(".")[:2])
        assert found.gaps == []
        assert ReleaseReader("3.9").read(connection, cluster) == "3.9"


@pytest.mark.parametrize(
    ("supported", "why"),
    [
        ({}, "does not tell its metadata.version"),
        ({"metadata.version": 31}, "it runs metadata.version up to 31, as no release does"),
        ({"metadata.version": 25, "vendor.version": 1}, "it has vendor.version, which no Apache Kafka has"),
    ],
)
def test_levels_that_are_no_release(supported: dict[str, int], why: str) -> None:
    """A build between two releases, a vendor's, and one that does not tell."""
    with pytest.raises(NotDisclosed, match=why):
        find_release(supported)


def test_levels_are_releases() -> None:
    """Each release by its own level."""
    found = {level: find_release({"metadata.version": level, "group.version": 1}) for level in (11, 21, 25, 30, 33)}

    assert found == {11: "3.5", 21: "3.9", 25: "4.0", 30: "4.3", 33: "4.4"}


class _Brokers:
    """Stands for a cluster whose brokers can be given levels, or be gone."""

    def __init__(self, levels: Mapping[int, int]) -> None:
        self.levels = dict(levels)
        self.requests: list[int] = []

    def send(self, _request: Any, node: int) -> Any:
        self.requests.append(node)
        if self.levels[node] == 0:
            raise KafkaUnreachable(f"broker {node} did not answer")
        return SimpleNamespace(
            supported_features=[SimpleNamespace(name="metadata.version", max_version=self.levels[node])]
        )

    def read(self, found: ReleaseReader) -> str | None:
        brokers = tuple(Broker(node, "h", None) for node in self.levels)
        return found.read(cast("Connection", self), Cluster("c", None, brokers, describes_cluster=True))


def test_of_several_brokers() -> None:
    """The newest counts, as numbers; one that does not answer leaves it unknown, until it does."""
    brokers, found = _Brokers({1: 25, 2: 33, 3: 21}), ReleaseReader()

    assert brokers.read(found) == "4.4"
    brokers.levels[3] = 0
    assert brokers.read(found) is None
    assert found.gaps == [
        "catalog.release: broker 3: broker 3 did not answer; where it matters, rules take Kafka 4.4.0"
    ]
    brokers.levels |= {3: 25, 2: 25}
    assert brokers.read(found) == "4.0"
    assert found.gaps == []
    assert _Brokers({}).read(found) is None
    assert found.gaps == ["catalog.release: no broker can be reached; where it matters, rules take Kafka 4.4.0"]


def test_some_brokers_in_turn() -> None:
    """Every broker at the first look, ten in turn at each later one, so that an upgrade shows."""
    brokers, found = _Brokers(dict.fromkeys(range(25), 30)), ReleaseReader()
    looks = []
    for _ in range(4):
        brokers.requests.clear()
        brokers.read(found)
        looks.append(sorted(brokers.requests))

    assert looks == [[*range(25)], [*range(10, 20)], [*range(5), *range(20, 25)], [*range(5, 15)]]
