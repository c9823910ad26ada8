"""The wrapper of confluent-kafka's AdminClient, with a real broker and a real OPA."""

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

import pytest
from confluent_kafka import ElectionType, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    ResourcePatternType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden import Warden
from warden.base.errors import OpaUnreachable
from warden.enforce.sdk.admin import PolicyAdminClient
from warden.policy.opa.client import OpaClient

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_DONE = (0, None)
_RETENTION = "KFK-RET-001: retention.ms 1 is below the minimum of 1000"


def _outcomes(futures: Mapping[Any, Any]) -> dict[Any, tuple[int, str | None]]:
    """Code and text of each future; 0 for none."""
    found: dict[Any, tuple[int, str | None]] = {}
    for key, future in futures.items():
        error = future.exception(timeout=PATIENCE)
        assert error is None or isinstance(error, KafkaException)
        found[key] = _DONE if error is None else (error.args[0].code(), error.args[0].str())
    return found


def _overrides(plain: AdminClient, topic: str) -> dict[str, str | None]:
    (future,) = plain.describe_configs([ConfigResource("TOPIC", topic)]).values()
    return {name: entry.value for name, entry in future.result(PATIENCE).items() if int(entry.source) == 1}


def _wait_for_overrides(plain: AdminClient, expected: Mapping[str, Mapping[str, str]]) -> None:
    """Until the broker has them: it learns from its controller after the client does."""
    eventually(lambda: expected == {topic: _overrides(plain, topic) for topic in expected}, f"{expected}")


def _filter(kind: str, name: str | None, pattern: str) -> AclBindingFilter:
    """ACLs of anybody; librdkafka's types do not know that None is any."""
    fields: list[Any] = [kind, name, pattern, None, None, "ANY", "ANY"]
    return AclBindingFilter(*fields)


def _make(plain: AdminClient, *topics: str) -> None:
    assert {_DONE} == set(_outcomes(plain.create_topics([NewTopic(topic, 1, 1) for topic in topics])).values())
    eventually(lambda: set(topics) <= _topics(plain).keys(), "the broker knows what its controller has made")


def _topics(plain: AdminClient) -> dict[str, Any]:
    return plain.list_topics(timeout=PATIENCE).topics


def test_create(wrapped, plain):
    """What is denied fails its own future with POLICY_VIOLATION; its neighbours are created, as they were requested."""
    futures = wrapped().create_topics(
        [
            NewTopic("shop.created", 3, 1, config={"retention.ms": "86400000"}),
            NewTopic("BAD", 3, 1),
            NewTopic("shop.assigned", 2, replica_assignment=[[1], [1]]),
            NewTopic("shop.large", 11, 1),
        ]
    )
    outcomes = _outcomes(futures)
    eventually(lambda: {"shop.created", "shop.assigned"} <= _topics(plain).keys(), "the broker knows them")
    topics = _topics(plain)

    assert ["shop.created", "BAD", "shop.assigned", "shop.large"] == list(outcomes)
    assert (KafkaError.POLICY_VIOLATION, "KFK-SIZ-001: 11 partitions are above the maximum of 10") == outcomes[
        "shop.large"
    ]
    assert KafkaError.POLICY_VIOLATION == outcomes["BAD"][0]
    assert (_DONE, _DONE) == (outcomes["shop.created"], outcomes["shop.assigned"])
    assert {"shop.created": 3, "shop.assigned": 2} == {
        name: len(topics[name].partitions) for name in outcomes if name in topics
    }
    _wait_for_overrides(plain, {"shop.created": {"retention.ms": "86400000"}})


def test_create_with_labels(wrapped, plain):
    """Labels reach the policy, which here lets a justified retention be."""
    client = wrapped()
    topic = [NewTopic("shop.labelled", 1, 1, config={"retention.ms": "20000000000"})]
    denied = _outcomes(client.create_topics(topic, validate_only=True))
    allowed = _outcomes(client.create_topics(topic, labels={"shop.labelled": {"why": "a test"}}, validate_only=True))

    assert KafkaError.POLICY_VIOLATION == denied["shop.labelled"][0]
    assert {"shop.labelled": _DONE} == allowed
    assert "shop.labelled" not in _topics(plain)


def test_create_partitions(wrapped, plain):
    """Growth is evaluated by the new total, and Kafka's own refusals come with Kafka's codes."""
    _make(plain, "shop.grown", "shop.outgrown")
    outcomes = _outcomes(
        wrapped("lenient").create_partitions(
            [NewPartitions("shop.grown", 2), NewPartitions("shop.outgrown", 11), NewPartitions("shop.none", 2)]
        )
    )

    assert _DONE == outcomes["shop.grown"]
    assert KafkaError.POLICY_VIOLATION == outcomes["shop.outgrown"][0]
    assert KafkaError.UNKNOWN_TOPIC_OR_PART == outcomes["shop.none"][0]
    eventually(lambda: 2 == len(_topics(plain)["shop.grown"].partitions), "the broker knows both partitions")


@pytest.mark.filterwarnings("ignore:alter_configs has been deprecated:DeprecationWarning")
def test_configs(wrapped, plain):
    """Both ways of altering configs give the same decision for the same outcome."""
    _make(plain, "shop.configs", "shop.others")
    client = wrapped()

    def incremental(topic: str, value: str) -> ConfigResource:
        entry = ConfigEntry("retention.ms", value, incremental_operation=AlterConfigOpType.SET)
        return ConfigResource("TOPIC", topic, incremental_configs=[entry])

    good, bad = incremental("shop.configs", "5000"), incremental("shop.others", "1")
    assert {good: _DONE, bad: (KafkaError.POLICY_VIOLATION, _RETENTION)} == _outcomes(
        client.incremental_alter_configs([good, bad])
    )
    good, bad = (
        ConfigResource("TOPIC", "shop.configs", set_config={"retention.ms": "6000", "flush.ms": "7"}),
        ConfigResource("TOPIC", "shop.others", set_config={"retention.ms": "1"}),
    )
    assert {good: _DONE, bad: (KafkaError.POLICY_VIOLATION, _RETENTION)} == _outcomes(client.alter_configs([good, bad]))
    _wait_for_overrides(plain, {"shop.configs": {"retention.ms": "6000", "flush.ms": "7"}, "shop.others": {}})


def test_delete_topics(wrapped, plain):
    """Deletion can be evaluated without being done, which no version of Kafka's protocol can."""
    _make(plain, "shop.deleted", "shop.kept")
    parsed = _outcomes(wrapped().delete_topics(["shop.deleted", "shop.none"], validate_only=True))
    assert "shop.deleted" in _topics(plain)
    denied = _outcomes(wrapped("strict").delete_topics(["shop.kept"]))
    done = _outcomes(wrapped().delete_topics(["shop.deleted"]))
    eventually(lambda: "shop.deleted" not in _topics(plain), "the broker knows that it is gone")

    assert (_DONE, KafkaError.UNKNOWN_TOPIC_OR_PART) == (parsed["shop.deleted"], parsed["shop.none"][0])
    assert KafkaError.POLICY_VIOLATION == denied["shop.kept"][0]
    assert {"shop.deleted": _DONE} == done
    assert "shop.kept" in _topics(plain)


def test_delete_records(wrapped, plain):
    """Partitions of one topic are decided together; to ask deletes nothing."""
    _make(plain, "shop.records")
    plain.create_partitions([NewPartitions("shop.records", 2)])["shop.records"].result(PATIENCE)
    eventually(lambda: 2 == len(_topics(plain)["shop.records"].partitions), "the broker knows both partitions")
    first, second = (TopicPartition("shop.records", partition, 0) for partition in (0, 1))
    missing = TopicPartition("shop.none", 0, 0)
    client = wrapped()
    parsed = client.delete_records([first, second], validate_only=True)
    done = client.delete_records([first, missing])

    assert [None, None] == [future.result(PATIENCE) for future in parsed.values()]
    assert 0 == done[first].result(PATIENCE).low_watermark
    assert KafkaError.UNKNOWN_TOPIC_OR_PART == _outcomes({missing: done[missing]})[missing][0]


def test_acls_and_credentials(wrapped, plain):
    """What has no topic is evaluated as well, and done when it is allowed; passwords are not reported."""
    client = wrapped()
    acl = AclBinding(
        *("TOPIC", "shop.orders", ResourcePatternType.LITERAL, "User:bob", "*"),
        *(AclOperation.READ, AclPermissionType.ALLOW),
    )
    every = _filter("TOPIC", "shop.orders", "LITERAL")
    scram = UserScramCredentialUpsertion("bob", ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 8192), b"secret")

    assert {acl: _DONE} == _outcomes(client.create_acls([acl]))
    eventually(lambda: [acl] == list(plain.describe_acls(every).result(PATIENCE)), "the broker knows the grant")
    assert {every: _DONE} == _outcomes(client.delete_acls([every]))
    assert {"bob": _DONE} == _outcomes(client.alter_user_scram_credentials([scram]))


def test_acls_of_the_cluster(wrapped, plain):
    """librdkafka calls the cluster a broker; the decision is about the cluster."""
    client = wrapped()
    for name, outcome in (("kafka-cluster", 0), ("another", KafkaError.INVALID_REQUEST)):
        acl = AclBinding(
            *("BROKER", name, ResourcePatternType.LITERAL, "User:bob", "*"),
            *(AclOperation.DESCRIBE, AclPermissionType.ALLOW),
        )
        assert outcome == _outcomes(client.create_acls([acl]))[acl][0]
    every = _filter("BROKER", "kafka-cluster", "LITERAL")

    granted = eventually(lambda: list(plain.describe_acls(every).result(PATIENCE)), "the broker knows the grant")
    assert ["User:bob"] == [acl.principal for acl in granted]
    assert {every: _DONE} == _outcomes(client.delete_acls([every]))


def test_elections(wrapped, plain):
    """An unclean one is not sent; the other is the broker's to answer, as the original's."""
    _make(plain, "elected.a")
    partitions = [TopicPartition("elected.a", 0)]
    client = wrapped()
    denied = client.elect_leaders(ElectionType.UNCLEAN, partitions)
    done = [one.elect_leaders(ElectionType.PREFERRED, partitions).result(PATIENCE) for one in (client, plain)]

    sentence = 'KFK-DUR-009: an unclean election of topic "elected.a" may discard records that were acknowledged'
    assert {"": (44, sentence)} == _outcomes({"": denied})
    assert [partitions, partitions] == [list(each) for each in done]


def test_nothing_is_done_undecided(broker, plain):
    """Where OPA is out of reach every future fails, and not with POLICY_VIOLATION: that would be a decision."""
    with Warden("http://127.0.0.1:9", cluster="local") as warden:
        client = PolicyAdminClient({"bootstrap.servers": broker.bootstrap_servers}, warden=warden)
        futures = client.create_topics([NewTopic("shop.undecided", 1, 1)])
        acls = client.delete_acls([_filter("ANY", None, "ANY")])

        undecided: list[Future[Any]] = [*futures.values(), *acls.values()]
        for future in undecided:
            error = future.exception(timeout=PATIENCE)
            assert error is not None
            assert KafkaError.UNKNOWN == error.args[0].code()
            assert isinstance(error.__cause__, OpaUnreachable)
    assert "shop.undecided" not in _topics(plain)


class _Wishing(OpaClient):
    """A client whose OPA also wants a config on what it allows."""

    def decide(self, document):
        return super().decide(document) | {"annotations": {"configs": {"min.insync.replicas": "1"}}}

    def decide_many(self, items, common=None, **options):
        return {key: self.decide({**(common or {}), **item}) for key, item in items.items()}


@pytest.mark.filterwarnings("ignore:alter_configs has been deprecated:DeprecationWarning")
def test_the_policys_configs_replace_the_callers(broker, connection, opa, plain):
    """What the policy wants on a topic is on it when it is made, and when it is altered."""
    with _Wishing(opa.url, token=opa.tokens.query) as client:
        warden = Warden(client, cluster="local")
        wrapper = PolicyAdminClient(
            {"bootstrap.servers": broker.bootstrap_servers}, warden=warden, connection=connection
        )
        new = NewTopic("shop.wanted", 2, 1, config={"min.insync.replicas": "3", "flush.ms": "5"})
        assigned = NewTopic("shop.placed", 1, replica_assignment=[[1]], config={})
        assert {"shop.wanted": _DONE, "shop.placed": _DONE} == _outcomes(wrapper.create_topics([new, assigned]))
        eventually(lambda: {"shop.wanted", "shop.placed"} <= _topics(plain).keys(), "the broker knows them")
        wanted = {"min.insync.replicas": "1"}
        _wait_for_overrides(plain, {"shop.wanted": {"flush.ms": "5", **wanted}, "shop.placed": wanted})
        full = ConfigResource("TOPIC", "shop.wanted", set_config={"flush.ms": "6"})
        assert {full: _DONE} == _outcomes(wrapper.alter_configs([full]))
        entry = ConfigEntry("flush.ms", None, incremental_operation=AlterConfigOpType.DELETE)
        changed = ConfigResource("TOPIC", "shop.placed", incremental_configs=[entry])
        assert {changed: _DONE} == _outcomes(wrapper.incremental_alter_configs([changed]))

    _wait_for_overrides(plain, {"shop.wanted": {"flush.ms": "6", **wanted}, "shop.placed": wanted})


@pytest.mark.parametrize(
    ("method", "wrong"),
    [
        ("create_topics", ["shop.a"]),
        ("create_partitions", [NewTopic("a")]),
        ("delete_topics", [NewTopic("a")]),
        ("delete_records", ["a"]),
        ("alter_configs", ["a"]),
        ("incremental_alter_configs", ["a"]),
        ("create_acls", ["a"]),
        ("delete_acls", ["a"]),
        ("alter_user_scram_credentials", ["a"]),
        ("delete_topics", "shop.a"),
    ],
)
def test_wrong_types(method, wrong, wrapped):
    """What is not a list of the right things is refused before anything is decided."""
    with pytest.raises(TypeError, match="Expected list of"):
        getattr(wrapped(), method)(wrong)


def test_it_is_an_admin_client(wrapped, plain):
    """It stands wherever the original does, and reads as the original does."""
    client = wrapped()

    assert isinstance(client, AdminClient)
    assert plain.list_topics(timeout=PATIENCE).cluster_id == client.list_topics(timeout=PATIENCE).cluster_id
