"""Fields that a kind does not have are named, with the nearest that it has."""

from pathlib import Path

import pytest

from tests.analyse.check.conftest import Check, Read

_STRIMZI = "apiVersion: kafka.strimzi.io/{}\nkind: {}\nmetadata: {{name: a}}\nspec:\n  {}\n"
_ACL = "authorization: {{type: simple, acls: [{{resource: {{type: topic, name: a}}, {}: {}}}]}}"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (
            _STRIMZI.format("v1", "KafkaTopic", "partitons: 300"),
            5,
            (
                "unknown field spec.partitons of kafka.strimzi.io/v1 KafkaTopic, which is not read: "
                "did you mean partitions?"
            ),
        ),
        (
            _STRIMZI.format("v1beta2", "KafkaTopic", "partitions: 3\nstatus: {}\nspce: {}"),
            7,
            "unknown field spce of kafka.strimzi.io/v1beta2 KafkaTopic, which is not read: did you mean spec?",
        ),
        (
            _STRIMZI.format("v1", "KafkaUser", _ACL.format("operation", "Read")),
            5,
            (
                "unknown field spec.authorization.acls.operation of kafka.strimzi.io/v1 KafkaUser, "
                "which is not read: did you mean operations?"
            ),
        ),
        (
            "apiVersion: v1\nkind: Topic\nmetadata: {name: a, lables: {}}\nspec: {partitions: 1, replicationFactor: 1}",
            3,
            "unknown field metadata.lables of v1 Topic, which is not read: did you mean labels?",
        ),
        (
            "meta: {name: a}\nspec: {partitions: 1, replicationFactor: 1, retentionMinute: 1}\n",
            2,
            "unknown field spec.retentionMinute of topicctl topic, which is not read: did you mean retentionMinutes?",
        ),
        (
            (
                "meta: {name: a}\nspec:\n  acls:\n  - resource: {type: topic, name: a, principal: 'User:a', hots: b}\n"
                "    operations: [read]\n"
            ),
            4,
            "unknown field spec.acls.resource.hots of topicctl ACLs, which is not read: did you mean host?",
        ),
        (
            "topics:\n  a: {partitions: 1, replication: 1, xyz: 1}\n",
            2,
            "unknown field topics.a.xyz of a topic of kafka-gitops, which is not read",
        ),
        (
            "apiVersion: kafka.jikkou.io/v1\nkind: KafkaTopicList\nitems:\n- metadata: {name: a}\n  spec: {replica: 1}",
            5,
            "unknown field spec.replica of kafka.jikkou.io/v1 KafkaTopic, which is not read: did you mean replicas?",
        ),
        (
            "apiVersion: platform.confluent.io/v1beta1\nkind: KafkaTopic\nmetadata: {name: a}\nspec: {partitions: 1}\n",
            4,
            (
                "unknown field spec.partitions of platform.confluent.io/v1beta1 KafkaTopic, which is not read: "
                "did you mean partitionCount?"
            ),
        ),
    ],
)
def test_unknown_fields(read: Read, text: str, line: int, said: str) -> None:
    """The field is named by its path and line, and the rest is read as ever."""
    contents = read(text)

    assert [(line, said)] == [(one.line, one.message) for one in contents.remarks]
    assert contents.declared
    assert not contents.faults


def test_versions_differ(read: Read) -> None:
    """What an older version of a CRD had is a field of it."""
    assert [] == read(_STRIMZI.format("v1beta2", "KafkaUser", _ACL.format("operation", "Read"))).remarks


@pytest.mark.opa
def test_a_report_has_them(check: Check) -> None:
    """As a warning: a newer operator may know the field."""
    Path("t.yaml").write_text(_STRIMZI.format("v1", "KafkaTopic", "partitons: 300"))
    result = check("t.yaml")

    assert "t.yaml:5  warn   warden" in result.output
    assert "did you mean partitions?" in result.output
    assert 2 != result.return_value
