"""Brokers that lag behind each other, made up: a load never asks one that is behind what was seen."""

from types import SimpleNamespace
from typing import Any

import pytest

from warden.base.errors import KafkaUnreachable
from warden.state.sources.kafka.live.position import MetadataLogPosition
from warden.state.sources.kafka.login.error_codes import NotDisclosed
from warden.state.sources.kafka.read.brokers import Broker, Cluster


class Brokers:
    """Answers with the offset of each broker; None for one that does not answer, -1 for one that does not tell."""

    bootstrap_servers = "b:1"

    def __init__(self, **offsets: int | None) -> None:
        self.offsets = {int(name[1:]): offset for name, offset in offsets.items()}

    @property
    def cluster(self) -> Cluster:
        return Cluster("c", None, tuple(Broker(id, "h", None) for id in self.offsets), describes_cluster=True)

    def send(self, request: Any, node: int) -> Any:
        offset = self.offsets[node]
        if offset is None:
            raise KafkaUnreachable("gone")
        if offset == -2:
            raise NotDisclosed("this version of Kafka has no such API")
        return SimpleNamespace(finalized_features_epoch=offset)


@pytest.mark.parametrize(
    ("offsets", "chosen"),
    [
        ({"b1": 9, "b2": 10, "b3": 8}, {2}),
        ({"b1": 10, "b2": 11, "b3": None}, {1, 2}),
        ({"b1": 9, "b2": -1}, {2}),
        ({"b1": 9, "b2": -2}, {2}),
        ({"b1": 9, "b2": None}, set()),
    ],
)
def test_only_a_broker_that_is_as_far_is_chosen(offsets: dict[str, int | None], chosen: set[int]) -> None:
    """As far as the last look was, or one that does not tell; where none is, nothing is read."""
    before: Any = Brokers(b1=10)
    position = MetadataLogPosition()
    position.advance(before, before.cluster, 1)
    brokers: Any = Brokers(**offsets)
    if not chosen:
        with pytest.raises(KafkaUnreachable, match="offset 10"):
            position.choose_broker(brokers, brokers.cluster)
        return

    assert chosen == {position.choose_broker(brokers, brokers.cluster) for _ in range(40)}


def test_another_cluster_begins_anew() -> None:
    """Its offsets have nothing to do with those of the one before."""
    before: Any = Brokers(b1=10)
    position = MetadataLogPosition()
    position.advance(before, before.cluster, 1)
    after: Any = Brokers(b1=3)

    assert 1 == position.choose_broker(after, Cluster("d", None, after.cluster.brokers, describes_cluster=True))
