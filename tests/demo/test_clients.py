"""The demo's third act."""

import re

import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from tests.fixtures.patience import PATIENCE
from warden.demo.dynamic_clients import show_dynamic_clients
from warden.demo.local_broker import LocalBroker

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


def test_a_producer_changes_while_it_sends(broker: LocalBroker) -> None:
    """It takes other acks and its own again, and every record is delivered."""
    admin, topic = AdminClient({"bootstrap.servers": broker.bootstrap_servers}), "orders.order.created-v1"
    admin.create_topics([NewTopic(topic, 1, 1)])[topic].result(PATIENCE)
    lines: list[str] = []
    try:
        show_dynamic_clients(broker, lines.append)
    finally:
        admin.delete_topics([topic])[topic].result(PATIENCE)
    assert [
        "a producer of User:shop sends all the time, with its own acks=all",
        "> alter client configs of User:shop: acks=1",
        "the producer, N records later: acks=1, enable.idempotence=false",
        "> alter client configs of User:shop: acks=all",
        "the producer, N records later: acks=-1",
        "N records are delivered, and the producer was never restarted",
    ] == [re.sub(r"[\d,]+ records", "N records", line) for line in lines]
