"""Three brokers of Kafka 3.9 behind one gateway: what the clients of today do through it, and that nobody leaves it."""

import socket
from functools import partial

import pytest

from tests.enforce.gateway.frames import KEYS, raw_request
from tests.enforce.gateway.test_faults import receive
from tests.enforce.gateway.test_three_brokers import (  # noqa: F401 - these tests and fixtures, before other brokers
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
from tests.enforce.gateway.three_brokers import ThreeBrokers, topic
from tests.fixtures.brokers.kafka import AUTHORIZER
from tests.fixtures.brokers.kafka_3_9 import class_path_3_9
from tests.fixtures.brokers.replication import replicate_cluster
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.settings import build_with_settings, few_settings
from tests.state.replicate.clusters import replica_of
from warden.base.errors import KafkaError
from warden.demo.java import run_java
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH
from warden.state.sources.kafka.read.collect import collect

pytestmark = [pytest.mark.cluster, pytest.mark.kafka, pytest.mark.opa]


@pytest.fixture(scope="module")
def brokers():
    """Three brokers of Kafka 3.9, with the clients of the Kafka that the other tests have."""
    with ThreeBrokers(AUTHORIZER, server=class_path_3_9()) as running:
        yield running


@pytest.fixture(scope="module")
def few_bundle(opa_binary, tmp_path_factory):
    """Few rules, and one about ACLs."""
    directory = tmp_path_factory.mktemp("older")
    settings = few_settings()
    settings["rules"]["KFK-ACL-001"] = {"mode": "deny", "params": {"forbid": ["principal"], "allow": []}}
    return build_with_settings(settings, directory, opa_binary)


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

    def listed():
        return [name for name in run_tool(brokers, "TopicCommand", "--list").split() if "lder" in name]

    assert ["older.topic"] == eventually(listed, "the brokers knowing the topic")


def test_kafka_configs_is_allowed_and_refused(at, brokers, decider, tmp_path):  # noqa: F811 - fixtures
    """kafka-configs changes what is allowed, and prints the policy's message."""
    name = topic(brokers, "older.configs")

    def known():
        replicate_cluster(decider, tmp_path, brokers.bootstrap_servers, "three")
        with decider.build_client(token=decider.tokens.replicator) as client:
            return name in replica_of(client, "three")["topics"]

    eventually(known, "the brokers knowing the topic")
    change = ("--bootstrap-server", at, "--alter", "--entity-type", "topics", "--entity-name", name, "--add-config")
    run_java("kafka.admin.ConfigCommand", [*change, "retention.ms=86400000"], class_path=brokers.class_path)
    with pytest.raises(KafkaError, match="KFK-RET-001"):
        run_java("kafka.admin.ConfigCommand", [*change, "retention.ms=1"], class_path=brokers.class_path)
    describe = ("kafka.admin.ConfigCommand", "--describe", "--entity-type", "topics", "--entity-name", name)
    eventually(lambda: "retention.ms=86400000" in run_tool(brokers, *describe), "the brokers have the change")


def test_kafka_acls_is_allowed_and_refused(at, brokers):  # noqa: F811 - a fixture
    """kafka-acls grants to users what is allowed, and prints the policy's message; the broker has what was allowed."""
    acls = partial(run_java, "org.apache.kafka.tools.AclCommand", class_path=brokers.class_path)
    grant = ("--bootstrap-server", at, "--add", "--operation", "Read", "--topic", "older.topic", "--allow-principal")
    acls([*grant, "User:alice"])
    with pytest.raises(KafkaError, match="KFK-ACL-001"):
        acls([*grant, "User:*"])

    def listed():
        said = acls(["--bootstrap-server", brokers.bootstrap_servers, "--list", "--topic", "older.topic"])
        return "User:alice" in said and "User:*" not in said

    eventually(listed, "the brokers knowing the ACL")


def test_kafka_configs_changes_credentials(at, brokers):  # noqa: F811 - a fixture
    """A user's password goes through, and the brokers have its credentials."""
    user = ("--entity-type", "users", "--entity-name", "older")
    configs = partial(run_java, "kafka.admin.ConfigCommand", class_path=brokers.class_path)
    change = ("--add-config", "SCRAM-SHA-256=[iterations=8192,password=looking-glass]")
    configs(["--bootstrap-server", at, "--alter", *user, *change])

    def described():
        return "SCRAM-SHA-256=iterations=8192" in configs(
            ["--bootstrap-server", brokers.bootstrap_servers, "--describe", *user]
        )

    eventually(described, "the brokers knowing the credentials")


def test_their_release_is_known(brokers):
    """What the brokers say of their features tells it, though the catalogue is a newer Kafka's."""
    assert collect(brokers.bootstrap_servers)["catalog"]["release"] == "3.9"


def test_what_these_brokers_do_not_have_is_not_advertised(at):  # noqa: F811 - a fixture
    """Groups of consumers as of KIP-848 go through as the brokers have them; of share and Streams groups nothing is."""
    host, port = at.split(",")[0].split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connected:
        asking = {"clientSoftwareName": "x", "clientSoftwareVersion": "1"}
        connected.sendall(raw_request("ApiVersions", 3, asking))
        rows = codec.decode(KEYS["ApiVersions"], 3, "Response", receive(connected)[LENGTH + 4 :]).fields["apiKeys"]
    versions = {row["apiKey"]: (row["minVersion"], row["maxVersion"]) for row in rows}

    assert (0, 0) == versions[KEYS["ConsumerGroupHeartbeat"]]
    absent = ("ShareGroupHeartbeat", "ShareFetch", "ShareAcknowledge", "StreamsGroupHeartbeat")
    assert not {KEYS[name] for name in absent} & versions.keys()
