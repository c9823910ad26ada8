"""Kafka's classes as users meet them: made from a whole map of properties, of which one value is on trial."""

from typing import Any

__all__ = ["CLASSES", "refusal"]

_SERIAL = "org.apache.kafka.common.serialization.String"

# Component → class below org.apache.kafka (or a whole name), and the properties that make it complete.
CLASSES: dict[str, tuple[str, dict[str, str]]] = {
    "admin": ("org.apache.kafka.clients.admin.AdminClientConfig", {"bootstrap.servers": "localhost:9092"}),
    "broker": (
        "kafka.server.KafkaConfig",
        {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.voters": "1@localhost:9093",
            "controller.listener.names": "CONTROLLER",
            "listeners": "PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093",
        },
    ),
    "consumer": (
        "org.apache.kafka.clients.consumer.ConsumerConfig",
        {
            "bootstrap.servers": "localhost:9092",
            "key.deserializer": f"{_SERIAL}Deserializer",
            "value.deserializer": f"{_SERIAL}Deserializer",
        },
    ),
    "producer": (
        "org.apache.kafka.clients.producer.ProducerConfig",
        {
            "bootstrap.servers": "localhost:9092",
            "key.serializer": f"{_SERIAL}Serializer",
            "value.serializer": f"{_SERIAL}Serializer",
        },
    ),
    "streams": (
        "org.apache.kafka.streams.StreamsConfig",
        {"bootstrap.servers": "localhost:9092", "application.id": "app"},
    ),
    "topic": ("org.apache.kafka.storage.internals.log.LogConfig", {}),
}


def refusal(jvm: Any, component: str, name: str, value: str) -> str | None:
    """Return why Kafka refuses a value, or None where it takes it."""
    from py4j.protocol import Py4JJavaError

    class_name, base = CLASSES[component]
    given = jvm.java.util.Properties()
    for key, text in {**base, name: value}.items():
        given.put(key, text)
    made = jvm
    for piece in class_name.split("."):
        made = getattr(made, piece)
    try:
        if component == "topic":
            made.validate(given)
        elif component == "broker":
            made(given, False)
        else:
            made(given)
    except Py4JJavaError as error:
        return str(error.java_exception.getMessage())
    return None
