"""ns4kafka: whom it grants something stands in another document."""

from pathlib import Path
from typing import Any

import pytest

from tests.analyse.check.conftest import Check, Read
from warden.analyse.check.files import read_paths

NAMESPACE = """\
apiVersion: v1
kind: Namespace
metadata: {name: shop, cluster: local}
spec: {kafkaUser: user1, transactionsEnabled: false}
"""
ACCESS = """\
apiVersion: v1
kind: AccessControlEntry
metadata: {name: a, namespace: other, cluster: local}
spec:
  resourceType: TOPIC
  resource: abc.
  resourcePatternType: PREFIXED
  permission: OWNER
  grantedTo: shop
"""
STREAM = "apiVersion: v1\nkind: KafkaStream\nmetadata: {name: abc.s, namespace: shop}\n"
QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: shop, cluster: local}
spec: {count/topics: 10, disk/topics: 500MiB, user/consumer_byte_rate: "204800"}
"""
ACL = {
    "resourceType": "TOPIC",
    "resourceName": "abc.",
    "patternType": "PREFIXED",
    "principal": "User:user1",
    "host": "*",
    "permissionType": "ALLOW",
}


def _acls(contents: Any) -> list[tuple[str, str, str]]:
    """Type, name and operation of each ACL."""
    acls = [one.request["acl"] for one in contents.declared]
    return [(acl["resourceType"], acl["resourceName"], acl["operation"]) for acl in acls]


def test_access_to_topics(read: Read) -> None:
    """The user is the namespace's, in whichever file and order that stands."""
    Path("n.yaml").write_text(NAMESPACE)
    read(ACCESS)
    contents = read_paths([Path("f.yaml"), Path("n.yaml")])

    assert ([], []) == (contents.faults, contents.remarks)
    assert [{**ACL, "operation": each} for each in ("READ", "WRITE", "DESCRIBE_CONFIGS")] == [
        one.request["acl"] for one in contents.declared
    ]
    assert {("ns4kafka", "local", (), "", 6)} == {
        (one.format, one.cluster, one.unknown, one.note, one.find_line(["acl", "resourceName"]))
        for one in contents.declared
    }


@pytest.mark.parametrize(
    ("old", "new", "acls"),
    [
        ("OWNER", "READ", [("TOPIC", "abc.", "READ")]),
        ("OWNER", "WRITE", [("TOPIC", "abc.", "WRITE")]),
        ("TOPIC", "GROUP", [("GROUP", "abc.", "READ")]),
        ("TOPIC", "CONNECT", [("GROUP", "connect-abc.", "READ")]),
        ("TOPIC", "CONNECT_CLUSTER", []),
        ("TOPIC", "SCHEMA", []),
    ],
)
def test_what_access_makes(read: Read, old: str, new: str, acls: list[tuple[str, str, str]]) -> None:
    """What is not Kafka's is passed over."""
    contents = read(f"{NAMESPACE}---\n{ACCESS.replace(old, new)}")

    assert ([], acls) == (contents.faults, _acls(contents))
    assert all(skipped.is_known for skipped in contents.skipped)


@pytest.mark.parametrize(
    ("namespace", "more", "ids"),
    [
        (NAMESPACE, "", []),
        (NAMESPACE.replace("false", "true"), "", ["connect-cluster-abc.", "abc."]),
        (NAMESPACE, STREAM, ["abc."]),
    ],
)
def test_access_to_a_group(read: Read, namespace: str, more: str, ids: list[str]) -> None:
    """Access to transactional ids follows from it, with transactions or streams, but not from that to connectors."""
    group, connect = (ACCESS.replace("TOPIC", kind) for kind in ("GROUP", "CONNECT"))
    contents = read("---\n".join([namespace, group, connect, *([more] if more else [])]))
    of_streams = [("TOPIC", "abc.s", "CREATE"), ("TOPIC", "abc.s", "DELETE")] if more else []

    assert [
        ("GROUP", "abc.", "READ"),
        *(("TRANSACTIONAL_ID", each, operation) for each in ids for operation in ("WRITE", "DESCRIBE")),
        ("GROUP", "connect-abc.", "READ"),
        *of_streams,
    ] == _acls(contents)
    assert {"User:user1"} == {one.request["acl"]["principal"] for one in contents.declared}


def test_a_quota(read: Read) -> None:
    """Of the namespace's user; what it leaves out is ns4kafka's own rate."""
    (quota,) = read(f"{QUOTA}---\n{NAMESPACE}").declared

    assert {
        "entity": {"user": "user1"},
        "ops": [{"key": "producer_byte_rate", "value": 102400.0}, {"key": "consumer_byte_rate", "value": 204800.0}],
    } == quota.request


def test_a_namespace_that_no_file_declares(read: Read) -> None:
    """Its user is not known, which is said; all users are known without one."""
    named, public = read(ACCESS), read(ACCESS.replace("grantedTo: shop", "grantedTo: '*'"))
    (quota,) = read(QUOTA).declared

    assert {("/request/acl/principal",)} == {one.unknown for one in named.declared}
    assert "the user of the namespace shop, which no file here declares, is not known" in named.declared[0].note
    assert ("/request/entity/user",) == quota.unknown
    assert {("User:*", (), "")} == {(one.request["acl"]["principal"], one.unknown, one.note) for one in public.declared}


@pytest.mark.parametrize("text", [QUOTA.replace("namespace: shop, ", ""), STREAM.replace(", namespace: shop", "")])
def test_a_namespace_that_kafkactl_is_given(read: Read, text: str) -> None:
    """It is in no file, so that whose it is is not known."""
    contents = read(f"{text}---\n{NAMESPACE}")

    assert [] == contents.faults
    assert all(one.unknown and "write metadata.namespace" in one.note for one in contents.declared)
    assert contents.declared


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (ACCESS.replace("OWNER", "ADMIN"), 8, "unknown spec.permission ADMIN: write one of OWNER, READ, WRITE"),
        (ACCESS.replace("  grantedTo: shop\n", ""), 4, "spec.grantedTo is missing"),
        (QUOTA.replace('"204800"', "many"), 4, "user/consumer_byte_rate is not a number"),
        (STREAM.replace("name: abc.s, ", ""), 3, "metadata.name is missing"),
    ],
)
def test_what_cannot_be_read(read: Read, text: str, line: int, said: str) -> None:
    """An error with its line."""
    contents = read(text)

    assert [] == contents.declared
    assert [(line, True)] == [(fault.line, fault.message.startswith(said)) for fault in contents.faults]


@pytest.mark.opa
def test_decisions(check: Check) -> None:
    """A user that is not known is a warning that names its namespace."""
    wide = ACCESS.replace("cluster: local", "cluster: c")
    Path("a.yaml").write_text(wide)
    unknown = check("a.yaml")
    Path("n.yaml").write_text(NAMESPACE)
    known = check("a.yaml", "n.yaml")

    assert "the user of the namespace shop" in unknown.output
    assert "the user of the namespace shop" not in known.output
    assert (0, 0) == (unknown.return_value, known.return_value)
