"""ns4kafka: access, quotas and streams, whose users stand in the Namespaces that other documents declare.

Its source: ``AccessControlEntryAsyncExecutor`` and ``UserAsyncExecutor`` of michelin/ns4kafka 1.21.3.
Topics are a row of `formats`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from warden.analyse.check.model import (
    Declaration,
    FileContents,
    GranteeReference,
    NamespaceUser,
    SkippedDocument,
    UnusableDeclaration,
)
from warden.analyse.check.nodes import Node, find, find_key_line, find_line, iter_entries, read_rate
from warden.analyse.check.readers.acls import ANY_HOST, read_cluster, read_text, read_word
from warden.base.did_you_mean import describe_unknown

__all__ = [
    "assign_users",
    "is_ns4kafka_quota",
    "parse_ns4kafka_access",
    "parse_ns4kafka_namespace",
    "parse_ns4kafka_quota",
    "parse_ns4kafka_stream",
]

_FORMAT: Final = "ns4kafka"
_PUBLIC: Final = "*"
_CLUSTER: Final = "metadata cluster"
_QUOTA_KEY: Final = re.compile(r"(count|disk|user)/.+|(producer|consumer)_byte_rate")
_OWN_QUOTAS: Final = ("count/topics", "count/partitions", "count/connectors", "disk/topics")
_USER_QUOTAS: Final = ("user/producer_byte_rate", "user/consumer_byte_rate")
_RATE: Final = 102400.0  # of what a quota leaves out
_OWNED: Final[Mapping[str, tuple[str, ...]]] = {"TOPIC": ("READ", "WRITE", "DESCRIBE_CONFIGS"), "GROUP": ("READ",)}
"""What an owner may do; who is granted READ or WRITE may do that."""
_PERMISSIONS: Final = ("OWNER", "READ", "WRITE")
_OF_STREAMS: Final = ("CREATE", "DELETE")
_UNNAMED: Final = "?"
_UNKNOWN: Final = "the user of the namespace {}, which no file here declares, is not known: name the file that does"
_LEFT_OPEN: Final = "whose this is the namespace says that kafkactl is given: write metadata.namespace"


def parse_ns4kafka_namespace(node: Node, file: str) -> Iterator[NamespaceUser | SkippedDocument]:
    """Yield the user of a Namespace; one without is Kubernetes' own.

    Raises:
        UnusableDeclaration: A value cannot be read.
    """
    user = find(node, "spec kafkaUser")
    if user is None:
        yield SkippedDocument(file, find_line(node), "v1 Namespace")
        return
    enabled = find(node, "spec transactionsEnabled")
    yield NamespaceUser(
        read_text(node, "metadata name"), read_text(node, "spec kafkaUser"), getattr(enabled, "value", "") == "true"
    )
    yield SkippedDocument(file, find_line(node), "Namespace of ns4kafka", is_known=True)


def parse_ns4kafka_access(node: Node, file: str) -> Iterator[Declaration | SkippedDocument]:
    """Yield the ACLs that an AccessControlEntry makes; one about what is not Kafka's makes none.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read.
    """
    kind, permission = read_word(node, "spec resourceType"), read_word(node, "spec permission")
    if permission not in _PERMISSIONS:
        line = find_key_line(node, "spec permission")
        raise UnusableDeclaration(line, describe_unknown("spec.permission", permission, _PERMISSIONS))
    name = read_text(node, "spec resource")
    uses_group = kind == "GROUP"
    if kind == "CONNECT" and permission == "OWNER":
        kind, name = "GROUP", f"connect-{name}"
    if kind not in _OWNED:
        yield SkippedDocument(file, find_line(node), f"access of ns4kafka to {kind}", is_known=True)
        return
    pattern = read_word(node, "spec resourcePatternType")
    granted = read_text(node, "spec grantedTo")
    for operation in _OWNED[kind] if permission == "OWNER" else (permission,):
        grantee = GranteeReference(granted, uses_group)
        yield _build_acl(node, file, grantee, (kind, name, pattern), operation)


def parse_ns4kafka_stream(node: Node, file: str) -> Iterator[Declaration]:
    """Yield the ACLs that a KafkaStream makes: its namespace's user creates and deletes the topics of its prefix.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read.
    """
    resource = ("TOPIC", read_text(node, "metadata name"), "PREFIXED")
    grantee = GranteeReference(read_text(node, "metadata namespace", _UNNAMED))
    for operation in _OF_STREAMS:
        yield _build_acl(node, file, grantee, resource, operation)


def is_ns4kafka_quota(node: Node) -> bool:
    """Whether a ResourceQuota is ns4kafka's: Kubernetes' own, of the same version, has none of its keys."""
    return any(_QUOTA_KEY.fullmatch(key.value) for key, _ in iter_entries(find(node, "spec")))


def parse_ns4kafka_quota(node: Node, file: str) -> Iterator[Declaration | SkippedDocument]:
    """Yield the quota of a namespace's user; what counts topics and disks is ns4kafka's own, and Kafka has none of it.

    Raises:
        UnusableDeclaration: A key is not known, or a value is not a number.
    """
    rates = dict.fromkeys(_USER_QUOTAS, _RATE)
    entries = {key.value: (key, value) for key, value in iter_entries(find(node, "spec"))}
    for name, (key, value) in entries.items():
        if name in _USER_QUOTAS:
            rates[name] = _read_rate(value, name)
        elif name not in _OWN_QUOTAS:
            said = describe_unknown("quota", name, (*_USER_QUOTAS, *_OWN_QUOTAS))
            raise UnusableDeclaration(find_line(key), said)
    if not entries.keys() & rates.keys():
        yield SkippedDocument(file, find_line(node), "ResourceQuota of ns4kafka without one of Kafka's", is_known=True)
        return
    namespace = read_text(node, "metadata namespace", _UNNAMED)
    yield Declaration(
        format=_FORMAT,
        operation="AlterQuota",
        request={
            "entity": {"user": namespace},
            "ops": [{"key": name.partition("/")[2], "value": rate} for name, rate in rates.items()],
        },
        file=file,
        line=find_line(node),
        cluster=read_cluster(node, _CLUSTER),
        lines={f"ops/{i}": find_key_line(node, f"spec {name}") for i, name in enumerate(rates)},
        unknown=("/request/entity/user",),
        note=_explain_unknown_user(namespace),
        grantee=GranteeReference(namespace),
    )


def assign_users(contents: FileContents, users: Iterable[NamespaceUser]) -> FileContents:
    """Return contents in which what ns4kafka grants has its users, as far as Namespaces declare them.

    Args:
        contents: What files declare.
        users: Users of namespaces, of these files and of others.
    """
    by_namespace = {user.namespace: user for user in users}
    streams = {
        declaration.grantee.namespace
        for declaration in contents.declared
        if declaration.grantee and declaration.request.get("acl", {}).get("operation") == _OF_STREAMS[0]
    }
    declared: list[Declaration] = []
    for declaration in contents.declared:
        user = by_namespace.get(declaration.grantee.namespace) if declaration.grantee else None
        has_stream = user is not None and user.namespace in streams
        declared += [declaration] if user is None else _assign_user(declaration, user, has_stream=has_stream)
    return replace(contents, declared=declared)


def _assign_user(declaration: Declaration, user: NamespaceUser, *, has_stream: bool) -> list[Declaration]:
    """What is declared, with its user; who owns or uses a group may use transactions where the namespace has them."""
    named = replace(declaration, unknown=(), note="", grantee=None)
    if "entity" in declaration.request:
        return [replace(named, request={**declaration.request, "entity": {"user": user.name}})]
    acl = {**declaration.request["acl"], "principal": f"User:{user.name}"}
    more: list[dict[str, Any]] = []
    if declaration.grantee and declaration.grantee.uses_group and (user.has_transactions or has_stream):
        prefixes = [f"connect-cluster-{acl['resourceName']}"] if user.has_transactions else []
        ids = [*prefixes, acl["resourceName"]]
        of_transactions = {**acl, "resourceType": "TRANSACTIONAL_ID", "patternType": "PREFIXED"}
        more = [
            {**of_transactions, "resourceName": name, "operation": operation}
            for name in ids
            for operation in ("WRITE", "DESCRIBE")
        ]
    return [replace(named, request={"acl": grant}) for grant in (acl, *more)]


def _build_acl(
    node: Node, file: str, grantee: GranteeReference, resource: tuple[str, str, str], operation: str
) -> Declaration:
    kind, name, pattern = resource
    acl = {
        "resourceType": kind,
        "resourceName": name,
        "patternType": pattern,
        "principal": f"User:{grantee.namespace}",
        "host": ANY_HOST,
        "operation": operation,
        "permissionType": "ALLOW",
    }
    is_public = grantee.namespace == _PUBLIC
    return Declaration(
        format=_FORMAT,
        operation="CreateAcl",
        request={"acl": acl},
        file=file,
        line=find_line(node),
        cluster=read_cluster(node, _CLUSTER),
        lines={
            "acl/resourceName": find_key_line(node, "spec resource"),
            "acl/principal": find_key_line(node, "spec grantedTo"),
            "acl/operation": find_key_line(node, "spec permission"),
        },
        unknown=() if is_public else ("/request/acl/principal",),
        note="" if is_public else _explain_unknown_user(grantee.namespace),
        grantee=None if is_public else grantee,
    )


def _explain_unknown_user(namespace: str) -> str:
    return _LEFT_OPEN if namespace == _UNNAMED else _UNKNOWN.format(namespace)


def _read_rate(node: Node, what: str) -> float:
    written = getattr(node, "value", None)
    value = read_rate(written) if isinstance(written, str) else None
    if value is None or value < 0:
        raise UnusableDeclaration(find_line(node), f"{what} is not a number, or too large: write its digits")
    return float(value)
