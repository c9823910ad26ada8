"""Kafka Streams, and Kafka's own Java tools, for tests of what stands before brokers or inside them."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from warden.base.process.child_process import Process
from warden.base.process.pids import kill
from warden.base.toolchain import versions
from warden.base.toolchain.jars import obtain_kafka_jars
from warden.demo.class_path import build_class_path
from warden.demo.java import start_java

__all__ = ["Tool", "counting", "list_partitions", "running_tool"]


class _Heard:
    """Takes what an application has failed of."""

    def __init__(self, jvm: Any) -> None:
        self._jvm = jvm
        self.causes: list[str] = []

    def handle(self, error: Any) -> Any:
        """Note all causes, and end the application's client."""
        while error is not None:
            self.causes.append(error.toString())
            error = error.getCause()
        kinds = getattr(
            self._jvm.org.apache.kafka.streams.errors, "StreamsUncaughtExceptionHandler$StreamThreadExceptionResponse"
        )
        return kinds.SHUTDOWN_CLIENT

    class Java:
        """What Py4J reads."""

        implements: ClassVar = ["org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler"]


@contextmanager
def counting(
    jvm: Any, address: str, name: str, source: str, partitions: int = 0, **configs: Any
) -> Iterator[tuple[Any, Any]]:
    """An application that counts a topic's records by key, after a repartition, in memory; with what it failed of."""
    streams = jvm.org.apache.kafka.streams
    builder = streams.StreamsBuilder()
    again = getattr(streams.kstream.Repartitioned, "as")("again")
    again = again.withNumberOfPartitions(partitions) if partitions else again
    store = streams.state.Stores.inMemoryKeyValueStore("kept")
    kept = getattr(streams.kstream.Materialized, "as")(store)
    builder.stream(source).repartition(again).groupByKey().count(kept)
    settings = jvm.java.util.Properties()
    for key, value in {
        "application.id": name,
        "bootstrap.servers": address,
        "group.protocol": "streams",
        "default.key.serde": "org.apache.kafka.common.serialization.Serdes$StringSerde",
        "default.value.serde": "org.apache.kafka.common.serialization.Serdes$StringSerde",
        "state.dir": jvm.java.lang.System.getProperty("java.io.tmpdir") + f"/{name}",
        **{key.replace("_", "."): value for key, value in configs.items()},
    }.items():
        settings.setProperty(key, value)
    running, heard = streams.KafkaStreams(builder.build(), settings), _Heard(jvm)
    running.setUncaughtExceptionHandler(heard)
    running.start()
    try:
        yield running, heard
    finally:
        running.close(jvm.java.time.Duration.ofSeconds(20))


def list_partitions(admin: Any, prefix: str, seconds: float) -> dict[str, int]:
    """How many partitions each topic has whose name begins so."""
    topics = admin.list_topics(timeout=seconds).topics
    return {name: len(topic.partitions) for name, topic in topics.items() if name.startswith(prefix)}


@dataclass(frozen=True)
class Tool:
    """One of Kafka's Java programs that runs.

    Args:
        process: What runs.
        properties: What it was given.
        log: What it says.
    """

    process: Process
    properties: Mapping[str, str]
    log: Path


@contextmanager
def running_tool(main: str, properties: Mapping[str, str], directory: Path, *arguments: str) -> Iterator[Tool]:
    """Run a program that takes a file of properties; it is killed with the end of the block.

    Args:
        main: Its main class.
        properties: What is in the file, its first argument.
        directory: Where the file goes; it is made.
        arguments: What comes behind the file.
    """
    directory.mkdir()
    file = directory / "tool.properties"
    file.write_text("".join(f"{key} = {value}\n" for key, value in properties.items()), encoding="utf-8")
    release = versions.KAFKA_MODULES[versions.KAFKA]["connect-runtime"]  # runs with no other release's clients
    jars = obtain_kafka_jars(release, ("connect-mirror", "connect-runtime"))
    log = directory / "log"
    process = start_java(
        main,
        [str(file), *arguments],
        class_path=os.pathsep.join([build_class_path(release), *map(str, jars)]),
        options=["-Xmx192m"],
        directory=directory,
        log=log,
    )
    try:
        yield Tool(process, properties, log)
    finally:
        kill(process.pid)  # it has nothing to keep
        process.stop()
