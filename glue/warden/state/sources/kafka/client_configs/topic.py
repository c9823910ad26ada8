"""The compacted topic that client configs are stored in (KIP-649), read to its end."""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from warden.base.errors import KafkaError, StoreError
from warden.state.sources.kafka.client_configs.records import EntityKey, decode_key, decode_value

__all__ = ["ClientConfigTopic", "StoredClientConfigs"]

_Entity = tuple[Mapping[str, Any], int]
_PAUSE_SECONDS = 0.1  # between two polls for a topic that is new


class ClientConfigTopic:
    """Reads a topic of one partition from its beginning, and then what is added.

    Where it ends before what was read already, it was made anew or has lost records: it is read from its beginning. A
    topic that was made anew and has grown beyond that meanwhile is not noticed.

    Args:
        topic: Its name.
        consumer: Makes kafka-python's consumer, of committed records, connected.
        end: Tells the offset behind the last record, of transactions under way too: what was acknowledged a moment ago
            may not yet count as committed. None for that of committed records.
        timeout: Seconds that reading may take.
        is_new: Whether it was made a moment ago: brokers know it some time after their controller has made it.

    Attributes:
        entities: By user and client-id the configs of each entity, and the offset behind its last record; `refresh`
            changes it in place.
    """

    def __init__(
        self,
        topic: str,
        consumer: Callable[[], Any],
        end: Callable[[], int] | None = None,
        timeout: float = 30.0,
        *,
        is_new: bool = False,
    ) -> None:
        self.entities: dict[str, dict[str, _Entity]] = {}
        self._users_of: dict[str, set[str]] = {}  # by client-id
        self._changed: set[EntityKey] = set()
        self._topic, self._make, self._end, self._timeout = topic, consumer, end, timeout
        self._is_new = is_new
        self._consumer: Any = None

    def refresh(self) -> None:
        """Read what was added, all of it the first time.

        Raises:
            StoreError: The topic cannot be read to its end, or has what is not a client config.
        """
        from kafka.errors import KafkaError as LibraryError

        try:
            self._refresh()
        except (LibraryError, KafkaError) as error:
            self.close()
            raise StoreError(f"topic {self._topic} cannot be read: {error}") from error

    def take_changes(self) -> set[EntityKey]:
        """Return the entities that records were about since this was last called."""
        changed, self._changed = self._changed, set()
        return changed

    def select(self, selection: Collection[tuple[str | None, str | None]]) -> dict[str, dict[str, _Entity]]:
        """Return entities as of the last `refresh`.

        Args:
            selection: Users and client-ids, None for all of either.
        """
        entities: dict[str, dict[str, _Entity]] = {}
        for user, client in selection:
            for name in self._select_users(user, client):
                clients = self.entities.get(name, {})
                chosen = clients if client is None else {client: clients[client]} if client in clients else {}
                if chosen:
                    entities.setdefault(name, {}).update(chosen)
        return entities

    def close(self) -> None:
        """Close the connection; another `refresh` begins anew."""
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            consumer.close()

    def _refresh(self) -> None:
        from kafka.structs import TopicPartition

        partition = TopicPartition(self._topic, 0)
        if self._consumer is None:
            self._begin(partition)
        (end,) = (self._end(),) if self._end else self._consumer.end_offsets([partition]).values()
        if self._consumer.position(partition) > end:
            self.close()
            self._begin(partition)
        deadline = time.monotonic() + self._timeout
        while self._consumer.position(partition) < end:
            self._take_in(self._consumer.poll(timeout_ms=200).get(partition, ()))
            if time.monotonic() > deadline:
                advice = _describe_throttle(self._consumer) or "try again"
                raise StoreError(f"topic {self._topic} was not read to its end within {self._timeout:g} s: {advice}")

    def _begin(self, partition: Any) -> None:
        consumer = self._consumer = self._make()
        deadline = time.monotonic() + (self._timeout if self._is_new else 0.0)
        while partition.partition not in (consumer.partitions_for_topic(self._topic) or ()):
            if time.monotonic() >= deadline:
                self.close()
                raise StoreError(f"topic {self._topic}: there is no such topic, or it may not be described")
            time.sleep(_PAUSE_SECONDS)
        self._is_new = False
        self._changed.update((user, client) for user, clients in self.entities.items() for client in clients)
        self.entities, self._users_of = {}, {}
        consumer.assign([partition])
        consumer.seek_to_beginning(partition)

    def _take_in(self, records: Sequence[Any]) -> None:
        try:
            read = [self._decode_record(record) for record in records]
        except StoreError:
            self.close()  # else the next `refresh` would go on behind it
            raise
        for key, configs, version in read:
            self._put(key, configs, version)

    def _decode_record(self, record: Any) -> tuple[EntityKey, dict[str, Any], int]:
        try:
            return decode_key(record.key), decode_value(record.value), record.offset + 1
        except StoreError as error:
            raise StoreError(f"topic {self._topic}, offset {record.offset}: {error}") from None

    def _put(self, key: EntityKey, configs: Mapping[str, Any], version: int) -> None:
        user, client = key
        self._changed.add(key)
        if configs:
            self.entities.setdefault(user, {})[client] = configs, version
            self._users_of.setdefault(client, set()).add(user)
        elif client in self.entities.get(user, ()):
            del self.entities[user][client]
            self._users_of[client].remove(user)
            if not self.entities[user]:
                del self.entities[user]
            if not self._users_of[client]:
                del self._users_of[client]

    def _select_users(self, user: str | None, client: str | None) -> Iterable[str]:
        """The users of whom something is selected."""
        if user is not None:
            return (user,)
        return self.entities if client is None else self._users_of.get(client, ())


def _describe_throttle(consumer: Any) -> str | None:
    """What to do about brokers that hold a reader back; None where none does."""
    longest = max((group.get("throttle-time-max", 0.0) for group in consumer.metrics().values()), default=0.0)
    if not longest > 0:  # NaN where nothing was measured
        return None
    return (
        f"brokers throttle its reader, by up to {longest:.0f} ms: raise the consumer_byte_rate of this user and of "
        "client-id warden; warden configs --describe --entity-type users --entity-type clients shows the quotas"
    )


class StoredClientConfigs:
    """What is in such a topic, as a part of a replicated cluster's state.

    Args:
        topic: What reads it.

    Attributes:
        problem: Why it is not known, None where it is.
    """

    name = "clientConfigs"

    def __init__(self, topic: ClientConfigTopic) -> None:
        self._topic = topic
        self._users: dict[str, dict[str, Any]] = {}
        self.problem: str | None = None

    def read_part(self) -> Mapping[str, Any]:
        """Look at the topic, and return ``clientConfigs``; nothing where it cannot be read.

        What no record was about since the last poll is the same object as then, and all of it where there was none.
        """
        try:
            self._topic.refresh()
        except StoreError as error:
            self.problem = str(error)
            return {}
        self.problem = None
        if changed := {user for user, _ in self._topic.take_changes()}:
            there = self._topic.entities
            kept = {user: clients for user, clients in self._users.items() if user not in changed}
            anew = {user: _build_configs(there[user]) for user in sorted(changed & there.keys())}
            self._users = {**kept, **anew}
        return {self.name: self._users}

    def close(self) -> None:
        """Close the connection."""
        self._topic.close()


def _build_configs(clients: Mapping[str, _Entity]) -> dict[str, Any]:
    return {client: dict(configs) for client, (configs, _) in sorted(clients.items())}
