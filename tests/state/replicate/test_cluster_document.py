"""A cluster's document that is kept by changes, against one that is begun anew from the same state."""

import copy
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from warden.state.replicate.replica import Replica
from warden.state.sources.kafka.live.cluster_document import ClusterDocument
from warden.state.sources.kafka.live.deletions import DeletionCounter
from warden.state.sources.kafka.read.totals import TopicTotals
from warden.state.sources.labels import ClusterLabels
from warden.state.sources.labels.naming import NamingRule

_NAMES = st.sampled_from(["pay.a", "pay_a", "pay.b", "x", "ship.a_b", "ship_a.b"])
_TOPICS = st.builds(
    lambda brokers, limit, number: {
        "numPartitions": 1,
        "replicationFactor": len(brokers),
        "replicasAssignments": {"0": brokers},
        "configs": limit,
        "labels": {},
        "internal": False,
        "markedForDeletion": False,
        "reassigning": {},
        "topicId": str(number),
    },
    st.lists(st.integers(1, 3), min_size=1, max_size=3, unique=True),
    st.fixed_dictionaries({}, optional={"retention.bytes": st.sampled_from(["1", "-1"])}),
    st.integers(0, 1),
)
_PARTS = st.fixed_dictionaries(
    {
        "clusterSize": st.integers(1, 2),
        "defaults": st.fixed_dictionaries({}, optional={"retention.bytes": st.sampled_from(["5", "-1"])}),
        "acls": st.dictionaries(
            st.sampled_from(["User:a", "User:b"]), st.lists(st.just({"host": "*"}), max_size=1), max_size=2
        ),
        "clientConfigs": st.just({}),
    },
    optional={"users": st.dictionaries(st.sampled_from(["a", "b"]), st.just({}), max_size=2)},
)
_LOOKS = st.tuples(st.dictionaries(_NAMES, _TOPICS, max_size=5), _PARTS)


def _labelling():
    return ClusterLabels([NamingRule(re.compile(r"(?P<owner>[a-z]+)[._].*"))])


@given(st.lists(_LOOKS, min_size=1, max_size=5))
def test_changes_lead_where_a_new_beginning_leads(looks):
    """After each look: the replica that took the changes equals a document that was begun from that look."""
    (topics, parts), *later = looks
    kept = ClusterDocument(_labelling(), DeletionCounter(assume_none=True), lambda: 0.0)
    replica = Replica(kept.begin(topics, parts))
    for now, parts in later:
        changed = {name: now.get(name) for name in now.keys() | topics.keys() if now.get(name) != topics.get(name)}
        topics = now
        replica.apply(kept.update(changed, copy.deepcopy(parts)))
        anew = ClusterDocument(_labelling(), DeletionCounter(), lambda: 0.0).begin(topics, parts)

        assert anew == replica.document
        assert Replica(anew).checksum == replica.checksum


def test_labels_that_change_alone():
    """Only the topics whose labels are others are reported, with their owners' totals."""
    labels = {"a": {"owner": "one"}, "b": {"owner": "one"}}

    class Place:
        problem = None

        def refresh(self):
            return True

        def get(self, topic):
            return labels[topic]

        def close(self):
            pass

    topic = {"numPartitions": 1, "replicasAssignments": {"0": [1]}, "configs": {}, "labels": {}, "topicId": "1"}
    document = ClusterDocument(ClusterLabels([Place()]), DeletionCounter(), lambda: 0.0)
    document.begin({"a": topic, "b": topic}, {"defaults": {}})
    labels["b"] = {"owner": "two"}

    changes = document.update({}, {"defaults": {}}, relabel=True)

    named = {change.path for change in changes if change.path[:2] != ("totals", "byBroker") and len(change.path) > 1}
    assert {("topics", "b"), ("totals", "byOwner", "one"), ("totals", "byOwner", "two")} == {
        path for path in named if path[0] == "topics" or path[1] == "byOwner"
    }


def test_deletions_are_counted_once():
    """Those that a look shows, topics made anew under the same name, and what is missing after a new beginning."""
    topic = {"numPartitions": 1, "replicasAssignments": {"0": [1]}, "configs": {}, "labels": {}}
    clock = [0.0]
    document = ClusterDocument(None, deletions := DeletionCounter(assume_none=True), lambda: clock[0])
    deletions.watch(0.0)
    parts: dict[str, Any] = {"defaults": {}}
    document.begin({name: {**topic, "topicId": name} for name in "abcd"}, parts)
    document.update(
        {"a": None, "b": {**topic, "topicId": "2"}, "c": {**topic, "topicId": "c", "internal": True}}, parts
    )
    document.begin({"b": {**topic, "topicId": "2"}}, parts)

    assert 4 == deletions.count_last_hour(0.0)
    assert [] == [line for line in document.gaps if line.startswith("deletions")]


def test_a_topic_that_is_back_was_never_deleted():
    """With its id, after a load that missed it or a look; under another id it was, and stays counted."""
    topic = {"numPartitions": 1, "replicasAssignments": {"0": [1]}, "configs": {}, "labels": {}}
    all_topics = {f"t{at}": {**topic, "topicId": f"id{at}"} for at in range(30)}
    document = ClusterDocument(None, deletions := DeletionCounter(assume_none=True), lambda: 0.0)
    deletions.watch(0.0)
    parts: dict[str, Any] = {"defaults": {}}
    document.begin(all_topics, parts)
    counts = []
    for step in (
        lambda: document.begin(dict(list(all_topics.items())[:10]), parts),
        lambda: document.begin(all_topics, parts),
        lambda: document.update({"t1": None, "t2": None}, parts),
        lambda: document.update({"t1": all_topics["t1"], "t2": {**topic, "topicId": "anew"}}, parts),
    ):
        step()
        counts.append(deletions.count_last_hour(0.0))

    assert [20, 0, 2, 1] == counts


class Observer:
    """A replicator's view of a cluster, and all ids of topics that it saw."""

    def __init__(self):
        self.deletions = DeletionCounter(assume_none=True)
        self.deletions.watch(0.0)
        self._document = ClusterDocument(None, self.deletions, lambda: 0.0)
        self._document.begin({}, {"defaults": {}})
        self._before: dict[str, str] = {}
        self.seen = set[str]()

    def read(self, world, *, anew=False):
        topic = {"numPartitions": 1, "replicasAssignments": {"0": [1]}, "configs": {}, "labels": {}}
        topics = {name: {**topic, "topicId": id} for name, id in world.items()}
        if anew:
            self._document.begin(topics, {"defaults": {}})
        else:
            changed = {name for name, _ in world.items() ^ self._before.items()}
            self._document.update({name: topics.get(name) for name in changed}, {"defaults": {}})
        self._before = world
        self.seen |= set(world.values())

    def follow(self, other):
        self._document.count_missed(self.deletions.find_missed_minutes({"deletions": other.deletions.dump()}, 0.0))


_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("create"), st.sampled_from("abcd")),
        st.tuples(st.just("delete"), st.sampled_from("abcd")),
        st.tuples(st.sampled_from(["load", "poll"]), st.integers(0, 1), st.integers(0, 2)),
        st.tuples(st.just("follow"), st.integers(0, 1)),
    ),
    max_size=30,
)


@given(_STEPS)
def test_two_that_follow_each_other_count_the_same(steps):
    """Every topic that one of them saw and that is gone, once, however far the broker that each reads lags."""
    worlds: list[dict[str, str]] = [{}]
    both = [Observer(), Observer()]
    for kind, *arguments in steps:
        if kind == "create":
            worlds.append({**worlds[-1], arguments[0]: f"id{len(worlds)}"})
        elif kind == "delete":
            worlds.append({name: id for name, id in worlds[-1].items() if name != arguments[0]})
        elif kind == "follow":
            both[arguments[0]].follow(both[1 - arguments[0]])
        else:
            both[arguments[0]].read(worlds[-1 - min(arguments[1], len(worlds) - 1)], anew=kind == "load")
    for one in both:
        one.read(worlds[-1])
    for one, other in (both, reversed(both)):
        one.follow(other)
        one.read(worlds[-1])

    gone = (both[0].seen | both[1].seen) - set(worlds[-1].values())
    assert [len(gone)] * 2 == [one.deletions.count_last_hour(0.0) for one in both]


def test_what_follows_from_all_topics_is_absent_from_a_partial_view():
    """From the beginning and in changes; deletions are watched anew once all are seen."""
    topic = {"numPartitions": 1, "replicasAssignments": {"0": [1]}, "configs": {}, "labels": {}, "topicId": "1"}
    document = ClusterDocument(None, deletions := DeletionCounter(assume_none=True), lambda: 0.0)
    deletions.watch(0.0)
    begun = document.begin({"a.b": topic}, {"defaults": {}}, whole=False)
    changes = document.update({"a.b": None, "c.d": topic}, {"defaults": {"retention.bytes": "5"}})
    whole = document.begin({"c.d": topic}, {"defaults": {}})

    derived = {"namesByMetric", "totals", "deletions"}
    assert {"defaults", "topics"} == set(begun)
    assert set() == derived & {change.path[0] for change in changes}
    assert derived - {"deletions"} == derived & set(whole)


def test_sums_of_storage_are_absent_where_configs_are():
    """Of the owner of a topic whose configs are not known, and of all that go by defaults that are not known."""
    topic = {"numPartitions": 2, "replicasAssignments": {"0": [1], "1": [1]}, "labels": {}}
    owners: dict[str, dict[str, Any]] = {
        "known": {"configs": {"retention.bytes": "5", "cleanup.policy": "delete"}},
        "refused": {},
        "default": {"configs": {}},
    }
    sums = []
    each: list[dict[str, str] | None] = [{}, None]
    for defaults in each:
        totals = TopicTotals(defaults, owner="owner")
        for owner, fields in owners.items():
            totals.add({**topic, **fields, "labels": {"owner": owner}})
        sums.append({owner: "retainedBytes" in of for owner, of in totals.to_document()["byOwner"].items()})

    assert [
        {"known": True, "refused": False, "default": True},
        {"known": True, "refused": False, "default": False},
    ] == sums


def test_patterns_of_names_are_a_part():
    """A topic that is requested gets its labels by them; without patterns there is no such part."""
    document = ClusterDocument(_labelling(), DeletionCounter(), lambda: 0.0)

    assert [r"(?P<owner>[a-z]+)[._].*"] == document.begin({}, {"clusterSize": 1})["labelPatterns"]
    assert ["clusterSize"] == [change.path[0] for change in document.update({}, {"clusterSize": 2})]
    assert "labelPatterns" not in ClusterDocument(None, DeletionCounter(), lambda: 0.0).begin({}, {})
