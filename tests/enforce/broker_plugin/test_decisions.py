"""A stock broker with the plugin carries out the policy's decisions, and no client comes round it."""

import pytest
from kafka.admin import ACLOperation, ResourceType

from tests.enforce.broker_plugin.inside import Inside
from tests.enforce.gateway.login.accounts import PREFIXED, acl, grant
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.state.sources.kafka.login.connection import connect

_UNKNOWN_TOPIC, _NOT_AUTHORIZED, _EXISTS, _POLICY_VIOLATION = 3, 29, 36, 44

pytestmark = pytest.mark.kafka


def test_creations_are_decided(inside: Inside) -> None:
    """What policy allows is made; what it denies is refused with its text, all in one request, super user or not."""
    found = inside.create("shop.orders", "BAD_Name", "shop.wide")
    wide = inside.create("shop.wide.too", numPartitions=11)

    assert ((0, ""), (0, "")) == (found["shop.orders"], found["shop.wide"])
    code, text = found["BAD_Name"]
    assert (_POLICY_VIOLATION, True) == (code, "KFK-NAM-001" in text)
    code, text = wide["shop.wide.too"]
    assert (_POLICY_VIOLATION, True) == (code, "KFK-SIZ-001" in text)
    eventually(lambda: {"shop.orders", "shop.wide"} <= inside.topics(), "the broker has the topics")
    assert not {"BAD_Name", "shop.wide.too"} & inside.topics()


def test_assignments_and_configs_of_a_creation_are_decided(inside: Inside) -> None:
    """Where the client places the replicas the partitions count; a config is seen by the policy of creations."""
    assigned = [{"partitionIndex": i, "brokerIds": [1]} for i in range(11)]
    placed = inside.create("shop.placed", numPartitions=-1, replicationFactor=-1, assignments=assigned)
    forever = inside.create("shop.forever", configs={"retention.ms": "-1"})
    brief = inside.create("shop.brief", configs={"retention.ms": "5000"})

    assert (_POLICY_VIOLATION, True) == (placed["shop.placed"][0], "KFK-SIZ-001" in placed["shop.placed"][1])
    assert (_POLICY_VIOLATION, True) == (forever["shop.forever"][0], "KFK-RET-001" in forever["shop.forever"][1])
    assert (0, "") == brief["shop.brief"]


def test_acls_grant_what_they_ever_do(inside: Inside) -> None:
    """The ACL of a topic or of the cluster grants a creation or a deletion, and nothing else does."""
    grant(
        inside.broker,
        acl("alice", ACLOperation.CREATE, ResourceType.TOPIC, "shop.alice.", PREFIXED),
        acl("alice", ACLOperation.DELETE, ResourceType.TOPIC, "shop.alice.", PREFIXED),
        acl("bob", ACLOperation.CREATE, ResourceType.CLUSTER, "kafka-cluster"),
        acl("bob", ACLOperation.DELETE, ResourceType.CLUSTER, "kafka-cluster"),
    )
    by_alice = inside.create("shop.alice.a", "shop.bob.a", "shop.alice.BAD", user="alice")
    by_bob = inside.create("shop.bob.b", "shop.bob.BAD", "shop.alice.a", user="bob")
    inside.replicate("shop.alice.a", "shop.bob.b")

    own, others, bad = (by_alice[name][0] for name in ("shop.alice.a", "shop.bob.a", "shop.alice.BAD"))
    assert (0, _NOT_AUTHORIZED, _POLICY_VIOLATION) == (own, others, bad)
    assert [0, _POLICY_VIOLATION, _EXISTS] == [
        by_bob[name][0] for name in ("shop.bob.b", "shop.bob.BAD", "shop.alice.a")
    ]
    assert {"shop.bob.b": _NOT_AUTHORIZED} == inside.delete("shop.bob.b", user="alice")
    assert {"shop.alice.a": 0} == inside.delete("shop.alice.a", user="alice")
    assert {"shop.bob.b": 0, "shop.none": _UNKNOWN_TOPIC} == inside.delete("shop.bob.b", "shop.none", user="bob")


def test_rules_see_who_creates(inside: Inside) -> None:
    """The policy of creations, which Kafka tells no principal, decides about the one whose request it is."""
    grant(inside.broker, acl("alice", ACLOperation.CREATE, ResourceType.TOPIC, "dlq.", PREFIXED))

    anonymous, alice = inside.create("dlq.forbidden"), inside.create("dlq.forbidden", user="alice")

    assert "ANONYMOUS makes no dlq.forbidden" in anonymous["dlq.forbidden"][1]
    assert "alice makes no dlq.forbidden" in alice["dlq.forbidden"][1]


def test_changes_of_configs_are_decided(inside: Inside) -> None:
    """What a change makes of the configs counts, by what OPA knows of before; what is denied changes nothing."""
    inside.create("shop.changed", configs={"retention.ms": "5000"})
    inside.replicate("shop.changed")

    assert 0 == inside.alter("shop.changed", {"retention.ms": "6000", "segment.bytes": "2000000"})[0]
    code, text = inside.alter("shop.changed", {"retention.ms": "-1"})
    assert (_POLICY_VIOLATION, True) == (code, "KFK-RET-001" in text)
    code, text = inside.alter("shop.changed", {"retention.ms": None})
    assert (_POLICY_VIOLATION, True) == (code, "retention.ms was 5000 before, and goes" in text)
    assert 0 == inside.alter("shop.changed", {"segment.bytes": None})[0]
    eventually(lambda: inside.configs("shop.changed") == {"retention.ms": "6000"}, "the broker has the change")


def test_a_full_replacement_is_denied_since_kafka_hides_what_it_deletes(inside: Inside) -> None:
    """AlterConfigs deletes what it does not name: its configs are not known, and a rule that reads them denies."""
    inside.create("shop.replaced", configs={"retention.ms": "5000"})
    inside.replicate("shop.replaced")

    code, text = inside.alter("shop.replaced", {"segment.bytes": "2000000"}, legacy=True)

    assert (_POLICY_VIOLATION, True) == (code, "/request/configs" in text)
    assert {"retention.ms": "5000"} == inside.configs("shop.replaced")


def test_changes_of_brokers_are_decided(inside: Inside) -> None:
    """A change of all brokers' configs, of one broker's and of a group's comes to the policy with who asks."""
    change = [{"name": "log.retention.ms", "configOperation": 0, "value": "5000"}]
    resources = [{"resourceType": 4, "resourceName": name, "configs": change} for name in ("", "1")]
    group = {"name": "consumer.session.timeout.ms", "configOperation": 0, "value": "50000"}
    resources.append({"resourceType": 32, "resourceName": "g", "configs": [group]})

    answer = inside.send("IncrementalAlterConfigs", {"resources": resources, "validateOnly": True})

    assert [(0, None)] * 3 == [(one.error_code, one.error_message) for one in answer.responses]


def test_deletions_are_decided(inside: Inside) -> None:
    """What policy protects stays, the others of the request go; the log has the text, which the client does not get."""
    inside.create("shop.kept", "shop.gone")
    inside.replicate("shop.kept", "shop.gone")

    assert {"shop.kept": _NOT_AUTHORIZED, "shop.gone": 0} == inside.delete("shop.kept", "shop.gone")
    assert "shop.kept" in inside.topics()
    assert "denied: DeleteTopic of 2 topics by User:ANONYMOUS: KFK-DEL-005" in inside.log


def test_topics_that_brokers_make_by_themselves_are_decided(inside: Inside) -> None:
    """A request for metadata makes what policy allows, under the client's principal, and nothing else."""
    from kafka.protocol.metadata import MetadataRequest

    with connect(inside.broker.bootstrap_servers, timeout=PATIENCE) as connection:
        topics = [MetadataRequest.MetadataRequestTopic(name=name) for name in ("shop.auto", "BAD_auto")]
        connection.send(MetadataRequest(topics=topics, allow_auto_topic_creation=True), check=False)

    eventually(lambda: "shop.auto" in inside.topics(), "the topic is made")
    eventually(lambda: "denied: CreateTopic of topic BAD_auto by User:ANONYMOUS: KFK-NAM-001" in inside.log, "a line")
    assert "BAD_auto" not in inside.topics()
