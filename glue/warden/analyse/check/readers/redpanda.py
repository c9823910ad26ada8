"""Redpanda's operator: users with their ACLs and credentials, and roles; topics are a row of `formats`."""

from collections.abc import Iterator
from typing import Any, Final

from warden.analyse.check.model import Declaration, SkippedDocument, UnusableDeclaration
from warden.analyse.check.nodes import Node, find, find_key_line, find_line, list_items
from warden.analyse.check.readers.acls import AclFormat, parse_acls, read_cluster, read_text
from warden.base.did_you_mean import describe_unknown

__all__ = ["parse_redpanda_role", "parse_redpanda_user"]

_ACLS: Final = AclFormat(id="redpanda", entries="spec authorization acls", has_cluster_name=False)
_OF_THE_SCHEMA_REGISTRY: Final = ("SUBJECT", "REGISTRY")
_MECHANISM: Final = "scram-sha-512"  # where a file says none
_MECHANISMS: Final = ("SCRAM-SHA-256", "SCRAM-SHA-512")
_ITERATIONS: Final = 4096  # what the operator requests
_INTERNAL: Final = "__"


def parse_redpanda_user(node: Node, file: str) -> Iterator[Declaration | SkippedDocument]:
    """Yield the ACLs and the credential of a User; a password is not read.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read.
    """
    user = read_text(node, "metadata name")
    where: dict[str, Any] = {"format": _ACLS.id, "file": file, "cluster": _read_cluster(node)}
    yield from _iter_acls(node, where, f"User:{user}")
    authentication = find(node, "spec authentication")
    if authentication is None:
        return
    word = read_text(authentication, "type", _MECHANISM)
    if word.upper() not in _MECHANISMS:
        raise UnusableDeclaration(find_key_line(authentication, "type"), describe_unknown("type", word, _MECHANISMS))
    yield Declaration(
        operation="AlterScram",
        request={"user": user, "mechanism": word.upper(), "iterations": _ITERATIONS},
        line=find_key_line(node, "spec authentication"),
        lines={"mechanism": find_key_line(node, "spec authentication type")},
        **where,
    )


def parse_redpanda_role(node: Node, file: str) -> Iterator[Declaration | SkippedDocument]:
    """Yield the ACLs of a RedpandaRole, whose principal is the role's own.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read.
    """
    internal = find(node, "spec internal")
    prefix = _INTERNAL if internal is not None and internal.value == "true" else ""
    where: dict[str, Any] = {"format": _ACLS.id, "file": file, "cluster": _read_cluster(node)}
    yield from _iter_acls(node, where, f"RedpandaRole:{prefix}{read_text(node, 'metadata name')}")


def _iter_acls(node: Node, where: dict[str, Any], principal: str) -> Iterator[Declaration | SkippedDocument]:
    """Those of Kafka's resources; those of the schema registry are passed over, as are its schemas."""
    of_the_registry = [
        entry
        for entry in list_items(find(node, _ACLS.entries))
        if read_text(entry, "resource type").upper() in _OF_THE_SCHEMA_REGISTRY
    ]
    if of_the_registry:
        yield SkippedDocument(
            where["file"], find_line(of_the_registry[0]), "ACLs of the schema registry", is_known=True
        )
    for declaration in parse_acls(_ACLS, node, where, lambda _entry: principal):
        if declaration.request["acl"]["resourceType"] not in _OF_THE_SCHEMA_REGISTRY:
            yield declaration


def _read_cluster(node: Node) -> str | None:
    return read_cluster(node, "spec cluster clusterRef name")
