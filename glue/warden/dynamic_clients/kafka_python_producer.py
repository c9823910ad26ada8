"""kafka-python's KafkaProducer whose acks change while it runs."""

from collections.abc import Callable
from typing import Any

from kafka import KafkaProducer
from kafka.errors import KafkaConfigurationError, KafkaError, KafkaTimeoutError

from warden.dynamic_clients.client_swap import ReplaceableProducer
from warden.dynamic_clients.config_watch import ConfigWatch, DynamicConfigs
from warden.dynamic_clients.names import build_keywords, to_kafka_names
from warden.dynamic_clients.service import ConfigService

__all__ = ["DynamicKafkaProducer"]

_FLUSH_SECONDS = 1.0  # for which a send may be held up by a change


class DynamicKafkaProducer(ReplaceableProducer):
    """Stands in for ``kafka.KafkaProducer``: the same keywords, the same methods.

    Another takes its place in a call of `send` or `flush`, as `warden.dynamic_clients.DynamicProducer` does it for
    confluent-kafka: once every record of the one before is delivered or has failed, with its callbacks called.

    Args:
        service: Where client configs are resolved. Where it is away the keywords are in force, or what was accepted
            last.
        on_change: Is called with each change: with the first before this returns, then in a thread of its own.
        configs: As for the original.
    """

    unreachable_errors = (KafkaError,)

    def __init__(
        self, *, service: ConfigService, on_change: Callable[[DynamicConfigs], None] | None = None, **configs: Any
    ) -> None:
        watch = ConfigWatch(service, "producer", to_kafka_names(configs), ("acks",), on_change, of_librdkafka=False)
        self._transactional = configs.get("transactional_id") is not None
        make = lambda values: KafkaProducer(**{**configs, **build_keywords(values)})  # noqa: E731 - one line of it
        super().__init__(watch, make, KafkaConfigurationError)

    def send(self, *args: Any, **kwargs: Any) -> Any:
        """Send a record; see the original."""
        with self._lock:
            self._apply()
            return self._current.send(*args, **kwargs)

    def flush(self, *args: Any, **kwargs: Any) -> None:
        """Wait for all records; see the original."""
        self._current.flush(*args, **kwargs)
        with self._lock:
            self._apply()

    def _drain(self) -> bool:
        if self._transactional:
            return False
        try:
            self._current.flush(_FLUSH_SECONDS)
        except KafkaTimeoutError:
            return False
        return True

    def _retire(self, before: Any) -> None:
        before.close(timeout=_FLUSH_SECONDS)  # its thread has called every callback by then
