"""What Kafka's own clients make of their configs, in the JVM: ProducerConfig, ConsumerConfig and Heartbeat."""

from collections.abc import Mapping
from typing import Any

__all__ = ["Clients", "Outcome"]

# The text of a refusal, or the values that are in force.
Outcome = str | dict[str, str]

_SERIALIZER = "org.apache.kafka.common.serialization.StringSerializer"
_DESERIALIZER = "org.apache.kafka.common.serialization.StringDeserializer"


class Clients:
    """Kafka's classes in a JVM.

    Args:
        jvm: Py4J's view of a JVM with Kafka's jars.
    """

    def __init__(self, jvm: Any) -> None:
        self._jvm = jvm
        self._client = jvm.org.apache.kafka.clients
        self._time = jvm.org.apache.kafka.common.utils.Time.SYSTEM
        internals = jvm.org.apache.kafka.clients.consumer.internals
        self._heartbeat = internals.Heartbeat
        self._group = jvm.org.apache.kafka.clients.GroupRebalanceConfig
        self._protocol = jvm.java.lang.Class.forName(
            "org.apache.kafka.clients.GroupRebalanceConfig$ProtocolType"
        ).getEnumConstants()[0]

    def producer(self, configs: Mapping[str, str]) -> Outcome:
        """Return what ProducerConfig says: acks and enable.idempotence, or why it refuses."""
        serializers = {"bootstrap.servers": "b:1", "key.serializer": _SERIALIZER, "value.serializer": _SERIALIZER}

        def make() -> dict[str, str]:
            made = self._client.producer.ProducerConfig(self._map({**serializers, **configs}))
            return {
                "acks": made.getString("acks"),
                "enable.idempotence": str(made.getBoolean("enable.idempotence")).lower(),
            }

        return _decision(make)

    def consumer(self, configs: Mapping[str, str]) -> Outcome:
        """Return what a consumer says: its session timeout and heartbeat interval, or why it refuses."""
        deserializers = {
            "bootstrap.servers": "b:1",
            "key.deserializer": _DESERIALIZER,
            "value.deserializer": _DESERIALIZER,
        }

        def make() -> dict[str, str]:
            made = self._client.consumer.ConsumerConfig(self._map({**deserializers, **configs}))
            if made.getString("group.protocol").lower() == "classic":
                self._heartbeat(self._group(made, self._protocol), self._time)
            return {name: str(made.getInt(name)) for name in ("session.timeout.ms", "heartbeat.interval.ms")}

        return _decision(make)

    def _map(self, configs: Mapping[str, str]) -> Any:
        made = self._jvm.java.util.HashMap()
        for name, value in configs.items():
            made.put(name, value)
        return made


def _decision(make: Any) -> Outcome:
    from py4j.protocol import Py4JJavaError

    try:
        found: dict[str, str] = make()
    except Py4JJavaError as refused:
        return str(refused.java_exception.getMessage())
    return found
