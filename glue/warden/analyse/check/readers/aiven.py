"""Aiven's operator: its own ACLs, Kafka's, and quotas; topics are a row of `formats`.

Facts are from the operator's CRDs, and what a permission grants is from https://aiven.io/docs/products/kafka/concepts/acl.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from warden.analyse.check.model import Declaration, UnusableDeclaration
from warden.analyse.check.nodes import Node, find, find_key_line, find_line, iter_entries
from warden.analyse.check.readers.acls import ANY_HOST, CLUSTER_NAME, parse_acl, read_cluster, read_text
from warden.analyse.check.readers.quotas import build_quota
from warden.base.did_you_mean import describe_unknown

__all__ = [
    "AIVEN_RATES",
    "expand_aiven_acl",
    "find_aiven_entity",
    "parse_aiven_acl",
    "parse_aiven_native_acl",
    "parse_aiven_quota",
]

AIVEN_RATES: Final = ("producer_byte_rate", "consumer_byte_rate", "request_percentage")
"""Keys of a quota that Aiven has."""
_FORMAT: Final = "aiven"
_CLUSTER: Final = "spec serviceName"
_DEFAULT: Final = "default"
"""How Aiven writes the default entity of a quota."""
_RATES: Final = ("producerByteRate", "consumerByteRate", "requestPercentage")
_FIELDS: Final = ("resourceType", "resourceName", "patternType", "principal", "host", "operation", "permissionType")
_WILDCARDS: Final = frozenset("*?")
_ADMIN: Final = ("READ", "WRITE", "DESCRIBE", "DESCRIBE_CONFIGS", "ALTER_CONFIGS", "ALTER", "DELETE")
_GRANTS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "read": (("TOPIC", "READ"), ("TOPIC", "DESCRIBE")),
    "write": (("TOPIC", "WRITE"), ("TOPIC", "DESCRIBE")),
    "readwrite": (("TOPIC", "READ"), ("TOPIC", "WRITE"), ("TOPIC", "DESCRIBE")),
    "admin": (*(("TOPIC", operation) for operation in _ADMIN), ("CLUSTER", "CREATE"), ("CLUSTER", "DESCRIBE")),
}
"""Permission → what it grants on the topics that are named, and on the cluster; it names no groups and no ids."""


def expand_aiven_acl(topic: str, username: str, permission: str, line: int) -> list[dict[str, str]]:
    """Return the ACLs of Kafka that are the same as one of Aiven's own.

    Args:
        topic, username: Patterns, in which ``*`` stands for any characters and ``?`` for one.
        permission: What is granted.
        line: Its line, for messages.

    Raises:
        UnusableDeclaration: The permission is not known, or a pattern is none that an ACL of Kafka's has.
    """
    if permission not in _GRANTS:
        raise UnusableDeclaration(line, describe_unknown("permission", permission, _GRANTS))
    if _WILDCARDS & set(username) and username != "*":
        raise UnusableDeclaration(
            line, f"username {username} is a pattern, which no ACL of Kafka's has, and is not evaluated"
        )
    name, pattern = topic, "LITERAL"
    if topic.endswith("*") and topic != "*":
        name, pattern = topic[:-1], "PREFIXED"
    if _WILDCARDS & set(name) and topic != "*":
        raise UnusableDeclaration(
            line, f"topic {topic} is a pattern, which no ACL of Kafka's has, and is not evaluated"
        )
    common = {"principal": f"User:{username}", "host": ANY_HOST, "permissionType": "ALLOW"}
    places = {
        "TOPIC": {"resourceType": "TOPIC", "resourceName": name, "patternType": pattern},
        "CLUSTER": {"resourceType": "CLUSTER", "resourceName": CLUSTER_NAME, "patternType": "LITERAL"},
    }
    return [{**places[kind], **common, "operation": operation} for kind, operation in _GRANTS[permission]]


def parse_aiven_acl(node: Node, file: str) -> Iterator[Declaration]:
    """Yield the ACLs of Kafka that a KafkaACL amounts to.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read, or no ACLs of Kafka's say the same.
    """
    topic, username, permission = (read_text(node, f"spec {key}") for key in ("topic", "username", "permission"))
    cluster = read_cluster(node, _CLUSTER)
    lines = {
        "acl/resourceName": find_key_line(node, "spec topic"),
        "acl/principal": find_key_line(node, "spec username"),
    }
    lines["acl/operation"] = find_key_line(node, "spec permission")
    for acl in expand_aiven_acl(topic, username, permission, lines["acl/resourceName"]):
        yield Declaration(
            format=_FORMAT,
            operation="CreateAcl",
            request={"acl": acl},
            file=file,
            line=find_line(node),
            lines=lines,
            cluster=cluster,
        )


def parse_aiven_native_acl(node: Node, file: str) -> Iterator[Declaration]:
    """Yield the ACL of a KafkaNativeACL.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read.
    """
    yield parse_acl(node, file, _FORMAT, {field: f"spec {field}" for field in _FIELDS}, _CLUSTER)


def find_aiven_entity(user: str | None, client: str | None) -> dict[str, str | None]:
    """Return whose a quota is, as the contract has it.

    Args:
        user, client: As Aiven has them; none, or empty, for a quota that is not about it.
    """
    named = {"user": user, "clientId": client}
    return {key: None if name == _DEFAULT else name for key, name in named.items() if name}


def parse_aiven_quota(node: Node, file: str) -> Iterator[Declaration]:
    """Yield the quota of a KafkaQuota; what it leaves out goes.

    Raises:
        UnusableDeclaration: It is nobody's, or a value cannot be read.
    """
    user, client = (read_text(node, f"spec {key}", "") for key in ("user", "clientId"))
    entity = find_aiven_entity(user, client)
    if not entity:
        raise UnusableDeclaration(find_line(node), "spec.user and spec.clientId are missing: write one of the two")
    spec = find(node, "spec")
    rates = {key.value: (key, value) for key, value in iter_entries(spec) if key.value in _RATES}
    where = {"format": _FORMAT, "file": file, "cluster": read_cluster(node, _CLUSTER)}
    yield build_quota(entity, spec, rates, where, removes=AIVEN_RATES)
