"""Client configs at three real brokers, of which some are away: what was acknowledged stays, and records flow."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from confluent_kafka.admin import AdminClient, NewTopic

from tests.enforce.service.conftest import EVERYBODY
from tests.enforce.service.load import PARTITIONS, confluent_load, stored
from tests.enforce.service.running import Caller, RunningService, Serve, entry
from tests.fixtures.brokers.three_brokers import Brokers
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.dynamic_clients import ConfigService, DynamicProducer

pytestmark = [pytest.mark.cluster, pytest.mark.kafka, pytest.mark.opa]

ALTER, DESCRIBE = "client-configs/alter", "client-configs/describe"


@pytest.fixture(scope="module")
def broker() -> Iterator[Brokers]:
    """Three in place of the one that other tests have; each test brings all of them back."""
    properties = {
        "transaction.state.log.replication.factor": "3",
        "transaction.state.log.min.isr": "2",
        "auto.leader.rebalance.enable": "false",  # a leader that changes may lose what only it had, with acks of 1
    }
    with Brokers(properties=properties) as running:
        yield running


@pytest.fixture
def cluster(broker: Brokers) -> AdminClient:
    """An administration client beside the service."""
    return AdminClient({"bootstrap.servers": broker.bootstrap_servers})


def leader(cluster: AdminClient, topic: str) -> int:
    """The broker that leads a topic's first partition."""
    return int(cluster.list_topics(topic, timeout=PATIENCE).topics[topic].partitions[0].leader)


def acks(caller: Caller) -> dict[str, str]:
    """What is stored of each user; nothing while the service knows nothing."""
    answer = caller.post(DESCRIBE, EVERYBODY)
    if not answer.ok:
        check_away(answer)
        return {}
    entries = answer.json()["entries"]
    return {one["entity"][0]["entityName"]: one["values"][0]["value"] for one in entries}


def check_away(answer: requests.Response) -> None:
    """An answer while too few brokers are there."""
    assert (503, -1, "1") == (answer.status_code, answer.json()["errorCode"], answer.headers["Retry-After"])


def alter(caller: Caller, **users: str | None) -> bool:
    """Alter acks of several users in one request, None removes; return whether that was done."""
    answer = caller.post(ALTER, {"entries": [entry(user, acks=value) for user, value in users.items()]})
    if not answer.ok:
        check_away(answer)
        return False
    assert {0} == {one["errorCode"] for one in answer.json()["entries"]}
    return True


def test_brokers_of_the_store_are_away(serve: Serve, broker: Brokers, cluster: AdminClient) -> None:
    """With one away it stores, with two it refuses and nothing is there in part; what was acknowledged always is."""
    service = serve()
    admin = Caller(service, "token-of-admin")
    eventually(lambda: alter(admin, alice="1"), "it stores")
    (topic,) = (name for name in cluster.list_topics(timeout=PATIENCE).topics if name.startswith("serve-"))
    assert 3 == len(cluster.list_topics(topic, timeout=PATIENCE).topics[topic].partitions[0].replicas)

    first = leader(cluster, topic)
    broker.kill(first)
    eventually(lambda: alter(admin, bob="0"), "it stores with two brokers")
    later = Caller(serve(), "token-of-admin")
    eventually(lambda: acks(later) == {"alice": "1", "bob": "0"}, "a new service reads what was stored")

    second = next(node for node in broker.nodes if node != first)
    broker.kill(second)
    assert not alter(admin, carol="1", dave="1")
    assert not alter(later, carol="1", dave="1")
    for node in (first, second):
        broker.start_node(node)
    broker.wait()
    found = eventually(lambda: acks(admin), "the service answers again")
    assert found in ({"alice": "1", "bob": "0"}, {"alice": "1", "bob": "0", "carol": "1", "dave": "1"})
    eventually(lambda: alter(later, carol="0", dave="0"), "it stores again")
    whole = {"alice": "1", "bob": "0", "carol": "0", "dave": "0"}
    eventually(lambda: acks(admin) == acks(later) == whole, "all is there")
    eventually(lambda: alter(admin, **dict.fromkeys(whole)), "nothing is stored any more")


def test_acks_change_while_a_leader_dies(
    service: RunningService, admin: Caller, broker: Brokers, cluster: AdminClient
) -> None:
    """Each record is delivered once to its callback, and none is lost with its partition's leader.

    Their order over a change of leader is librdkafka's, which keeps it with idempotence alone.
    """
    topic = f"sent-{uuid.uuid4().hex}"  # a test that is run again finds none of the first run's
    created = cluster.create_topics([NewTopic(topic, PARTITIONS, 3, config={"min.insync.replicas": "2"})])
    created[topic].result(PATIENCE)
    eventually(lambda: alter(admin, alice="1"), "it stores")
    configs = ConfigService(service.url, "token-of-alice")
    own: dict[str, Any] = {"bootstrap.servers": broker.bootstrap_servers, "acks": "all", "max.in.flight": 1}
    producer = DynamicProducer(own, service=configs)
    assert {"acks": "1"} == producer.dynamic_configs.configs

    with confluent_load(producer, topic) as load:
        load.more(100, PATIENCE)
        eventually(lambda: alter(admin, alice="all"), "it stores")
        eventually(lambda: producer._applied == {"acks": "-1"}, "the producer has that")
        load.more(100, PATIENCE)  # behind a record that all have, all have what was sent before
        died = leader(cluster, topic)
        broker.kill(died)
        load.more(100, PATIENCE)
        eventually(lambda: alter(admin, alice="1"), "it stores with two brokers")
        eventually(lambda: producer._applied == {"acks": "1"}, "and the producer has that")
        load.more(100, PATIENCE)
        broker.start_node(died)
        broker.wait()
        load.more(100, PATIENCE)
    assert 0 == producer.flush(PATIENCE)
    producer.close()

    load.check_delivered()
    every = [list(range(first, load.sent, PARTITIONS)) for first in range(PARTITIONS)]
    found = stored(broker.bootstrap_servers, topic, load.sent, PATIENCE)
    assert every == [sorted(numbers) for numbers in found]
