"""Client configs in a compacted topic of the cluster that they are for."""

import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

from warden.base.errors import InputError, KafkaError, StoreConflict, StoreError
from warden.enforce.client_configs.store import EVERYTHING, NOTHING, Entities, Selected, StoredEntity
from warden.state.sources.kafka.client_configs.records import EntityKey, encode_key, encode_value
from warden.state.sources.kafka.client_configs.topic import ClientConfigTopic

__all__ = ["TopicStore"]

_CLOSE_SECONDS = 1.0


class TopicStore:
    """A store in a topic of one partition, which any number of processes may share.

    All of them write with the topic's name as their transactional id: whoever writes fences off the writer before
    (KIP-98), reads to the end of the topic, and only then compares versions, which are offsets. So a version that was
    compared cannot grow old before the write: the write of whoever was fenced off meanwhile fails as a whole.

    Once it could not be read it is not read again, so that those who wait for a broker that is silent do so once, not
    one after another: open another store then.

    Args:
        topic: Its name.
        content: What reads it.
        producer: Makes kafka-python's producer with a transactional id, connected.
        timeout: Seconds that writing a record may take.
    """

    def __init__(
        self, topic: str, content: ClientConfigTopic, producer: Callable[[], Any], timeout: float = 30.0
    ) -> None:
        self._topic, self._content, self._make_producer, self._timeout = topic, content, producer, timeout
        self._producer: Any = None
        self._problem: str | None = None
        self._guard, self._closed = threading.RLock(), False

    def read(self, selection: Collection[Selected] = EVERYTHING) -> Entities:
        """Return entities; see `warden.enforce.client_configs.store.Store`."""
        with self._guard:
            self._refresh()
            return {
                user: {client: StoredEntity(*stored) for client, stored in clients.items()}
                for user, clients in self._content.select(selection).items()
            }

    def take_changes(self) -> set[EntityKey]:
        """Return what was changed; see `warden.enforce.client_configs.store.Store`."""
        with self._guard:
            self._refresh()
            return self._content.take_changes()

    def write(self, changes: Mapping[EntityKey, StoredEntity]) -> None:
        """Store entities; see `warden.enforce.client_configs.store.Store`."""
        from kafka.errors import (
            InvalidProducerEpochError,
            MessageSizeTooLargeError,
            ProducerFencedError,
            RecordListTooLargeError,
        )
        from kafka.errors import KafkaError as LibraryError

        with self._guard:
            self._check_open()
            try:
                self._write(changes)
            except (LibraryError, KafkaError) as error:
                self._drop_producer()
                if _has_cause(error, ProducerFencedError, InvalidProducerEpochError):
                    raise StoreConflict(f"topic {self._topic}: another process writes to it: try again") from error
                if _has_cause(error, MessageSizeTooLargeError, RecordListTooLargeError):
                    raise InputError(
                        "what is stored of an entity, with what its clients have registered, is larger than its "
                        "cluster takes: send less, or raise the topic's max.message.bytes"
                    ) from error
                raise StoreError(f"topic {self._topic} cannot be written to: {error}") from error

    def close(self) -> None:
        """Close the connections."""
        with self._guard:
            self._closed = True
            self._drop_producer()
            self._content.close()

    def _check_open(self) -> None:
        if self._closed:  # by whoever follows the cluster, which is away
            raise StoreError(f"topic {self._topic}: the connection has ended: ask again")
        if self._problem is not None:
            raise StoreError(self._problem)

    def _refresh(self) -> None:
        self._check_open()
        try:
            self._content.refresh()
        except StoreError as error:
            self._problem = str(error)
            raise

    def _write(self, changes: Mapping[EntityKey, StoredEntity]) -> None:
        if self._producer is None:
            self._begin()
        there = self.read(changes.keys())
        if any(_get_version(there, key) != stored.version for key, stored in changes.items()):
            raise StoreConflict(f"topic {self._topic}: somebody else has changed the same entity: try again")
        records = [(encode_key(key), encode_value(stored.configs)) for key, stored in changes.items()]
        self._producer.begin_transaction()
        sent = [self._producer.send(self._topic, key=key, value=value, partition=0) for key, value in records]
        # Each record first: where one is refused because another writer began, kafka-python takes a new epoch by itself
        # and then "commits" a transaction that has no record, without an error.
        versions = [
            record.get(self._timeout).offset + 1 if value else 0
            for record, (_, value) in zip(sent, records, strict=True)
        ]
        self._commit(dict(zip(changes, versions, strict=True)))

    def _begin(self) -> None:
        """Fence off whoever wrote before; what was under way is committed or aborted then."""
        self._producer = self._make_producer()
        self._producer.init_transactions()

    def _commit(self, versions: Mapping[EntityKey, int]) -> None:
        """Commit; where it is not known whether that was done, look."""
        from kafka.errors import KafkaError as LibraryError

        try:
            _commit_within(self._producer, self._timeout)
        except LibraryError as error:
            self._drop_producer()
            self._begin()
            there = self.read(versions.keys())
            if any(_get_version(there, key) != version for key, version in versions.items()):
                raise StoreConflict(f"topic {self._topic}: it was not written to: try again") from error

    def _drop_producer(self) -> None:
        producer, self._producer = self._producer, None
        if producer is not None:  # in the background where a broker is away: what is under way has a limit of its own
            closing = threading.Thread(target=_close, args=(producer, 2 * self._timeout), daemon=True)
            closing.start()
            closing.join(_CLOSE_SECONDS)


def _commit_within(producer: Any, seconds: float) -> None:
    """Commit, which kafka-python itself does without a limit of time."""
    from kafka.errors import KafkaTimeoutError

    ended: list[BaseException | None] = []

    def commit() -> None:
        try:
            producer.commit_transaction()
            ended.append(None)
        except BaseException as error:
            ended.append(error)

    committing = threading.Thread(target=commit, daemon=True)
    committing.start()
    committing.join(seconds)
    if not ended:
        raise KafkaTimeoutError(f"no answer to a commit within {seconds:g} s")
    if ended[0] is not None:
        raise ended[0]


def _close(producer: Any, seconds: float) -> None:
    from kafka.errors import KafkaError as LibraryError

    with suppress(LibraryError):
        producer.close(timeout=seconds)


def _get_version(entities: Entities, key: EntityKey) -> int:
    return entities.get(key[0], {}).get(key[1], NOTHING).version


def _has_cause(error: BaseException, *kinds: type[BaseException]) -> bool:
    """Whether it is of one of these kinds; kafka-python wraps one that stood before the call."""
    return any(isinstance(cause, kinds) for cause in (error, *error.args))
