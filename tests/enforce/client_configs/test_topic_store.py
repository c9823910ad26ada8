"""A store in a topic whose brokers say nothing, or take nothing as large."""

import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import InputError, KafkaUnreachable, StoreError
from warden.demo.local_broker import LocalBroker
from warden.enforce.client_configs import open_store as opening
from warden.enforce.client_configs.store import StoredEntity, build_state
from warden.enforce.client_configs.topic_store import TopicStore
from warden.state.sources.kafka.client_configs.topic import ClientConfigTopic
from warden.state.sources.kafka.login.connection import connect


class _Silent:
    """A consumer whose broker says nothing until it is let go, and then has nothing in time."""

    def __init__(self, let_go: threading.Event, polled: list[int]) -> None:
        self._let_go, self._polled = let_go, polled

    def partitions_for_topic(self, topic: str) -> set[int]:
        return {0}

    def assign(self, _: object = None) -> None:
        pass

    seek_to_beginning = close = assign

    def metrics(self) -> dict[str, Any]:
        return {}

    def position(self, partition: object) -> int:
        return 0

    def poll(self, timeout_ms: int) -> dict[object, Any]:
        self._polled.append(1)
        self._let_go.wait(PATIENCE)
        return {}


@pytest.mark.parametrize("ask", [TopicStore.read, TopicStore.take_changes])
def test_many_who_wait_for_a_broker_that_is_silent(ask: Callable[[TopicStore], object]) -> None:
    """All hear it once the first has: nobody begins to wait then."""
    let_go = threading.Event()
    polled: list[int] = []
    content = ClientConfigTopic("t", lambda: _Silent(let_go, polled), lambda: 1, 0.0)
    store = TopicStore("t", content, lambda: None)
    with ThreadPoolExecutor(8) as pool:
        asking = [pool.submit(ask, store) for _ in range(8)]
        eventually(lambda: polled, "the first waits")
        let_go.set()
        errors = [one.exception(PATIENCE) for one in asking]
    assert [StoreError] * 8 == [type(error) for error in errors]
    assert 1 == len({str(error) for error in errors}) == len(polled)


def test_a_writer_that_cannot_connect() -> None:
    """It is an error of the store, as one that cannot be read."""

    def refuse() -> None:
        raise KafkaUnreachable("no Kafka broker can be reached")

    content = ClientConfigTopic("t", lambda: _Silent(threading.Event(), []), lambda: 0)
    with pytest.raises(StoreError, match=r"^topic t cannot be written to: no Kafka broker can be reached"):
        TopicStore("t", content, refuse).write({("alice", ""): StoredEntity({}, 0)})


@pytest.mark.kafka
@pytest.mark.parametrize("length", [600_000, 2_000_000], ids=["for the broker", "for any request"])
def test_an_entity_that_is_too_large(broker: LocalBroker, monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    """That is a fault of what was sent, not of the store, which goes on."""
    monkeypatch.setitem(opening._TOPIC_CONFIGS, "max.message.bytes", "100000")
    with (
        connect(broker.bootstrap_servers, timeout=PATIENCE) as connection,
        closing(opening.open_store(f"topic:store.{uuid.uuid4().hex}", connection, {})) as store,
    ):
        with pytest.raises(InputError, match="larger than its cluster takes: send less"):
            store.write({("alice", ""): StoredEntity({"x": "x" * length}, 0)})
        assert {} == store.read()
        store.write({("bob", ""): StoredEntity({"acks": "1"}, 0)})
        assert {"bob": {"": {"acks": "1"}}} == build_state(store.read())
