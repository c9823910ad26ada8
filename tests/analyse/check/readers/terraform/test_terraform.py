"""Terraform's plan: what it creates, changes and deletes, and what it does not know yet."""

import json
from typing import Any

import pytest

from tests.analyse.check.conftest import Read
from warden.analyse.check.model import FileContents

TOPIC = {"name": "shop.orders", "partitions": 6, "replication_factor": 3, "config": {"retention.ms": "1000"}}
REQUEST = {"topic": "shop.orders", "numPartitions": 6, "replicationFactor": 3, "configs": {"retention.ms": "1000"}}


def resource(actions: list[str], before: Any = None, after: Any = None, **more: Any) -> dict[str, Any]:
    """A change of a resource as a plan has it."""
    unknown, type = more.pop("unknown", {}), more.pop("type", "kafka_topic")
    return {
        "address": f'module.a["x.y"].{type}.t',
        "mode": "managed",
        "type": type,
        "name": "t",
        "provider_name": "registry.terraform.io/mongey/kafka",
        "change": {"actions": actions, "before": before, "after": after, "after_unknown": unknown},
        **more,
    }


def plan(*resources: dict[str, Any], **more: Any) -> str:
    """A plan as `terraform show -json` prints it, in one line."""
    return json.dumps({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": resources, **more})


def operations(contents: FileContents) -> list[str]:
    """The operations, in order."""
    return [one.operation for one in contents.declared]


def test_create(read: Read) -> None:
    """A new topic, at the line of its block where the configuration lies beside the plan."""
    text = plan(resource(["create"], after=TOPIC))
    (topic,) = read(text, "plan.json").declared
    assert (REQUEST, "plan.json", 1, ()) == (topic.request, topic.file, topic.line, topic.unknown)
    assert 'module.a["x.y"].kafka_topic.t' == topic.address

    read('\n# the topic\nresource "kafka_topic" "t" {\n}\n', "main.tf")
    (topic,) = read(text, "plan.json").declared
    assert ("main.tf", 3) == (topic.file, topic.line)

    read('resource "kafka_topic" "t" {}', "second.tf")
    assert "plan.json" == read(text, "plan.json").declared[0].file


def test_update(read: Read) -> None:
    """Configs before and after; partitions and the wanted replication factor only where they change."""
    after = {**TOPIC, "partitions": 8, "replication_factor": 2, "config": {"cleanup.policy": "compact"}}
    (topic,) = read(plan(resource(["update"], TOPIC, after))).declared

    change = {"mode": "resolved", "before": {"retention.ms": "1000"}, "after": {"cleanup.policy": "compact"}}
    assert {"topic": "shop.orders", "numPartitions": 8, "replicationFactor": 2, "configs": change} == topic.request
    assert "" == topic.note
    assert {"numPartitions": 6, "replicationFactor": 3, "configs": {"retention.ms": "1000"}} == topic.before


def test_replicas_of_whom_nobody_knows_how_many_there_were(read: Read) -> None:
    """From the cluster's default to a number: what that changes is not known, and said."""
    (topic,) = read(plan(resource(["update"], {**TOPIC, "replication_factor": None}, TOPIC))).declared

    assert 3 == topic.request["replicationFactor"]
    assert "what the replication factor was is not known: rules about its change take it for an increase" == topic.note


def test_delete(read: Read) -> None:
    """What goes is known from before."""
    (topic,) = read(plan(resource(["delete"], TOPIC))).declared

    assert ("DeleteTopic", {"topic": "shop.orders"}) == (topic.operation, topic.request)


@pytest.mark.parametrize(
    ("actions", "wanted"),
    [
        (["no-op"], []),
        (["read"], []),
        (["create", "delete"], ["DeleteTopic", "CreateTopic"]),
        (["delete", "create"], ["DeleteTopic", "CreateTopic"]),
        (["forget"], []),
        (["create", "forget"], ["CreateTopic"]),
        (["forget", "create"], ["CreateTopic"]),
    ],
)
def test_actions(read: Read, actions: list[str], wanted: list[str]) -> None:
    """A replacement loses what is in the topic: it is a deletion and a creation."""
    contents = read(plan(resource(actions, TOPIC, TOPIC)))

    assert (wanted, []) == (operations(contents), contents.faults)
    assert (actions == ["forget"]) == bool(contents.skipped)


def test_deposed_and_data(read: Read) -> None:
    """An old object that is left over is deleted; what is only read is nobody's change."""
    assert ["DeleteTopic"] == operations(read(plan(resource(["delete"], TOPIC, deposed="ab12"))))
    assert [] == operations(read(plan(resource(["read"], None, TOPIC, mode="data"))))


@pytest.mark.parametrize(
    ("unknown", "pointers"),
    [
        ({"partitions": True}, ("/request/numPartitions",)),
        ({"replication_factor": True}, ("/request/replicationFactor",)),
        ({"config": True}, ("/request/configs",)),
        ({"config": {"a/b": True, "retention.ms": False}}, ("/request/configs/a~1b",)),
        ({"id": True}, ()),
    ],
)
def test_known_after_apply(read: Read, unknown: dict[str, Any], pointers: tuple[str, ...]) -> None:
    """A value that is not known is listed, and never taken for one that is not set."""
    (topic,) = read(plan(resource(["create"], after=TOPIC, unknown=unknown))).declared

    assert pointers == topic.unknown


def test_known_after_apply_of_a_change(read: Read) -> None:
    """In a change what is not known stays as it was, so that nobody takes it for deleted."""
    after = {**TOPIC, "config": {}}
    (one,) = read(plan(resource(["update"], TOPIC, after, unknown={"config": {"retention.ms": True}}))).declared
    (every,) = read(plan(resource(["update"], TOPIC, after, unknown={"config": True}))).declared

    assert ["/request/configs/retention.ms", "/request/configs"] == [*one.unknown, *every.unknown]
    assert [{"retention.ms": "1000"}] * 2 == [each.request["configs"]["after"] for each in (one, every)]


def test_the_name_is_not_known(read: Read) -> None:
    """Without its name nothing can be said of a topic: an error, and the others are decided."""
    contents = read(
        plan(resource(["create"], after={"partitions": 1}, unknown={"name": True}), resource(["create"], after=TOPIC))
    )

    assert ["shop.orders"] == [one.name for one in contents.declared]
    (fault,) = contents.faults
    assert 'module.a["x.y"].kafka_topic.t: the topic\'s name is known only after apply' in fault.message


def test_confluent(read: Read) -> None:
    """Six partitions where nothing is said; the resource cannot say the replication factor, so nobody knows it."""
    after = {"topic_name": "a", "config": {"retention.ms": "1"}, "kafka_cluster": [{"id": "lkc-1"}]}
    (topic,) = read(plan(resource(["create"], after=after, type="confluent_kafka_topic"))).declared

    assert {"topic": "a", "numPartitions": 6, "configs": {"retention.ms": "1"}} == topic.request
    assert ("/request/replicationFactor",) == topic.unknown


@pytest.mark.parametrize(
    ("type", "after"),
    [
        (
            "kafka_acl",
            {
                "resource_name": "t",
                "resource_type": "Topic",
                "acl_principal": "User:a",
                "acl_host": "*",
                "acl_operation": "Read",
                "acl_permission_type": "Allow",
            },
        ),
        (
            "confluent_kafka_acl",
            {
                "resource_name": "t",
                "resource_type": "TOPIC",
                "pattern_type": "LITERAL",
                "principal": "User:a",
                "host": "*",
                "operation": "READ",
                "permission": "ALLOW",
            },
        ),
    ],
)
def test_acls(read: Read, type: str, after: dict[str, Any]) -> None:
    """Both providers' ACLs, created and deleted; a missing or unknown field is an error."""
    acl = {
        "resourceType": "TOPIC",
        "resourceName": "t",
        "patternType": "LITERAL",
        "principal": "User:a",
        "host": "*",
        "operation": "READ",
        "permissionType": "ALLOW",
    }
    contents = read(plan(resource(["create"], after=after, type=type), resource(["delete"], after, type=type)))
    assert [("CreateAcl", acl), ("DeleteAcl", acl)] == [
        (one.operation, one.request["acl"]) for one in contents.declared
    ]

    missing = {**after, "resource_type": None}
    assert "resource_type of" in read(plan(resource(["create"], after=missing, type=type))).faults[0].message
    unknown = resource(["create"], after=after, type=type, unknown={"resource_name": True})
    assert "resource_name is known only after apply" in read(plan(unknown)).faults[0].message


def test_quotas(read: Read) -> None:
    """Without a name a quota is the default entity's; what a change leaves out goes."""
    before = {"entity_type": "client-id", "config": {"producer_byte_rate": 1, "consumer_byte_rate": 2}}
    after = {**before, "config": {"producer_byte_rate": 5}}
    (changed,) = read(plan(resource(["update"], before, after, type="kafka_quota"))).declared
    (gone,) = read(plan(resource(["delete"], before, type="kafka_quota"))).declared
    unknown = resource(["create"], after=after, type="kafka_quota", unknown={"config": {"producer_byte_rate": True}})

    assert {
        "entity": {"clientId": None},
        "ops": [{"key": "producer_byte_rate", "value": 5}, {"key": "consumer_byte_rate", "remove": True}],
    } == changed.request
    assert [True, True] == [op["remove"] for op in gone.request["ops"]]
    assert "config is known only after apply" in read(plan(unknown)).faults[0].message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (plan(format_version="2.0"), "unknown format_version '2.0' of a Terraform plan"),
        (plan(format_version=1), "unknown format_version 1 of a Terraform plan"),
        (plan(errored=True), "the plan ended with an error"),
        (json.dumps({"format_version": "1.0", "values": {}}), "this is not a plan, it has no resource_changes"),
        (plan(deferred_changes=[{}]), "the plan defers changes"),
        (plan(resource(["create"], after={"partitions": 1})), "not as its provider writes it"),
        (plan(resource(["create"], after={**TOPIC, "name": ""})), "name is not a string, or is empty: write a string"),
        (plan(resource(["explode"], after=TOPIC)), "unknown actions ['explode']"),
        (plan(resource(["create"], after={**TOPIC, "partitions": 6.5})), "partitions is not a whole number"),
        (plan(resource(["create"], after={**TOPIC, "partitions": True})), "partitions is not a whole number"),
        (plan({**resource(["create"]), "type": ["kafka_topic"]}), "is not an object with a type: plan again"),
        (plan({**resource(["create"]), "change": "x"}), "not as its provider writes it (TypeError): plan again"),
        (plan(resource(["create"], after={**TOPIC, "name": "a\ud800"})), "half a surrogate pair"),
        *(
            (
                plan(resource(["create"], after={"entity_type": "user", "config": {"r": rate}}, type="kafka_quota")),
                "r is not a number: write its digits",
            )
            for rate in ("NaN", "inf", True, None)
        ),
        pytest.param(
            plan(resource(["create"], after={"name": "a", "configs": "[" * 90_000}, type="aws_msk_topic")),
            "not as its provider writes it (RecursionError): plan again",
            id="configs nested too deeply",
        ),
    ],
)
def test_plans_that_cannot_be_decided(read: Read, text: str, said: str) -> None:
    """An error that says why."""
    (fault,) = read(text, "plan.json").faults

    assert said in fault.message
    assert ("plan.json", 1) == (fault.file, fault.line)


def test_secrets_stay_where_they_are(read: Read) -> None:
    """Nothing of a resource is taken but the fields that are listed."""
    secret = {"username": "a", "password": "hunter2"}
    contents = read(
        plan(
            resource(["create"], after=secret, type="kafka_user_scram_credential"),
            resource(["create"], after={**TOPIC, "credentials": [{"secret": "hunter2"}]}),
        )
    )

    assert ["shop.orders"] == [one.name for one in contents.declared]
    assert "hunter2" not in repr(contents)
