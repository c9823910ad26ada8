"""Kafka Streams itself, with groups of its own (KIP-1071), through the gateway."""

import logging
from contextlib import contextmanager
from typing import ClassVar

import pytest
from confluent_kafka.admin import AdminClient, NewTopic
from py4j.java_gateway import CallbackServerParameters, JavaGateway

from tests.fixtures.conditions import eventually
from tests.fixtures.kafka import wait_for_topics
from tests.fixtures.patience import PATIENCE
from tools.catalog.jvm import kafka_jvm

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.slow]

STREAMS = 3
"""The place of the cluster among the gateway's, under whose settings names may have dashes."""


class Heard:
    """Takes what an application has failed of."""

    def __init__(self, jvm):
        self._jvm = jvm
        self.causes = []

    def handle(self, error):
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


@pytest.fixture(scope="module")
def jvm():
    """A JVM with Kafka Streams, which can call back."""
    with kafka_jvm() as view:
        known = view._gateway_client.gateway_parameters
        parameters = CallbackServerParameters(port=0)
        back = JavaGateway(gateway_parameters=known, callback_server_parameters=parameters)
        java = back.java_gateway_server
        port = back.get_callback_server().get_listening_port()
        java.resetCallbackClient(java.getCallbackClient().getAddress(), port)
        yield back.jvm
        back.shutdown_callback_server()


@pytest.fixture
def admin(broker, gateway):
    """An administrator beside the gateway."""
    return AdminClient({"bootstrap.servers": broker.bootstrap_servers})


def partitions(admin, prefix):
    """How many partitions each topic has whose name begins so."""
    topics = admin.list_topics(timeout=PATIENCE).topics
    return {name: len(topic.partitions) for name, topic in topics.items() if name.startswith(prefix)}


@contextmanager
def counting(jvm, address, name, source, partitions=0, **configs):
    """An application that counts a topic's records by key, after a repartition, in memory."""
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
    running, heard = streams.KafkaStreams(builder.build(), settings), Heard(jvm)
    running.setUncaughtExceptionHandler(heard)
    running.start()
    try:
        yield running, heard
    finally:
        running.close(jvm.java.time.Duration.ofSeconds(20))


def test_an_application_runs(jvm, gateway, broker, admin):
    """Its internal topics are created as they were decided, and it counts."""
    admin.create_topics([NewTopic("words.in", 3)])["words.in"].result(PATIENCE)
    wait_for_topics(broker, "words.in")
    with counting(jvm, gateway.address(STREAMS), "words", "words.in", topic_retention_ms="86400000") as (
        running,
        heard,
    ):
        eventually(lambda: running.state().toString() == "RUNNING" or heard.causes, "the application runs")

        assert [] == heard.causes
        assert {"words.in": 3, "words-again-repartition": 3, "words-kept-changelog": 3} == partitions(admin, "words")


def test_an_application_is_refused(jvm, gateway, broker, admin, caplog):
    """Its exception has the policy's message, and nothing is created."""
    admin.create_topics([NewTopic("many.in", 2)])["many.in"].result(PATIENCE)
    wait_for_topics(broker, "many.in")
    with (
        caplog.at_level(logging.INFO, "warden.enforce.gateway"),
        counting(jvm, gateway.address(STREAMS), "many", "many.in", 600) as (running, heard),
    ):
        eventually(lambda: heard.causes, "the application fails")
        eventually(lambda: running.state().toString() == "ERROR", "the application ends")

    assert any("PolicyViolation" in one and "KFK-SIZ-001" in one for one in heard.causes), heard.causes
    assert {"many.in": 2} == partitions(admin, "many")
    assert "StreamsGroupHeartbeat" in [one.api for one in caplog.records if one.getMessage() == "decided"]
