"""Topics that a look does not show: deleted, left out for a moment, or hidden; no broker can be timed to answer so."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from warden.errors import KafkaError
from warden.sources.kafka.source import KafkaSource
from warden.sources.source import SourceStale

_TOPIC = {"numPartitions": 1, "replicasAssignments": {"0": [1]}, "configs": {}, "labels": {}}


class Cluster:
    """A cluster with two topics, one of which a test leaves out of a look."""

    id = "one"

    def __init__(self) -> None:
        self.missing: list[str] = []
        self.unknown: frozenset[str] = frozenset()
        self.parts: dict[str, Any] = {"defaults": {}}
        self.all_topics = {name: {**_TOPIC, "topicId": name} for name in ("a", "b")}
        self.there, self.denied = {"a", "b"}, set[str]()

    def hidden(self, names: Iterable[str]) -> set[str]:
        return self.denied & set(names)

    def present(self, names: Iterable[str]) -> set[str]:
        return (self.there & set(names)) - self.denied

    def look(self, *, activity: bool) -> dict[str, dict[str, Any] | None]:
        return {name: self.all_topics.get(name) for name in ("a", "b")}


@pytest.fixture
def cluster():
    return Cluster()


@pytest.fixture
def source(cluster):
    settings = SimpleNamespace(
        name="c", bootstrap_servers="b:1", interval=0.0, activity_interval=0.0, assume_no_deletions=True, sees=None
    )
    source = KafkaSource(settings, begin=lambda: (cluster, lambda: None))
    source.load()
    return source


@pytest.mark.parametrize("read", ["load", "poll"])
def test_a_topic_that_is_there_by_name_was_not_deleted(cluster, source, read):
    """Where its right was lost for as long as the topics were listed, and is back when the rights are looked at."""
    b = cluster.all_topics.pop("b")
    with pytest.raises(SourceStale, match="1 topics were not listed though they are there, such as b"):
        _read(source, read)
    cluster.all_topics["b"] = b
    document = source.load()

    assert {"a", "b"} == set(document["topics"])
    assert {"lastHour": 0} == document["deletions"]


@pytest.mark.parametrize("read", ["load", "poll"])
def test_a_topic_that_is_not_there_by_name_was_deleted(cluster, source, read):
    """And counted."""
    del cluster.all_topics["b"]
    cluster.there = {"a"}
    _read(source, read)

    assert {"lastHour": 1} == source.load()["deletions"]


def test_a_right_that_went_after_the_topics_were_listed_keeps_the_replica_as_it_is(cluster, source):
    """The load shows all of them and finds at its end that rights are missing: that is not published as partial."""
    cluster.unknown, cluster.denied = frozenset({"topics"}), {"b"}
    with pytest.raises(KafkaError, match="hidden from this principal now, such as b"):
        source.load()


def _read(source: KafkaSource, how: str) -> None:
    if how == "load":
        source.load()
    else:
        source.poll(1.0)
