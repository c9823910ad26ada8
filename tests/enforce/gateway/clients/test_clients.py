"""Clients as they are, through the gateway to a real broker: Kafka's own tools, librdkafka and kafka-python."""

import json
import logging
from urllib.request import urlopen

import pytest
from confluent_kafka import Consumer, KafkaException, Producer
from confluent_kafka.admin import AdminClient, AlterConfigOpType, ConfigEntry, ConfigResource, NewPartitions, NewTopic

from tests.enforce.gateway.frames import create_topics
from tests.enforce.gateway.test_faults import client, receive
from tests.fixtures.brokers.kafka import wait_for_topics
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import KafkaError
from warden.demo.class_path import build_class_path
from warden.demo.java import run_java
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

CONVENTION = "does not match the convention"


def tool(gateway, main, *arguments, package="org.apache.kafka.tools", input=""):
    """Run one of Kafka's tools through the gateway."""
    every = ["--bootstrap-server", gateway.address(), *arguments]
    return run_java(f"{package}.{main}", every, class_path=build_class_path(), input=input)


@pytest.fixture(scope="module")
def admin(gateway):
    """librdkafka's administration client, through the gateway."""
    return AdminClient({"bootstrap.servers": gateway.address()})


def outcomes(futures):
    """The error of each future, as its code's name and text; None where there is none."""
    found: dict[str, tuple[str, str] | None] = {}
    for key, future in futures.items():
        try:
            future.result(PATIENCE)
            found[key] = None
        except KafkaException as error:
            found[key] = (error.args[0].name(), error.args[0].str())
    return found


def test_kafka_topics_is_allowed_and_refused(gateway, replicate, broker):
    """kafka-topics prints the policy's message, and does what is allowed."""
    tool(gateway, "TopicCommand", "--create", "--topic", "tools.orders", "--partitions", "2")
    with pytest.raises(KafkaError, match=CONVENTION):
        tool(gateway, "TopicCommand", "--create", "--topic", "Tools_Orders")
    wait_for_topics(broker, "tools.orders")
    replicate()
    with pytest.raises(KafkaError, match="40 partitions are above the maximum of 10"):
        tool(gateway, "TopicCommand", "--alter", "--topic", "tools.orders", "--partitions", "40")
    tool(gateway, "TopicCommand", "--alter", "--topic", "tools.orders", "--partitions", "3")
    _wait_for(broker, "tools.orders", "PartitionCount: 3")
    tool(gateway, "TopicCommand", "--delete", "--topic", "tools.orders")

    assert "Tools_Orders" not in run_tool(broker, "TopicCommand", "--list")


def test_kafka_configs_is_allowed_and_refused(gateway, replicate, broker):
    """kafka-configs, whose request is IncrementalAlterConfigs."""
    run_tool(broker, "TopicCommand", "--create", "--topic", "tools.configs")
    wait_for_topics(broker, "tools.configs")
    replicate()
    change = ("--alter", "--entity-type", "topics", "--entity-name", "tools.configs", "--add-config")
    configs = {"main": "ConfigCommand", "package": "kafka.admin"}
    with pytest.raises(KafkaError, match="KFK-RET-001"):
        tool(gateway, configs["main"], *change, "retention.ms=1", package=configs["package"])
    tool(gateway, configs["main"], *change, "retention.ms=86400000", package=configs["package"])
    _wait_for(broker, "tools.configs", "retention.ms=86400000")


def _wait_for(broker, topic, text):
    """Until the broker says something of a topic: it learns of changes after its controller has answered."""
    eventually(lambda: text in run_tool(broker, "TopicCommand", "--describe", "--topic", topic), f"{topic} has {text}")


def test_one_request_is_split_and_merged(admin, broker):
    """Of several topics in one request of librdkafka's (CreateTopics v4) those that are allowed are created."""
    topics = [NewTopic("split.a", 1), NewTopic("SPLIT", 1), NewTopic("split.b", 1)]
    found = outcomes(admin.create_topics(topics))

    assert (None, None) == (found["split.a"], found["split.b"])
    assert "POLICY_VIOLATION" == found["SPLIT"][0]
    assert CONVENTION in found["SPLIT"][1]
    wait_for_topics(broker, "split.a", "split.b")


def test_the_other_changes_of_librdkafka(admin, replicate, broker):
    """CreatePartitions, changes of configs and DeleteTopics go on where nothing denies them."""
    assert {"other.topic": None} == outcomes(admin.create_topics([NewTopic("other.topic", 1)]))
    wait_for_topics(broker, "other.topic")
    replicate()
    grown = outcomes(admin.create_partitions([NewPartitions("other.topic", 11)]))
    assert "POLICY_VIOLATION" == grown["other.topic"][0]
    assert {"other.topic": None} == outcomes(admin.create_partitions([NewPartitions("other.topic", 2)]))
    entry = ConfigEntry("retention.ms", "7200000", incremental_operation=AlterConfigOpType.SET)
    resource = ConfigResource("topic", "other.topic", incremental_configs=[entry])
    assert [None] == list(outcomes(admin.incremental_alter_configs([resource])).values())
    assert {"other.topic": None} == outcomes(admin.delete_topics(["other.topic"]))


def test_validate_only_is_decided_too(admin, broker):
    """Who only asks hears what the policy would say."""
    found = outcomes(admin.create_topics([NewTopic("VALIDATE", 1), NewTopic("vali.date", 1)], validate_only=True))

    assert ("POLICY_VIOLATION", None) == (found["VALIDATE"][0], found["vali.date"])
    assert "vali.date" not in run_tool(broker, "TopicCommand", "--list")


def test_kafka_python_is_refused_with_the_message(gateway):
    """kafka-python, whose requests are of the newest versions."""
    from kafka.admin import KafkaAdminClient
    from kafka.admin import NewTopic as Topic
    from kafka.errors import PolicyViolationError

    client = KafkaAdminClient(bootstrap_servers=gateway.address())
    try:
        with pytest.raises(PolicyViolationError, match=CONVENTION):
            client.create_topics([Topic("PYTHON", 1, 1)])
    finally:
        client.close()


def test_data_flows(gateway, admin):
    """Producing and consuming with a group go through as they are."""
    assert {"data.flow": None} == outcomes(admin.create_topics([NewTopic("data.flow", 2)]))
    producer = Producer({"bootstrap.servers": gateway.address(), "transactional.id": "flow"})
    producer.init_transactions(PATIENCE)
    producer.begin_transaction()
    for number in range(100):
        producer.produce("data.flow", str(number), partition=number % 2)
    producer.commit_transaction(PATIENCE)
    settings = {"bootstrap.servers": gateway.address(), "group.id": "flow", "auto.offset.reset": "earliest"}
    consumer = Consumer(settings)
    consumer.subscribe(["data.flow"])
    got = set()

    def read() -> bool:
        message = consumer.poll(0.5)
        if message is not None and not message.error():
            got.add(int(message.value() or b""))
        return len(got) == 100

    eventually(read, "all records")
    consumer.close()

    assert set(range(100)) == got


def test_addresses_that_a_client_learns_are_the_gateways(gateway, admin):
    """From Metadata and from DescribeCluster; of coordinators and new leaders `test_three_brokers` has more."""
    brokers = [(one.host, one.port) for one in admin.list_topics(timeout=PATIENCE).brokers.values()]
    nodes = [(one.host, one.port) for one in admin.describe_cluster().result(PATIENCE).nodes]

    host, port = gateway.address().split(":")
    assert [(host, int(port))] == brokers == nodes


def test_producing_creates_what_the_policy_allows(gateway, broker):
    """A topic that a producer asks for is decided as one that is created; what is denied fails at once."""
    producer = Producer({"bootstrap.servers": gateway.address(), "message.timeout.ms": int(PATIENCE * 1000)})
    errors: dict[str, str | None] = {}

    def delivered(error, message):
        errors[message.topic()] = error.name() if error else None

    for topic in ("auto.created", "Auto_Created"):
        producer.produce(topic, b"x", on_delivery=delivered)
    producer.flush(PATIENCE)

    assert {"auto.created": None, "Auto_Created": "TOPIC_AUTHORIZATION_FAILED"} == errors
    listed = run_tool(broker, "TopicCommand", "--list").split()
    assert ("auto.created" in listed, "Auto_Created" in listed) == (True, False)


def test_a_second_cluster_is_decided_as_itself(gateway, caplog):
    """Each port says which cluster a request is about."""
    with caplog.at_level(logging.INFO, "warden.enforce.gateway"):
        admin = AdminClient({"bootstrap.servers": gateway.address(2), "client.id": "second-client"})
        outcomes(admin.create_topics([NewTopic("SECOND", 1)]))
    line = next(r for r in caplog.records if r.getMessage() == "decided" and r.clientId == "second-client")

    assert ("second", "CreateTopics", "none", "User:ANONYMOUS") == (
        line.cluster,
        line.api,
        line.forwarded,
        line.principal,
    )
    assert line.decisionIds
    assert line.correlationId > 0
    assert "KFK-NAM-001 deny" in line.items[0]["rules"]


def test_proposed_configs_are_seen_in_the_answer(gateway, broker, caplog):
    """The setting of one cluster wants a config: the topic gets it, and its creator is shown it."""
    with client(gateway, 2) as connected, caplog.at_level(logging.INFO, "warden.enforce.gateway"):
        connected.sendall(create_topics("second.proposed", correlation_id=77))
        (topic,) = codec.decode(19, 7, "Response", receive(connected)[LENGTH + 5 :]).fields["topics"]
    line = next(r for r in caplog.records if getattr(r, "correlationId", None) == 77)

    assert [("1", 1)] == [
        (config["value"], config["configSource"])
        for config in topic["configs"]
        if config["name"] == "min.insync.replicas"
    ]
    assert ("amended", 2) == (line.forwarded, len(line.decisionIds))
    _wait_for(broker, "second.proposed", "min.insync.replicas=1")


def test_probes_and_metrics(gateway, admin):
    """Probes answer, and what was decided is counted."""
    outcomes(admin.create_topics([NewTopic("COUNTED", 1)]))
    with urlopen(f"{gateway.probes}/readyz") as answer:
        assert {"ready": True, "opa": None} == json.load(answer)
    with urlopen(f"{gateway.probes}/healthz") as answer:
        assert 200 == answer.status
    with urlopen(f"{gateway.probes}/metrics") as answer:
        text = answer.read().decode()

    assert 'warden_gateway_guarded_requests_total{api="CreateTopics",cluster="gate",forwarded="none"}' in text
    assert 'warden_gateway_decided_items_total{api="CreateTopics",cluster="gate",result="denied"}' in text
