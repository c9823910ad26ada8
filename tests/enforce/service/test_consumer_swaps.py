"""A consumer in whose place another is put while its partitions change, or where they are not known."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from kafka import KafkaConsumer
from kafka.errors import KafkaTimeoutError

from tests.enforce.service.conftest import Proxied
from tests.enforce.service.load import PARTITIONS
from tests.enforce.service.running import Caller, RunningService
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.dynamic_clients import ConfigService, DynamicConsumer, DynamicKafkaConsumer

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


@pytest.fixture
def configs(service: RunningService) -> ConfigService:
    """The service, for alice."""
    return ConfigService(service.url, "token-of-alice")


@pytest.mark.parametrize(
    ("assignor", "assign"),
    [
        ("range", lambda consumer, partitions: consumer.assign(partitions)),
        ("range", lambda *_: None),
        ("cooperative-sticky", lambda consumer, partitions: consumer.incremental_assign(partitions)),
        ("cooperative-sticky", lambda *_: None),
    ],
    ids=["eager", "eager-by-itself", "cooperative", "cooperative-by-itself"],
)
def test_partitions_that_come_with_a_change(
    admin: Caller,
    configs: ConfigService,
    proxied: Proxied,
    assignor: str,
    assign: Callable[[Any, Any], None],
    request: pytest.FixtureRequest,
) -> None:
    """An application that assigns what it is given has those before too, where they were; what was paused stays so."""
    name = re.sub(r"\W", "-", request.node.name)
    _create(proxied[1], name)
    own = {
        "bootstrap.servers": proxied[1],
        "group.id": name,
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
        "partition.assignment.strategy": assignor,
    }
    other = Consumer(own)
    consumer = DynamicConsumer({**own, "client.id": name, "group.instance.id": name}, service=configs)
    read = Counter[str]()

    def read_more() -> int:
        message = consumer.poll(0.1)
        if message is not None and message.error() is None:
            read[(message.value() or b"").decode()] += 1
        return read.total()

    def is_shared() -> bool:
        both = consumer.assignment(), other.assignment()
        return all(both) and sum(map(len, both)) == PARTITIONS

    consumer.subscribe([name], assign)
    other.subscribe([name])
    eventually(lambda: (read_more(), other.poll(0.1)) == (0, None) and is_shared(), "both have partitions")
    kept, new = consumer.assignment()[0].partition, other.assignment()[0].partition
    _write(proxied[1], name, kept, "before")
    eventually(lambda: read_more() == 1, "the first record is read")
    consumer.pause([TopicPartition(name, kept)])
    admin.alter("alice", session_timeout_ms="50000")
    eventually(lambda: consumer.dynamic_configs.configs, "the change is known")
    other.close()  # the group waits for the consumer, whose next poll puts another in its place
    eventually(lambda: read_more() and len(consumer.assignment()) == PARTITIONS, "it has all partitions")
    assert 50000 in proxied[2].session_timeouts[name]

    _write(proxied[1], name, kept, "while it is paused")
    _write(proxied[1], name, new, "to a new one")
    eventually(lambda: read_more() == 2, "the new partition is read")
    assert {"before": 1, "to a new one": 1} == read
    consumer.resume([TopicPartition(name, kept)])
    eventually(lambda: read_more() == 3, "and the one before")
    assert {"before": 1, "to a new one": 1, "while it is paused": 1} == read
    consumer.close()


def test_positions_that_cannot_be_read(
    admin: Caller, configs: ConfigService, proxied: Proxied, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The consumer goes on, and the change waits until it can be carried out."""
    name = "unread"
    own: dict[str, Any] = {
        "bootstrap_servers": proxied[1],
        "group_id": name,
        "client_id": name,
        "group_instance_id": name,
    }
    consumer = DynamicKafkaConsumer("other", service=configs, **own)
    eventually(lambda: consumer.poll(100) == {} and consumer.assignment(), "the member has joined")
    refused: list[Any] = []
    position = KafkaConsumer.position

    def refuse(one: Any, *arguments: Any, **more: Any) -> Any:
        if one.config["client_id"] != name:  # it is the service's
            return position(one, *arguments, **more)
        refused.append(arguments)
        raise KafkaTimeoutError("the coordinator is away")

    monkeypatch.setattr("warden.dynamic_clients.client_swap._PAUSE_SECONDS", 0.0)
    with monkeypatch.context() as away:
        away.setattr(KafkaConsumer, "position", refuse)
        admin.alter("alice", session_timeout_ms="50000")
        eventually(lambda: consumer.poll(100) == {} and len(refused) > 1, "it is tried, and again")
    assert 50000 not in proxied[2].session_timeouts[name]
    eventually(lambda: consumer.poll(100) == {} and 50000 in proxied[2].session_timeouts[name], "the change is made")
    consumer.close()


def _create(address: str, topic: str) -> None:
    client = AdminClient({"bootstrap.servers": address})
    client.create_topics([NewTopic(topic, PARTITIONS, 1)])[topic].result(PATIENCE)
    # A member that joins a group before its broker knows the topic learns of it minutes later.
    known = lambda: len(client.list_topics(topic).topics[topic].partitions) == PARTITIONS  # noqa: E731 - short
    eventually(known, "the broker knows the topic")


def _write(address: str, topic: str, partition: int, text: str) -> None:
    producer = Producer({"bootstrap.servers": address})
    producer.produce(topic, text.encode(), partition=partition)
    assert 0 == producer.flush(PATIENCE)
