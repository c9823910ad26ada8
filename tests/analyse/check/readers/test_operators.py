"""Topics, ACLs and quotas of Aiven's operator and of Crossplane, and Redpanda's topics."""

from pathlib import Path

import pytest

from tests.analyse.check.conftest import Read
from warden.analyse.check.fix.choose_patches import ProposedWrite
from warden.analyse.check.fix.patch_files import fix_files

AIVEN = "apiVersion: aiven.io/v1alpha1\nkind: {}\nmetadata: {{name: a}}\nspec:\n  serviceName: prod\n  project: p\n"
AIVEN_TOPIC = f"""\
{AIVEN.format("KafkaTopic")}\
  topicName: shop.orders
  partitions: 12
  replication: 3
  tags: [{{key: owner, value: shop}}, {{key: pii}}]
  config:
    retention_ms: 1000
    unclean_leader_election_enable: false
    min_cleanable_dirty_ratio: 0.5
"""
REDPANDA = "apiVersion: cluster.redpanda.com/v1alpha2\nkind: {}\nmetadata: {{name: a}}\nspec:\n"
REDPANDA_TOPIC = f"""\
{REDPANDA.format("Topic")}\
  cluster: {{clusterRef: {{name: prod}}}}
  overwriteTopicName: shop.orders
  partitions: 12
  replicationFactor: 3
  additionalConfig: {{retention.ms: "1000", segment.ms: null}}
"""
CROSSPLANE_TOPIC = """\
apiVersion: topic.kafka.crossplane.io/v1alpha1
kind: Topic
metadata: {name: a, annotations: {crossplane.io/external-name: shop.orders}}
spec:
  providerConfigRef: {name: prod}
  forProvider: {partitions: 12, replicationFactor: 3, config: {retention.ms: "1000"}}
"""
CROSSPLANE_ACL = """\
apiVersion: acl.kafka.m.crossplane.io/v1alpha1
kind: AccessControlList
metadata: {name: a}
spec:
  providerConfigRef: {name: prod, kind: ClusterProviderConfig}
  forProvider:
    resourceName: t
    resourceType: TransactionalID
    resourcePrincipal: "User:a"
    resourceHost: "*"
    resourceOperation: Describe
    resourcePermissionType: Allow
    resourcePatternTypeFilter: Prefixed
"""
ACL = {
    "resourceType": "TOPIC",
    "resourceName": "t",
    "patternType": "LITERAL",
    "principal": "User:a",
    "host": "*",
    "operation": "READ",
    "permissionType": "ALLOW",
}
TOPIC = {"topic": "shop.orders", "numPartitions": 12, "replicationFactor": 3, "configs": {"retention.ms": "1000"}}


def test_aivens_topic(read: Read) -> None:
    """Configs by Kafka's names and as they are written, tags as labels, and a line for each value."""
    contents = read(AIVEN_TOPIC)
    (topic,) = contents.declared
    configs = {"retention.ms": "1000", "unclean.leader.election.enable": "false", "min.cleanable.dirty.ratio": "0.5"}

    assert ([], []) == (contents.faults, contents.remarks)
    assert {**TOPIC, "configs": configs, "labels": {"owner": "shop", "pii": ""}} == topic.request
    assert ("aiven", "prod", "keep", 12) == (
        topic.format,
        topic.cluster,
        topic.unlisted_configs,
        topic.find_line(["configs", "retention.ms"]),
    )


@pytest.mark.parametrize(
    ("text", "format", "unlisted_configs"),
    [(REDPANDA_TOPIC, "redpanda", "reset"), (CROSSPLANE_TOPIC, "crossplane", "keep")],
)
def test_other_topics(read: Read, text: str, format: str, unlisted_configs: str) -> None:
    """The same topic, by its own name."""
    contents = read(text)
    (topic,) = contents.declared

    assert ([], []) == (contents.faults, contents.remarks)
    assert TOPIC == topic.request
    assert (format, "prod", unlisted_configs) == (topic.format, topic.cluster, topic.unlisted_configs)


@pytest.mark.parametrize(
    ("topic", "username", "permission", "acls"),
    [
        ("t", "a", "read", [{}, {"operation": "DESCRIBE"}]),
        (
            "'t*'",
            "'*'",
            "write",
            [{"operation": each, "patternType": "PREFIXED", "principal": "User:*"} for each in ("WRITE", "DESCRIBE")],
        ),
        ("'*'", "a", "readwrite", [{"operation": each, "resourceName": "*"} for each in ("READ", "WRITE", "DESCRIBE")]),
        (
            "t",
            "a",
            "admin",
            [
                *(
                    {"operation": each}
                    for each in ("READ", "WRITE", "DESCRIBE", "DESCRIBE_CONFIGS", "ALTER_CONFIGS", "ALTER", "DELETE")
                ),
                *(
                    {"operation": each, "resourceType": "CLUSTER", "resourceName": "kafka-cluster"}
                    for each in ("CREATE", "DESCRIBE")
                ),
            ],
        ),
    ],
)
def test_aivens_own_acl(read: Read, topic: str, username: str, permission: str, acls: list[dict[str, str]]) -> None:
    """What it grants, in Kafka's words."""
    spec = f"  topic: {topic}\n  username: {username}\n  permission: {permission}\n"
    contents = read(AIVEN.format("KafkaACL") + spec)

    assert ([], []) == (contents.faults, contents.remarks)
    assert [{**ACL, **each} for each in acls] == [one.request["acl"] for one in contents.declared]
    assert [("aiven", "prod", 7)] * len(acls) == [
        (one.format, one.cluster, one.find_line(["acl", "resourceName"])) for one in contents.declared
    ]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("{topic: 'a?b', username: a, permission: read}", "topic a?b is a pattern"),
        ("{topic: 'a*b*', username: a, permission: read}", "topic a*b* is a pattern"),
        ("{topic: a, username: 'a*', permission: read}", "username a* is a pattern"),
        ("{topic: a, username: a, permission: all}", "unknown permission all: write one of read, write"),
        ("{topic: a, permission: read}", "spec.username is missing: write it"),
    ],
)
def test_aivens_acls_that_kafka_has_not(read: Read, spec: str, said: str) -> None:
    """An error: nobody takes a part of it for the whole."""
    contents = read(f"apiVersion: aiven.io/v1alpha1\nkind: KafkaACL\nmetadata: {{name: a}}\nspec: {spec}\n")

    assert ([], True) == (contents.declared, contents.faults[0].message.startswith(said))


def test_acls_with_a_field_for_each(read: Read) -> None:
    """Aiven's of Kafka, and Crossplane's."""
    native = AIVEN.format("KafkaNativeACL") + (
        "  resourceType: Cluster\n  resourceName: c\n  patternType: LITERAL\n  principal: 'User:a'\n"
        "  operation: AlterConfigs\n  permissionType: DENY\n"
    )
    (of_aiven,), (of_crossplane,) = (read(text).declared for text in (native, CROSSPLANE_ACL))
    cluster = {"resourceType": "CLUSTER", "resourceName": "kafka-cluster"}
    prefixed = {"resourceType": "TRANSACTIONAL_ID", "patternType": "PREFIXED", "operation": "DESCRIBE"}

    assert {**ACL, **cluster, "operation": "ALTER_CONFIGS", "permissionType": "DENY"} == of_aiven.request["acl"]
    assert {**ACL, **prefixed} == of_crossplane.request["acl"]
    assert ("crossplane", "prod", 13) == (
        of_crossplane.format,
        of_crossplane.cluster,
        of_crossplane.find_line(["acl", "patternType"]),
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("Prefixed", "Match", 13, "unknown spec.forProvider.resourcePatternTypeFilter MATCH: write one of LITERAL"),
        ("TransactionalID", "Any", 8, "unknown spec.forProvider.resourceType ANY"),
        ("Allow", "Deny", 12, "the provider allows what is denied here"),
        ("Allow", "Unknown", 12, "unknown spec.forProvider.resourcePermissionType UNKNOWN"),
    ],
)
def test_crossplanes_words_of_filters(read: Read, old: str, new: str, line: int, said: str) -> None:
    """Its schema takes them, and an ACL has none of them."""
    contents = read(CROSSPLANE_ACL.replace(old, new))

    assert [] == contents.declared
    assert [(line, True)] == [(fault.line, fault.message.startswith(said)) for fault in contents.faults]


@pytest.mark.parametrize(
    ("spec", "entity"),
    [
        ("user: u", {"user": "u"}),
        ("clientId: c", {"clientId": "c"}),
        ("user: default\n  clientId: c", {"user": None, "clientId": "c"}),
    ],
)
def test_aivens_quota(read: Read, spec: str, entity: dict[str, str | None]) -> None:
    """Whom it is about, and what it leaves out; the text `default` is the default entity."""
    (quota,) = read(AIVEN.format("KafkaQuota") + f"  {spec}\n  producerByteRate: 1000\n").declared
    gone = [{"key": key, "remove": True} for key in ("consumer_byte_rate", "request_percentage")]

    assert {"entity": entity, "ops": [{"key": "producer_byte_rate", "value": 1000}, *gone]} == quota.request


def test_a_quota_of_nobody(read: Read) -> None:
    """An error."""
    assert "spec.user and spec.clientId are missing" in read(AIVEN.format("KafkaQuota")).faults[0].message


def test_a_list_of_a_group(read: Read) -> None:
    """Items without a kind of their own."""
    text = "apiVersion: cluster.redpanda.com/v1alpha2\nkind: TopicList\nitems:\n- metadata: {name: a}\n  spec: {}\n"

    assert ["a"] == [one.name for one in read(text).declared]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (AIVEN_TOPIC.replace("retention_ms", "retention.ms"), "did you mean retention_ms?"),
        (REDPANDA_TOPIC.replace("additionalConfig", "additionalConfigs"), "did you mean additionalConfig?"),
        (CROSSPLANE_ACL.replace("resourceHost", "resourceHots"), "did you mean resourceHost?"),
    ],
)
def test_unknown_fields(read: Read, text: str, said: str) -> None:
    """They are named, with the nearest."""
    assert [True] == [said in remark.message for remark in read(text).remarks]


def test_fixes_of_aivens_configs(read: Read) -> None:
    """Under the form's own name; one that is not there is left, since its type is not known."""
    (topic,) = read(AIVEN_TOPIC).declared
    fixes = fix_files(
        [
            ProposedWrite(topic, {"op": "replace", "path": "/configs/retention.ms", "value": "5000"}, "KFK-RET-001"),
            ProposedWrite(topic, {"op": "add", "path": "/configs/segment.ms", "value": "5000"}, "KFK-RET-002"),
        ]
    )

    assert (1, 1) == (len(fixes.written), len(fixes.left))
    assert AIVEN_TOPIC.replace("retention_ms: 1000", "retention_ms: 5000") == Path("f.yaml").read_text()
