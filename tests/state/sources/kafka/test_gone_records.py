"""Topics that the replicator follows, which lose records that it has not read, or are made anew, with a real broker."""

import uuid
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

import pytest
from kafka import KafkaProducer
from kafka.admin import NewTopic
from kafka.errors import TopicAlreadyExistsError
from kafka.structs import TopicPartition

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import WardenError
from warden.demo.local_broker import LocalBroker
from warden.state.sources.kafka.client_configs.topic import ClientConfigTopic
from warden.state.sources.kafka.entry import KafkaEntry
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.labels.compacted import CompactedTopic

pytestmark = pytest.mark.kafka


@pytest.mark.parametrize(
    ("build_reader", "key", "value", "has"),
    [
        (ClientConfigTopic, '["%s",""]', b'{"acks":"1"}', lambda reader, name: name in reader.entities),
        (CompactedTopic, "%s", b'{"owner":"x"}', lambda reader, name: bool(reader.get(name))),
    ],
    ids=["client configs", "labels"],
)
def test_records_that_are_gone(
    broker: LocalBroker,
    build_reader: Callable[..., Any],
    key: str,
    value: bytes,
    has: Callable[[Any, str], bool],
) -> None:
    """The topic is read anew: what is left of it is all that is known, and nothing of it is passed over."""
    topic = f"gone.{uuid.uuid4().hex}"
    entry = KafkaEntry(name="c", bootstrap_servers=broker.bootstrap_servers)
    with (
        connect(broker.bootstrap_servers, timeout=PATIENCE) as connection,
        closing(KafkaProducer(bootstrap_servers=broker.bootstrap_servers, allow_auto_create_topics=False)) as producer,
        closing(build_reader(topic, entry.open_consumer)) as reader,
    ):

        def write(*names: str) -> None:
            for name in names:
                producer.send(topic, key=(key % name).encode(), value=value).get(PATIENCE)

        def read() -> set[str]:
            with suppress(WardenError):
                reader.refresh()
                return {name for name in "abcd" if has(reader, name)}
            return set()

        def create() -> bool:
            with suppress(TopicAlreadyExistsError):
                connection.admin.create_topics([NewTopic(topic, 1, 1)])
                return True
            return False

        create()
        write("a")
        eventually(lambda: read() == {"a"}, "the first record is read")
        write("b", "c", "d")
        connection.admin.delete_records({TopicPartition(topic, 0): 2})
        eventually(lambda: read() == {"c", "d"}, "what is left is read")
        connection.admin.delete_topics([topic])
        eventually(create, "the topic is made anew")
        write("b")
        eventually(lambda: read() == {"b"}, "what the new one has is all that is known")
        connection.admin.delete_topics([topic])
        eventually(lambda: topic not in connection.admin.list_topics(), "the broker is as others find it")
