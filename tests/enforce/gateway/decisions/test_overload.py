"""More requests than OPA can decide: few calls with many items each, and what clients get whose time is over."""

import asyncio
import logging
import socket
import threading
from collections import deque
from contextlib import ExitStack
from functools import partial
from urllib.request import urlopen

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.enforce.gateway.frames import create_topics, decode_response, raw_request
from tests.enforce.gateway.running import build_gateway
from tests.enforce.gateway.slow_opa import slow_opa
from tests.enforce.gateway.test_faults import client, errors_of, receive
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.enforce.gateway.decisions.batches import WaitingRequest, take_batch
from warden.enforce.gateway.pending_changes.pending_changes import PendingChanges, RequestChanges


@pytest.fixture
def make(tmp_path):
    """Returns a gateway before a listener that takes connections and answers nothing, with settings for OPA."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as upstream:
        yield partial(build_gateway, tmp_path, upstream)


def ask_all(gateway, count, wait=lambda: None):
    """One creation on each of so many connections, all sent, and waited for, before one is read: the errors."""
    with ExitStack() as stack:
        connections = [stack.enter_context(client(gateway)) for _ in range(count)]
        for at, connected in enumerate(connections):
            connected.sendall(create_topics(f"topic.{at}"))
        wait()
        return [errors_of(receive(connected))[0] for connected in connections]


def test_all_are_decided(make):
    """Of 150 requests that wait at once many are in each call, and one call comes after the other."""
    release = threading.Event()
    line = 'warden_gateway_waiting_requests{cluster="gate"} 150.0'

    with slow_opa(waiting_for(release)) as opa, make(opa.url, timeout=PATIENCE) as gateway:

        def wait():
            eventually(lambda: line in urlopen(f"{gateway.probes}/metrics").read().decode(), "all 150 wait")
            release.set()

        assert [(44, "no")] * 150 == ask_all(gateway, 150, wait)
        topics = [item["request"]["topic"] for batch in opa.batches for item in batch.values()]

    assert {f"topic.{at}" for at in range(150)} == set(topics)
    assert 1 == opa.most
    assert len(opa.batches) < 150 / 3


def test_a_batch_that_is_too_large_for_its_time(make):
    """OPA takes longer for several items than a call may take: each is decided all the same, with fewer at once."""
    for limit in (1, 5, 25):  # a slow machine may take longer for one item too
        sizes, errors = halved(make, limit)
        if [(44, "no")] * 12 == errors:
            break

    assert [(44, "no")] * 12 == errors
    assert [12, 6, 3, 1] == sizes[:4]


def halved(make, limit):
    """How many items each call has of a request of twelve, the first three without an answer, and its errors."""
    sizes, release = [], threading.Event()

    def work(items):
        sizes.append(len(items))
        if len(sizes) <= 3:
            release.wait(PATIENCE)

    with slow_opa(work) as opa, make(opa.url, timeout=limit) as gateway, client(gateway) as connected:
        connected.sendall(create_topics(*(f"topic.{at}" for at in range(12))))
        errors = errors_of(receive(connected))
        release.set()
    return sizes, errors


def test_one_at_which_opa_fails(make):
    """It is not decided; those that came with it are."""

    def fail(items):
        if any(item["request"]["topic"] == "topic.3" for item in items.values()):
            return 500, {"code": "internal_error", "message": "evaluation", "errors": [{"code": "eval_internal_error"}]}
        return None

    with slow_opa(fail) as opa, make(opa.url) as gateway:
        errors = ask_all(gateway, 8)

    assert "failed" in errors[3][1]
    assert [(44, "no")] * 7 == errors[:3] + errors[4:]


def waiting_for(release):
    """Work that begins once the test has it."""

    def work(_items):
        release.wait(PATIENCE)

    return work


SHED = {
    "creation": ("CreateTopics", 7, 89),
    "creation of an older client": ("CreateTopics", 5, 7),
    "deletion": ("DeleteTopics", 5, 89),
    "deletion of an older client": ("DeleteTopics", 4, 7),
    "partitions": ("CreatePartitions", 3, 89),
    "partitions of an older client": ("CreatePartitions", 2, 7),
    "configs": ("IncrementalAlterConfigs", 1, 7),
    "quotas": ("AlterClientQuotas", 1, 7),
}
BODIES: dict[str, dict[str, object]] = {
    "CreateTopics": {"topics": [{"name": "a", "numPartitions": 1, "replicationFactor": 1}]},
    "DeleteTopics": {"topicNames": ["a"]},
    "CreatePartitions": {"topics": [{"name": "a", "count": 3, "assignments": None}]},
    "IncrementalAlterConfigs": {"resources": [{"resourceType": 2, "resourceName": "a", "configs": []}]},
    "AlterClientQuotas": {"entries": [{"entity": [{"entityType": "user", "entityName": "a"}], "ops": []}]},
}
LISTS = {"CreateTopics": "topics", "CreatePartitions": "results", "AlterClientQuotas": "entries"}


def error_of(name, version, raw):
    """The code of the first resource in a response."""
    return decode_response(name, version, raw)[LISTS.get(name, "responses")][0]["errorCode"]


@pytest.mark.parametrize("what", SHED)
def test_what_is_shed_may_be_tried_again(make, caplog, what):
    """A code that clients know, and try again by themselves; the log and the metrics call it by its name."""
    name, version, code = SHED[what]
    release = threading.Event()
    with (
        slow_opa(waiting_for(release)) as opa,
        make(opa.url, timeout=0.2) as gateway,
        client(gateway) as connected,
        caplog.at_level(logging.ERROR, "warden.enforce.gateway"),
    ):
        timeout = {} if name in ("IncrementalAlterConfigs", "AlterClientQuotas") else {"timeoutMs": 60_000}
        connected.sendall(raw_request(name, version, BODIES[name] | timeout))
        assert code == error_of(name, version, receive(connected))
        metrics = urlopen(f"{gateway.probes}/metrics").read().decode()
        release.set()

    assert 'warden_gateway_undecided_total{cluster="gate",reason="Overloaded"} 1.0' in metrics
    assert ["Overloaded"] == [record.reason for record in caplog.records if record.message == "nothing was decided"]


def test_a_request_waits_as_long_as_it_says(make):
    """Its own time is over long before that of a call; probes are answered while it waits."""
    release = threading.Event()
    with (
        slow_opa(waiting_for(release)) as opa,
        make(opa.url, timeout=PATIENCE) as gateway,
        client(gateway) as first,
        client(gateway) as second,
    ):
        first.sendall(create_topics("waits"))
        eventually(lambda: bool(opa.batches), "OPA has the first")
        for probe in ("healthz", "metrics"):
            assert 200 == urlopen(f"{gateway.probes}/{probe}").status
        fields = {"topics": [{"name": "a", "numPartitions": 1, "replicationFactor": 1}], "timeoutMs": 300}
        second.sendall(raw_request("CreateTopics", 7, fields))
        assert [89] == [code for code, _ in errors_of(receive(second))]
        release.set()
        assert [(44, "no")] == errors_of(receive(first))


def waiting(sizes):
    """Requests with so many items each."""
    loop = asyncio.new_event_loop()
    try:
        inputs = [{f"topics/{at}": {"n": at} for at in range(size)} for size in sizes]
        claim, futures = RequestChanges(PendingChanges()), [loop.create_future() for _ in sizes]
        return deque(WaitingRequest(one, {"who": at}, 0.0, futures[at], claim) for at, one in enumerate(inputs))
    finally:
        loop.close()


@given(st.lists(st.integers(1, 40), min_size=1, max_size=12), st.integers(1, 30), st.booleans())
def test_each_item_once_and_in_its_order(sizes, most, fails):
    """Whatever the batches, also where one is tried again: no item is lost or decided twice."""
    queue = waiting(sizes)
    requests = list(queue)
    seen: dict[int, list[int]] = {}
    while queue:
        batch = take_batch(queue, most)
        assert 1 <= len(batch) <= most
        if fails:
            fails = False
            batch.give_back(queue)
            continue
        document = batch.to_document({}, {})
        assert list(document["items"]) == document["order"]
        for item in document["items"].values():
            seen.setdefault(item["who"], []).append(item["n"])
    assert [list(range(len(request.inputs))) for request in requests] == [seen[at] for at in range(len(sizes))]


def test_a_large_request_leaves_room_for_others():
    """A share for each connection: a request of many topics does not have the others wait for all of it."""
    queue = waiting([1000, 1, 1, 1])
    batch = take_batch(queue, 40)

    assert [10, 1, 1, 1] == [len(keys) for _, keys in batch.parts]
    assert 1 == len(queue)
