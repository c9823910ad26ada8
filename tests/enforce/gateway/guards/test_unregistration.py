"""Brokers that are unregistered, on a real broker: one that holds replicas stays, others go as without the gateway."""

import re

import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from tests.enforce.gateway.frames import new_word
from tests.enforce.gateway.test_administration import sender
from tests.fixtures.brokers.kafka import wait_for_topics
from tests.fixtures.patience import PATIENCE

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

__all__ = ["sender"]

_UNKNOWN = 102  # BROKER_ID_NOT_REGISTERED


@pytest.fixture
def send(sender, broker, replicate):
    """What sends a request one of both ways, once OPA knows that the broker holds a replica."""
    topic = f"held.{new_word()}"
    admin = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
    admin.create_topics([NewTopic(topic, 1, 1)])[topic].result(PATIENCE)
    wait_for_topics(broker, topic)
    replicate()
    return sender


def test_a_broker_that_is_not_there(send):
    """It holds nothing: the controller's answer."""
    through, direct = (send(way, "UnregisterBroker", 0, {"brokerId": 77}) for way in ("gate", "direct"))

    assert direct == through
    assert _UNKNOWN == direct["errorCode"]


def test_a_broker_that_holds_replicas(send):
    """The controller sees nothing of it; the client gets the policy's sentence, and the broker stays."""
    denied = send("gate", "UnregisterBroker", 0, {"brokerId": 1})
    described = send("direct", "DescribeCluster", 0, {"includeClusterAuthorizedOperations": False})

    assert 44 == denied["errorCode"]
    assert re.fullmatch(r"KFK-BRK-010: broker 1 holds \d+ of the cluster's replicas", denied["errorMessage"])
    assert [1] == [one["brokerId"] for one in described["brokers"]]
