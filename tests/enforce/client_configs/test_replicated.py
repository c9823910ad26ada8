"""The topic of stored client configs, as a part of a replicated cluster."""

import uuid
from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace

import pytest
from kafka import KafkaProducer
from kafka.structs import TopicPartition

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import StoreError
from warden.demo.local_broker import LocalBroker
from warden.enforce.client_configs.open_store import open_store
from warden.enforce.client_configs.store import Store, StoredEntity, build_state
from warden.state.sources.kafka.client_configs.records import decode_key, decode_value
from warden.state.sources.kafka.client_configs.topic import ClientConfigTopic, StoredClientConfigs
from warden.state.sources.kafka.entry import KafkaEntry
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.source import KafkaSource

pytestmark = pytest.mark.kafka


@pytest.fixture
def topic() -> str:
    """A name that no other test has."""
    return f"client-configs-{uuid.uuid4().hex}"


@pytest.fixture
def source(broker: LocalBroker, topic: str) -> Iterator[KafkaSource]:
    """The broker as the replicator's source."""
    settings = {"name": "c", "bootstrapServers": broker.bootstrap_servers, "clientConfigs": topic, "interval": 0.1}
    opened = KafkaEntry.model_validate(settings).build_source()
    yield opened
    opened.close()


@pytest.fixture
def store(connection: Connection, topic: str) -> Iterator[Store]:
    """The topic as a store."""
    opened = open_store(f"topic:{topic}", connection, {})
    yield opened
    opened.close()


def test_what_is_stored_is_replicated(source: KafkaSource, store: Store) -> None:
    """From the beginning, and whatever is changed then; with nobody asking the broker for it."""
    store.write({("alice", ""): StoredEntity({"acks": "1"}, 0)})
    alice = store.read()["alice"][""]  # returns once the commit shows to readers
    assert {"alice": {"": {"acks": "1"}}} == source.load()["clientConfigs"]

    store.write({("alice", ""): StoredEntity({}, alice.version), ("bob", "b"): StoredEntity({"acks": "0"}, 0)})
    seen = None
    while seen is None:  # a commit shows to readers a moment after its writer knows
        seen = next((one.value for one in source.poll(1) if one.path == ("clientConfigs",)), None)
    assert {"bob": {"b": {"acks": "0"}}} == seen


def test_a_topic_that_is_not_there(source: KafkaSource, topic: str) -> None:
    """What nobody knows is absent and named; it is not empty."""
    assert "clientConfigs" not in source.load()
    expected = f"clientConfigs: topic {topic}: there is no such topic, or it may not be described"
    assert expected in source.details["missing"]


class _Late:
    """A consumer whose broker knows a topic, which is empty, at the third look."""

    def __init__(self) -> None:
        self.looks = 0

    def partitions_for_topic(self, topic: str) -> set[int] | None:
        self.looks += 1
        return {0} if self.looks > 2 else None

    def assign(self, _: object = None) -> None:
        pass

    seek_to_beginning = close = assign

    def position(self, partition: object) -> int:
        return 0


def test_a_topic_that_was_made_a_moment_ago() -> None:
    """A broker knows it after its controller has made it: a store waits for that, and does not for one that is gone."""
    late = _Late()
    ClientConfigTopic("made", lambda: late, lambda: 0, is_new=True).refresh()
    assert 3 == late.looks
    with pytest.raises(StoreError, match="there is no such topic"):
        ClientConfigTopic("gone", _Late, lambda: 0).refresh()


class _Log:
    """A consumer of a log that a test writes to."""

    def __init__(self, log: list[SimpleNamespace]) -> None:
        self._log, self._at = log, 0

    def partitions_for_topic(self, topic: str) -> set[int]:
        return {0}

    def assign(self, _: object = None) -> None:
        pass

    seek_to_beginning = close = assign

    def position(self, partition: object) -> int:
        return self._at

    def poll(self, timeout_ms: int) -> dict[TopicPartition, list[SimpleNamespace]]:
        added, self._at = self._log[self._at :], len(self._log)
        return {TopicPartition("t", 0): added}


def test_a_topic_that_ends_before_what_was_read() -> None:
    """It was made anew, or has lost records: nothing of before is left, and what is gone has changed."""
    acks = lambda user, value, offset: SimpleNamespace(  # noqa: E731 - short
        key=f'["{user}",""]'.encode(), value=f'{{"acks":"{value}"}}'.encode(), offset=offset
    )
    log = [acks("alice", "1", 0), acks("bob", "1", 1), acks("bob", "0", 2)]
    topic = ClientConfigTopic("t", lambda: _Log(log), lambda: len(log))
    topic.refresh()
    topic.take_changes()

    log[:] = [acks("alice", "0", 0)]
    topic.refresh()
    assert {"alice": {"": ({"acks": "0"}, 1)}} == topic.entities
    assert {("alice", ""), ("bob", "")} == topic.take_changes()
    log.clear()
    topic.refresh()
    assert {} == topic.entities


def test_a_topic_that_is_made_anew(source: KafkaSource, store: Store, topic: str, connection: Connection) -> None:
    """Neither the replica nor the store goes on with what was in the one before."""
    for number in range(3):
        store.write({(f"user-{number}", ""): StoredEntity({"acks": "1"}, 0)})
    assert 3 == len(eventually(store.read, "it is stored"))
    assert 3 == len(source.load()["clientConfigs"])

    connection.admin.delete_topics([topic])
    anew = eventually(lambda: _open_anew(topic, connection), "it can be made anew")
    anew.write({("alice", ""): StoredEntity({"acks": "0"}, 0)})
    anew.close()
    expected = {"alice": {"": {"acks": "0"}}}
    eventually(lambda: expected == _read(store), "the store has what is there now")
    eventually(lambda: expected == source.load().get("clientConfigs"), "the replica has it")


def _open_anew(topic: str, connection: Connection) -> Store | None:
    if connection.admin.describe_topics([topic])[0]["error_code"] == 0:
        return None
    return open_store(f"topic:{topic}", connection, {})


def _read(store: Store) -> object:
    try:
        return build_state(store.read())
    except StoreError:
        return None


def test_a_strange_record_stays_in_the_way(broker: LocalBroker, store: Store, topic: str) -> None:
    """However often one reads: nobody goes on behind what they could not read."""
    store.write({("alice", ""): StoredEntity({"acks": "1"}, 0)})
    with closing(KafkaProducer(bootstrap_servers=broker.bootstrap_servers)) as producer:
        producer.send(topic, key=b"x", value=b"y").get(PATIENCE)
    for _ in range(2):
        with pytest.raises(StoreError, match="does somebody else write to this topic"):
            store.read()


@pytest.mark.parametrize(
    "content",
    [None, b"", b"x", b"{}", b'["a"]', b'["a", 1]', b"\xff", pytest.param(b"[" * 200_000, id="nested too deeply")],
)
def test_strange_records(content: bytes | None) -> None:
    """A record that is not a client config stops whoever reads it: nothing is guessed."""
    with pytest.raises(StoreError, match="does somebody else write to this topic"):
        decode_key(content)
    if content not in (None, b"{}"):
        with pytest.raises(StoreError, match="does somebody else write to this topic"):
            decode_value(content)


class _Nested(_Late):
    """A consumer of one record, whose value is nested too deeply."""

    def partitions_for_topic(self, topic: str) -> set[int]:
        return {0}

    def poll(self, timeout_ms: int) -> dict[TopicPartition, list[SimpleNamespace]]:
        value = b'{"acks":' + b"[" * 200_000
        return {TopicPartition("t", 0): [SimpleNamespace(key=b'["a",""]', value=value, offset=0)]}


def test_a_record_that_is_nested_too_deeply() -> None:
    """The rest of the cluster is replicated, and the reason is named."""
    stored = StoredClientConfigs(ClientConfigTopic("t", _Nested, lambda: 1))

    assert {} == stored.read_part()
    assert "topic t, offset 0: the value " in str(stored.problem)
