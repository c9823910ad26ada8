"""Confluent's role bindings: the ACLs that grant the same, in Kubernetes and in Terraform's plans."""

from typing import Any

import pytest

from tests.analyse.check.conftest import Read
from tests.analyse.check.readers.terraform.test_terraform import plan, resource
from warden.analyse.check.model import FileContents

BINDING = """\
apiVersion: platform.confluent.io/v1beta1
kind: ConfluentRolebinding
metadata: {name: a}
spec:
  principal: {type: user, name: shop}
  kafkaClusterRef: {name: prod}
  role: ROLE
  resourcePatterns:
  - {name: orders., patternType: PREFIXED, resourceType: Topic}
  - {name: g, resourceType: Group}
"""
CRN = "crn://confluent.cloud/organization=o/environment=env-1/cloud-cluster=lkc-1"
_ALL = [
    "User:shop ALL TOPIC LITERAL *",
    "User:shop ALL GROUP LITERAL *",
    "User:shop ALL TRANSACTIONAL_ID LITERAL *",
    "User:shop ALL CLUSTER LITERAL kafka-cluster",
]


def _acls(contents: FileContents) -> list[str]:
    """Each ACL in a line."""
    assert [] == contents.faults
    acls = [one.request["acl"] for one in contents.declared]
    assert {("*", "ALLOW")} >= {(acl["host"], acl["permissionType"]) for acl in acls}
    fields = ("principal", "operation", "resourceType", "patternType", "resourceName")
    return [" ".join(acl[field] for field in fields) for acl in acls]


def _of_topics(*operations: str) -> list[str]:
    return [f"User:shop {operation} TOPIC PREFIXED orders." for operation in operations]


def _of_group(*operations: str) -> list[str]:
    return [f"User:shop {operation} GROUP LITERAL g" for operation in operations]


@pytest.mark.parametrize(
    ("role", "acls"),
    [
        ("DeveloperRead", [*_of_topics("READ", "DESCRIBE"), *_of_group("READ", "DESCRIBE")]),
        ("DeveloperWrite", _of_topics("WRITE", "DESCRIBE")),
        (
            "DeveloperManage",
            [*_of_topics("CREATE", "DELETE", "DESCRIBE", "DESCRIBE_CONFIGS"), *_of_group("DESCRIBE", "DELETE")],
        ),
        (
            "ResourceOwner",
            [
                *_of_topics("CREATE", "DELETE", "READ", "WRITE", "DESCRIBE", "DESCRIBE_CONFIGS"),
                *_of_topics("ALTER", "ALTER_CONFIGS"),
                *_of_group("READ", "DESCRIBE", "DELETE"),
            ],
        ),
        ("SystemAdmin", _ALL),
        ("ClusterAdmin", _ALL),
        ("SecurityAdmin", []),
        ("UserAdmin", []),
    ],
)
def test_roles(read: Read, role: str, acls: list[str]) -> None:
    """On the resources of a binding, or on all of a cluster."""
    contents = read(BINDING.replace("ROLE", role))

    assert acls == _acls(contents)
    assert {("cfk", "prod")} >= {(one.format, one.cluster) for one in contents.declared}
    assert [] == contents.remarks
    assert bool(acls) != bool(contents.skipped)
    assert all(skipped.is_known for skipped in contents.skipped)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("kafkaClusterRef: {name: prod}", "clustersScopeByIds: {connectClusterId: a.connect}"),
        ("kafkaClusterRef: {name: prod}", "clustersScopeByIds: {schemaRegistryClusterId: a.sr}"),
        (
            "  - {name: orders., patternType: PREFIXED, resourceType: Topic}\n  - {name: g, resourceType: Group}",
            "  - {name: s, resourceType: Subject}",
        ),
    ],
)
def test_other_products(read: Read, old: str, new: str) -> None:
    """What grants nothing of Kafka's is passed over, whatever its role is called."""
    contents = read(BINDING.replace(old, new).replace("ROLE", "ResourceOwner"))

    assert [] == _acls(contents)
    assert ["role binding that grants nothing of Kafka's"] == [skipped.kind for skipped in contents.skipped]


def test_a_group_of_people(read: Read) -> None:
    """Its principal has the type Group, and a blueprint's API another group."""
    text = BINDING.replace("type: user", "type: group").replace("platform.", "apps.cpc.platform.")
    contents = read(text.replace("ROLE", "DeveloperRead"))

    assert {"Group:shop"} == {one.request["acl"]["principal"] for one in contents.declared}


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("ROLE", "Operator", 7, "what the role Operator grants is not known: it is not evaluated"),
        ("Topic}", "TransactionalId}", 8, "what the role ResourceOwner grants on a resource of type TRANSACTIONAL_ID"),
        ("type: user", "type: robot", 5, "unknown spec.principal.type robot: write one of user, group"),
        ("kafkaClusterRef: {name: prod}", "clustersScopeByRegistryName: a", 6, "which kind of cluster"),
    ],
)
def test_what_is_not_known(read: Read, old: str, new: str, line: int, said: str) -> None:
    """An error with its line."""
    contents = read(BINDING.replace(old, new).replace("ROLE", "ResourceOwner"))

    assert [] == contents.declared
    assert [(line, True)] == [(fault.line, fault.message.startswith(said)) for fault in contents.faults]


def test_a_role_without_resources(read: Read) -> None:
    """An error, since it is bound to none."""
    text = BINDING.partition("  resourcePatterns")[0].replace("ROLE", "DeveloperRead")

    assert "the role DeveloperRead is bound to no resource of Kafka's" in read(text).faults[0].message


def _plan(actions: list[str], role: str, crn: str, **more: Any) -> str:
    values = {"principal": "User:sa-1", "role_name": role, "crn_pattern": crn}
    return plan(resource(actions, values, values, type="confluent_role_binding", **more))


@pytest.mark.parametrize(
    ("role", "suffix", "acls"),
    [
        (
            "DeveloperWrite",
            "/kafka=lkc-1/topic=orders*",
            ["WRITE TOPIC PREFIXED orders", "DESCRIBE TOPIC PREFIXED orders"],
        ),
        ("DeveloperRead", "/kafka=lkc-1/group=*", ["READ GROUP LITERAL *", "DESCRIBE GROUP LITERAL *"]),
        ("DeveloperRead", "/kafka=lkc-1/transactional-id=t", ["DESCRIBE TRANSACTIONAL_ID LITERAL t"]),
        ("DeveloperWrite", "/kafka=lkc-1/cluster=kafka-cluster", ["IDEMPOTENT_WRITE CLUSTER LITERAL kafka-cluster"]),
        ("CloudClusterAdmin", "", ["ALL TOPIC LITERAL *", "ALL CLUSTER LITERAL kafka-cluster"]),
        ("DeveloperRead", "/connector=c", []),
        ("DeveloperRead", "/schema-registry=lsrc-1/subject=s*", []),
    ],
)
def test_plans(read: Read, role: str, suffix: str, acls: list[str]) -> None:
    """By the last part of the resource's name."""
    created, replaced = (read(_plan(actions, role, CRN + suffix)) for actions in (["create"], ["create", "delete"]))

    assert [f"User:sa-1 {acl}" for acl in acls] == _acls(created)
    assert ["DeleteAcl"] * len(acls) + ["CreateAcl"] * len(acls) == [one.operation for one in replaced.declared]
    assert bool(acls) != bool(created.skipped)


@pytest.mark.parametrize(
    ("role", "suffix", "unknown", "said"),
    [
        ("MetricsViewer", "", {}, "what the role MetricsViewer grants is not known"),
        ("DeveloperRead", "", {}, "the role DeveloperRead is bound to no resource of Kafka's"),
        ("DeveloperRead", "/thing=t", {}, "names a resource of an unknown type"),
        ("DeveloperRead", "/topic=t", {"crn_pattern": True}, "crn_pattern is known only after apply"),
    ],
)
def test_plans_that_cannot_be_decided(read: Read, role: str, suffix: str, unknown: Any, said: str) -> None:
    """An error that names the resource."""
    contents = read(_plan(["create"], role, CRN + suffix, unknown=unknown))

    assert ([], True) == (contents.declared, said in contents.faults[0].message)
