"""kafka-python's KafkaConsumer whose timeouts change while it runs."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Self

from kafka import ConsumerRebalanceListener, KafkaConsumer, TopicPartition
from kafka.errors import KafkaConfigurationError, KafkaError

from warden.dynamic_clients.config_watch import ConfigWatch, DynamicConfigs
from warden.dynamic_clients.consumer_swap import SUPPORTED, PartitionKey, ReplaceableConsumer
from warden.dynamic_clients.names import build_keywords, to_kafka_names
from warden.dynamic_clients.service import ConfigService

__all__ = ["DynamicKafkaConsumer"]

_POSITION_MS = 5000  # for which a poll may be held up by a change, for each partition

_Tell = Callable[[set[TopicPartition]], None]


class DynamicKafkaConsumer(ReplaceableConsumer):
    """Stands in for ``kafka.KafkaConsumer``: the same keywords, the same methods.

    Another takes its place in a call of `poll` or of ``next``, as `warden.dynamic_clients.DynamicConsumer` does it for
    confluent-kafka: with ``group_instance_id`` as the same member of the group, else not before the next start.

    Args:
        topics: As for the original.
        service: Where client configs are resolved. Where it is away the keywords are in force, or what was accepted
            last.
        on_change: Is called with each change: with the first before this returns, then in a thread of its own.
        configs: As for the original.
    """

    unreachable_errors = (KafkaError,)

    def __init__(
        self,
        *topics: str,
        service: ConfigService,
        on_change: Callable[[DynamicConfigs], None] | None = None,
        **configs: Any,
    ) -> None:
        watch = ConfigWatch(service, "consumer", to_kafka_names(configs), SUPPORTED, on_change, of_librdkafka=False)
        self._subscription: dict[str, Any] = {}
        self._listener: ConsumerRebalanceListener | None = None
        make = lambda values: KafkaConsumer(**{**configs, **build_keywords(values)})  # noqa: E731 - one line of it
        super().__init__(watch, make, KafkaConfigurationError, static=configs.get("group_instance_id") is not None)
        if topics:
            self.subscribe(topics)

    def __iter__(self) -> Self:
        """Return itself."""
        return self

    def __next__(self) -> Any:
        """Return the next record; see the original."""
        self._apply()
        return next(self._current)

    def poll(self, *args: Any, **kwargs: Any) -> Any:
        """Return the next records; see the original."""
        self._apply()
        return self._current.poll(*args, **kwargs)

    def subscribe(
        self, topics: Iterable[str] = (), pattern: str | None = None, listener: ConsumerRebalanceListener | None = None
    ) -> None:
        """Subscribe to topics; see the original. The listener is none of those that are awaited."""
        self._subscription, self._listener = {"topics": list(topics), "pattern": pattern}, listener
        self._subscribed = True
        self._subscribe_again()

    def pause(self, *partitions: TopicPartition) -> None:
        """Pause partitions; see the original."""
        self._paused |= set(partitions)
        self._current.pause(*partitions)

    def resume(self, *partitions: TopicPartition) -> None:
        """Resume partitions; see the original."""
        self._paused -= set(partitions)
        self._current.resume(*partitions)

    def _read_positions(self) -> dict[PartitionKey, int]:
        places = {place: self._current.position(place, timeout_ms=_POSITION_MS) for place in self._current.assignment()}
        return {place: offset for place, offset in places.items() if offset is not None}

    def _subscribe_again(self) -> None:
        self._current.subscribe(**self._subscription, listener=_Listener(self._on_revoke, self._on_assign))

    def _prepare_join(self) -> None:
        """Learn the partitions: a leader that learns them after its join joins again (3.0.12), and with it the group.

        Then each member begins at the offset that is committed, and reads again what is not.
        """
        with suppress(KafkaError):  # which the poll that follows meets as well
            for topic in self._subscription["topics"]:
                self._current.partitions_for_topic(topic)

    def _on_assign(self, partitions: set[TopicPartition]) -> None:
        before, self._before = self._before, None
        for place in partitions & (before or {}).keys():
            self._current.seek(place, (before or {})[place])
        if self._paused & partitions:
            self._current.pause(*self._paused & partitions)
        if self._listener is None:
            return
        if gone := (before or {}).keys() - partitions:
            self._listener.on_partitions_revoked({TopicPartition(*place) for place in gone})
        if before is None or partitions - before.keys():
            self._listener.on_partitions_assigned(partitions - (before or {}).keys())

    def _on_revoke(self, partitions: set[TopicPartition]) -> None:
        self._forget(set(partitions))
        replaced = self._closing or self._before is not None  # kafka-python revokes nothing, as it joins
        if self._listener is not None and not replaced:
            self._listener.on_partitions_revoked(partitions)


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc] # kafka-python has no types
    """Tells a consumer what it is assigned."""

    def __init__(self, revoked: _Tell, assigned: _Tell) -> None:
        self._revoked, self._assigned = revoked, assigned

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        """Tell what is gone."""
        self._revoked(set(revoked))

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        """Tell what has come."""
        self._assigned(set(assigned))
