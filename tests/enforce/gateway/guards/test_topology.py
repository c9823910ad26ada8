"""How many partitions the internal topics of Kafka Streams get, against a broker that makes them."""

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, NewTopic

from tests.bench.enforce.gateway_client import Client
from tests.enforce.gateway.guards.heartbeats import answer, heartbeat, info, subtopology
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.enforce.gateway.guards.topology import compute_partition_counts, iter_internal_topics

pytestmark = pytest.mark.kafka

EXISTING = {"in.three": 3, "in.other": 3, "in.five": 5}

TOPOLOGIES = {
    "a.": [subtopology("0", ["in.three"], changelogs=[info("a.log")])],
    "b.": [
        subtopology("0", ["in.three"], sinks=["b.one"]),
        subtopology("1", [], [info("b.one")], [info("b.log")]),
    ],
    "c.": [
        subtopology("0", ["in.three"], sinks=["c.one"]),
        subtopology("1", ["in.five"], [info("c.one")], [info("c.log")], together=([0], [0])),
    ],
    "d.": [
        subtopology("0", ["in.three", "in.other"], sinks=["d.one"]),
        subtopology("1", ["in.five"], sinks=["d.two"]),
        subtopology("2", [], [info("d.one"), info("d.two")], [info("d.log")], together=([], [0, 1])),
    ],
    "e.": [
        subtopology("0", ["in.three"], sinks=["e.one"]),
        subtopology("1", ["in.five"], sinks=["e.two"]),
        subtopology("2", [], [info("e.one", 4), info("e.two")], [info("e.log", replicas=1)], together=([], [0, 1])),
    ],
    "f.": [
        subtopology("0", ["in.three"], sinks=["f.one", "f.two"]),
        subtopology("1", [], [info("f.one"), info("f.own", 2)], [info("f.log")], ["f.deep", "f.own"]),
        subtopology("2", [], [info("f.two"), info("f.deep")], together=([], [0, 1])),
    ],
    "h.": [
        subtopology("0", ["in.three", "in.five"], sinks=["h.one"]),
        subtopology("1", ["in.three"], [info("h.one")], sinks=["h.two"]),
        subtopology("2", [], [info("h.two")]),
    ],
    "i.": [
        subtopology("0", ["in.three"], sinks=["i.one", "i.own"]),
        subtopology("1", [], [info("i.one"), info("i.own", 2)], [info("i.log")], ["i.deep"]),
        subtopology("2", [], [info("i.deep")]),
    ],
}

OPEN = {"h.": {"h.two"}, "i.": {"i.deep"}}
"""Topics whose number depends on which subtopology the broker takes first."""


@pytest.fixture(scope="module")
def admin(broker):
    """An administrator, and the topics that the topologies read."""
    one = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
    for future in one.create_topics([NewTopic(name, count) for name, count in EXISTING.items()]).values():
        future.result(PATIENCE)
    eventually(lambda: _coordinated(one), "a coordinator")
    yield one
    one.delete_topics([*EXISTING])


def _coordinated(admin):
    """Whether the broker, which makes the topic of groups with the first request about one, coordinates one by now."""
    try:
        return admin.describe_consumer_groups(["topology-a."])["topology-a."].result(PATIENCE)
    except KafkaException:
        return None


@pytest.mark.parametrize("prefix", TOPOLOGIES)
def test_the_numbers_are_those_of_the_topics_that_the_broker_makes(prefix, broker, admin):
    """Each number that is worked out is the broker's; what depends on its order is not worked out."""
    subtopologies = TOPOLOGIES[prefix]
    with Client(broker.bootstrap_servers) as connected:

        def made():
            answer(connected.ask(heartbeat(f"topology-{prefix}", subtopologies)))
            topics = admin.list_topics(timeout=PATIENCE).topics
            return {name: len(topics[name].partitions) for name in names & topics.keys()}

        names = {one["name"] for one in iter_internal_topics(subtopologies)}
        eventually(lambda: made().keys() == names, "the internal topics", 90)
        broker_counts = made()
    counts = compute_partition_counts(subtopologies, EXISTING)
    open_ = OPEN.get(prefix, set())

    assert broker_counts == counts | {name: broker_counts[name] for name in open_}
    assert names - counts.keys() == open_


@pytest.mark.parametrize(
    ("existing", "subtopologies"),
    [
        ({}, [subtopology("0", ["gone"], changelogs=[info("log")])]),
        ({"in": 3}, [subtopology("0", ["in", "gone"], sinks=["one"]), subtopology("1", [], [info("one")])]),
        ({"in": 3}, [subtopology("1", [], [info("one")], [info("log")], sinks=["one"])]),
        ({"in": 3}, [subtopology("1", [], [info("one")])]),
        (
            {"a": 2, "b": 3},
            [subtopology("0", ["a"], sinks=["r"]), subtopology("1", ["a", "b"], [info("r")], together=([0, 1], [0]))],
        ),
        (
            {"a": 2, "b": 3},
            [subtopology("0", ["a"], changelogs=[info("log")]), subtopology("1", ["b"], changelogs=[info("log")])],
        ),
    ],
    ids=["source-missing", "one-source-missing", "loop", "no-sink", "not-copartitioned", "twice"],
)
def test_what_the_broker_could_not_work_out_is_not_known(existing, subtopologies):
    """Nothing is guessed."""
    assert {} == compute_partition_counts(subtopologies, existing)


def test_a_topic_is_internal_once():
    """What two subtopologies have in common is one topic; a changelog that is a source is the user's own."""
    twice = [subtopology(n, ["in"], changelogs=[info("log"), info("in")]) for n in ("0", "1")]

    assert [info("log")] == list(iter_internal_topics(twice))
    assert ["log", "log"] == [
        one["name"] for one in iter_internal_topics([*twice, subtopology("2", ["in"], changelogs=[info("log", 4)])])
    ]
