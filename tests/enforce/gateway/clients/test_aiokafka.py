"""aiokafka, a client of its own on asyncio, as it is through the gateway."""

import asyncio

import pytest

from tests.fixtures.brokers.kafka import wait_for_topics
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


@pytest.fixture(scope="module")
def direct(broker):
    """An administration client without the gateway, which in the end takes away what these tests have made."""
    from kafka.admin import KafkaAdminClient

    admin = KafkaAdminClient(bootstrap_servers=broker.bootstrap_servers)
    yield admin
    admin.delete_topics([name for name in admin.list_topics() if name.startswith("aio.")])
    admin.close()


def test_administration(gateway, direct):
    """Of several topics those that are allowed are created, and the others have the policy's message."""
    from aiokafka.admin import AIOKafkaAdminClient, NewTopic

    async def create():
        client = AIOKafkaAdminClient(bootstrap_servers=gateway.address())
        await client.start()
        try:
            return await client.create_topics([NewTopic("aio.topic", 1, 1), NewTopic("Aio_Topic", 1, 1)])
        finally:
            await client.close()

    found = {name: (code, text) for name, code, text in asyncio.run(create()).topic_errors}

    assert 0 == found["aio.topic"][0]
    assert 44 == found["Aio_Topic"][0]
    assert "does not match the convention" in found["Aio_Topic"][1]
    made = eventually(lambda: [name for name in direct.list_topics() if "aio" in name.lower()], "a topic")
    assert ["aio.topic"] == made


def test_data_flows(gateway, direct, broker):
    """Records of a committed transaction are consumed by a group."""
    from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
    from kafka.admin import NewTopic

    direct.create_topics([NewTopic("aio.data", 2, 1)])
    wait_for_topics(broker, "aio.data")

    async def flow():
        producer = AIOKafkaProducer(bootstrap_servers=gateway.address(), transactional_id="aio")
        await producer.start()
        try:
            async with producer.transaction():
                for number in range(50):
                    await producer.send_and_wait("aio.data", str(number).encode(), partition=number % 2)
        finally:
            await producer.stop()
        consumer = AIOKafkaConsumer(
            "aio.data",
            bootstrap_servers=gateway.address(),
            group_id="aio",
            auto_offset_reset="earliest",
            isolation_level="read_committed",
        )
        await consumer.start()
        try:
            return [int((await consumer.getone()).value) for _ in range(50)]
        finally:
            await consumer.stop()

    assert set(range(50)) == set(asyncio.run(asyncio.wait_for(flow(), PATIENCE)))
