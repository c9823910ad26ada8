"""Kafka's own log in a JVM: what its retention deletes under given configurations."""

from pathlib import Path
from typing import Any

__all__ = ["broker_configs", "deleted_segments"]

_BROKER = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.quorum.voters": "1@localhost:9093",
    "controller.listener.names": "CONTROLLER",
    "listeners": "PLAINTEXT://:9092,CONTROLLER://:9093",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "log.dirs": "/tmp/none",
}
_SEGMENTS = 3


def broker_configs(jvm: Any, overrides: dict[str, str]) -> dict[str, str]:
    """Return what topics inherit from a broker whose file has ``overrides``, by the topic's names.

    Args:
        jvm: The Py4J view of a JVM with Kafka's jars.
        overrides: Of a broker's configurations.
    """
    properties = jvm.java.util.Properties()
    for name, text in {**_BROKER, **overrides}.items():
        properties.put(name, text)
    inherited = jvm.kafka.server.KafkaConfig(properties).extractLogConfigMap()
    return {str(name): str(inherited[name]) for name in inherited if "retention" in str(name)}


def deleted_segments(jvm: Any, directory: Path, configs: dict[str, str], remote: bool) -> int:
    """Return how many of three segments, with records of 1970, retention deletes from a log.

    Args:
        jvm: The Py4J view of a JVM with Kafka's jars.
        directory: An empty one; its name is a topic's with a partition.
        configs: Of the topic.
        remote: Whether it has tiered storage, with all segments there already.
    """
    kafka, record = jvm.org.apache.kafka, jvm.org.apache.kafka.common.record.internal
    properties = jvm.java.util.HashMap()
    for name, text in {"remote.storage.enable": str(remote).lower(), **configs}.items():
        properties.put(name, text)
    storage = kafka.storage.internals.log
    log = storage.UnifiedLog.create(
        jvm.java.io.File(str(directory)),
        storage.LogConfig(properties),
        0,
        0,
        kafka.server.util.KafkaScheduler(1),
        kafka.storage.log.metrics.BrokerTopicStats(remote),
        kafka.common.utils.Time.SYSTEM,
        300_000,
        storage.ProducerStateManagerConfig(86_400_000, False),
        600_000,
        storage.LogDirFailureChannel(1),
        True,
        jvm.java.util.Optional.empty(),
        jvm.java.util.concurrent.ConcurrentHashMap(),
        remote,
        storage.LogOffsetsListener.NO_OP_OFFSETS_LISTENER,
    )
    simple = jvm.java.lang.Class.forName("org.apache.kafka.common.record.internal.SimpleRecord")
    records = jvm.java.lang.reflect.Array.newInstance(simple, 1)
    for _ in range(_SEGMENTS):
        records[0] = record.SimpleRecord(1000, b"x")
        log.appendAsLeader(record.MemoryRecords.withRecords(kafka.common.compress.Compression.NONE, records), 0)
        log.roll()
    log.updateHighWatermark(log.logEndOffset())
    if remote:
        log.updateHighestOffsetInRemoteStorage(log.logEndOffset())
    return int(log.deleteOldSegments())
