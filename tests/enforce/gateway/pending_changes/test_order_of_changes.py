"""One order of changes: caps hold for requests at once, and what a client has changed is there for its next request."""

import threading
from collections.abc import Callable
from functools import partial

import pytest

from tests.enforce.gateway.frames import decode_response, raw_request
from tests.enforce.gateway.pending_changes.capped import start_capped_opa
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.test_faults import client, receive
from tests.fixtures.brokers.replication import replicate_cluster
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.demo.local_broker import LocalBroker

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

CAP = 40
"""Most replicas of partitions."""


@pytest.fixture(scope="module")
def capped_broker():
    """A broker of its own: what other tests create would count."""
    with LocalBroker() as running:
        yield running


@pytest.fixture(scope="module")
def capped_opa(opa_binary, tmp_path_factory):
    """An OPA that has a cluster hold so many partitions, and takes a state of any age."""
    with start_capped_opa(opa_binary, tmp_path_factory.mktemp("capped"), CAP) as running:
        yield running


@pytest.fixture
def observe(capped_opa, capped_broker, tmp_path) -> Callable[[], None]:
    """Returns what has the replica observe the broker once; it has, with no topic there."""
    topics = lambda: [name for name in run_tool(capped_broker, "TopicCommand", "--list").split() if name[:2] != "__"]  # noqa: E731
    for name in topics():
        run_tool(capped_broker, "TopicCommand", "--delete", "--topic", name)
    eventually(lambda: not topics(), "the broker knows that all have gone")
    once = partial(replicate_cluster, capped_opa, tmp_path, capped_broker.bootstrap_servers, "capped")
    once()
    return once


@pytest.fixture
def capped(tmp_path, capped_opa, capped_broker, observe):
    """A gateway of its own, which remembers nothing of other tests."""
    clusters = [{"name": "capped", "brokers": {1: capped_broker.bootstrap_servers}}]
    with RunningGateway(write_config(tmp_path / "gateway.yaml", capped_opa, clusters)) as running:
        yield running


def ask(connected, name, version, fields):
    """The codes of a request's resources, in its order."""
    connected.sendall(raw_request(name, version, fields))
    found = decode_response(name, version, receive(connected))
    rows = next(found[row] for row in ("topics", "results", "responses") if row in found)
    return [row["errorCode"] for row in rows]


def create(connected, *topics):
    """Create topics of so many partitions: the codes."""
    rows = [{"name": name, "numPartitions": count, "replicationFactor": 1} for name, count in topics]
    return ask(connected, "CreateTopics", 7, {"topics": rows, "timeoutMs": 60_000})


def grow(connected, name, count):
    """Have a topic grow."""
    topics = [{"name": name, "count": count, "assignments": None}]
    return ask(connected, "CreatePartitions", 3, {"topics": topics, "timeoutMs": 60_000})


def set_config(connected, topic, name, value):
    """Set a config of a topic."""
    configs = [{"name": name, "configOperation": 0, "value": value}]
    resources = [{"resourceType": 2, "resourceName": topic, "configs": configs}]
    return ask(connected, "IncrementalAlterConfigs", 1, {"resources": resources, "validateOnly": False})


def delete(connected, *topics):
    """Delete topics by name."""
    return ask(connected, "DeleteTopics", 5, {"topicNames": list(topics), "timeoutMs": 60_000})


def test_requests_at_once(capped):
    """Eight connections want ten partitions each, and there is room for four: four have them."""
    codes, start = [], threading.Barrier(8, timeout=PATIENCE)

    def one(number):
        with client(capped) as connected:
            start.wait()
            codes.append(create(connected, (f"at.once.{'abcdefgh'[number]}", 10))[0])

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [0] * 4 + [44] * 4 == sorted(codes)


def test_requests_one_after_the_other(capped):
    """Each counts for the next, though the replica has observed none of them; what the broker refuses does not."""
    with client(capped) as first, client(capped) as second:
        assert [0, 0] == create(first, ("after.a", 15), ("after.b", 10))
        assert [36] == create(second, ("after.a", 15))
        assert [0] == grow(second, "after.b", 20)
        assert [44] == create(first, ("after.c", 10))
        assert [0] == create(first, ("after.c", 5))


def test_a_client_reads_its_own_writes(capped):
    """What it has made can be altered, grown and deleted, and made anew, while the replica observes nothing of it."""
    with client(capped) as connected:
        assert [0] == create(connected, ("own.writes", 2))
        assert [0] == set_config(connected, "own.writes", "retention.ms", "86400000")
        assert [0] == grow(connected, "own.writes", 4)
        assert [37] == grow(connected, "own.writes", 4)
        assert [0] == delete(connected, "own.writes")
        assert [3] == set_config(connected, "own.writes", "retention.ms", "86400000")
        assert [0] == create(connected, ("own.writes", 3))
        assert [0] == grow(connected, "own.writes", 5)


def test_what_the_replica_shows_counts_once(capped, observe):
    """Once it has observed the topics they are its own to count: no room is lost."""
    with client(capped) as connected:
        assert [0] == create(connected, ("once.a", 30))
        observe()
        assert [44] == create(connected, ("once.b", 11))
        assert [0] == create(connected, ("once.b", 10))


def test_a_client_that_goes_away(capped, capped_broker, observe):
    """Nobody knows what the broker did of its request: it counts until the replica has observed the cluster."""
    with client(capped) as connected:
        rows = [{"name": "went.away", "numPartitions": 30, "replicationFactor": 1}]
        connected.sendall(raw_request("CreateTopics", 7, {"topics": rows, "timeoutMs": 60_000}))
    with client(capped) as connected:
        later = create(connected, ("came.later", 20))
    listed = run_tool(capped_broker, "TopicCommand", "--list").split()

    assert later in ([0], [44])
    assert not {"went.away", "came.later"} <= set(listed)
