"""ACLs and quotas: one decision input for each operation of an entry, in Kafka's words."""

import pytest

from tests.analyse.check.conftest import Read
from warden.analyse.check.readers.acls import format_acl_word

USER = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaUser
metadata: {name: alice, labels: {strimzi.io/cluster: prod}}
spec:
  authentication: {type: TYPE}
  authorization:
    type: simple
    acls:
      - resource: {type: topic, name: shop., patternType: prefix}
        operations: [Read, DescribeConfigs]
      - resource: {type: cluster}
        operation: Describe
        host: 10.0.0.1
        type: deny
  quotas:
    producerByteRate: 1048576
    requestPercentage: 55
"""


@pytest.mark.parametrize(("type", "user"), [("tls", "CN=alice"), ("scram-sha-512", "alice")])
def test_strimzi(read: Read, type: str, user: str) -> None:
    """The principal is that of the login; a quota that is left out is removed."""
    first, second, third, quota = read(USER.replace("TYPE", type)).declared
    acl = {
        "resourceType": "TOPIC",
        "resourceName": "shop.",
        "patternType": "PREFIXED",
        "principal": f"User:{user}",
        "host": "*",
        "operation": "READ",
        "permissionType": "ALLOW",
    }

    assert {"acl": acl} == first.request
    assert {"acl": {**acl, "operation": "DESCRIBE_CONFIGS"}} == second.request
    cluster = {"resourceType": "CLUSTER", "resourceName": "kafka-cluster", "patternType": "LITERAL"}
    other = {"operation": "DESCRIBE", "host": "10.0.0.1", "permissionType": "DENY"}
    assert {"acl": {**acl, **cluster, **other}} == third.request
    assert {
        "entity": {"user": user},
        "ops": [
            {"key": "producer_byte_rate", "value": 1048576},
            {"key": "request_percentage", "value": 55},
            {"key": "consumer_byte_rate", "remove": True},
            {"key": "controller_mutation_rate", "remove": True},
        ],
    } == quota.request
    assert [(9, "prod"), (9, "prod"), (11, "prod")] == [(one.line, one.cluster) for one in (first, second, third)]
    assert 17 == quota.find_line(["ops", "1"])


@pytest.mark.parametrize(
    ("word", "kafka"),
    [
        ("transactionalId", "TRANSACTIONAL_ID"),
        ("TransactionalID", "TRANSACTIONAL_ID"),
        ("TRANSACTIONAL_ID", "TRANSACTIONAL_ID"),
        ("prefix", "PREFIXED"),
        ("Prefixed", "PREFIXED"),
        ("IdempotentWrite", "IDEMPOTENT_WRITE"),
        ("All", "ALL"),
        ("Any", "ANY"),
    ],
)
def test_words(word: str, kafka: str) -> None:
    """Each tool's spelling is Kafka's own."""
    assert kafka == format_acl_word(word)


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (
            (
                "apiVersion: kafka.jikkou.io/v1\nkind: KafkaPrincipalAuthorization\nmetadata: {name: 'User:a'}\n"
                "spec: {acls: "
                "[{resource: {type: topic, pattern: t, patternType: literal}, type: allow, "
                "operations: [read], host: '*'}]}"
            ),
            "jikkou",
        ),
        (
            (
                "meta: {name: x}\nspec: {acls: [{resource: {type: topic, name: t, patternType: literal, "
                "principal: 'User:a'}, operations: [read]}]}"
            ),
            "topicctl",
        ),
        (
            (
                "customUserAcls: {u: {one: {name: t, type: TOPIC, pattern: LITERAL, operation: READ}}}\n"
                "users: {u: {principal: 'User:a'}}"
            ),
            "kafka-gitops",
        ),
    ],
)
def test_every_form(read: Read, text: str, format: str) -> None:
    """The same ACL in each form."""
    contents = read(text)
    (acl,) = contents.declared

    assert [] == contents.faults
    assert {
        "resourceType": "TOPIC",
        "resourceName": "t",
        "patternType": "LITERAL",
        "principal": "User:a",
        "host": "*",
        "operation": "READ",
        "permissionType": "ALLOW",
    } == acl.request["acl"]
    assert format == acl.format


@pytest.mark.parametrize(
    ("type", "entity"),
    [
        ("USER", {"user": "u"}),
        ("USERS_DEFAULT", {"user": None}),
        ("USER_CLIENT", {"user": "u", "clientId": "c"}),
        ("USER_ALL_CLIENTS", {"user": "u", "clientId": None}),
        ("CLIENT", {"clientId": "c"}),
        ("CLIENTS_DEFAULT", {"clientId": None}),
    ],
)
def test_jikkou_quota(read: Read, type: str, entity: dict[str, str | None]) -> None:
    """Whom a quota is about is said by its type."""
    (quota,) = read(
        "apiVersion: kafka.jikkou.io/v1\nkind: KafkaClientQuota\n"
        f"spec: {{type: {type}, entity: {{user: u, clientId: c}}, configs: {{producerByteRate: 0.5}}}}"
    ).declared

    assert {"entity": entity, "ops": [{"key": "producer_byte_rate", "value": 0.5}]} == quota.request


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (USER.replace("1048576", "1_000"), "16: producerByteRate is not a number"),
        (
            USER.replace("producerByteRate", "byteRate"),
            "16: unknown quota byteRate: write consumerByteRate, the nearest of producerByteRate",
        ),
        (USER.replace("name: shop., ", ""), "9: resource.name is missing: write it"),
        (
            (
                "apiVersion: kafka.jikkou.io/v1\nkind: KafkaPrincipalAuthorization\nmetadata: {name: a}\n"
                "spec: {roles: [r]}"
            ),
            "4: roles are in other documents and are not evaluated",
        ),
        ("apiVersion: kafka.jikkou.io/v1\nkind: KafkaClientQuota\nspec: {type: X}", "3: unknown spec.type X"),
        (
            "customUserAcls: {u: {one: {name: t, type: TOPIC, pattern: LITERAL, operation: READ}}}",
            "1: principal of the ACL of u is missing",
        ),
        (
            (
                "apiVersion: kafka.jikkou.io/v1\nkind: KafkaPrincipalAuthorization\nmetadata: {name: 'User:a'}\nspec:\n"
                "  acls:\n  - {resource: {type: topic, pattern: 't.*', patternType: MATCH}, operations: [read]}"
            ),
            "6: what MATCH grants depends on a cluster's topics",
        ),
        (
            (
                "apiVersion: kafka.jikkou.io/v1\nkind: KafkaTopic\nmetadata: {name: t}\n"
                "spec: {partitions: 1, configMapRefs: [c]}"
            ),
            "4: configs in other documents are not evaluated",
        ),
        (
            "meta: {name: x}\nspec:\n  acls:\n  - resource: {type: topic, name: t, principal: 'User:a'}",
            "4: operations is missing: write a list such as [Read, Describe]",
        ),
        ("apiVersion: kafka.example.com/v1\nkind: ConfluentRolebinding", "1: there is no reader for"),
        ("apiVersion: v2\nkind: AccessControlEntry", "1: there is no reader for v2 AccessControlEntry"),
        ("apiVersion: kafka.jikkou.io/v1\nkind: KafkaPrincipalRole", "1: there is no reader for"),
        ("topics: {}\nusers: {u: {roles: [reader]}}", "2: the ACLs of the roles of u are not evaluated"),
        ("topics: {}\nservices: {a: {}}\ncustomServiceAcls: {}", "2: the ACLs of the service a are not evaluated"),
        ("context: c\nprojects: [{name: a, consumers: []}]", None),
        ("context: c\nprojects: [{name: a, streams: [x]}]", "2: the ACLs of streams are not evaluated"),
        ("context: c\nprojects: [{name: a, connectors: [x]}]", "2: the ACLs of connectors are not evaluated"),
        ("context: c\nprojects: [{name: a, rbac: [x]}]", "2: the ACLs of rbac are not evaluated"),
        ("context: c\nprojects: []\nplatform: {kafka: {}}", "3: the ACLs of platform are not evaluated"),
        (
            "context: c\nprojects: [{name: a, topics: [{name: t}], consumers: [{}]}]",
            "2: principal is missing: write it",
        ),
        ("context: c\nprojects: [{name: a, topics: [{name: t, plan: gold}]}]", "2: c.a.t has a plan"),
    ],
)
def test_what_cannot_be_decided(read: Read, text: str, said: str | None) -> None:
    """An error with its line; nobody may take it for decided."""
    found = [f"{fault.line}: {fault.message}" for fault in read(text).faults]

    assert [True] * bool(said) == [said is not None and each.startswith(said) for each in found], found


def test_what_is_beside_it_is_decided(read: Read) -> None:
    """What of a file of many cannot be read is named, each part with its line; the others go on."""
    julie = read(
        "context: c\nprojects:\n- name: a\n  streams: [x]\n  rbac: [y]\n  topics:\n  - {name: t, plan: gold}\n"
        "  - {name: u}\n  consumers: [{principal: 'User:a'}]\n"
    )
    gitops = read(
        "topics:\n  t: {partitions: 1}\n  u: {partitions: 1, replication: 1}\nservices:\n  s: {}\n  r: {}\n"
        "customUserAcls:\n  v: {one: {name: t}, two: {name: t, type: TOPIC, pattern: LITERAL, operation: READ,"
        " principal: 'User:v'}}\n"
    )

    assert [(4, "streams"), (5, "rbac"), (7, "a plan")] == [
        (fault.line, next(word for word in ("streams", "rbac", "a plan") if word in fault.message))
        for fault in sorted(julie.faults)
    ]
    assert ["c.a.u"] == [one.name for one in julie.declared if one.operation == "CreateTopic"]
    assert {"c.a.t", "c.a.u", "*"} == {
        one.request["acl"]["resourceName"] for one in julie.declared if "acl" in one.request
    }
    assert [2, 5, 6, 8] == [fault.line for fault in sorted(gitops.faults)]
    assert ["u", "User:v"] == [one.request.get("topic") or one.request["acl"]["principal"] for one in gitops.declared]
