"""Clients that take their configs from the service while they run, on a broker whose requests are read."""

import logging
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from tests.fixtures.conditions import eventually
from tests.serve.group import Group
from tests.serve.proxied import Seen, proxied_broker
from tests.serve.running import Caller, RunningService, Serve
from warden.clients import Change, ConfigService, DynamicConsumer, DynamicProducer
from warden.clients.names import static_configs
from warden.demo.local_broker import LocalBroker
from warden.process.ports import free_port

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

PARTITIONS = 3
PATIENCE = 180.0
Proxied = tuple[LocalBroker, str, Seen]


@pytest.fixture(scope="module")
def proxied() -> Iterator[Proxied]:
    """A broker, with topics ``produced``, ``consumed`` and ``other``."""
    with proxied_broker() as made:
        topics = [NewTopic(name, PARTITIONS, 1) for name in ("produced", "consumed", "other")]
        admin = AdminClient({"bootstrap.servers": made[1]})
        for created in admin.create_topics(topics).values():
            created.result(60)
        yield made


@pytest.fixture
def configs(service: RunningService) -> ConfigService:
    """The service, for alice."""
    return ConfigService(service.url, "token-of-alice")


def test_acks_change_under_load(admin: Caller, configs: ConfigService, proxied: Proxied) -> None:
    """Each record is delivered once to its callback, and lies in order, with a broker killed in between."""
    broker, address, seen = proxied
    admin.alter("alice", acks="1")
    changes: list[Change] = []
    own = {"bootstrap.servers": address, "client.id": "app", "acks": "all", "max.in.flight": 1}
    producer = DynamicProducer(own, service=configs, on_change=changes.append)
    assert {"acks": "1"} == changes[0].configs == producer.change.configs

    delivered: Counter[int] = Counter()
    failed: list[Any] = []
    stop, sent = threading.Event(), 0

    def deliver(number: int, error: Any) -> None:
        delivered[number] += 1
        if error is not None:
            failed.append(error)

    def load() -> int:
        number = 0
        while not stop.wait(0.001):
            call = lambda error, _message, number=number: deliver(number, error)  # noqa: E731 - one line of it
            producer.produce("produced", str(number).encode(), partition=number % PARTITIONS, on_delivery=call)
            producer.poll(0)
            number += 1
        return number

    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(load)
        try:
            eventually(lambda: len(delivered) > 100, "records are delivered", PATIENCE)
            assert {1} == set(seen.acks)
            admin.alter("alice", "app", acks="all")
            eventually(lambda: -1 in seen.acks, "the broker sees the new acks", PATIENCE)
            assert broker.pid is not None
            os.kill(broker.pid, signal.SIGKILL)
            broker.restart()
            admin.alter("alice", "app", acks="1")
            eventually(lambda: seen.acks[-1] == 1, "and the old again", PATIENCE)
            before = len(delivered)
            eventually(lambda: len(delivered) > before + 100, "records are delivered", PATIENCE)
        finally:
            stop.set()
        sent = sending.result(PATIENCE)
    assert 0 == producer.flush(PATIENCE)
    producer.close()

    assert [] == failed
    assert Counter(range(sent)) == delivered
    assert [{"acks": "1"}, {"acks": "-1"}, {"acks": "1"}] == [change.configs for change in changes]
    assert 3 == producer.counts["changes"]
    stored = _stored(address, sent)
    once = [list(dict.fromkeys(numbers)) for numbers in stored]  # librdkafka repeats what the broker died over
    assert [list(range(first, sent, PARTITIONS)) for first in range(PARTITIONS)] == once


def _stored(address: str, count: int) -> list[list[int]]:
    """The numbers in each partition, as they lie there."""
    found: list[list[int]] = [[] for _ in range(PARTITIONS)]
    consumer = Consumer({"bootstrap.servers": address, "group.id": "reader"})
    consumer.assign([TopicPartition("produced", partition, 0) for partition in range(PARTITIONS)])

    def read() -> bool:
        for message in consumer.consume(1000, 0.5):
            if message.error() is None:
                found[message.partition() or 0].append(int(message.value() or b""))
        return sum(len(set(numbers)) for numbers in found) >= count

    eventually(read, "all is read", PATIENCE)
    consumer.close()
    return found


def test_a_session_timeout_changes_in_a_running_group(admin: Caller, configs: ConfigService, proxied: Proxied) -> None:
    """No partition moves, no generation ends, and each of three members reads on where it was."""
    _, address, seen = proxied
    group = Group(address, "consumed", PARTITIONS, configs, seen)
    eventually(lambda: group.read_all() and group.settled(), "each member has a partition", PATIENCE)
    group.write(9)  # by now, so that no other member has read it before
    eventually(group.read_all, "all is read", PATIENCE)
    before, moves, generation = group.assignment(), list(group.called), group.generation()

    admin.alter("alice", session_timeout_ms="50000")
    eventually(lambda: group.read_all() and seen.session_timeouts.count(50000) >= 3, "all have joined anew", PATIENCE)
    group.write(9)
    eventually(lambda: group.read_all() and group.settled(), "all is read", PATIENCE)
    beats = seen.beats()
    eventually(lambda: group.read_all() and all(beats[name] < seen.beats()[name] for name in beats), "beats", PATIENCE)

    assert before == group.assignment()
    assert moves == group.called
    assert generation == group.generation()
    assert Counter(range(18)) == group.read
    group.close()


def test_a_member_that_is_not_static(admin: Caller, configs: ConfigService, proxied: Proxied) -> None:
    """Waits for its next start, as a change would cost a rebalance."""
    own = {"bootstrap.servers": proxied[1], "group.id": "other", "client.id": "app"}
    consumer = DynamicConsumer(own, service=configs)
    consumer.subscribe(["other"])
    admin.alter("alice", session_timeout_ms="50000")
    eventually(lambda: consumer.change.configs, "the change is known")
    before = proxied[2].session_timeouts.count(50000)
    eventually(lambda: consumer.poll(0.1) is None and consumer.assignment(), "the member has joined", PATIENCE)
    assert before == proxied[2].session_timeouts.count(50000)
    consumer.close()


def test_what_is_ignored(admin: Caller, configs: ConfigService, caplog: pytest.LogCaptureFixture) -> None:
    """Is logged with the policy's reason, and is not in force; no secret leaves the client."""
    admin.alter("alice", acks="0")
    caplog.set_level(logging.INFO, "warden.clients")
    own = {"bootstrap.servers": "127.0.0.1:1", "enable.idempotence": True, "sasl.password": "x", "ssl.key.pem": "y"}
    producer = DynamicProducer(own, service=configs)
    assert {} == producer.change.configs
    assert "Must set acks to all in order to use the idempotent producer" in producer.change.ignored["acks"]
    assert any("client config acks is ignored: Must set acks to all" in record.message for record in caplog.records)
    assert {"enable.idempotence": "true"} == static_configs("producer", own)
    producer.close()


def test_the_service_is_away(proxied: Proxied, caplog: pytest.LogCaptureFixture) -> None:
    """The client's own configs are in force, with one warning, and it sends."""
    nobody = ConfigService(f"http://127.0.0.1:{free_port()}")
    own = {"bootstrap.servers": proxied[1], "acks": "1"}
    producer = DynamicProducer(own, service=nobody)
    eventually(lambda: producer.counts["failures"] > 2, "it asks again")
    delivered: list[Any] = []
    producer.produce("other", b"0", on_delivery=lambda error, _message: delivered.append(error))
    assert 0 == producer.flush(60)
    assert [None] == delivered
    said = [record.message for record in caplog.records if record.name == "warden.clients"]
    assert 1 == len(said)
    assert "what was in force stays" in said[0]
    producer.close()


def test_the_last_accepted_stays(serve: Serve, proxied: Proxied) -> None:
    """While the service is away again."""
    service = serve()
    Caller(service, "token-of-admin").alter("alice", acks="1")
    own = {"bootstrap.servers": proxied[1], "metadata.max.age.ms": 1000}  # how soon it asks again after a quick answer
    producer = DynamicProducer(own, service=ConfigService(service.url, "token-of-alice"))
    assert {"acks": "1"} == producer.change.configs
    service.stop()
    eventually(lambda: producer.counts["failures"], "it is away")
    assert {"acks": "1"} == producer.change.configs
    producer.close()
