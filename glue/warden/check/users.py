"""ACLs, quotas and users that files declare, as the contract has them."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from warden.check.model import Declared, Refused
from warden.check.nodes import Node, entries, find, items, key_line, line_of_node, text

__all__ = ["ANY_HOST", "acl_word", "jikkou_acls", "jikkou_quota", "strimzi_user", "topicctl_acls"]

ANY_HOST = "*"
_WORDS = {"TRANSACTIONALID": "TRANSACTIONAL_ID", "DELEGATIONTOKEN": "DELEGATION_TOKEN", "PREFIX": "PREFIXED"}
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_QUOTAS = {
    "producerByteRate": "producer_byte_rate",
    "consumerByteRate": "consumer_byte_rate",
    "requestPercentage": "request_percentage",
    "controllerMutationRate": "controller_mutation_rate",
}


@dataclass(frozen=True, kw_only=True)
class _AclFormat:
    """Where a format keeps what of an ACL: paths within an entry, and of the entries within the document."""

    id: str
    entries: str
    name: str = "resource name"
    host: str = "host"
    permission: str = "type"


_STRIMZI = _AclFormat(id="strimzi", entries="spec authorization acls")
_JIKKOU = _AclFormat(id="jikkou", entries="spec acls", name="resource pattern")
_TOPICCTL = _AclFormat(id="topicctl", entries="spec acls", host="resource host", permission="resource permission")


def acl_word(word: str) -> str:
    """Return a word of an ACL as Kafka writes it: ``TransactionalID`` is ``TRANSACTIONAL_ID``."""
    snake = "".join(
        f"_{char}" if char.isupper() and word[i - 1].islower() and i else char for i, char in enumerate(word)
    )
    upper = snake.upper()
    return _WORDS.get(upper.replace("_", ""), upper)


def strimzi_user(node: Node, file: str) -> Iterator[Declared]:
    """Yield the ACLs and the quota of a KafkaUser; its credentials are made by the operator and are not read.

    Raises:
        Refused: A value is missing or cannot be read.
    """
    name = text(find(node, "metadata name"), "metadata.name")
    kind = find(node, "spec authentication type")
    user = f"CN={name}" if kind is not None and kind.value in ("tls", "tls-external") else name
    where = {"format": _STRIMZI.id, "file": file, "cluster": _cluster(node, "metadata labels strimzi.io/cluster")}
    yield from _acls(_STRIMZI, node, where, lambda _entry: f"User:{user}")
    quotas = find(node, "spec quotas")
    if quotas is not None:
        known = {key.value: (key, value) for key, value in entries(quotas)}
        yield _quota({"user": user}, quotas, known, where, removes=True)


def jikkou_acls(node: Node, file: str) -> Iterator[Declared]:
    """Yield the ACLs of a KafkaPrincipalAuthorization.

    Raises:
        Refused: A value is missing or cannot be read; or it names roles or matches, which only a cluster can expand.
    """
    principal = text(find(node, "metadata name"), "metadata.name")
    if roles := items(find(node, "spec roles")):
        raise Refused(line_of_node(roles[0]), "roles are in other documents and are not evaluated: write out the ACLs")
    for declared in _acls(_JIKKOU, node, {"format": _JIKKOU.id, "file": file}, lambda _entry: principal):
        if declared.request["acl"]["patternType"] == "MATCH":
            line = declared.line_of(["acl", "patternType"])
            raise Refused(line, "what MATCH grants depends on a cluster's topics and is not evaluated: name the topics")
        yield declared


def topicctl_acls(node: Node, file: str) -> Iterator[Declared]:
    """Yield the ACLs of a topicctl file.

    Raises:
        Refused: A value is missing or cannot be read.
    """
    where = {"format": _TOPICCTL.id, "file": file, "cluster": _cluster(node, "meta cluster")}
    yield from _acls(_TOPICCTL, node, where, lambda entry: _text(entry, "resource principal"))


def jikkou_quota(node: Node, file: str) -> Iterator[Declared]:
    """Yield the quota of a KafkaClientQuota.

    Raises:
        Refused: A value is missing or cannot be read.
    """
    kind = find(node, "spec type")
    parts: Mapping[str, Mapping[str, Callable[[], str | None]]] = {
        "USERS_DEFAULT": {"user": lambda: None},
        "USER": {"user": lambda: _text(node, "spec entity user")},
        "USER_CLIENT": {
            "user": lambda: _text(node, "spec entity user"),
            "clientId": lambda: _text(node, "spec entity clientId"),
        },
        "USER_ALL_CLIENTS": {"user": lambda: _text(node, "spec entity user"), "clientId": lambda: None},
        "CLIENT": {"clientId": lambda: _text(node, "spec entity clientId")},
        "CLIENTS_DEFAULT": {"clientId": lambda: None},
    }
    word = text(kind, "spec.type")
    if word not in parts:
        raise Refused(line_of_node(kind), f"spec.type {word} is not known: write one of {', '.join(parts)}")
    configs = find(node, "spec configs")
    known = {key.value: (key, value) for key, value in entries(configs)}
    entity = {key: value() for key, value in parts[word].items()}
    yield _quota(entity, configs or node, known, {"format": "jikkou", "file": file})


def _acls(
    row: _AclFormat, node: Node, where: Mapping[str, Any], principal: Callable[[Node], str]
) -> Iterator[Declared]:
    for entry in items(find(node, row.entries)):
        kind = _word(entry, "resource type")
        acl = {
            "resourceType": kind,
            "resourceName": _text(entry, row.name, "kafka-cluster" if kind == "CLUSTER" else None),
            "patternType": _word(entry, "resource patternType", "LITERAL"),
            "principal": principal(entry),
            "host": _text(entry, row.host, ANY_HOST),
            "permissionType": _word(entry, row.permission, "ALLOW"),
        }
        places = {"resourceName": row.name, "patternType": "resource patternType", "resourceType": "resource type"}
        lines = {f"acl/{field}": key_line(entry, path) for field, path in {**places, "host": row.host}.items()}
        operations = items(find(entry, "operations")) or [at for at in [find(entry, "operation")] if at is not None]
        if not operations:
            raise Refused(line_of_node(entry), "operations is missing: write it")
        for operation in operations:
            request = {"acl": {**acl, "operation": acl_word(text(operation, "operation"))}}
            yield Declared(operation="CreateAcl", request=request, line=line_of_node(entry), lines=lines, **where)


def _quota(
    entity: Mapping[str, str | None],
    node: Node,
    known: Mapping[str, tuple[Node, Node]],
    where: Mapping[str, Any],
    *,
    removes: bool = False,
) -> Declared:
    """The change of a quota; with ``removes`` what is left out goes."""
    ops: list[dict[str, Any]] = []
    lines: dict[str, int] = {}
    for key, (at, value) in known.items():
        if key not in _QUOTAS:
            raise Refused(line_of_node(at), f"{key} is no quota: write one of {', '.join(_QUOTAS)}")
        lines[f"ops/{len(ops)}"] = line_of_node(at)
        ops.append({"key": _QUOTAS[key], "value": _rate(value, key)})
    if removes:
        ops += [{"key": name, "remove": True} for key, name in _QUOTAS.items() if key not in known]
    return Declared(
        operation="AlterQuota",
        request={"entity": entity, "ops": ops},
        line=line_of_node(node),
        lines=lines,
        **where,
    )


def _rate(node: Node, what: str) -> float:
    written = getattr(node, "value", None)
    if not isinstance(written, str) or node.style or not _NUMBER.fullmatch(written):
        raise Refused(line_of_node(node), f"{what} is not a number: write its digits")
    value = float(written)
    return int(value) if value.is_integer() else value


def _text(entry: Node, path: str, default: str | None = None) -> str:
    node = find(entry, path)
    if node is None and default is not None:
        return default
    if node is None:
        raise Refused(key_line(entry, path), f"{path.replace(' ', '.')} is missing: write it")
    return text(node, path.replace(" ", "."))


def _word(entry: Node, path: str, default: str | None = None) -> str:
    return acl_word(_text(entry, path, default))


def _cluster(node: Node, path: str) -> str | None:
    place = find(node, path)
    return None if place is None else text(place, path.replace(" ", "."))
