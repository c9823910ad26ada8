"""Readers of documents, chosen by content: the form of each, and its declarations."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

from warden.analyse.check.model import Declaration, Fault, Found, SkippedDocument, UnusableDeclaration
from warden.analyse.check.nodes import Node, find, find_line, iter_entries, list_items
from warden.analyse.check.readers.aiven import parse_aiven_acl, parse_aiven_native_acl, parse_aiven_quota
from warden.analyse.check.readers.cloudformation import has_msk_topics, parse_msk_topics
from warden.analyse.check.readers.credentials import parse_jikkou_user
from warden.analyse.check.readers.crossplane import parse_crossplane_acl
from warden.analyse.check.readers.gitops import parse_gitops, parse_julie
from warden.analyse.check.readers.intentions import (
    find_removed_topic,
    has_ignore_mark,
    has_orphan_mark,
    has_removal_mark,
    iter_paused,
    iter_removals,
)
from warden.analyse.check.readers.ns4kafka import (
    is_ns4kafka_quota,
    parse_ns4kafka_access,
    parse_ns4kafka_namespace,
    parse_ns4kafka_quota,
    parse_ns4kafka_stream,
)
from warden.analyse.check.readers.quotas import QUOTA_KEYS
from warden.analyse.check.readers.redpanda import parse_redpanda_role, parse_redpanda_user
from warden.analyse.check.readers.role_bindings import parse_confluent_binding
from warden.analyse.check.readers.topic_formats import (
    AIVEN,
    CONFLUENT,
    CROSSPLANE,
    LIST_KINDS,
    REDPANDA,
    STRIMZI,
    TOPIC_FORMATS,
    TopicFormat,
)
from warden.analyse.check.readers.topics import parse_topic, skip_unmanaged
from warden.analyse.check.readers.unknown_fields import iter_unknown_fields
from warden.analyse.check.readers.users import (
    parse_jikkou_acls,
    parse_jikkou_quota,
    parse_strimzi_user,
    parse_topicctl_acls,
)
from warden.analyse.check.readers.warden_yaml import is_warden_yaml, parse_warden_topics

__all__ = ["iter_declarations"]

_OF_GITOPS = {"customServiceAcls", "customUserAcls", "services", "users"}

_Reader = Callable[[Node, str], Iterator[Declaration | SkippedDocument]]

_KINDS: tuple[tuple[str, str, _Reader], ...] = (
    (STRIMZI, "KafkaUser", parse_strimzi_user),
    (r"kafka\.jikkou\.io/.+", "KafkaPrincipalAuthorization", parse_jikkou_acls),
    (r"kafka\.jikkou\.io/.+", "KafkaClientQuota", parse_jikkou_quota),
    (r"kafka\.jikkou\.io/.+", "KafkaUser", parse_jikkou_user),
    (AIVEN, "KafkaACL", parse_aiven_acl),
    (AIVEN, "KafkaNativeACL", parse_aiven_native_acl),
    (AIVEN, "KafkaQuota", parse_aiven_quota),
    (REDPANDA, "User", parse_redpanda_user),
    (REDPANDA, "RedpandaRole", parse_redpanda_role),
    (CROSSPLANE, "AccessControlList", parse_crossplane_acl),
    (CONFLUENT, "ConfluentRolebinding", parse_confluent_binding),
    ("v1", "AccessControlEntry", parse_ns4kafka_access),
    ("v1", "KafkaStream", parse_ns4kafka_stream),
)
"""Group, kind and reader of what is not a topic."""

# A kind that speaks of what Warden decides, in a group without a reader, is an error: nobody may take it for decided.
_ABOUT = re.compile(
    r"(Kafka)?(Topic|User|Principal\w*|Quota|ClientQuota|Acl|ACL|NativeACL|AccessControl\w*|(Confluent)?Rolebinding)(List)?"
)
_ALONE = ("Kafka", "Confluent", "AccessControlEntry")
"""How kinds begin that no other product has, whatever their group is: ns4kafka's is ``v1``."""
_OF_KAFKA = re.compile(r"kafka|confluent|redpanda|aiven|jikkou|strimzi", re.IGNORECASE)


def iter_declarations(node: Node, file: str, *, inherited: Mapping[str, str] | None = None) -> Iterator[Found]:
    """Yield what a document declares; what of it cannot be evaluated is a fault with its line.

    Args:
        node: The document.
        file: Its file, for messages.
        inherited: ``apiVersion`` and ``kind`` of a list whose item this is.
    """
    try:
        if node is None or node.tag.endswith(":null"):
            return
        if not node.tag.endswith(":map"):
            yield SkippedDocument(file, find_line(node), "no mapping")
            return
        yield from _iter_kind(node, file, {**(inherited or {}), **_read_api_type(node)})
    except UnusableDeclaration as why:
        yield Fault(file, why.line, str(why))


def _read_api_type(node: Node) -> dict[str, str]:
    nodes = {key: find(node, key) for key in ("apiVersion", "kind")}
    return {key: value.value for key, value in nodes.items() if value is not None and value.tag.endswith(":str")}


def _iter_kind(node: Node, file: str, type: Mapping[str, str]) -> Iterator[Found]:
    kind, version = type.get("kind", ""), type.get("apiVersion", "")
    if not kind:
        yield from _iter_without_kind(node, file)
        return
    if kind == "List" or kind in LIST_KINDS:
        below = {"apiVersion": version, "kind": LIST_KINDS[kind]} if kind in LIST_KINDS else {}
        for item in list_items(find(node, "items")):
            yield from iter_declarations(item, file, inherited=below)
        return
    if (reader := _find_reader(version, kind, node)) is not None:
        stays = has_orphan_mark(node, version)
        declared = [
            replace(result, stays=stays) if isinstance(result, Declaration) else result for result in reader(node, file)
        ]
        yield from declared or [SkippedDocument(file, find_line(node), f"{version} {kind}", is_known=True)]
        yield from iter_unknown_fields(node, file, version, kind)
        yield from iter_paused(node, file, version)
        return
    if (version, kind) == ("v1", "ResourceQuota") and is_ns4kafka_quota(node):
        yield from parse_ns4kafka_quota(node, file)
        return
    if (version, kind) == ("v1", "Namespace"):
        yield from parse_ns4kafka_namespace(node, file)
        return
    if _ABOUT.fullmatch(kind) and (kind.startswith(_ALONE) or _OF_KAFKA.search(version)):
        raise UnusableDeclaration(
            find_line(node), f"there is no reader for {version or 'no apiVersion'} {kind}: it is not evaluated"
        )
    yield SkippedDocument(file, find_line(node), f"{version} {kind}".strip())


def _find_reader(version: str, kind: str, node: Node) -> Callable[[Node, str], Iterable[Found]] | None:
    """What reads a document of a kind, by what the document asks for."""
    row = next(
        (row for row in TOPIC_FORMATS if row.group and kind == row.kind and re.fullmatch(row.group, version)), None
    )
    reader = next((read for group, name, read in _KINDS if kind == name and re.fullmatch(group, version)), None)
    if row is None and reader is None:
        return None
    if has_ignore_mark(node, version):
        unmanaged = SkippedDocument("", find_line(node), f"{version} {kind} that nobody manages", is_known=True)
        return lambda node, file: [skip_unmanaged(row, node, file) if row else replace(unmanaged, file=file)]
    if has_removal_mark(node, version):
        if has_orphan_mark(node, version):
            left = SkippedDocument(
                "", find_line(node), f"{version} {kind} that goes and leaves all as it is", is_known=True
            )
            return lambda _node, file: [replace(left, file=file)]
        return partial(_read_removals, row, reader)
    return (lambda node, file: [parse_topic(row, node, file)]) if row else reader


def _read_removals(row: TopicFormat | None, reader: _Reader | None, node: Node, file: str) -> Iterable[Found]:
    if row is None:
        return iter_removals(reader, node, file, QUOTA_KEYS) if reader else []
    declared = None
    with suppress(UnusableDeclaration):  # it may have no spec
        declared = parse_topic(row, node, file)
    return [declared if isinstance(declared, SkippedDocument) else find_removed_topic(row, node, file)]


def _iter_without_kind(node: Node, file: str) -> Iterator[Found]:
    keys = {key.value for key, _ in iter_entries(node)}
    if {"context", "projects"} <= keys:
        yield from parse_julie(node, file)
    elif {"meta", "spec"} <= keys and find(node, "spec acls") is not None:
        yield from parse_topicctl_acls(node, file)
        yield from iter_unknown_fields(node, file, "", "topicctl ACLs")
    elif {"meta", "spec"} <= keys and find(node, "spec partitions") is not None:
        yield parse_topic(next(row for row in TOPIC_FORMATS if not row.group), node, file)
        yield from iter_unknown_fields(node, file, "", "topicctl topic")
    elif keys & _OF_GITOPS and (keys & {"topics"} or keys & {"customServiceAcls", "customUserAcls"}):
        yield from parse_gitops(node, file)
    elif has_msk_topics(node):
        yield from parse_msk_topics(node, file)
    elif keys & {"topic", "topics"}:
        yield from parse_warden_topics(node, file) if is_warden_yaml(node) else parse_gitops(node, file)
    else:
        yield SkippedDocument(file, find_line(node), "no form that is known")
