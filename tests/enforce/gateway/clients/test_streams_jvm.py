"""Kafka Streams itself, with groups of its own (KIP-1071), through the gateway."""

import logging

import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from tests.enforce.applications import counting, list_partitions
from tests.fixtures.brokers.kafka import wait_for_topics
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.slow]

STREAMS = 3
"""The place of the cluster among the gateway's, under whose settings names may have dashes."""


@pytest.fixture
def admin(broker, gateway):
    """An administrator beside the gateway."""
    return AdminClient({"bootstrap.servers": broker.bootstrap_servers})


def test_an_application_runs(streams_jvm, gateway, broker, admin):
    """Its internal topics are created as they were decided, and it counts."""
    admin.create_topics([NewTopic("words.in", 3)])["words.in"].result(PATIENCE)
    wait_for_topics(broker, "words.in")
    with counting(streams_jvm, gateway.address(STREAMS), "words", "words.in", topic_retention_ms="86400000") as (
        running,
        heard,
    ):
        eventually(lambda: running.state().toString() == "RUNNING" or heard.causes, "the application runs")

        assert [] == heard.causes
        assert {"words.in": 3, "words-again-repartition": 3, "words-kept-changelog": 3} == list_partitions(
            admin, "words", PATIENCE
        )


def test_an_application_is_refused(streams_jvm, gateway, broker, admin, caplog):
    """Its exception has the policy's message, and nothing is created."""
    admin.create_topics([NewTopic("many.in", 2)])["many.in"].result(PATIENCE)
    wait_for_topics(broker, "many.in")
    with (
        caplog.at_level(logging.INFO, "warden.enforce.gateway"),
        counting(streams_jvm, gateway.address(STREAMS), "many", "many.in", 600) as (running, heard),
    ):
        eventually(lambda: heard.causes, "the application fails")
        eventually(lambda: running.state().toString() == "ERROR", "the application ends")

    assert any("PolicyViolation" in one and "KFK-SIZ-001" in one for one in heard.causes), heard.causes
    assert {"many.in": 2} == list_partitions(admin, "many", PATIENCE)
    assert "StreamsGroupHeartbeat" in [one.api for one in caplog.records if one.getMessage() == "decided"]
