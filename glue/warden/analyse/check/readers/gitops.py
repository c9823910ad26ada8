"""kafka-gitops and JulieOps: files of many topics, without a kind."""

from collections.abc import Iterator
from typing import Any

from warden.analyse.check.model import Declaration, Fault, Remark, UnusableDeclaration, read_or_fault
from warden.analyse.check.nodes import (
    Node,
    find,
    find_key_line,
    find_line,
    iter_entries,
    list_items,
    parse_config_value,
    parse_string,
    parse_whole_number,
    read_whole_number,
)
from warden.analyse.check.readers.acls import ANY_HOST, format_acl_word
from warden.analyse.check.readers.julie_acls import parse_julie_acls
from warden.analyse.check.readers.unknown_fields import GITOPS_TOPIC, list_unknown_fields

__all__ = ["parse_gitops", "parse_julie"]

_ABOUT_JULIE = ("context", "projects", "platform", "special_topics")
_JULIE_NUMBERS = {"num.partitions": "numPartitions", "replication.factor": "replicationFactor"}


def parse_gitops(node: Node, file: str) -> Iterator[Declaration | Fault | Remark]:
    """Yield topics and custom ACLs of a kafka-gitops state; roles and services, whose ACLs are not read, are faults.

    Raises:
        UnusableDeclaration: A default cannot be read.
    """
    default = parse_whole_number(
        find(node, "settings topics defaults replication"), "settings.topics.defaults.replication"
    )
    for name, topic in iter_entries(find(node, "topics")):
        yield read_or_fault(file, _parse_gitops_topic, name, topic, default, file)
        yield from list_unknown_fields(topic, file, "a topic of kafka-gitops", GITOPS_TOPIC, f"topics.{name.value}.")
    for section in ("customServiceAcls", "customUserAcls"):
        for owner, acls in iter_entries(find(node, section)):
            for _, acl in iter_entries(acls):
                yield read_or_fault(file, _parse_gitops_acl, node, owner, acl, file)
    for name, user in iter_entries(find(node, "users")):
        if roles := list_items(find(user, "roles")):
            yield Fault(file, find_line(roles[0]), f"the ACLs of the roles of {name.value} are not evaluated")
    for name, _ in iter_entries(find(node, "services")):
        yield Fault(file, find_line(name), f"the ACLs of the service {name.value} are not evaluated")


def _parse_gitops_topic(name: Node, topic: Node, default: int | None, file: str) -> Declaration:
    lines = {"topic": find_line(name)}
    request: dict[str, Any] = {"topic": parse_string(name, "the topic's name")}
    for field, key, value in (
        ("numPartitions", "partitions", parse_whole_number(find(topic, "partitions"), "partitions")),
        ("replicationFactor", "replication", parse_whole_number(find(topic, "replication"), "replication") or default),
    ):
        if value is None:
            raise UnusableDeclaration(find_line(name), f"{key} of {request['topic']} is missing: write it")
        request[field], lines[field] = value, find_key_line(topic, key)
    configs = find(topic, "configs")
    request["configs"] = {key.value: parse_config_value(value, key.value) for key, value in iter_entries(configs)}
    lines |= {f"configs/{key.value}": find_line(key) for key, _ in iter_entries(configs)}
    return Declaration(
        format="kafka-gitops",
        operation="CreateTopic",
        request=request,
        file=file,
        line=find_line(name),
        lines=lines,
        node=topic,
        fields={"numPartitions": "partitions", "replicationFactor": "replication", "configs": "configs"},
    )


def _parse_gitops_acl(node: Node, owner: Node, acl: Node, file: str) -> Declaration:
    line = find_line(acl)
    fields = {key.value: parse_string(value, key.value) for key, value in iter_entries(acl)}
    principal = fields.get("principal") or getattr(find(node, f"users {owner.value} principal"), "value", None)
    for key, value in (
        *((key, fields.get(key)) for key in ("name", "type", "pattern", "operation")),
        ("principal", principal),
    ):
        if value is None:
            raise UnusableDeclaration(line, f"{key} of the ACL of {owner.value} is missing: write it")
    request = {
        "resourceType": format_acl_word(fields["type"]),
        "resourceName": fields["name"],
        "patternType": format_acl_word(fields["pattern"]),
        "principal": principal,
        "host": fields.get("host", ANY_HOST),
        "operation": format_acl_word(fields["operation"]),
        "permissionType": format_acl_word(fields.get("permission", "ALLOW")),
    }
    return Declaration(format="kafka-gitops", operation="CreateAcl", request={"acl": request}, file=file, line=line)


def parse_julie(node: Node, file: str) -> Iterator[Declaration | Fault]:
    """Yield topics and ACLs of a JulieOps topology, by the names that it makes with its default format.

    A topic with a plan, whose configs stand in another file, is a fault, and so is access of which nothing is read.

    Raises:
        UnusableDeclaration: A name cannot be read.
    """
    prefix = [parse_string(find(node, "context"), "context")]
    prefix += [parse_string(value, key.value) for key, value in iter_entries(node) if key.value not in _ABOUT_JULIE]
    held: list[tuple[str, tuple[Node, ...]]] = []
    for project in list_items(find(node, "projects")):
        own = parse_string(find(project, "name"), "the project's name")
        for topic in list_items(find(project, "topics")):
            pieces = [*prefix, own, parse_string(find(topic, "name"), "the topic's name")]
            if (kind := find(topic, "dataType")) is not None:
                pieces.append(parse_string(kind, "dataType"))
            held.append((".".join(pieces), (project, topic)))
    held += [
        (parse_string(find(special, "name"), "the topic's name"), (special,))
        for special in list_items(find(node, "special_topics"))
    ]
    for name, holders in held:
        yield read_or_fault(file, _parse_julie_topic, name, holders[-1], file)
    yield from parse_julie_acls(held, file)
    for project in list_items(find(node, "projects")):
        for access in ("streams", "connectors", "rbac"):
            yield from _iter_unread_acls(project, access, file)
    yield from _iter_unread_acls(node, "platform", file)


def _iter_unread_acls(node: Node, access: str, file: str) -> Iterator[Fault]:
    acls = find(node, access)
    if acls is not None and acls.value:
        yield Fault(file, find_key_line(node, access), f"the ACLs of {access} are not evaluated")


def _parse_julie_topic(name: str, topic: Node, file: str) -> Declaration:
    if find(topic, "plan") is not None:
        raise UnusableDeclaration(
            find_key_line(topic, "plan"), f"{name} has a plan, whose configs are in another file: write them out"
        )
    lines = {"topic": find_key_line(topic, "name"), "configs": find_key_line(topic, "config")}
    request: dict[str, Any] = {"topic": name, "configs": {}}
    for key, value in iter_entries(find(topic, "config")):
        written = parse_config_value(value, key.value)
        field = _JULIE_NUMBERS.get(key.value)
        lines[field or f"configs/{key.value}"] = find_line(key)
        if field is None:
            request["configs"][key.value] = written
        elif (number := read_whole_number(written)) is not None:
            request[field] = number
        else:
            raise UnusableDeclaration(
                find_line(value), f"{key.value} {written} is not a whole number: write its digits"
            )
    if (metadata := find(topic, "metadata")) is not None:
        request["labels"] = {key.value: parse_string(value, key.value) for key, value in iter_entries(metadata)}
    return Declaration(
        format="julie",
        operation="CreateTopic",
        request=request,
        file=file,
        line=lines["topic"],
        lines=lines,
        node=topic,
        fields={**{field: f"config {key}" for key, field in _JULIE_NUMBERS.items()}, "configs": "config"},
    )
