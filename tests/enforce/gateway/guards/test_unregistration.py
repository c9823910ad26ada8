"""Brokers that are unregistered, on a real broker: one that holds replicas stays, others go as without the gateway."""

import contextlib
import re
import socket

import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from tests.enforce.gateway.frames import KEYS, decode_response, new_word, raw_request
from tests.enforce.gateway.test_faults import client, receive
from tests.fixtures.brokers.kafka import wait_for_topics
from tests.fixtures.patience import PATIENCE
from warden.enforce.gateway.wire.apis import APIS

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_UNKNOWN = 102  # BROKER_ID_NOT_REGISTERED


@pytest.fixture
def send(gateway, broker, replicate):
    """What sends a request one of both ways, once OPA knows that the broker holds a replica."""
    topic = f"held.{new_word()}"
    admin = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
    admin.create_topics([NewTopic(topic, 1, 1)])[topic].result(PATIENCE)
    wait_for_topics(broker, topic)
    replicate()
    host, port = broker.bootstrap_servers.split(":")
    with contextlib.ExitStack() as stack:
        gate = stack.enter_context(client(gateway))
        direct = stack.enter_context(socket.create_connection((host, int(port)), timeout=PATIENCE))
        sockets = {"gate": gate, "direct": direct}

        def send(way, name, fields):
            sockets[way].sendall(raw_request(name, 0, fields))
            return decode_response(name, 0, receive(sockets[way]))

        yield send


def test_the_brokers_versions(send):
    """The broker has no version of the request beyond that of the tests."""
    answered = send("direct", "ApiVersions", {})
    ranges = {row["apiKey"]: (row["minVersion"], row["maxVersion"]) for row in answered["apiKeys"]}
    key = KEYS["UnregisterBroker"]

    assert APIS[key].advertised == ranges[key] == (0, 0)


def test_a_broker_that_is_not_there(send):
    """It holds nothing: the controller's answer."""
    through, direct = (send(way, "UnregisterBroker", {"brokerId": 77}) for way in ("gate", "direct"))

    assert direct == through
    assert _UNKNOWN == direct["errorCode"]


def test_a_broker_that_holds_replicas(send):
    """The controller sees nothing of it; the client gets the policy's sentence, and the broker stays."""
    denied = send("gate", "UnregisterBroker", {"brokerId": 1})
    described = send("direct", "DescribeCluster", {"includeClusterAuthorizedOperations": False})

    assert 44 == denied["errorCode"]
    assert re.fullmatch(r"KFK-BRK-010: broker 1 holds \d+ of the cluster's replicas", denied["errorMessage"])
    assert [1] == [one["brokerId"] for one in described["brokers"]]
