"""confluent-kafka's Consumer whose timeouts change while it runs."""

import logging
import weakref
from collections.abc import Callable, Mapping
from typing import Any, Self

from confluent_kafka import Consumer, KafkaException, TopicPartition

from warden.clients.followed import Change, Followed
from warden.clients.names import interval, overridden, static_configs
from warden.clients.service import ConfigService

__all__ = ["DynamicConsumer"]

_LOG = logging.getLogger("warden.clients")
_SUPPORTED = ("heartbeat.interval.ms", "session.timeout.ms")
_Partitions = list[TopicPartition]
_Callback = Callable[[Any, _Partitions], Any]


class DynamicConsumer:
    """Stands in for ``confluent_kafka.Consumer``: the same configuration, the same methods.

    librdkafka cannot change a consumer's timeouts, so another takes its place, in a call of `poll` or `consume`. With
    ``group.instance.id`` (static membership, KIP-345) it is the same member to the group: nothing is rebalanced, and
    it goes on at the positions where the one before was; callbacks of the subscription are called for partitions that
    differ only. Without, the change waits for the application's next start, and the log says so.

    Args:
        config: librdkafka's configuration.
        service: Where client configs are resolved. Where it is away the configuration is in force, or what was accepted
            last.
        on_change: Is called with each change: with the first before this returns, then in a thread of its own.
        kwargs: As for the original.
    """

    def __init__(
        self,
        config: Mapping[str, Any],
        *,
        service: ConfigService,
        on_change: Callable[[Change], None] | None = None,
        **kwargs: Any,
    ) -> None:
        self._config, self._kwargs = dict(config), kwargs
        static = static_configs("consumer", config)
        self._followed = Followed(
            service, "consumer", config.get("client.id"), static, _SUPPORTED, interval(config), on_change
        )
        weakref.finalize(self, self._followed.stop)
        self._applied = self._followed.change.configs
        self._subscribed: tuple[list[str], dict[str, _Callback]] | None = None
        self._positions: dict[tuple[str, int], TopicPartition] | None = None  # of the one before, until it is assigned
        self._paused: set[tuple[str, int]] = set()
        self._closing = False
        try:
            self._consumer = self._made(self._applied)
        except KafkaException as error:
            _LOG.warning("client configs are refused by librdkafka: %s", error)
            self._consumer = self._made({})

    def __getattr__(self, name: str) -> Any:
        """Every other method is that of the consumer that there is."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._consumer, name)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    @property
    def change(self) -> Change:
        """What of the dynamic configs is accepted and ignored."""
        return self._followed.change

    @property
    def counts(self) -> Mapping[str, int]:
        """How many ``answers`` and ``failures`` of the service and ``changes`` there were."""
        return dict(self._followed.counts)

    def poll(self, *args: Any, **kwargs: Any) -> Any:
        """Return the next record; see the original."""
        self._apply()
        return self._consumer.poll(*args, **kwargs)

    def consume(self, *args: Any, **kwargs: Any) -> Any:
        """Return the next records; see the original."""
        self._apply()
        return self._consumer.consume(*args, **kwargs)

    def subscribe(self, topics: list[str], **callbacks: _Callback) -> None:
        """Subscribe to topics; see the original."""
        self._subscribed = list(topics), callbacks
        self._subscribe(*self._subscribed)

    def unsubscribe(self) -> None:
        """End the subscription; see the original."""
        self._subscribed = self._positions = None
        self._consumer.unsubscribe()

    def pause(self, partitions: _Partitions) -> None:
        """Pause partitions; see the original."""
        self._paused |= {(one.topic, one.partition) for one in partitions}
        self._consumer.pause(partitions)

    def resume(self, partitions: _Partitions) -> None:
        """Resume partitions; see the original."""
        self._paused -= {(one.topic, one.partition) for one in partitions}
        self._consumer.resume(partitions)

    def close(self) -> None:
        """Leave, as the original does."""
        self._followed.stop()
        self._consumer.close()

    def _made(self, configs: Mapping[str, str]) -> Consumer:
        return Consumer(overridden(self._config, configs), **self._kwargs)

    def _apply(self) -> None:
        """Put another consumer in place where the configs are others."""
        wanted = self._followed.change.configs
        if wanted == self._applied:
            return
        self._applied, subscribed = wanted, self._subscribed
        if "group.instance.id" not in self._config or subscribed is None:
            _LOG.warning("client configs wait for the next start: without group.instance.id they cost a rebalance")
            return
        try:
            another = self._made(wanted)
        except KafkaException as error:
            _LOG.warning("client configs are refused by librdkafka, what was in force stays: %s", error)
            return
        if self._positions is None:  # else the one before was never assigned anything
            assigned = self._consumer.position(self._consumer.assignment())
            self._positions = {(one.topic, one.partition): one for one in assigned}
        self._closing = True
        try:
            self._consumer.close()  # without LeaveGroup: the member is static
        finally:
            self._closing = False
            self._consumer = another
            self._subscribe(*subscribed)

    def _subscribe(self, topics: list[str], callbacks: Mapping[str, _Callback]) -> None:
        lost = {"on_lost": self._lost} if "on_lost" in callbacks else {}
        self._consumer.subscribe(topics, on_assign=self._assigned, on_revoke=self._revoked, **lost)

    def _assigned(self, consumer: Consumer, partitions: _Partitions) -> None:
        before, self._positions = self._positions, None
        if before is None:
            self._tell("on_assign", partitions)
            return
        known = [before.get((one.topic, one.partition), one) for one in partitions]
        taken = [TopicPartition(one.topic, one.partition, one.offset) for one in known]
        if "cooperative" in str(self._config.get("partition.assignment.strategy", "")):
            consumer.incremental_assign(taken)
        else:
            consumer.assign(taken)
        now = {(one.topic, one.partition) for one in partitions}
        if gone := [one for key, one in before.items() if key not in now]:
            self._tell("on_revoke", gone)
        if self._paused & now:
            consumer.pause([one for one in taken if (one.topic, one.partition) in self._paused])
        if new := [one for one in partitions if (one.topic, one.partition) not in before]:
            self._tell("on_assign", new)

    def _revoked(self, _: Consumer, partitions: _Partitions) -> None:
        self._forget(partitions)
        if not self._closing:
            self._tell("on_revoke", partitions)

    def _lost(self, _: Consumer, partitions: _Partitions) -> None:
        self._forget(partitions)
        if not self._closing:
            self._tell("on_lost", partitions)

    def _forget(self, partitions: _Partitions) -> None:
        if not self._closing:
            self._paused -= {(one.topic, one.partition) for one in partitions}

    def _tell(self, name: str, partitions: _Partitions) -> None:
        if self._subscribed is not None and name in self._subscribed[1]:
            self._subscribed[1][name](self, partitions)
