"""Which form a document has, shown by its content, and what it declares."""

import re
from collections.abc import Callable, Iterator, Mapping

from warden.check.credentials import jikkou_user
from warden.check.formats import LISTS, STRIMZI, TOPICS
from warden.check.gitops import gitops, julie
from warden.check.model import Declared, Fault, Refused, Skipped
from warden.check.nodes import Node, entries, find, items, line_of_node
from warden.check.own import is_own, own_topics
from warden.check.topics import topic_of
from warden.check.users import jikkou_acls, jikkou_quota, strimzi_user, topicctl_acls

__all__ = ["declared_in"]

_OF_GITOPS = {"customServiceAcls", "customUserAcls", "services", "users"}

_Reader = Callable[[Node, str], Iterator[Declared]]

_KINDS: tuple[tuple[str, str, _Reader], ...] = (
    (STRIMZI, "KafkaUser", strimzi_user),
    (r"kafka\.jikkou\.io/.+", "KafkaPrincipalAuthorization", jikkou_acls),
    (r"kafka\.jikkou\.io/.+", "KafkaClientQuota", jikkou_quota),
    (r"kafka\.jikkou\.io/.+", "KafkaUser", jikkou_user),
)
"""Group, kind and reader of what is not a topic."""

# A kind that speaks of what Warden decides, in a group without a reader, is an error: nobody may take it for decided.
_ABOUT = re.compile(
    r"(Kafka)?(Topic|User|Principal\w*|Quota|ClientQuota|Acl|ACL|NativeACL|AccessControl\w*|(Confluent)?Rolebinding)(List)?"
)
_ALONE = ("Kafka", "Confluent", "AccessControlEntry")
"""How kinds begin that no other product has, whatever their group is: ns4kafka's is ``v1``."""
_OF_KAFKA = re.compile(r"kafka|confluent|redpanda|aiven|jikkou|strimzi", re.IGNORECASE)


def declared_in(
    node: Node, file: str, *, inherited: Mapping[str, str] | None = None
) -> Iterator[Declared | Fault | Skipped]:
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
            yield Skipped(file, line_of_node(node), "no mapping")
            return
        yield from _read(node, file, {**(inherited or {}), **_written(node)})
    except Refused as why:
        yield Fault(file, why.line, str(why))


def _written(node: Node) -> dict[str, str]:
    found = {key: find(node, key) for key in ("apiVersion", "kind")}
    return {key: value.value for key, value in found.items() if value is not None and value.tag.endswith(":str")}


def _read(node: Node, file: str, type: Mapping[str, str]) -> Iterator[Declared | Fault | Skipped]:
    kind, version = type.get("kind", ""), type.get("apiVersion", "")
    if not kind:
        yield from _without_kind(node, file)
        return
    if kind == "List" or kind in LISTS:
        below = {"apiVersion": version, "kind": LISTS[kind]} if kind in LISTS else {}
        for item in items(find(node, "items")):
            yield from declared_in(item, file, inherited=below)
        return
    for row in TOPICS:
        if row.group and kind == row.kind and re.fullmatch(row.group, version):
            yield topic_of(row, node, file)
            return
    for group, name, reader in _KINDS:
        if kind == name and re.fullmatch(group, version):
            yield from reader(node, file)
            return
    if _ABOUT.fullmatch(kind) and (kind.startswith(_ALONE) or _OF_KAFKA.search(version)):
        raise Refused(
            line_of_node(node), f"there is no reader for {version or 'no apiVersion'} {kind}: it is not evaluated"
        )
    yield Skipped(file, line_of_node(node), f"{version} {kind}".strip())


def _without_kind(node: Node, file: str) -> Iterator[Declared | Fault | Skipped]:
    keys = {key.value for key, _ in entries(node)}
    if {"context", "projects"} <= keys:
        yield from julie(node, file)
    elif {"meta", "spec"} <= keys and find(node, "spec acls") is not None:
        yield from topicctl_acls(node, file)
    elif {"meta", "spec"} <= keys and find(node, "spec partitions") is not None:
        yield topic_of(next(row for row in TOPICS if not row.group), node, file)
    elif keys & _OF_GITOPS and (keys & {"topics"} or keys & {"customServiceAcls", "customUserAcls"}):
        yield from gitops(node, file)
    elif keys & {"topic", "topics"}:
        yield from own_topics(node, file) if is_own(node) else gitops(node, file)
    else:
        yield Skipped(file, line_of_node(node), "no form that is known")
