"""The ACLs that JulieOps makes of the consumers and producers of a topology.

Its source: ``AclsBindingsBuilder`` of kafka-ops/julie 4.4.1. What ``topology.acls.optimized`` of a run makes of them,
one prefix for a project in place of its topics, is not in the file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from warden.analyse.check.model import Declaration, UnusableDeclaration
from warden.analyse.check.nodes import Node, find, find_line, list_items, parse_string
from warden.analyse.check.readers.acls import ANY_HOST

__all__ = ["parse_julie_acls"]

_Resource = tuple[str, str]
_ANY_GROUP = "*"  # where a consumer names none


def parse_julie_acls(held: Iterable[tuple[str, Sequence[Node]]], file: str) -> Iterator[Declaration]:
    """Yield the ACLs about topics, and about the groups and transactional ids that go with them, each once.

    Args:
        held: Whole names of topics, each with the project and the topic, which both may have consumers and producers.
        file: Their file.

    Raises:
        UnusableDeclaration: A principal is missing, or a value cannot be read.
    """
    made: list[Mapping[str, Any]] = []
    for topic, holders in held:
        for declared in _iter_topic_acls(topic, holders, file):
            if declared.request not in made:
                made.append(declared.request)
                yield declared


def _iter_topic_acls(topic: str, holders: Sequence[Node], file: str) -> Iterator[Declaration]:
    for holder in holders:
        for consumer in list_items(find(holder, "consumers")):
            group = find(consumer, "group")
            name = _ANY_GROUP if group is None else parse_string(group, "group")
            yield from _iter_grants(consumer, file, ("TOPIC", topic), ("DESCRIBE", "READ"))
            yield from _iter_grants(consumer, file, ("GROUP", name), ("READ",))
        for producer in list_items(find(holder, "producers")):
            yield from _iter_grants(producer, file, ("TOPIC", topic), ("DESCRIBE", "WRITE"))
            transaction = find(producer, "transactionId")
            if transaction is not None:
                id_ = parse_string(transaction, "transactionId")
                yield from _iter_grants(producer, file, ("TRANSACTIONAL_ID", id_), ("DESCRIBE", "WRITE"))
            if transaction is not None or find(producer, "idempotence") is not None:
                yield from _iter_grants(producer, file, ("CLUSTER", "kafka-cluster"), ("IDEMPOTENT_WRITE",))


def _iter_grants(entry: Node, file: str, resource: _Resource, operations: Sequence[str]) -> Iterator[Declaration]:
    """An ACL for each operation; of a group or a transactional id that ends with ``*`` the rest is a prefix."""
    kind, name = resource
    principal = find(entry, "principal")
    if principal is None:
        raise UnusableDeclaration(find_line(entry), "principal is missing: write it")
    prefixed = kind in ("GROUP", "TRANSACTIONAL_ID") and len(name) > 1 and name.endswith("*")
    acl = {
        "resourceType": kind,
        "resourceName": name[:-1] if prefixed else name,
        "patternType": "PREFIXED" if prefixed else "LITERAL",
        "principal": parse_string(principal, "principal"),
        "host": ANY_HOST,
        "permissionType": "ALLOW",
    }
    for operation in operations:
        request = {"acl": {**acl, "operation": operation}}
        yield Declaration(format="julie", operation="CreateAcl", request=request, file=file, line=find_line(entry))
