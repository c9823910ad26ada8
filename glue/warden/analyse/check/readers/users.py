"""ACLs and quotas of Strimzi, Jikkou and topicctl, as the contract has them."""

from collections.abc import Callable, Iterator, Mapping

from warden.analyse.check.model import Declaration, UnusableDeclaration
from warden.analyse.check.nodes import Node, find, find_line, iter_entries, list_items, parse_string
from warden.analyse.check.readers.acls import AclFormat, parse_acls, read_cluster, read_text
from warden.analyse.check.readers.quotas import QUOTA_KEYS, build_quota
from warden.base.did_you_mean import describe_unknown

__all__ = ["parse_jikkou_acls", "parse_jikkou_quota", "parse_strimzi_user", "parse_topicctl_acls"]

_STRIMZI = AclFormat(id="strimzi", entries="spec authorization acls")
_JIKKOU = AclFormat(id="jikkou", entries="spec acls", name="resource pattern")
_TOPICCTL = AclFormat(id="topicctl", entries="spec acls", host="resource host", permission="resource permission")


def parse_strimzi_user(node: Node, file: str) -> Iterator[Declaration]:
    """Yield the ACLs and the quota of a KafkaUser; its credentials are made by the operator and are not read.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read.
    """
    name = parse_string(find(node, "metadata name"), "metadata.name")
    kind = find(node, "spec authentication type")
    user = f"CN={name}" if kind is not None and kind.value in ("tls", "tls-external") else name
    where = {"format": _STRIMZI.id, "file": file, "cluster": read_cluster(node, "metadata labels strimzi.io/cluster")}
    yield from parse_acls(_STRIMZI, node, where, lambda _entry: f"User:{user}")
    quotas = find(node, "spec quotas")
    if quotas is not None:
        entries = {key.value: (key, value) for key, value in iter_entries(quotas)}
        yield build_quota({"user": user}, quotas, entries, where, removes=QUOTA_KEYS)


def parse_jikkou_acls(node: Node, file: str) -> Iterator[Declaration]:
    """Yield the ACLs of a KafkaPrincipalAuthorization.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read; or it names roles or matches, which only a cluster
            can expand.
    """
    principal = parse_string(find(node, "metadata name"), "metadata.name")
    if roles := list_items(find(node, "spec roles")):
        raise UnusableDeclaration(
            find_line(roles[0]), "roles are in other documents and are not evaluated: write out the ACLs"
        )
    for declared in parse_acls(_JIKKOU, node, {"format": _JIKKOU.id, "file": file}, lambda _entry: principal):
        if declared.request["acl"]["patternType"] == "MATCH":
            line = declared.find_line(["acl", "patternType"])
            raise UnusableDeclaration(
                line, "what MATCH grants depends on a cluster's topics and is not evaluated: name the topics"
            )
        yield declared


def parse_topicctl_acls(node: Node, file: str) -> Iterator[Declaration]:
    """Yield the ACLs of a topicctl file.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read.
    """
    where = {"format": _TOPICCTL.id, "file": file, "cluster": read_cluster(node, "meta cluster")}
    yield from parse_acls(_TOPICCTL, node, where, lambda entry: read_text(entry, "resource principal"))


def parse_jikkou_quota(node: Node, file: str) -> Iterator[Declaration]:
    """Yield the quota of a KafkaClientQuota.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read.
    """
    kind = find(node, "spec type")
    parts: Mapping[str, Mapping[str, Callable[[], str | None]]] = {
        "USERS_DEFAULT": {"user": lambda: None},
        "USER": {"user": lambda: read_text(node, "spec entity user")},
        "USER_CLIENT": {
            "user": lambda: read_text(node, "spec entity user"),
            "clientId": lambda: read_text(node, "spec entity clientId"),
        },
        "USER_ALL_CLIENTS": {"user": lambda: read_text(node, "spec entity user"), "clientId": lambda: None},
        "CLIENT": {"clientId": lambda: read_text(node, "spec entity clientId")},
        "CLIENTS_DEFAULT": {"clientId": lambda: None},
    }
    word = parse_string(kind, "spec.type")
    if word not in parts:
        raise UnusableDeclaration(find_line(kind), describe_unknown("spec.type", word, parts))
    configs = find(node, "spec configs")
    entries = {key.value: (key, value) for key, value in iter_entries(configs)}
    entity = {key: value() for key, value in parts[word].items()}
    yield build_quota(entity, configs or node, entries, {"format": "jikkou", "file": file})
