"""confluent-kafka's Producer whose acks change while it runs."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from confluent_kafka import KafkaException, Producer

from warden.dynamic_clients.client_swap import ReplaceableProducer
from warden.dynamic_clients.config_watch import ConfigWatch, DynamicConfigs
from warden.dynamic_clients.names import override_configs
from warden.dynamic_clients.service import ConfigService

__all__ = ["DynamicProducer"]

_FLUSH_SECONDS = 1.0  # for which a send may be held up by a change
if TYPE_CHECKING:
    _Original = Producer  # it goes where one goes, and has its methods
else:
    _Original = object


class DynamicProducer(ReplaceableProducer, _Original):
    """Stands in for ``confluent_kafka.Producer``: the same configuration, the same methods.

    librdkafka cannot change ``acks`` of a producer, so another takes its place, in a call of `produce`, `poll` or
    `flush`: once every record of the one before is delivered or has failed, with its callback called, and only then, so
    that no record is lost, sent twice or overtaken. Where that takes longer than a second (no broker answers), records
    go on through the producer that there is, and the change is tried again later. A transactional producer is never
    replaced: its acks are all, and the policy ignores others. From acks of 0 the order is not known, as ever.

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
        on_change: Callable[[DynamicConfigs], None] | None = None,
        **kwargs: Any,
    ) -> None:
        own = dict(config)
        watch = ConfigWatch(service, "producer", own, ("acks",), on_change)
        self._transactional = "transactional.id" in own
        super().__init__(watch, lambda configs: Producer(override_configs(own, configs), **kwargs), KafkaException)

    def __len__(self) -> int:
        """Return how many records are not yet delivered."""
        return len(self._current)

    def __bool__(self) -> bool:
        """Return True, as the original does, whose length says nothing of that."""
        return True

    def produce(self, *args: Any, **kwargs: Any) -> None:
        """Send a record; see the original."""
        with self._lock:
            self._apply()
            self._current.produce(*args, **kwargs)

    def produce_batch(self, *args: Any, **kwargs: Any) -> int:
        """Send records; see the original."""
        with self._lock:
            self._apply()
            count: int = self._current.produce_batch(*args, **kwargs)
        return count

    def poll(self, *args: Any, **kwargs: Any) -> int:
        """Call callbacks; see the original."""
        with self._lock:
            self._apply()
        count: int = self._current.poll(*args, **kwargs)
        return count

    def flush(self, *args: Any, **kwargs: Any) -> int:
        """Wait for all records; see the original."""
        left: int = self._current.flush(*args, **kwargs)
        with self._lock:
            self._apply()
        return left

    def close(self, *args: Any, **kwargs: Any) -> Any:
        """Send what is left, and end it; see the original, which older confluent-kafka has none of."""
        if hasattr(self._current, "close"):
            return super().close(*args, **kwargs)
        self._watch.stop()
        return not self._current.flush()

    def _drain(self) -> bool:
        return not self._transactional and not self._current.flush(_FLUSH_SECONDS)
