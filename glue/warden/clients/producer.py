"""confluent-kafka's Producer whose acks change while it runs."""

import logging
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from confluent_kafka import KafkaException, Producer

from warden.clients.followed import Change, Followed
from warden.clients.names import interval, overridden, static_configs
from warden.clients.service import ConfigService

__all__ = ["DynamicProducer"]

_LOG = logging.getLogger("warden.clients")
_FLUSH_SECONDS = 1.0  # for which a send may be held up by a change
_PAUSE_SECONDS = 10.0  # until the change is tried again


class DynamicProducer:
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
        on_change: Callable[[Change], None] | None = None,
        **kwargs: Any,
    ) -> None:
        self._config, self._kwargs = dict(config), kwargs
        static = static_configs("producer", config)
        self._followed = Followed(
            service, "producer", config.get("client.id"), static, ("acks",), interval(config), on_change
        )
        weakref.finalize(self, self._followed.stop)
        self._applied, self._due, self._switching = self._followed.change.configs, 0.0, False
        self._lock = threading.RLock()
        try:
            self._producer = self._made(self._applied)
        except KafkaException as error:
            _LOG.warning("client configs are refused by librdkafka: %s", error)
            self._producer = self._made({})

    def __getattr__(self, name: str) -> Any:
        """Every other method is that of the producer that there is."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._producer, name)

    def __len__(self) -> int:
        """Return how many records are not yet delivered."""
        return len(self._producer)

    @property
    def change(self) -> Change:
        """What of the dynamic configs is accepted and ignored."""
        return self._followed.change

    @property
    def counts(self) -> Mapping[str, int]:
        """How many ``answers`` and ``failures`` of the service and ``changes`` there were."""
        return dict(self._followed.counts)

    def produce(self, *args: Any, **kwargs: Any) -> None:
        """Send a record; see the original."""
        with self._lock:
            self._apply()
            self._producer.produce(*args, **kwargs)

    def produce_batch(self, *args: Any, **kwargs: Any) -> Any:
        """Send records; see the original."""
        with self._lock:
            self._apply()
            return self._producer.produce_batch(*args, **kwargs)

    def poll(self, *args: Any, **kwargs: Any) -> Any:
        """Call callbacks; see the original."""
        with self._lock:
            self._apply()
        return self._producer.poll(*args, **kwargs)

    def flush(self, *args: Any, **kwargs: Any) -> Any:
        """Wait for all records; see the original."""
        left = self._producer.flush(*args, **kwargs)
        with self._lock:
            self._apply()
        return left

    def close(self, *args: Any, **kwargs: Any) -> Any:
        """End it; see the original."""
        self._followed.stop()
        return self._producer.close(*args, **kwargs)

    def _made(self, configs: Mapping[str, str]) -> Producer:
        return Producer(overridden(self._config, configs), **self._kwargs)

    def _apply(self) -> None:
        """Put another producer in place where the configs are others; what callbacks send meanwhile goes first."""
        wanted = self._followed.change.configs
        if wanted == self._applied or self._switching or "transactional.id" in self._config:
            return
        if time.monotonic() < self._due:
            return
        self._switching = True
        try:
            if self._producer.flush(_FLUSH_SECONDS):
                self._due = time.monotonic() + _PAUSE_SECONDS
                return
            self._applied = wanted
            self._producer = self._made(wanted)
        except KafkaException as error:
            _LOG.warning("client configs are refused by librdkafka, what was in force stays: %s", error)
        finally:
            self._switching = False
