"""Resources of Terraform's providers that are about Kafka: quotas of Confluent's, and those without a reader."""

from typing import Any

import pytest

from tests.check.conftest import Read
from tests.check.test_terraform import TOPIC, plan, resource


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
        ("aiven_kafka_topic", ["create"], ["there is no reader for aiven_kafka_topic: it is not evaluated"]),
        ("aws_msk_topic", ["delete"], ["there is no reader for aws_msk_topic: it is not evaluated"]),
        ("redpanda_acl", ["update"], ["there is no reader for redpanda_acl: it is not evaluated"]),
        (
            "conduktor_console_topic_v2",
            ["create"],
            ["there is no reader for conduktor_console_topic_v2: it is not evaluated"],
        ),
        (
            "kafka_user_scram_credential",
            ["create"],
            ["there is no reader for kafka_user_scram_credential: it is not evaluated"],
        ),
        ("confluent_role_binding", ["create"], ["there is no reader for confluent_role_binding: it is not evaluated"]),
        ("aiven_kafka_topic", ["no-op"], []),
        ("aws_msk_cluster", ["create"], []),
        ("aws_sns_topic", ["create"], []),
    ],
)
def test_resources_without_a_reader(read: Read, type: str, actions: list[str], faults: list[str]) -> None:
    """What speaks of what Warden decides is never passed over."""
    contents = read(plan(resource(actions, TOPIC, TOPIC, type=type)))

    assert [] == contents.declared
    assert faults == [fault.message.partition(": ")[2] for fault in contents.faults]
