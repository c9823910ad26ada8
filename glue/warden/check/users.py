"""ACLs, quotas and users that files declare, as the contract has them."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from warden.check.model import Declared, Refused
from warden.check.nodes import Node, entries, find, items, key_line, line_of_node, text

__all__ = ["ANY_HOST", "acl_word", "jikkou_acls", "jikkou_quota", "strimzi_user", "topicctl_acls"]

ANY_HOST = "*"
_WORDS = {"TRANSACTIONALID": "TRANSACTIONAL_ID", "DELEGATIONTOKEN": "DELEGATION_TOKEN", "PREFIX": "PREFIXED"}
_NUMBER = re.compile(r"(0|[1-9][0-9]*)(\.[0-9]+)?")
_NO_ACL = {"ANY", "MATCH", "UNKNOWN"}
_QUOTAS = {
    "producerByteRate": "producer_byte_rate",
    "consumerByteRate": "consumer_byte_rate",
    "requestPercentage": "request_percentage",
    "controllerMutationRate": "controller_mutation_rate",
}


def acl_word(word: str, line: int) -> str:
    """Return a word of an ACL as Kafka writes it: ``TransactionalID`` is ``TRANSACTIONAL_ID``.

    Args:
        word: As the file has it.
        line: Its line.

    Raises:
        Refused: It is one of filters, which no ACL has.
    """
    snake = "".join(
        f"_{char}" if char.isupper() and word[i - 1].islower() and i else char for i, char in enumerate(word)
    )
    upper = snake.upper()
    upper = _WORDS.get(upper.replace("_", ""), upper)
    if upper in _NO_ACL:
        raise Refused(line, f"{word} stands in filters, and in no ACL: write what is meant")
    return upper


def strimzi_user(node: Node, file: str) -> Iterator[Declared]:
    """Yield the ACLs and the quota of a KafkaUser; its credentials are made by the operator and are not read.

    Raises:
        Refused: A value is missing or cannot be read.
    """
    name = text(find(node, "metadata name"), "metadata.name")
    kind = find(node, "spec authentication type")
    user = f"CN={name}" if kind is not None and kind.value in ("tls", "tls-external") else name
    cluster = find(node, "metadata labels strimzi.io/cluster")
    where: dict[str, Any] = {
        "format": "strimzi",
        "file": file,
        "cluster": None if cluster is None else text(cluster, "the label strimzi.io/cluster"),
    }
    for entry in items(find(node, "spec authorization acls")):
        operations = items(find(entry, "operations")) or [find(entry, "operation")]
        for operation in operations:
            pattern = find(entry, "resource patternType")
            cluster_name = "kafka-cluster" if _word(entry, "resource type") == "CLUSTER" else None
            yield _acl(
                entry,
                {
                    "resourceType": _word(entry, "resource type"),
                    "resourceName": cluster_name or _text(entry, "resource name"),
                    "patternType": "LITERAL" if pattern is None else _word(entry, "resource patternType"),
                    "principal": f"User:{user}",
                    "host": _text(entry, "host", ANY_HOST),
                    "operation": acl_word(text(operation, "operation"), line_of_node(operation)),
                    "permissionType": _word(entry, "type", "ALLOW"),
                },
                where,
            )
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
    for entry in items(find(node, "spec acls")):
        for operation in items(find(entry, "operations")):
            yield _acl(
                entry,
                {
                    "resourceType": _word(entry, "resource type"),
                    "resourceName": _text(entry, "resource pattern"),
                    "patternType": _word(entry, "resource patternType", "LITERAL"),
                    "principal": principal,
                    "host": _text(entry, "host", ANY_HOST),
                    "operation": acl_word(text(operation, "operation"), line_of_node(operation)),
                    "permissionType": _word(entry, "type", "ALLOW"),
                },
                {"format": "jikkou", "file": file},
            )


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


def topicctl_acls(node: Node, file: str) -> Iterator[Declared]:
    """Yield the ACLs of a topicctl file.

    Raises:
        Refused: A value is missing or cannot be read.
    """
    cluster = find(node, "meta cluster")
    name = None if cluster is None else text(cluster, "meta.cluster")
    for entry in items(find(node, "spec acls")):
        for operation in items(find(entry, "operations")):
            yield _acl(
                entry,
                {
                    "resourceType": _word(entry, "resource type"),
                    "resourceName": _text(entry, "resource name"),
                    "patternType": _word(entry, "resource patternType", "LITERAL"),
                    "principal": _text(entry, "resource principal"),
                    "host": _text(entry, "resource host", ANY_HOST),
                    "operation": acl_word(text(operation, "operation"), line_of_node(operation)),
                    "permissionType": _word(entry, "resource permission", "ALLOW"),
                },
                {"format": "topicctl", "file": file, "cluster": name},
            )


def _acl(entry: Node, acl: Mapping[str, str], where: Mapping[str, Any]) -> Declared:
    line = line_of_node(entry)
    places = {
        "acl/resourceName": key_line(entry, "resource name"),
        "acl/patternType": key_line(entry, "resource patternType"),
        "acl/resourceType": key_line(entry, "resource type"),
        "acl/host": key_line(entry, "host"),
    }
    return Declared(operation="CreateAcl", request={"acl": acl}, line=line, lines=places, **where)


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
    return acl_word(_text(entry, path, default), key_line(entry, path))
