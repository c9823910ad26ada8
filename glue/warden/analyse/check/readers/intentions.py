"""Marks by which a document asks for something else than its creation: it goes, or nobody is to touch it."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from warden.analyse.check.model import Declaration, Remark, SkippedDocument, UnusableDeclaration
from warden.analyse.check.nodes import Node, find, find_line, list_items, parse_string
from warden.analyse.check.readers.topic_formats import AIVEN, CONFLUENT, CROSSPLANE, REDPANDA, TopicFormat
from warden.analyse.check.readers.topics import parse_topic, read_topic_name

__all__ = [
    "find_removed_topic",
    "has_ignore_mark",
    "has_orphan_mark",
    "has_removal_mark",
    "iter_paused",
    "iter_removals",
]

_JIKKOU = re.compile(r"kafka\.jikkou\.io/.+")
_OPERATORS = re.compile(rf"kafka\.strimzi\.io/.+|{CONFLUENT}|{AIVEN}|{REDPANDA}|{CROSSPLANE}")
_CROSSPLANE = re.compile(CROSSPLANE)
_PAUSES = ("strimzi.io/pause-reconciliation", "crossplane.io/paused")
_BOOLEANS = {"true": True, "false": False}


def has_removal_mark(node: Node, version: str) -> bool:
    """Whether a document says that what it declares goes.

    Args:
        node: The document.
        version: Its ``apiVersion``.

    Raises:
        UnusableDeclaration: The mark is neither true nor false.
    """
    if _JIKKOU.fullmatch(version):
        return _is_marked(node, "jikkou.io/delete")
    # As the API server prints an object whose deletion its finalizers hold up.
    return bool(_OPERATORS.fullmatch(version)) and find(node, "metadata deletionTimestamp") is not None


def has_ignore_mark(node: Node, version: str) -> bool:
    """Whether a document says that its tool leaves alone what it names; of Strimzi's topics `formats` has that mark.

    Args:
        node: The document.
        version: Its ``apiVersion``.

    Raises:
        UnusableDeclaration: The mark is neither true nor false.
    """
    if _CROSSPLANE.fullmatch(version):
        policies = _read_policies(node)
        return policies is not None and not policies & {"*", "Create", "Update", "Delete"}
    return bool(_JIKKOU.fullmatch(version)) and _is_marked(node, "jikkou.io/ignore")


def has_orphan_mark(node: Node, version: str) -> bool:
    """Whether a document says that what it declares stays in the cluster when the document goes.

    Args:
        node: The document.
        version: Its ``apiVersion``.
    """
    if _CROSSPLANE.fullmatch(version):
        policies, deletion = _read_policies(node), find(node, "spec deletionPolicy")
        return (deletion is not None and deletion.value == "Orphan") or (
            policies is not None and not policies & {"*", "Delete"}
        )
    mark = find(node, "metadata annotations controllers.aiven.io/deletion-policy")
    return re.fullmatch(AIVEN, version) is not None and mark is not None and mark.value == "Orphan"


def iter_paused(node: Node, file: str, version: str) -> Iterator[Remark]:
    """Yield a remark about a document that its operator leaves alone for now: it is decided as what comes then.

    Args:
        node: The document.
        file: Where it is.
        version: Its ``apiVersion``.
    """
    for annotation in _PAUSES:
        mark = find(node, f"metadata annotations {annotation}")
        if _OPERATORS.fullmatch(version) and mark is not None and mark.value == "true":
            said = "reconciliation is paused, so that this is carried out only once it goes on"
            yield Remark(file, find_line(mark), said)


def find_removed_topic(row: TopicFormat, node: Node, file: str) -> Declaration:
    """Return the deletion of the topic in a document; what else it says, as far as it can be read, is what was there.

    Args:
        row: Its format.
        node: The document.
        file: Where it is.

    Raises:
        UnusableDeclaration: It has no name.
    """
    name, line, cluster = read_topic_name(row, node)
    return Declaration(
        format=row.id,
        operation="DeleteTopic",
        request={"topic": name},
        file=file,
        line=line,
        cluster=cluster,
        lines={"topic": line},
        before=_read_state(row, node, file),
    )


def iter_removals(
    reader: Callable[[Node, str], Iterator[Declaration | SkippedDocument]], node: Node, file: str, keys: tuple[str, ...]
) -> Iterator[Declaration | SkippedDocument]:
    """Yield the removal of each ACL, quota and credential in a document.

    Args:
        reader: Reads what the document declares.
        node: The document.
        file: Where it is.
        keys: Keys of a quota, all of which go.

    Raises:
        UnusableDeclaration: It names nothing that could go, or cannot be read.
    """
    has_any = False
    for declared in reader(node, file):
        has_any = True
        if isinstance(declared, SkippedDocument):
            yield declared
            continue
        if declared.operation == "CreateAcl":
            yield replace(declared, operation="DeleteAcl")
        elif declared.operation == "AlterScram":
            request = {"user": declared.request["user"], "mechanism": declared.request["mechanism"], "remove": True}
            yield replace(declared, request=request)
        else:
            ops = [{"key": key, "remove": True} for key in keys]
            yield replace(declared, request={**declared.request, "ops": ops}, lines={})
    if not has_any:
        raise UnusableDeclaration(find_line(node), "this is to be removed and names nothing: write out what goes")


def _read_state(row: TopicFormat, node: Node, file: str) -> dict[str, Any]:
    state: dict[str, Any] = {"numPartitions": -1, "replicationFactor": -1, "configs": {}}
    with suppress(UnusableDeclaration):  # a spec may be missing: it is about nothing that will be there
        declared = parse_topic(row, node, file)
        if isinstance(declared, Declaration):
            state |= {key: value for key, value in declared.request.items() if key != "topic"}
    return state


def _read_policies(node: Node) -> set[str] | None:
    """What Crossplane may do with the object, None where its defaults hold."""
    policies = find(node, "spec managementPolicies")
    return None if policies is None else {parse_string(policy, "managementPolicies") for policy in list_items(policies)}


def _is_marked(node: Node, annotation: str) -> bool:
    mark = find(node, f"metadata annotations {annotation}")
    if mark is None:
        return False
    value = _BOOLEANS.get(str(mark.value).lower())
    if value is None:
        raise UnusableDeclaration(find_line(mark), f"{annotation} is neither true nor false: write one of the two")
    return value
