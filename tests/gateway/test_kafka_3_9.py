"""Three brokers of Kafka 3.9 behind one gateway: what the clients of today do through it, and that nobody leaves it."""

import pytest

from tests.fixtures.kafka_3_9 import class_path_3_9
from tests.gateway.frames import KEYS
from tests.gateway.test_three_brokers import (  # noqa: F401 - these tests and fixtures, before other brokers
    at,
    decider,
    gateway,
    rewritten,
    run,
    start,
    test_a_coordinator_that_dies_is_found_again,
    test_administration_reaches_each_broker,
    test_kafka_python,
    test_leaders_move_and_nobody_leaves_the_gateway,
    test_performance_tools,
    test_transactions_of_the_jvm,
)
from tests.gateway.three_brokers import ThreeBrokers
from warden.errors import KafkaError

pytestmark = [pytest.mark.cluster, pytest.mark.kafka, pytest.mark.opa, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def brokers():
    """Three brokers of Kafka 3.9, with the clients of the Kafka that the other tests have."""
    with ThreeBrokers(server=class_path_3_9()) as running:
        yield running


@pytest.fixture(scope="module")
def protocol():
    """Consumers' own: of KIP-848 these brokers have an early form, which librdkafka does not speak."""
    return "classic"


@pytest.fixture(scope="module")
def hinted():
    """Numbers of the APIs whose responses tell a new leader's address: there are no share groups yet."""
    return {KEYS[name] for name in ("Produce", "Fetch")}


def test_kafka_topics_is_allowed_and_refused(at, brokers):  # noqa: F811 - a fixture
    """kafka-topics creates what is allowed, and prints the policy's message."""
    create = ("--bootstrap-server", at, "--create", "--topic")
    run(brokers, "TopicCommand", *create, "older.topic")
    with pytest.raises(KafkaError, match="does not match the convention"):
        run(brokers, "TopicCommand", *create, "Older_Topic")

    assert ["older.topic"] == [name for name in brokers.tool("TopicCommand", "--list").split() if "lder" in name]
