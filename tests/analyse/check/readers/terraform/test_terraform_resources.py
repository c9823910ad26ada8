"""Resources of Terraform's providers that are about Kafka: quotas of Confluent's, and those without a reader."""

from typing import Any

import pytest

from tests.analyse.check.conftest import Read
from tests.analyse.check.readers.terraform.test_terraform import TOPIC, plan, resource


def test_confluents_quota(read: Read) -> None:
    """Of each principal; of one that is named no more it goes, and `<default>` is the default entity."""
    before = {
        "principals": ["sa-1", "<default>"],
        "throughput": [{"ingress_byte_rate": "10", "egress_byte_rate": "20"}],
    }
    after = {"principals": ["sa-2", "<default>"], "throughput": [{"ingress_byte_rate": "15", "egress_byte_rate": "20"}]}
    type_ = "confluent_kafka_client_quota"
    found = read(plan(resource(["update"], before, after, type=type_))).declared
    deleted = read(plan(resource(["delete"], before, type=type_))).declared
    wanted = [{"key": "producer_byte_rate", "value": 15.0}, {"key": "consumer_byte_rate", "value": 20.0}]
    gone = [{"key": key, "remove": True} for key in ("producer_byte_rate", "consumer_byte_rate")]
    entities = [{"user": "sa-2"}, {"user": None}, {"user": "sa-1"}]

    assert {"AlterQuota"} == {one.operation for one in [*found, *deleted]}
    assert [{"entity": e, "ops": o} for e, o in zip(entities, [wanted, wanted, gone], strict=True)] == [
        one.request for one in found
    ]
    assert [{"entity": e, "ops": gone} for e in ({"user": "sa-1"}, {"user": None})] == [one.request for one in deleted]


@pytest.mark.parametrize("unknown", [True, {"principals": True}, {"principals": [True]}, {"throughput": [{"a": True}]}])
def test_confluents_quota_known_after_apply(read: Read, unknown: Any) -> None:
    """Nobody is left out of it."""
    after = {"throughput": [{"ingress_byte_rate": "15"}]}
    contents = read(plan(resource(["create"], after=after, unknown=unknown, type="confluent_kafka_client_quota")))

    assert [] == contents.declared
    assert "known only after apply" in contents.faults[0].message


@pytest.mark.parametrize(
    ("type", "actions", "faults"),
    [
        (
            "aiven_kafka_schema_registry_acl",
            ["create"],
            ["there is no reader for aiven_kafka_schema_registry_acl: it is not evaluated"],
        ),
        (
            "conduktor_console_topic_v2",
            ["create"],
            ["there is no reader for conduktor_console_topic_v2: it is not evaluated"],
        ),
        (
            "redpanda_role_assignment",
            ["create"],
            ["there is no reader for redpanda_role_assignment: it is not evaluated"],
        ),
        ("conduktor_console_topic_v2", ["no-op"], []),
        ("aws_msk_cluster", ["create"], []),
        ("aws_sns_topic", ["create"], []),
    ],
)
def test_resources_without_a_reader(read: Read, type: str, actions: list[str], faults: list[str]) -> None:
    """What speaks of what Warden decides is never passed over."""
    contents = read(plan(resource(actions, TOPIC, TOPIC, type=type)))

    assert [] == contents.declared
    assert faults == [fault.message.partition(": ")[2] for fault in contents.faults]


AIVEN_TOPIC = {
    "project": "p",
    "service_name": "s",
    "topic_name": "shop.orders",
    "partitions": 3,
    "replication": 2,
    "config": [
        {
            "retention_ms": "1000",
            "segment_ms": "",
            "flush_ms": None,
            "preallocate": False,
            "min_cleanable_dirty_ratio": 0.5,
        }
    ],
    "tag": [{"key": "owner", "value": "shop"}, {"key": "pii", "value": None}],
}
AIVEN_CONFIGS = {"retention.ms": "1000", "preallocate": "false", "min.cleanable.dirty.ratio": "0.5"}


def test_aivens_topic(read: Read) -> None:
    """Configs by Kafka's names, without those that are not set; tags are labels."""
    type_ = "aiven_kafka_topic"
    created, deleted = (
        read(plan(resource([action], AIVEN_TOPIC, AIVEN_TOPIC, type=type_))).declared[0]
        for action in ("create", "delete")
    )

    assert {
        "topic": "shop.orders",
        "numPartitions": 3,
        "replicationFactor": 2,
        "configs": AIVEN_CONFIGS,
        "labels": {"owner": "shop", "pii": ""},
    } == created.request
    assert ("DeleteTopic", {"topic": "shop.orders"}) == (deleted.operation, deleted.request)


@pytest.mark.parametrize(
    ("config", "unknown", "after", "pointers"),
    [
        ([{"retention_ms": "5"}], {}, {"retention.ms": "5"}, ()),
        ([], {}, AIVEN_CONFIGS, ()),
        (
            [{"preallocate": True}],
            {"config": [{"retention_ms": True}]},
            {"retention.ms": "1000", "preallocate": "true"},
            ("/request/configs/retention.ms",),
        ),
        ([], {"config": True}, AIVEN_CONFIGS, ("/request/configs",)),
    ],
)
def test_aivens_configs_change(
    read: Read, config: list[Any], unknown: Any, after: dict[str, str], pointers: tuple[str, ...]
) -> None:
    """Without the block all stay as they are, and what is not known is said to be so."""
    change = resource(
        ["update"], AIVEN_TOPIC, {**AIVEN_TOPIC, "config": config}, unknown=unknown, type="aiven_kafka_topic"
    )
    (topic,) = read(plan(change)).declared

    assert {"mode": "resolved", "before": AIVEN_CONFIGS, "after": after} == topic.request["configs"]
    assert pointers == topic.unknown


def test_aivens_acls(read: Read) -> None:
    """Its own are those of Kafka that grant the same; a pattern that Kafka has not is an error."""
    values = {"topic": "t*", "username": "a", "permission": "read", "service_name": "s"}
    type_ = "aiven_kafka_acl"
    created, replaced = (
        read(plan(resource(actions, values, values, type=type_))).declared
        for actions in (["create"], ["delete", "create"])
    )
    pattern = read(plan(resource(["create"], after={**values, "username": "a?"}, type=type_)))
    later = read(plan(resource(["create"], after=values, unknown={"username": True}, type=type_)))

    assert [("CreateAcl", "READ"), ("CreateAcl", "DESCRIBE")] == [
        (one.operation, one.request["acl"]["operation"]) for one in created
    ]
    assert ("t", "PREFIXED", "User:a") == tuple(
        created[0].request["acl"][field] for field in ("resourceName", "patternType", "principal")
    )
    assert ["DeleteAcl"] * 2 + ["CreateAcl"] * 2 == [one.operation for one in replaced]
    assert "username a? is a pattern" in pattern.faults[0].message
    assert "username is known only after apply" in later.faults[0].message


@pytest.mark.parametrize(
    ("type", "pattern"), [("aiven_kafka_native_acl", "pattern_type"), ("redpanda_acl", "resource_pattern_type")]
)
def test_acls_in_kafkas_words(read: Read, type: str, pattern: str) -> None:
    """Whatever their case."""
    values = {
        "resource_type": "TransactionalId",
        "resource_name": "t",
        pattern: "PREFIXED",
        "principal": "User:a",
        "host": "*",
        "operation": "Write",
        "permission_type": "DENY",
    }
    (acl,) = read(plan(resource(["create"], after=values, type=type))).declared

    assert {
        "resourceType": "TRANSACTIONAL_ID",
        "resourceName": "t",
        "patternType": "PREFIXED",
        "principal": "User:a",
        "host": "*",
        "operation": "WRITE",
        "permissionType": "DENY",
    } == acl.request["acl"]


def test_aivens_quota(read: Read) -> None:
    """A key that is named no more goes, and with the quota all that it has."""
    before = {"user": "default", "client_id": None, "consumer_byte_rate": 1000, "producer_byte_rate": 5}
    after = {**before, "consumer_byte_rate": None}
    type_ = "aiven_kafka_quota"
    (changed,) = read(plan(resource(["update"], before, after, type=type_))).declared
    (deleted,) = read(plan(resource(["delete"], before, type=type_))).declared
    nobody = read(plan(resource(["create"], after={"producer_byte_rate": 5}, type=type_)))
    gone = [{"key": key, "remove": True} for key in ("producer_byte_rate", "consumer_byte_rate")]

    assert {"entity": {"user": None}, "ops": [{"key": "producer_byte_rate", "value": 5.0}, gone[1]]} == changed.request
    assert {"entity": {"user": None}, "ops": gone} == deleted.request
    assert "user and client_id are missing" in nobody.faults[0].message


def test_redpandas_topic(read: Read) -> None:
    """Placed by number, or by brokers."""
    values = {"name": "t", "partition_count": 3, "replication_factor": None, "configuration": {"retention.ms": "1"}}
    placed = {
        **values,
        "partition_count": -1,
        "replication_factor": -1,
        "replica_assignments": [{"partition_id": 0, "replica_ids": [1, 2]}],
    }
    (topic,), (assigned,) = (
        read(plan(resource(["create"], after=each, type="redpanda_topic"))).declared for each in (values, placed)
    )
    wanted = {"topic": "t", "numPartitions": 3, "replicationFactor": -1, "configs": {"retention.ms": "1"}}

    assert wanted == topic.request
    assert {**wanted, "numPartitions": -1, "replicasAssignments": {"0": [1, 2]}} == assigned.request


def test_msks_topic(read: Read) -> None:
    """Configs are the text of JSON; one that is none is an error."""
    values = {"name": "t", "partition_count": 3, "replication_factor": 2, "cluster_arn": "arn", "configs": ""}
    text = '{"retention.ms": "1", "preallocate": true, "flush.ms": 5}'
    type_ = "aws_msk_topic"
    (topic,), (bare,) = (
        read(plan(resource(["create"], after={**values, "configs": each}, type=type_))).declared
        for each in (text, None)
    )
    broken = read(plan(resource(["create"], after={**values, "configs": "{"}, type=type_)))

    assert {"retention.ms": "1", "preallocate": "true", "flush.ms": "5"} == topic.request["configs"]
    assert {"topic": "t", "numPartitions": 3, "replicationFactor": 2, "configs": {}} == bare.request
    assert "not as its provider writes it" in broken.faults[0].message


def test_credentials(read: Read) -> None:
    """With the provider's iterations where a plan has none, and never the password."""
    values = {"username": "bob", "scram_mechanism": "SCRAM-SHA-512", "password": "not to be read"}
    type_ = "kafka_user_scram_credential"
    more: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({}, {}),
        ({"scram_iterations": 9000}, {}),
        ({}, {"scram_iterations": True}),
    ]
    created = [
        read(plan(resource(["create"], after=values | each, unknown=unknown, type=type_))).declared[0]
        for each, unknown in more
    ]
    (deleted,) = read(plan(resource(["delete"], values, type=type_))).declared
    later = read(plan(resource(["create"], after=values, unknown={"username": True}, type=type_)))
    named = {"user": "bob", "mechanism": "SCRAM-SHA-512"}

    assert [{**named, "iterations": 4096}, {**named, "iterations": 9000}, named] == [one.request for one in created]
    assert [(), (), ("/request/iterations",)] == [one.unknown for one in created]
    assert ("AlterScram", {**named, "remove": True}) == (deleted.operation, deleted.request)
    assert "username is known only after apply" in later.faults[0].message
    assert "not to be read" not in repr(created)
