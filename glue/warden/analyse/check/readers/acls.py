"""ACLs of files, from the places where a form has their fields to the words of the contract."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from warden.analyse.check.model import Declaration, UnusableDeclaration
from warden.analyse.check.nodes import (
    Node,
    find,
    find_key_line,
    find_line,
    list_items,
    parse_string,
    parse_templated_string,
)
from warden.base.did_you_mean import describe_unknown

__all__ = [
    "ANY_HOST",
    "CLUSTER_NAME",
    "AclFormat",
    "format_acl_word",
    "parse_acl",
    "parse_acls",
    "read_cluster",
    "read_text",
    "read_word",
]

ANY_HOST = "*"
CLUSTER_NAME = "kafka-cluster"
"""The name of the one resource of type CLUSTER."""
_WORDS = {"TRANSACTIONALID": "TRANSACTIONAL_ID", "DELEGATIONTOKEN": "DELEGATION_TOKEN", "PREFIX": "PREFIXED"}
_FIELDS = ("resourceType", "resourceName", "patternType", "principal", "host", "operation", "permissionType")
_NAMES = {"resourceName", "principal", "host"}
_MEANT = {
    "resourceType": ("TOPIC", "GROUP", "CLUSTER", "TRANSACTIONAL_ID", "DELEGATION_TOKEN", "USER"),
    "patternType": ("LITERAL", "PREFIXED"),
    "permissionType": ("ALLOW", "DENY"),
}
"""What an ACL may say; a filter's words, such as ANY and MATCH, are none of them."""


@dataclass(frozen=True, kw_only=True)
class AclFormat:
    """Where a format keeps what of an ACL: paths within an entry, and of the entries within the document.

    Args:
        id: Its name in reports.
        entries: Path of the list.
        name, host, permission: Paths within an entry.
        has_cluster_name: Whether an entry about the cluster may name it; otherwise whatever it says is not read.
    """

    id: str
    entries: str
    name: str = "resource name"
    host: str = "host"
    permission: str = "type"
    has_cluster_name: bool = True


def format_acl_word(word: str) -> str:
    """Return a word of an ACL as Kafka writes it: ``TransactionalID`` is ``TRANSACTIONAL_ID``."""
    snake = "".join(
        f"_{char}" if char.isupper() and word[i - 1].islower() and i else char for i, char in enumerate(word)
    )
    upper = snake.upper()
    return _WORDS.get(upper.replace("_", ""), upper)


def parse_acls(
    row: AclFormat, node: Node, where: Mapping[str, Any], principal: Callable[[Node], str]
) -> Iterator[Declaration]:
    """Yield an ACL for each operation of each entry.

    Args:
        row: The format.
        node: The document.
        where: Format, file and cluster.
        principal: Returns the principal of an entry.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read.
    """
    for entry in list_items(find(node, row.entries)):
        kind = read_word(entry, "resource type")
        acl = {
            "resourceType": kind,
            "resourceName": CLUSTER_NAME
            if kind == "CLUSTER" and not row.has_cluster_name
            else read_text(entry, row.name, CLUSTER_NAME if kind == "CLUSTER" else None),
            "patternType": read_word(entry, "resource patternType", "LITERAL"),
            "principal": principal(entry),
            "host": read_text(entry, row.host, ANY_HOST),
            "permissionType": read_word(entry, row.permission, "ALLOW"),
        }
        places = {"resourceName": row.name, "patternType": "resource patternType", "resourceType": "resource type"}
        lines = {f"acl/{field}": find_key_line(entry, path) for field, path in {**places, "host": row.host}.items()}
        operations = list_items(find(entry, "operations")) or [
            at for at in [find(entry, "operation")] if at is not None
        ]
        if not operations:
            raise UnusableDeclaration(find_line(entry), "operations is missing: write a list such as [Read, Describe]")
        for operation in operations:
            request = {"acl": {**acl, "operation": format_acl_word(parse_string(operation, "operation"))}}
            yield Declaration(operation="CreateAcl", request=request, line=find_line(entry), lines=lines, **where)


def parse_acl(node: Node, file: str, format: str, places: Mapping[str, str], cluster: str) -> Declaration:
    """Return the ACL that a document declares, a field of its own for each of the ACL's.

    Args:
        node: The document.
        file: Where it is.
        format: Id of the format.
        places: Path of each field.
        cluster: Path of the cluster's name.

    Raises:
        UnusableDeclaration: A value is missing, cannot be read, or is one of a filter.
    """
    acl: dict[str, str] = {}
    for field in _FIELDS:
        acl[field] = (read_text if field in _NAMES else read_word)(
            node, places[field], ANY_HOST if field == "host" else None
        )
        if acl[field] not in _MEANT.get(field, (acl[field],)):
            line, place = find_key_line(node, places[field]), places[field].replace(" ", ".")
            raise UnusableDeclaration(line, describe_unknown(place, acl[field], _MEANT[field]))
    if acl["resourceType"] == "CLUSTER":
        acl["resourceName"] = CLUSTER_NAME
    lines = {f"acl/{field}": find_key_line(node, path) for field, path in places.items()}
    return Declaration(
        format=format,
        operation="CreateAcl",
        request={"acl": acl},
        file=file,
        line=find_line(node),
        lines=lines,
        cluster=read_cluster(node, cluster),
    )


def read_text(entry: Node, path: str, default: str | None = None) -> str:
    """Return the text at a path, or what stands in for it.

    Raises:
        UnusableDeclaration: It is missing, or no text.
    """
    node = find(entry, path)
    if node is None and default is not None:
        return default
    if node is None:
        raise UnusableDeclaration(find_key_line(entry, path), f"{path.replace(' ', '.')} is missing: write it")
    return parse_string(node, path.replace(" ", "."))


def read_word(entry: Node, path: str, default: str | None = None) -> str:
    """Return the word of an ACL at a path as Kafka writes it.

    Raises:
        UnusableDeclaration: It is missing, or no text.
    """
    return format_acl_word(read_text(entry, path, default))


def read_cluster(node: Node, path: str) -> str | None:
    """Return the cluster's name at a path, which may be a template; None where none stands there.

    Raises:
        UnusableDeclaration: It is not a string.
    """
    place = find(node, path)
    return None if place is None else parse_templated_string(place, path.replace(" ", "."))
