"""Topics that a poll does not show: deleted, left out for a moment, or hidden; no broker can be timed to answer so."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from warden.base.errors import KafkaError, SourceStale
from warden.base.timestamps import format_timestamp
from warden.state.sources.kafka.source import KafkaSource

_TOPIC = {"numPartitions": 1, "replicasAssignments": {"0": [1]}, "configs": {}, "labels": {}}


class Cluster:
    """A cluster with two topics, one of which a test leaves out of a poll."""

    id = "one"

    def __init__(self) -> None:
        self.gaps: list[str] = []
        self.unknown_parts: frozenset[str] = frozenset()
        self.parts: dict[str, Any] = {"defaults": {}}
        self.all_topics = {name: {**_TOPIC, "topicId": name} for name in ("a", "b")}
        self.there, self.denied = {"a", "b"}, set[str]()

    def select_hidden(self, names: Iterable[str]) -> set[str]:
        return self.denied & set(names)

    def select_present(self, names: Iterable[str]) -> set[str]:
        return (self.there & set(names)) - self.denied

    def poll(self, *, activity: bool) -> dict[str, dict[str, Any] | None]:
        return {name: self.all_topics.get(name) for name in ("a", "b")}


@pytest.fixture
def cluster():
    return Cluster()


@pytest.fixture
def start(cluster):
    """What makes a source of the cluster, as a start of the replicator does."""
    settings: Any = SimpleNamespace(
        name="c",
        bootstrap_servers="b:1",
        interval=0.0,
        activity_interval=0.0,
        assume_no_deletions=True,
        sees=None,
        release=None,
    )
    return lambda: KafkaSource(settings, begin=lambda: (cluster, lambda: None))


@pytest.fixture
def source(start):
    source = start()
    source.load()
    return source


@pytest.fixture
def restart(cluster, start):
    """What makes a source that goes on from the replica of one that saw both topics."""

    def restart():
        before = start()
        document = before.load()
        after = start()
        after.resume({**before.details, "observedAt": format_timestamp(before.observed)}, document["topics"])
        return after

    return restart


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
    cluster.unknown_parts, cluster.denied = frozenset({"topics"}), {"b"}
    with pytest.raises(KafkaError, match="hidden from this principal now, such as b"):
        source.load()


@pytest.mark.parametrize("read", ["load", "poll"])
def test_a_right_that_went_while_all_topics_were_seen_is_no_deletion(cluster, source, read):
    """Its ACL came between the list of topics and the ACLs: by then the topic had been shown, and was not tried."""
    b = cluster.all_topics.pop("b")
    cluster.denied = {"b"}
    with pytest.raises(KafkaError, match="hidden from this principal now, such as b"):
        _read(source, read)
    cluster.all_topics["b"], cluster.denied = b, set()
    document = source.load()

    assert ({"a", "b"}, {"lastHour": 0}) == (set(document["topics"]), document["deletions"])


def test_a_topic_that_lags_at_a_restart_is_counted_until_it_is_back(cluster, restart):
    """Where the broker that is read first does not know it yet, nor by name."""
    source = restart()
    b, cluster.there = cluster.all_topics.pop("b"), {"a"}
    lagging = source.load()["deletions"]
    cluster.all_topics["b"] = b
    back = source.load()["deletions"]

    assert [{"lastHour": 1}, {"lastHour": 0}] == [lagging, back]


def test_a_topic_that_lags_over_two_restarts_is_counted_until_it_is_back(cluster, start, restart):
    """The second begins while it is counted as deleted."""
    lagging = restart()
    b, cluster.there = cluster.all_topics.pop("b"), {"a"}
    document = lagging.load()
    again = start()
    again.resume({**lagging.details, "observedAt": format_timestamp(lagging.observed)}, document["topics"])
    still = again.load()["deletions"]
    cluster.all_topics["b"] = b

    assert [{"lastHour": 1}, {"lastHour": 0}] == [still, again.load()["deletions"]]


def test_a_topic_that_is_not_listed_at_a_restart_and_is_there_by_name_was_not_deleted(cluster, restart):
    """As within one life of the replicator."""
    source = restart()
    b = cluster.all_topics.pop("b")
    with pytest.raises(SourceStale, match="1 topics were not listed though they are there, such as b"):
        source.load()
    cluster.all_topics["b"] = b

    assert {"lastHour": 0} == source.load()["deletions"]


def test_a_topic_made_anew_during_a_restart_counts_as_deleted(cluster, restart):
    """Though there are as many topics as before."""
    source = restart()
    cluster.all_topics["b"] = {**_TOPIC, "topicId": "c"}

    assert {"lastHour": 1} == source.load()["deletions"]


def test_without_the_topics_of_the_replica_the_hour_begins_anew(cluster, start, source):
    """A replica that leaves them out does not say which are gone."""
    after = start()
    after.resume({**source.details, "observedAt": format_timestamp(source.observed)}, None)
    del cluster.all_topics["b"]

    assert {"lastHour": 0} == after.load()["deletions"]


def _read(source: KafkaSource, how: str) -> None:
    if how == "load":
        source.load()
    else:
        source.poll(1.0)
