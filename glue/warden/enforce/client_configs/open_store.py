"""A store by its address: ``sqlite:PATH``, or ``topic:NAME`` of a cluster, which is made where it is missing."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from warden.base.errors import ConfigurationError, KafkaError
from warden.enforce.client_configs.sqlite_store import SqliteStore
from warden.enforce.client_configs.store import Store
from warden.enforce.client_configs.topic_store import TopicStore
from warden.state.sources.kafka.change_requests import send_change
from warden.state.sources.kafka.client_configs.topic import ClientConfigTopic
from warden.state.sources.kafka.login.connection import Connection, open_consumer
from warden.state.sources.kafka.login.first_request import prepare_options
from warden.state.sources.kafka.read.configs import TOPIC, request_descriptions

__all__ = ["has_store", "open_store"]

_TOPIC_CONFIGS = {
    "cleanup.policy": "compact",
    "min.compaction.lag.ms": "0",
    "message.timestamp.type": "LogAppendTime",  # else brokers refuse what a writer with a wrong clock sends
}
_NO_SUCH_TOPIC = 3  # UNKNOWN_TOPIC_OR_PARTITION
_REPLICAS, _IN_SYNC = 3, 2
_TRANSACTION_MS = 10_000  # a writer that dies in the middle holds readers up for no longer


def open_store(address: str, connection: Connection, security: Mapping[str, str], timeout: float = 30.0) -> Store:
    """Open a store.

    Args:
        address: ``sqlite:PATH`` or ``topic:NAME``.
        connection: The cluster that the client configs are for.
        security: Kafka's client properties, with which it was connected.
        timeout: Seconds that reading or writing may take.

    Raises:
        ConfigurationError: The address is none, or what is there cannot be a store.
        KafkaError: The topic cannot be made, or the cluster does not say what it is.
    """
    kind, _, name = address.partition(":")
    if kind == "sqlite" and name:
        return SqliteStore(Path(name))
    if kind != "topic" or not name:
        raise ConfigurationError(f"invalid store address {address}: expected sqlite:PATH or topic:NAME")
    with _translate_errors(connection):
        is_new = _create_topic(name, connection)
    servers = connection.bootstrap_servers
    consumer = partial(open_consumer, servers, security, timeout)
    content = ClientConfigTopic(name, consumer, partial(_read_end_offset, name, connection), timeout, is_new=is_new)
    return TopicStore(name, content, partial(_build_producer, name, servers, security, timeout), timeout)


def has_store(address: str, connection: Connection) -> bool:
    """Return whether there is a store: a topic that nobody has made holds nothing.

    Args:
        address: As of `open_store`.
        connection: The cluster that the client configs are for.

    Raises:
        KafkaError: The cluster does not answer.
    """
    kind, _, name = address.partition(":")
    if kind != "topic":
        return True
    with _translate_errors(connection):
        return bool(connection.admin.describe_topics([name])[0]["error_code"] != _NO_SUCH_TOPIC)


@contextmanager
def _translate_errors(connection: Connection) -> Iterator[None]:
    from kafka.errors import KafkaError as LibraryError

    try:
        yield
    except LibraryError as error:
        raise KafkaError(f"the cluster at {connection.bootstrap_servers} failed ({error}): try again") from error


def _create_topic(topic: str, connection: Connection) -> bool:
    """Make the topic where it is missing, and look whether it can hold what it has to; return whether it is new."""
    described = connection.admin.describe_topics([topic])[0]
    if described["error_code"]:  # UNKNOWN_TOPIC_OR_PARTITION, or nobody may look
        brokers = len(connection.admin.describe_cluster()["brokers"])
        replicas = min(_REPLICAS, brokers)
        configs = _TOPIC_CONFIGS | {"min.insync.replicas": str(min(_IN_SYNC, replicas))}
        request = {
            "topics": [
                {
                    "name": topic,
                    "numPartitions": 1,
                    "replicationFactor": replicas,
                    "assignments": [],
                    "configs": [{"name": key, "value": value} for key, value in configs.items()],
                }
            ],
            "validateOnly": False,
        }
        refused = send_change(connection, "CreateTopics", request)[topic]
        if refused is not None and not refused.startswith("TOPIC_ALREADY_EXISTS"):
            raise KafkaError(f"the topic {topic} for client configs cannot be made: {refused}")
        return True
    if len(described["partitions"]) != 1:
        raise ConfigurationError(
            f"topic {topic} has {len(described['partitions'])} partitions, and a store has one: name another"
        )
    (resource,) = request_descriptions(connection, TOPIC, [topic])
    if resource.error:
        raise KafkaError(
            f"topic {topic}: its configs cannot be read ({resource.error}): grant DESCRIBE_CONFIGS, or name another"
        )
    policy = resource.configs["cleanup.policy"].value
    if policy != "compact":
        raise ConfigurationError(f"topic {topic} has cleanup.policy={policy}: a store is compacted, or it is lost")
    return False


def _read_end_offset(topic: str, connection: Connection) -> int:
    from kafka import TopicPartition
    from kafka.admin import OffsetSpec

    partition = TopicPartition(topic, 0)
    return int(connection.admin.list_partition_offsets({partition: OffsetSpec.LATEST})[partition].offset)


def _build_producer(topic: str, servers: str, security: Mapping[str, str], timeout: float) -> Any:
    from kafka import KafkaProducer

    limits = ("max_block_ms", "request_timeout_ms", "delivery_timeout_ms", "bootstrap_timeout_ms")
    return KafkaProducer(
        **prepare_options(servers, security),
        **dict.fromkeys(limits, int(timeout * 1000)),
        transactional_id=topic,
        transaction_timeout_ms=_TRANSACTION_MS,
        acks="all",
    )
