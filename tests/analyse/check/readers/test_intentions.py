"""What a declaration asks for, form by form: each cell of the tables in docs/reference/check.md."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.analyse.check.conftest import Check, Read
from tests.analyse.check.readers.terraform.hcl import ACL, write_resource
from tests.analyse.check.test_command import state
from warden.analyse.check.model import FileContents
from warden.analyse.check.revisions.changes import select_changes
from warden.analyse.check.revisions.commits import Revisions

_PAGE = Path(__file__).resolve().parents[4] / "docs" / "reference" / "check.md"


def _object(version: str, kind: str, spec: str, *marks: str) -> str:
    """A document with a name, and with more in its metadata."""
    metadata = ", ".join(["name: 'User:a'" if kind == "KafkaPrincipalAuthorization" else "name: a", *marks])
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{{metadata}}}\nspec: {spec}\n"


def _rows(version: str, kind: str, spec: str, going: str = "", alone: str = "") -> tuple[str, str, str]:
    marked = [_object(version, kind, spec, mark) if mark else "" for mark in (going, alone)]
    return _object(version, kind, spec), marked[0], marked[1]


_TOPIC = "{partitions: 3, replicas: 3}"
_ACLS = "{acls: [{resource: {type: topic, PLACE: a}, operations: [READ, WRITE], type: ALLOW}]}"
_OF_STRIMZI = _ACLS.replace("PLACE", "name").replace("}]}", ", host: b}], type: simple}").replace("ALLOW", "allow")
_DELETING = "deletionTimestamp: '2026-11-24T10:00:00Z'"
_JIKKOU = ("annotations: {jikkou.io/delete: true}", "annotations: {jikkou.io/ignore: 'true'}")
_GITOPS = """\
topics: {a: {partitions: 3, replication: 3}}
customServiceAcls: {a: {b: {name: a, type: TOPIC, pattern: LITERAL, operation: READ, principal: 'User:a'}}}
"""
_CROSSPLANE_TOPIC = "forProvider: {partitions: 3, replicationFactor: 3}"
_CROSSPLANE_ACL = (
    "forProvider: {resourceType: Topic, resourceName: a, resourcePatternTypeFilter: Literal, "
    "resourcePrincipal: 'User:a', resourceHost: '*', resourceOperation: Read, resourcePermissionType: Allow}"
)

FORMS: Mapping[str, tuple[str, str, str]] = {
    "Strimzi `KafkaTopic`": _rows(
        "kafka.strimzi.io/v1", "KafkaTopic", _TOPIC, _DELETING, "annotations: {strimzi.io/managed: 'false'}"
    ),
    "Strimzi `KafkaUser`": _rows(
        "kafka.strimzi.io/v1",
        "KafkaUser",
        f"{{authorization: {_OF_STRIMZI}, quotas: {{producerByteRate: 1000}}}}",
        _DELETING,
    ),
    "Confluent for Kubernetes `KafkaTopic`": _rows(
        "platform.confluent.io/v1beta1", "KafkaTopic", "{partitionCount: 3, replicas: 3}", _DELETING
    ),
    "Confluent for Kubernetes `ConfluentRolebinding`": _rows(
        "platform.confluent.io/v1beta1",
        "ConfluentRolebinding",
        "{principal: {type: user, name: a}, role: DeveloperRead, resourcePatterns: [{resourceType: Topic, name: a}]}",
        _DELETING,
    ),
    "Jikkou `KafkaTopic`": _rows("kafka.jikkou.io/v1", "KafkaTopic", _TOPIC, *_JIKKOU),
    "Jikkou `KafkaPrincipalAuthorization`": _rows(
        "kafka.jikkou.io/v1", "KafkaPrincipalAuthorization", _ACLS.replace("PLACE", "pattern"), *_JIKKOU
    ),
    "Jikkou `KafkaClientQuota`": _rows(
        "kafka.jikkou.io/v1",
        "KafkaClientQuota",
        "{type: USER, entity: {user: a}, configs: {producerByteRate: 1000}}",
        *_JIKKOU,
    ),
    "Jikkou `KafkaUser`": _rows(
        "kafka.jikkou.io/v1", "KafkaUser", "{authentications: [{type: scram-sha-512}]}", *_JIKKOU
    ),
    "topicctl": ("meta: {name: a}\nspec: {partitions: 3, replicationFactor: 3}\n", "", ""),
    "ns4kafka `Topic`": _rows("v1", "Topic", "{partitions: 3, replicationFactor: 3}"),
    "ns4kafka `AccessControlEntry`": _rows(
        "v1",
        "AccessControlEntry",
        "{resourceType: TOPIC, resource: a, resourcePatternType: LITERAL, permission: READ, grantedTo: b}",
    ),
    "ns4kafka `KafkaStream`": ("apiVersion: v1\nkind: KafkaStream\nmetadata: {name: a, namespace: b}\n", "", ""),
    "ns4kafka `ResourceQuota`": (
        _object("v1", "ResourceQuota", "{user/producer_byte_rate: 1000}", "namespace: b"),
        "",
        "",
    ),
    "Aiven `KafkaTopic`": _rows(
        "aiven.io/v1alpha1", "KafkaTopic", "{serviceName: c, partitions: 3, replication: 3}", _DELETING
    ),
    "Aiven `KafkaACL`": _rows("aiven.io/v1alpha1", "KafkaACL", "{topic: a, username: b, permission: read}", _DELETING),
    "Aiven `KafkaNativeACL`": _rows(
        "aiven.io/v1alpha1",
        "KafkaNativeACL",
        "{resourceType: Topic, resourceName: a, patternType: LITERAL, principal: 'User:a', operation: Read, "
        "permissionType: ALLOW}",
        _DELETING,
    ),
    "Aiven `KafkaQuota`": _rows("aiven.io/v1alpha1", "KafkaQuota", "{user: a, producerByteRate: 1000}", _DELETING),
    "Redpanda `Topic`": _rows("cluster.redpanda.com/v1alpha2", "Topic", "{partitions: 3}", _DELETING),
    "Redpanda `User`": _rows(
        "cluster.redpanda.com/v1alpha2",
        "User",
        f"{{authorization: {_ACLS.replace('PLACE', 'name')}, authentication: {{password: {{value: x}}}}}}",
        _DELETING,
    ),
    "Redpanda `RedpandaRole`": _rows(
        "cluster.redpanda.com/v1alpha2",
        "RedpandaRole",
        f"{{authorization: {_ACLS.replace('PLACE', 'name')}}}",
        _DELETING,
    ),
    "Crossplane `Topic`": (
        *_rows("topic.kafka.crossplane.io/v1alpha1", "Topic", f"{{{_CROSSPLANE_TOPIC}}}", _DELETING)[:2],
        _object(
            "topic.kafka.crossplane.io/v1alpha1", "Topic", f"{{managementPolicies: [Observe], {_CROSSPLANE_TOPIC}}}"
        ),
    ),
    "Crossplane `AccessControlList`": (
        *_rows("acl.kafka.m.crossplane.io/v1alpha1", "AccessControlList", f"{{{_CROSSPLANE_ACL}}}", _DELETING)[:2],
        _object(
            "acl.kafka.m.crossplane.io/v1alpha1",
            "AccessControlList",
            f"{{managementPolicies: [Observe], {_CROSSPLANE_ACL}}}",
        ),
    ),
    "CloudFormation `AWS::MSK::Topic`": (
        "Resources: {T: {Type: AWS::MSK::Topic, Properties: {TopicName: a, PartitionCount: 3, ReplicationFactor: 3}}}",
        "",
        "",
    ),
    "Terraform's HCL: topics": (write_resource("kafka_topic", {"name": "a"}), "", ""),
    "Terraform's HCL: ACLs, role bindings": (write_resource("kafka_acl", ACL), "", ""),
    "Terraform's HCL: quotas": (
        write_resource("kafka_quota", {"entity_type": "user", "entity_name": "a", "config": {"producer_byte_rate": 1}}),
        "",
        "",
    ),
    "Terraform's HCL: SCRAM credentials": (
        write_resource("kafka_user_scram_credential", {"username": "a", "scram_mechanism": "SCRAM-SHA-512"}),
        "",
        "",
    ),
    "kafka-gitops": (_GITOPS, "", ""),
    "JulieOps": ("context: c\nprojects: [{name: p, topics: [{name: a}]}]\n", "", ""),
    "Warden's own": ("topic: a\nnumPartitions: 3\n", "", ""),
}
"""What declares, what is marked as going, and what is marked as left alone; empty where the form has no such mark."""


def read_table(header: str) -> dict[str, list[str]]:
    """The cells of a table of the page, by the first of each row."""
    rows = _PAGE.read_text(encoding="utf-8").partition(header)[2].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]
    return {row[0].strip(): [cell.strip(" |") for cell in row[1:]] for row in cells}


def describe(contents: FileContents) -> str:
    """What is decided, as the page has it."""
    assert not contents.faults
    if operations := dict.fromkeys(one.operation for one in contents.declared):
        return ", ".join(f"`{each}`" for each in operations)
    if contents.unchanged:
        return "unchanged"
    assert all(skipped.is_known for skipped in contents.skipped)
    stays = [skipped.kind.endswith("declared no more, and stays") for skipped in contents.skipped]
    return "stays" if all(stays) else "passed over"


def test_every_form_is_in_theread_table() -> None:
    """With all its cells."""
    assert FORMS.keys() == read_table("| form | marked as going").keys()


@pytest.mark.parametrize("form", FORMS)
def test_marks(read: Read, form: str) -> None:
    """Marked as going, and as left alone; a form without a mark has a dash."""
    cells = read_table("| form | marked as going")[form]

    assert cells[:2] == [describe(read(text)) if text else "\N{EN DASH}" for text in FORMS[form][1:]]


@pytest.mark.parametrize("form", FORMS)
def test_declared_no_more(read: Read, form: str) -> None:
    """In the later of two commits."""
    nothing = FileContents()
    declared = read(FORMS[form][0], "main.tf" if "HCL" in form else "f.yaml")
    gone = select_changes(Revisions(nothing, declared, nothing, frozenset()), cluster_is_known=False)

    assert read_table("| form | marked as going")[form][2] == describe(gone)


def test_all_of_what_goes(read: Read) -> None:
    """Each ACL, all keys of a quota, a credential without its password, and a topic by its name alone."""
    texts = {form: row[1] for form, row in FORMS.items() if form.startswith("Jikkou")}
    topic, acls, quota, user = (read(text).declared for text in texts.values())

    assert [{"topic": "a"}] == [one.request for one in topic]
    assert ["READ", "WRITE"] == [one.request["acl"]["operation"] for one in acls]
    assert {"user": "a"} == quota[0].request["entity"]
    keys = ["producer_byte_rate", "consumer_byte_rate", "request_percentage", "controller_mutation_rate"]
    assert [{"key": key, "remove": True} for key in keys] == quota[0].request["ops"]
    assert {"user": "a", "mechanism": "SCRAM-SHA-512", "remove": True} == user[0].request
    bare = _object("kafka.jikkou.io/v1", "KafkaTopic", "", "annotations: {jikkou.io/delete: 'TRUE'}")
    assert ["DeleteTopic"] == [one.operation for one in read(bare).declared]


def test_items_of_a_list(read: Read) -> None:
    """Each has its own mark."""
    item = "- metadata: {{name: {}, annotations: {{jikkou.io/delete: {}}}}}\n  spec: {{partitions: 1}}\n"
    text = "apiVersion: kafka.jikkou.io/v1\nkind: KafkaTopicList\nitems:\n"
    contents = read(text + item.format("a", "true") + item.format("b", "false"))

    assert ["DeleteTopic", "CreateTopic"] == [one.operation for one in contents.declared]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            _object("kafka.jikkou.io/v1", "KafkaTopic", _TOPIC, "annotations: {jikkou.io/delete: yes please}"),
            "jikkou.io/delete is neither true nor false",
        ),
        (
            _object("kafka.jikkou.io/v1", "KafkaPrincipalAuthorization", "{acls: []}", _JIKKOU[0]),
            "this is to be removed and names nothing",
        ),
    ],
)
def test_marks_that_cannot_be_read(read: Read, text: str, said: str) -> None:
    """An error, so that nobody takes a deletion for a creation."""
    contents = read(text)

    assert ([], True) == (contents.declared, said in contents.faults[0].message)


@pytest.mark.parametrize(
    ("version", "kind", "spec", "annotation"),
    [
        ("kafka.strimzi.io/v1", "KafkaTopic", _TOPIC, "strimzi.io/pause-reconciliation"),
        ("topic.kafka.crossplane.io/v1alpha1", "Topic", f"{{{_CROSSPLANE_TOPIC}}}", "crossplane.io/paused"),
    ],
)
def test_a_paused_object(read: Read, version: str, kind: str, spec: str, annotation: str) -> None:
    """It is decided, with a warning."""
    contents = read(_object(version, kind, spec, f"annotations: {{{annotation}: 'true'}}"))

    assert ["CreateTopic"] == [one.operation for one in contents.declared]
    assert "reconciliation is paused" in contents.remarks[0].message


@pytest.mark.parametrize(
    ("version", "kind", "spec", "mark"),
    [
        (
            "aiven.io/v1alpha1",
            "KafkaTopic",
            "{partitions: 3, replication: 3}",
            "annotations: {controllers.aiven.io/deletion-policy: Orphan}",
        ),
        ("topic.kafka.crossplane.io/v1alpha1", "Topic", f"{{deletionPolicy: Orphan, {_CROSSPLANE_TOPIC}}}", ""),
        (
            "topic.kafka.m.crossplane.io/v1alpha1",
            "Topic",
            f"{{managementPolicies: [Observe, Create, Update], {_CROSSPLANE_TOPIC}}}",
            "",
        ),
    ],
)
def test_what_lets_go(read: Read, version: str, kind: str, spec: str, mark: str) -> None:
    """It is created and changed as ever; when the object goes, or is declared no more, the topic stays."""
    declared = read(_object(version, kind, spec, *([mark] if mark else [])))
    nothing = FileContents()
    gone = select_changes(Revisions(nothing, declared, nothing, frozenset()), cluster_is_known=False)

    assert "`CreateTopic`" == describe(declared)
    assert "stays" == describe(gone)
    assert "passed over" == describe(read(_object(version, kind, spec, _DELETING, *([mark] if mark else []))))


@pytest.mark.opa
def test_rules_about_deletions(check: Check) -> None:
    """They see a deletion and the others do not; where the topic is gone already nothing is left to do."""
    text = _object("kafka.jikkou.io/v1", "KafkaTopic", _TOPIC, _JIKKOU[0])
    Path("gone.yaml").write_text(text.replace("name: a", "name: jikkou-demo-my_second.topic"))
    (declaration,) = json.loads(check("gone.yaml", "--output", "json", "--dryrun").output)["declarations"]
    Path("state.json").write_text(json.dumps(state(other={"numPartitions": 1, "replicationFactor": 1, "configs": {}})))

    assert "DeleteTopic" == declaration["operation"]
    assert {"KFK-DEL"} == {violation["rule"][:7] for violation in declaration["decision"]["violations"]}
    assert [] == declaration["decision"]["errors"]
    assert "0 declarations decided, 0 denied, 1 unchanged" in check("gone.yaml", "--state", "state.json").output
