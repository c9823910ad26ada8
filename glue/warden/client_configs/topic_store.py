"""Client configs in a compacted topic of the cluster that they are for."""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from warden.client_configs.store import NOTHING, Entities, Stored
from warden.errors import StoreConflict, StoreError
from warden.sources.kafka.client_config_records import Key, key_bytes, value_bytes
from warden.sources.kafka.client_config_topic import ClientConfigTopic

__all__ = ["TopicStore"]


class TopicStore:
    """A store in a topic of one partition, which any number of processes may share.

    All of them write with the topic's name as their transactional id: whoever writes fences off the writer before
    (KIP-98), reads to the end of the topic, and only then compares versions, which are offsets. So a version that was
    compared cannot grow old before the write: the write of whoever was fenced off meanwhile fails as a whole.

    Args:
        topic: Its name.
        content: What reads it.
        producer: Makes kafka-python's producer with a transactional id, connected.
    """

    def __init__(self, topic: str, content: ClientConfigTopic, producer: Callable[[], Any]) -> None:
        self._topic, self._content, self._make_producer = topic, content, producer
        self._producer: Any = None
        self._read: tuple[Any, Entities] = None, {}
        self._guard = threading.RLock()

    def read(self) -> Entities:
        """Return all entities; see `warden.client_configs.store.Store`."""
        with self._guard:
            self._content.refresh()
            before, entities = self._read
            if self._content.entities is not before:
                entities = {
                    user: {client: Stored(*one) for client, one in clients.items()}
                    for user, clients in self._content.entities.items()
                }
                self._read = self._content.entities, entities
            return entities

    def write(self, changes: Mapping[Key, Stored]) -> None:
        """Store entities; see `warden.client_configs.store.Store`."""
        from kafka.errors import InvalidProducerEpochError, ProducerFencedError
        from kafka.errors import KafkaError as LibraryError

        with self._guard:
            try:
                self._write(changes)
            except (ProducerFencedError, InvalidProducerEpochError) as error:
                self._drop_producer()
                raise StoreConflict(f"topic {self._topic}: another process writes to it: try again") from error
            except LibraryError as error:
                self._drop_producer()
                raise StoreError(f"topic {self._topic} cannot be written to: {error}") from error

    def close(self) -> None:
        """Close the connections."""
        with self._guard:
            self._drop_producer()
            self._content.close()

    def _write(self, changes: Mapping[Key, Stored]) -> None:
        if self._producer is None:
            self._producer = self._make_producer()
            self._producer.init_transactions()
        there = self.read()
        for (user, client), stored in changes.items():
            if there.get(user, {}).get(client, NOTHING).version != stored.version:
                raise StoreConflict(f"topic {self._topic}: somebody else has changed the same entity: try again")
        self._producer.begin_transaction()
        for key, stored in changes.items():
            self._producer.send(self._topic, key=key_bytes(key), value=value_bytes(stored.configs), partition=0)
        self._producer.commit_transaction()

    def _drop_producer(self) -> None:
        producer, self._producer = self._producer, None
        if producer is not None:
            producer.close(timeout=1)
