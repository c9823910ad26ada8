"""Topics that are not there: what clients get of a broker that creates none, and while nothing can be decided."""

import json
import logging
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer

from tests.enforce.gateway.frames import decode_response, raw_request
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.test_faults import client, receive
from tests.fixtures.brokers.replication import replicate_cluster
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.patience import PATIENCE
from tests.fixtures.settings import ANY_AGE, build_with_settings, few_settings
from warden.demo.local_broker import LocalBroker
from warden.enforce.gateway.recent_denials import RecentDenials
from warden.policy.opa.local import LocalOpa

NAMES = ("NOT_THERE", "not.there")
"""A name that the policy denies, and one that it allows."""


@pytest.fixture(scope="module")
def quiet_broker():
    """A broker that creates no topic by itself, as those of production."""
    with LocalBroker(properties={"auto.create.topics.enable": "false"}) as running:
        yield running


@pytest.fixture(scope="module")
def opa(opa_binary, tmp_path_factory):
    """An OPA that takes a state of any age for the cluster "quiet", and none at all for "old"."""
    directory = tmp_path_factory.mktemp("missing")
    old = {"match": {"name": "old"}, "freshness": {"default": {"maxAgeSeconds": 0}}}
    settings = {**few_settings(), "freshness": {"default": ANY_AGE}, "clusters": [old]}
    with LocalOpa(build_with_settings(settings, directory, opa_binary), opa=opa_binary) as running:
        yield running


@pytest.fixture(scope="module")
def quiet(opa, quiet_broker, tmp_path_factory):
    """A gateway before that broker: as "quiet" and "old" its state is replicated, as "unknown" it is not."""
    directory: Path = tmp_path_factory.mktemp("quiet")
    at = quiet_broker.bootstrap_servers
    replicate_cluster(opa, directory, at, "quiet", "old")
    clusters = [{"name": name, "brokers": {1: at}} for name in ("quiet", "old", "unknown")]
    with RunningGateway(write_config(directory / "gateway.yaml", opa, clusters)) as gateway:
        yield gateway


def codes(gateway, cluster=0, version=12, names=NAMES):
    """The error of each topic in an answer to a request that would create them."""
    topics = [{"name": name} | ({"topicId": None} if version >= 10 else {}) for name in names]
    request = raw_request("Metadata", version, {"topics": topics, "allowAutoTopicCreation": True}, 5)
    with client(gateway, cluster) as connected:
        connected.sendall(request)
        raw = receive(connected)
    found = decode_response("Metadata", version, raw)["topics"]
    return [{topic["name"]: topic["errorCode"] for topic in found}[name] for name in names]


@pytest.mark.kafka
@pytest.mark.opa
@pytest.mark.parametrize("cluster", [0, 1, 2])
@pytest.mark.parametrize("version", [4, 9, 12, 13])
def test_a_broker_that_creates_none(quiet, version, cluster):
    """Its own answer, whatever the name; also while the state is too old, or there is none."""
    assert [3, 3] == codes(quiet, cluster, version)


def _error(message):
    """The name of what a consumer learns; None where that is no error."""
    error = message.error() if message is not None else None
    return error.name() if error is not None else None


@pytest.mark.kafka
@pytest.mark.opa
def test_a_consumer_waits_for_its_topic(quiet, quiet_broker):
    """It learns that the topic is not there yet, which is no error; then the topic comes, and it reads it."""
    settings = {"group.id": "waiting", "auto.offset.reset": "earliest", "allow.auto.create.topics": "true"}
    consumer = Consumer(settings | {"bootstrap.servers": quiet.address(), "topic.metadata.refresh.interval.ms": "200"})
    consumer.subscribe(["LATER"])
    try:
        assert _error(consumer.poll(3)) in (None, "UNKNOWN_TOPIC_OR_PART")
        run_tool(quiet_broker, "TopicCommand", "--create", "--topic", "LATER", "--partitions", "1")
        producer = Producer({"bootstrap.servers": quiet_broker.bootstrap_servers})
        producer.produce("LATER", b"x")
        assert 0 == producer.flush(PATIENCE)
        while error := _error(message := consumer.poll(PATIENCE)):
            assert "UNKNOWN_TOPIC_OR_PART" == error
        assert message is not None
        assert b"x" == message.value()
    finally:
        consumer.close()


@pytest.mark.kafka
@pytest.mark.opa
@pytest.mark.parametrize("name", NAMES)
def test_while_opa_is_away(tmp_path, opa, broker, name):
    """A broker that would create the topic does not, and the client asks again, of a name that is good or not."""
    clusters = [{"name": "gate", "brokers": {1: broker.bootstrap_servers}}]
    config = write_config(tmp_path / "gateway.yaml", opa, clusters, opa={"url": "http://127.0.0.1:1"})
    with RunningGateway(config) as gateway:
        assert [3] == codes(gateway, names=(f"{name}-away",))

    assert f"{name}-away" not in run_tool(broker, "TopicCommand", "--list").split()


@pytest.mark.kafka
@pytest.mark.opa
def test_a_denial_is_remembered_for_a_moment(gateway, monkeypatch, caplog):
    """A client that asks again and again costs one decision, and one line of the log."""
    monkeypatch.setattr("warden.enforce.gateway.recent_denials._SECONDS", float(PATIENCE))
    with caplog.at_level(logging.INFO, "warden.enforce.gateway"):
        assert [[29]] * 5 == [codes(gateway, names=("NAMED_AGAIN",)) for _ in range(5)]
        assert [29] == codes(gateway, names=("ANOTHER_NAME",))
    lines = [record.items[0]["name"] for record in caplog.records if record.message == "decided"]

    assert ["NAMED_AGAIN", "ANOTHER_NAME"] == lines


def test_what_is_remembered():
    """Denials of what metadata would create, of the same principal, for a moment."""
    now = [0.0]
    denials, denied = RecentDenials(lambda: now[0]), {"allowed": False}
    by_metadata, request = {"api": {"key": "Metadata"}, "n": 1}, {"api": {"key": "CreateTopics"}, "n": 2}
    allowed = {"api": {"key": "Metadata"}, "n": 3}
    inputs, alice = {"0": by_metadata, "1": request, "2": allowed}, {"principal": "alice"}
    denials.remember(inputs, alice, {"0": denied, "1": denied, "2": {"allowed": True}})

    assert {"0": denied} == denials.find({"0": by_metadata}, alice)
    assert {"9": denied} == denials.find({"9": json.loads(json.dumps(by_metadata))}, alice)
    for inputs, common in (
        ({"1": request}, alice),
        ({"2": allowed}, alice),
        ({"0": by_metadata}, {"principal": "bob"}),
    ):
        assert denials.find(inputs, common) is None
    now[0] = 60.0
    assert denials.find({"0": by_metadata}, alice) is None
