"""Confluent's role bindings: the ACLs of Kafka that grant the same as a role does on the resources that are named.

What roles grant is from the definitions that ``confluent iam rbac role list`` prints, in Confluent Platform and in
Confluent Cloud, and of ClusterAdmin and UserAdmin from Confluent's page of predefined roles. Another role is an error.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from warden.analyse.check.model import Declaration, SkippedDocument, UnusableDeclaration
from warden.analyse.check.nodes import Node, find, find_key_line, find_line, list_items
from warden.analyse.check.readers.acls import ANY_HOST, CLUSTER_NAME, read_cluster, read_text, read_word
from warden.base.did_you_mean import describe_unknown

__all__ = ["expand_role", "parse_confluent_binding", "parse_crn_resources"]

Resource = tuple[str, str, str]
"""Type, name and pattern of a resource, as an ACL has them."""

_Grants = Mapping[str, tuple[str, ...]]
_ROLES: Final[Mapping[str, _Grants]] = {
    "DeveloperRead": {
        "TOPIC": ("READ", "DESCRIBE"),
        "GROUP": ("READ", "DESCRIBE"),
        "TRANSACTIONAL_ID": ("DESCRIBE",),
        "CLUSTER": (),
    },
    "DeveloperWrite": {
        "TOPIC": ("WRITE", "DESCRIBE"),
        "GROUP": (),
        "TRANSACTIONAL_ID": ("WRITE", "DESCRIBE"),
        "CLUSTER": ("IDEMPOTENT_WRITE",),
    },
    "DeveloperManage": {
        "TOPIC": ("CREATE", "DELETE", "DESCRIBE", "DESCRIBE_CONFIGS"),
        "GROUP": ("DESCRIBE", "DELETE"),
        "TRANSACTIONAL_ID": ("DESCRIBE",),
        "CLUSTER": ("CREATE", "DESCRIBE_CONFIGS"),
    },
    "ResourceOwner": {
        "TOPIC": ("CREATE", "DELETE", "READ", "WRITE", "DESCRIBE", "DESCRIBE_CONFIGS", "ALTER", "ALTER_CONFIGS"),
        "GROUP": ("READ", "DESCRIBE", "DELETE"),
    },
}
"""Role → what it grants, by type of the resources that a binding names."""
_OF_CLUSTERS: Final[Mapping[str, tuple[str, ...]]] = {
    "SystemAdmin": ("TOPIC", "GROUP", "TRANSACTIONAL_ID", "CLUSTER"),
    "ClusterAdmin": ("TOPIC", "GROUP", "TRANSACTIONAL_ID", "CLUSTER"),
    "SecurityAdmin": (),
    "UserAdmin": (),
    "CloudClusterAdmin": ("TOPIC", "CLUSTER"),
    "EnvironmentAdmin": ("TOPIC", "CLUSTER"),
    "OrganizationAdmin": ("TOPIC", "CLUSTER"),
}
"""Role of a whole cluster → types of all whose resources it grants all operations on."""
_CRN_TYPES: Final = {"topic": "TOPIC", "group": "GROUP", "transactional-id": "TRANSACTIONAL_ID", "cluster": "CLUSTER"}
_CRN_CLUSTERS: Final = ("kafka", "cloud-cluster", "environment", "organization")
_NOT_OF_KAFKA: Final = ("connector", "subject", "schema-registry", "kek", "compute-pool")
_PRINCIPALS: Final = {"user": "User", "group": "Group"}
_TYPES_OF_OTHERS: Final = ("CONNECTOR", "KSQL_CLUSTER", "SUBJECT")
_OTHER_CLUSTERS: Final = ("schemaRegistryClusterId", "connectClusterId", "ksqlClusterId")


def expand_role(
    role: str, principal: str, resources: Iterable[Resource] | None, lines: Mapping[str, int]
) -> Iterator[dict[str, str]]:
    """Yield the ACLs that grant the same as a role.

    Args:
        role: Its name.
        principal: Who has it.
        resources: What it is bound to; None for all of a cluster.
        lines: Line of ``role`` and of ``resources``, for messages.

    Raises:
        UnusableDeclaration: What it grants is not known.
    """
    bound: list[tuple[Resource, tuple[str, ...]]] = []
    if role in _OF_CLUSTERS:
        names = {"CLUSTER": CLUSTER_NAME}
        bound = [((kind, names.get(kind, "*"), "LITERAL"), ("ALL",)) for kind in _OF_CLUSTERS[role]]
    elif role not in _ROLES:
        raise UnusableDeclaration(lines["role"], f"what the role {role} grants is not known: it is not evaluated")
    elif resources is None:
        raise UnusableDeclaration(lines["resources"], f"the role {role} is bound to no resource of Kafka's: name one")
    else:
        for resource in resources:
            if resource[0] not in _ROLES[role]:
                said = f"what the role {role} grants on a resource of type {resource[0]} is not known"
                raise UnusableDeclaration(lines["resources"], f"{said}: it is not evaluated")
            bound.append((resource, _ROLES[role][resource[0]]))
    for (kind, name, pattern), operations in bound:
        for operation in operations:
            yield {
                "resourceType": kind,
                "resourceName": name,
                "patternType": pattern,
                "principal": principal,
                "host": ANY_HOST,
                "operation": operation,
                "permissionType": "ALLOW",
            }


def parse_crn_resources(crn: str, line: int) -> list[Resource] | None:
    """Return the resources of Kafka's that a resource name of Confluent Cloud names, None for a whole cluster.

    Args:
        crn: As in ``crn://confluent.cloud/…/kafka=lkc-1/topic=orders*``.
        line: Its line, for messages.

    Raises:
        UnusableDeclaration: What it names is not known.
    """
    kind, _, name = crn.rpartition("/")[2].partition("=")
    if kind in _NOT_OF_KAFKA:
        return []
    if kind in _CRN_CLUSTERS:
        return None
    if kind not in _CRN_TYPES or not name:
        raise UnusableDeclaration(line, f"{crn} names a resource of an unknown type: it is not evaluated")
    is_prefix = name.endswith("*") and name != "*"
    return [(_CRN_TYPES[kind], name[:-1] if is_prefix else name, "PREFIXED" if is_prefix else "LITERAL")]


def parse_confluent_binding(node: Node, file: str) -> Iterator[Declaration | SkippedDocument]:
    """Yield the ACLs of Kafka that grant the same as a ConfluentRolebinding; one about another product has none.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read, or what it grants is not known.
    """
    word = read_text(node, "spec principal type")
    if word not in _PRINCIPALS:
        line = find_key_line(node, "spec principal type")
        raise UnusableDeclaration(line, describe_unknown("spec.principal.type", word, _PRINCIPALS))
    if find(node, "spec clustersScopeByRegistryName") is not None:
        line = find_key_line(node, "spec clustersScopeByRegistryName")
        raise UnusableDeclaration(
            line, "which kind of cluster a registry's name means is not known: it is not evaluated"
        )
    of_others = any(find(node, f"spec clustersScopeByIds {name}") is not None for name in _OTHER_CLUSTERS)
    patterns = list_items(find(node, "spec resourcePatterns"))
    resources = [
        (
            read_word(pattern, "resourceType"),
            read_text(pattern, "name"),
            read_word(pattern, "patternType", "LITERAL"),
        )
        for pattern in patterns
    ]
    of_kafka = [resource for resource in resources if resource[0] not in _TYPES_OF_OTHERS]
    skipped = SkippedDocument(file, find_line(node), "role binding that grants nothing of Kafka's", is_known=True)
    if of_others or (resources and not of_kafka):
        yield skipped
        return
    principal = f"{_PRINCIPALS[word]}:{read_text(node, 'spec principal name')}"
    lines = {"role": find_key_line(node, "spec role"), "resources": find_key_line(node, "spec resourcePatterns")}
    acls = list(expand_role(read_text(node, "spec role"), principal, of_kafka or None, lines))
    yield from [] if acls else [skipped]
    for acl in acls:
        yield Declaration(
            format="cfk",
            operation="CreateAcl",
            request={"acl": acl},
            file=file,
            line=find_line(node),
            lines={
                "acl/operation": lines["role"],
                "acl/resourceName": lines["resources"],
                "acl/principal": find_key_line(node, "spec principal"),
            },
            cluster=read_cluster(node, "spec kafkaClusterRef name"),
        )
