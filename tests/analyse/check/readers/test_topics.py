"""Topics in each tool's own form: the same decision input, each value with its line."""

from typing import Any

import pytest

from tests.analyse.check.conftest import Read

STRIMZI = """\
apiVersion: kafka.strimzi.io/{version}
kind: KafkaTopic
metadata:
  name: shop-orders
  labels:
    strimzi.io/cluster: prod
    owner: shop
spec:
  topicName: shop.orders
  partitions: 12
  replicas: 3
  config:
    retention.ms: 1000 # a second
    cleanup.policy: [delete, compact]
"""
_JULIE = "context: c\nprojects:\n- name: p\n  topics:\n  - name: t\n    config: {{num.partitions: '{}'}}\n"
WANTED = {
    "topic": "shop.orders",
    "numPartitions": 12,
    "replicationFactor": 3,
    "configs": {"retention.ms": "1000"},
}


@pytest.mark.parametrize("version", ["v1", "v1beta2"])
def test_strimzi(read: Read, version: str) -> None:
    """The topic by its own name, lists joined, and the line of every value."""
    (topic,) = read("# a comment\n---\n" + STRIMZI.replace("{version}", version)).declared

    assert ("CreateTopic", "prod", "reset", "strimzi") == (
        topic.operation,
        topic.cluster,
        topic.unlisted_configs,
        topic.format,
    )
    assert {
        **WANTED,
        "configs": {"retention.ms": "1000", "cleanup.policy": "delete,compact"},
        "labels": {"strimzi.io/cluster": "prod", "owner": "shop"},
    } == topic.request
    assert [11, 12, 15, 16, 14, 11] == [
        topic.find_line(path)
        for path in (
            ["topic"],
            ["numPartitions"],
            ["configs", "retention.ms"],
            ["configs", "cleanup.policy"],
            ["configs", "min.insync.replicas"],
            [],
        )
    ]


@pytest.mark.parametrize(
    ("text", "format", "unlisted_configs", "cluster"),
    [
        (
            (
                "apiVersion: platform.confluent.io/v1beta1\nkind: KafkaTopic\nmetadata: {name: a}\n"
                "spec: {name: shop.orders, "
                "partitionCount: 12, replicas: 3, configs: {retention.ms: '1000'}, kafkaClusterRef: {name: prod}}"
            ),
            "cfk",
            "keep",
            "prod",
        ),
        (
            (
                "apiVersion: kafka.jikkou.io/v1beta2\nkind: KafkaTopicList\nitems:\n- metadata: {name: shop.orders}\n"
                "  spec: {partitions: 12, replicas: 3, configs: {retention.ms: 1000}}"
            ),
            "jikkou",
            "reset",
            None,
        ),
        (
            (
                "apiVersion: v1\nkind: Topic\nmetadata: {name: shop.orders, cluster: prod}\n"
                "spec: {partitions: 12, replicationFactor: 3, configs: {retention.ms: '1000'}}"
            ),
            "ns4kafka",
            "reset",
            "prod",
        ),
        (
            (
                "meta: {name: shop.orders, cluster: prod}\nspec: {partitions: 12, replicationFactor: 3, "
                "placement: {strategy: any}, settings: {retention.ms: 1000}}"
            ),
            "topicctl",
            "keep",
            "prod",
        ),
        (
            "topics: {shop.orders: {partitions: 12, replication: 3, configs: {retention.ms: 1000}}}",
            "kafka-gitops",
            "reset",
            None,
        ),
        (
            (
                "context: shop\nprojects: [{name: orders, topics: [{name: x, config: {num.partitions: 12, "
                "replication.factor: 3, retention.ms: 1000}}]}]"
            ),
            "julie",
            "reset",
            None,
        ),
        (
            (
                "topics: {shop.orders: {numPartitions: 12, replicationFactor: 3, configs: {retention.ms: 1000}}}"
                "\ncluster: prod"
            ),
            "warden",
            "reset",
            "prod",
        ),
        (
            (
                '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "kafka.strimzi.io/v1", "kind": '
                '"KafkaTopic",\t'
                '"metadata": {"name": "shop.orders"}, "spec": {"partitions": 12, "replicas": 3, '
                '"config": {"retention.ms": 1000}}}]}'
            ),
            "strimzi",
            "reset",
            None,
        ),
    ],
)
def test_every_form(read: Read, text: str, format: str, unlisted_configs: str, cluster: str | None) -> None:
    """One row a format: by its content alone, and read into the same request."""
    contents = read(text)
    (topic,) = contents.declared
    name = "shop.orders.x" if format == "julie" else "shop.orders"

    assert [] == contents.faults
    assert {**WANTED, "topic": name} == topic.request
    assert (format, unlisted_configs, cluster) == (topic.format, topic.unlisted_configs, topic.cluster)


def test_retention_in_minutes(read: Read) -> None:
    """What topicctl writes in minutes is Kafka's retention.ms, at the line of the minutes."""
    text = "meta: {name: a}\nspec:\n  partitions: 1\n  replicationFactor: 1\n  retentionMinutes: 60\n"
    (topic,) = read(text).declared

    assert {"retention.ms": "3600000"} == topic.request["configs"]
    assert 5 == topic.find_line(["configs", "retention.ms"])


def test_defaults_of_a_whole_state(read: Read) -> None:
    """Of kafka-gitops the state's own default replication stands in; without one it is an error."""
    text = "topics: {a: {partitions: 1}}"

    assert (
        3 == read(text + "\nsettings: {topics: {defaults: {replication: 3}}}").declared[0].request["replicationFactor"]
    )
    assert ["replication of a is missing: write it"] == [each.message for each in read(text).faults]


@pytest.mark.parametrize(
    ("spec", "line", "said"),
    [
        ({"partitions: 12": "partitions: '12'"}, 10, "spec.partitions 12 is not a whole number"),
        ({"partitions: 12": "partitions: 010"}, 10, "spec.partitions 010 is not a whole number"),
        ({"1000 # a second": "{a: b}"}, 13, "retention.ms is a mapping"),
        ({"1000 # a second": ""}, 13, "retention.ms has no value"),
        ({"1000 # a second": '"{{ .Values.retention }}"'}, 13, "retention.ms is a template ({{): render it first"),
        ({"topicName: shop.orders": "topicName: ${NAME}"}, 9, "the topic's name is a template (${)"),
        ({"topicName: shop.orders": "topicName: 7"}, 9, "the topic's name is not a string"),
        ({"    owner: shop": "    owner: 7"}, 7, "the label owner is not a string"),
        ({"    owner: shop": "    owner: null"}, 7, "the label owner is empty: write a string"),
        ({"  config:": "  config: []\n  x:"}, 12, "spec.config is not a mapping"),
    ],
)
def test_values_that_are_none(read: Read, spec: dict[str, str], line: int, said: str) -> None:
    """An error with the line of the value, and nothing is declared."""
    text = STRIMZI.replace("{version}", "v1")
    for old, new in spec.items():
        assert old in text
        text = text.replace(old, new)
    contents = read(text)

    assert [] == contents.declared
    assert [(line, True)] == [(each.line, said in each.message) for each in contents.faults], contents.faults


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("604800000", "604800000"),
        ("-1", "-1"),
        ("0.5", "0.5"),
        ("0.50", "0.50"),
        ("true", "true"),
        ('"010"', "010"),
        ("'yes'", "yes"),
        ("compact", "compact"),
        ("2024-01-01", "2024-01-01"),
        ("010", None),
        ("0o10", None),
        ("0x10", None),
        ("1_000", None),
        ("12:30", None),
        ("yes", None),
        ("On", None),
        ("y", None),
        ("True", None),
        ("1e7", None),
        ("1.0e+7", None),
        ("604800000.0", None),
    ],
)
def test_scalars(read: Read, written: str, value: str | None) -> None:
    """A config is the very text of its scalar, and one that YAML's readers take for different things is refused."""
    contents = read(f"topic: t\nconfigs:\n  a: {written}\n")
    read_as: list[Any] = [topic.request["configs"]["a"] for topic in contents.declared]

    assert ([] if value is None else [value]) == read_as
    said = f'a: {written} is read in different ways by YAML\'s readers: quote what is meant, "{written}"'
    assert ([(3, said)] if value is None else []) == [(each.line, each.message) for each in contents.faults]


def test_what_nobody_manages(read: Read) -> None:
    """Only the text "false" lets go of a topic; a patch without spec is not a declaration."""
    text = (
        "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: a, annotations: {strimzi.io/managed: X}}\n"
    )

    assert 1 == len(read(text.replace("X", '"false"') + "spec: {}").skipped)
    assert 1 == len(read(text.replace("X", "false") + "spec: {}").declared)
    assert "this has no spec" in read(text).faults[0].message


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("topics: {a: {numPartitions: 6}}\nclutser: prod\n", 2, "clutser stands beside topics"),
        ("topic: b\nnumPartitions: 600\ntopics: {a: {numPartitions: 6}}\n", 1, "topic stands beside topics"),
        (f"topic: a\nnumPartitions: {'9' * 30}\n", 2, "numPartitions has more than 19 digits: write fewer"),
        *((_JULIE.format(number), 6, "is not a whole number: write its digits") for number in ("--3", "9" * 5000, "٣")),
    ],
    ids=["beside topics", "topic beside topics", "too long", "two signs", "too long for Julie", "other digits"],
)
def test_documents_that_cannot_be_read(read: Read, text: str, line: int, said: str) -> None:
    """An error of the file, and nothing of it is passed over."""
    contents = read(text)

    assert ([], [line]) == (contents.declared, [fault.line for fault in contents.faults])
    assert said in contents.faults[0].message
