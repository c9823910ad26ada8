"""confluent-kafka's Consumer whose timeouts change while it runs."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

from warden.dynamic_clients.config_watch import ConfigWatch, DynamicConfigs
from warden.dynamic_clients.consumer_swap import SUPPORTED, PartitionKey, ReplaceableConsumer
from warden.dynamic_clients.names import override_configs
from warden.dynamic_clients.service import ConfigService

__all__ = ["DynamicConsumer"]

_Partitions = list[TopicPartition]
_Callback = Callable[[Any, _Partitions], Any]
if TYPE_CHECKING:
    _Original = Consumer  # it goes where one goes, and has its methods
else:
    _Original = object


class DynamicConsumer(ReplaceableConsumer, _Original):
    """Stands in for ``confluent_kafka.Consumer``: the same configuration, the same methods.

    librdkafka cannot change a consumer's timeouts, so another takes its place, in a call of `poll` or `consume`. With
    ``group.instance.id`` (static membership, KIP-345) it is the same member to the group: no partition moves, and
    it goes on at the positions where the one before was. Callbacks of the subscription are called where partitions
    differ: for those that are gone, and for all that there are, with these positions, or with a cooperative assignor
    for the new ones. Without, the change waits for the application's next start, and the log says so.

    Args:
        config: librdkafka's configuration.
        service: Where client configs are resolved. Where it is away the configuration is in force, or what was accepted
            last.
        on_change: Is called with each change: with the first before this returns, then in a thread of its own.
        kwargs: As for the original.
    """

    unreachable_errors = (KafkaException,)

    def __init__(
        self,
        config: Mapping[str, Any],
        *,
        service: ConfigService,
        on_change: Callable[[DynamicConfigs], None] | None = None,
        **kwargs: Any,
    ) -> None:
        own = dict(config)
        watch = ConfigWatch(service, "consumer", own, SUPPORTED, on_change)
        self._topics: list[str] = []
        self._callbacks: dict[str, _Callback] = {}
        self._cooperative = "cooperative" in str(own.get("partition.assignment.strategy", ""))
        make = lambda configs: Consumer(override_configs(own, configs), **kwargs)  # noqa: E731 - one line of it
        super().__init__(watch, make, KafkaException, static="group.instance.id" in own)

    def poll(self, *args: Any, **kwargs: Any) -> Message | None:
        """Return the next record; see the original."""
        self._apply()
        record: Message | None = self._current.poll(*args, **kwargs)
        return record

    def consume(self, *args: Any, **kwargs: Any) -> list[Message]:
        """Return the next records; see the original."""
        self._apply()
        records: list[Message] = self._current.consume(*args, **kwargs)
        return records

    def subscribe(
        self,
        topics: list[str],
        on_assign: _Callback | None = None,
        on_revoke: _Callback | None = None,
        on_lost: _Callback | None = None,
    ) -> None:
        """Subscribe to topics; see the original."""
        given = {"on_assign": on_assign, "on_revoke": on_revoke, "on_lost": on_lost}
        self._callbacks = {name: callback for name, callback in given.items() if callback is not None}
        self._subscribed, self._topics = True, list(topics)
        self._subscribe_again()

    def pause(self, partitions: _Partitions) -> None:
        """Pause partitions; see the original."""
        self._paused |= _build_partition_keys(partitions)
        self._current.pause(partitions)

    def resume(self, partitions: _Partitions) -> None:
        """Resume partitions; see the original."""
        self._paused -= _build_partition_keys(partitions)
        self._current.resume(partitions)

    def _read_positions(self) -> dict[PartitionKey, int]:
        assigned = self._current.position(self._current.assignment())
        return {(partition.topic, partition.partition): partition.offset for partition in assigned}

    def _subscribe_again(self) -> None:
        lost = {"on_lost": self._on_loss} if "on_lost" in self._callbacks else {}
        self._current.subscribe(self._topics, on_assign=self._on_assign, on_revoke=self._on_revoke, **lost)

    def _on_assign(self, consumer: Consumer, partitions: _Partitions) -> None:
        before, self._before = self._before, None
        if before is None:
            self._tell("on_assign", partitions)
            return
        taken = [
            TopicPartition(each.topic, each.partition, before.get((each.topic, each.partition), each.offset))
            for each in partitions
        ]
        kept = [each for each in taken if (each.topic, each.partition) in before]
        new = [each for each in taken if each not in kept]
        if self._cooperative:
            consumer.incremental_assign(kept)
        now = _build_partition_keys(partitions)
        if gone := [TopicPartition(*place, offset) for place, offset in before.items() if place not in now]:
            self._forget(_build_partition_keys(gone))
            self._tell("on_revoke", gone)
        if not self._cooperative:
            consumer.assign(taken)
        if new:
            self._tell("on_assign", new if self._cooperative else taken)
            if self._cooperative and len(consumer.assignment()) == len(kept):  # the application has assigned none
                consumer.incremental_assign(new)
        if paused := [each for each in consumer.assignment() if (each.topic, each.partition) in self._paused]:
            consumer.pause(paused)

    def _on_revoke(self, _: Consumer, partitions: _Partitions) -> None:
        self._forget(_build_partition_keys(partitions))
        if not self._closing:
            self._tell("on_revoke", partitions)

    def _on_loss(self, _: Consumer, partitions: _Partitions) -> None:
        self._forget(_build_partition_keys(partitions))
        if not self._closing:
            self._tell("on_lost", partitions)

    def _tell(self, name: str, partitions: _Partitions) -> None:
        if name in self._callbacks:
            self._callbacks[name](self, partitions)


def _build_partition_keys(partitions: _Partitions) -> set[PartitionKey]:
    return {(partition.topic, partition.partition) for partition in partitions}
