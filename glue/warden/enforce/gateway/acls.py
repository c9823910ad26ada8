"""The ACL changes that close a cluster to everybody but the gateways' hosts. No input or output."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["AclChange", "format_commands", "plan_acl_changes", "split_acl"]

Acl = Mapping[str, str]
"""An ACL as the contract has it."""

_TYPES: Final = {
    "TOPIC": "--topic",
    "GROUP": "--group",
    "CLUSTER": "--cluster",
    "TRANSACTIONAL_ID": "--transactional-id",
    "DELEGATION_TOKEN": "--delegation-token",
    "USER": "--user-principal",
}
_BROKERS: Final = "CLUSTER_ACTION"  # what brokers do in others' names: nobody keeps it for having had ALL


@dataclass(frozen=True, slots=True)
class AclChange:
    """What takes the place of one ACL that leaves a way round the gateway.

    Args:
        add: The ACLs to add first.
        remove: The ACL to remove then.
    """

    add: tuple[Acl, ...]
    remove: Acl


def split_acl(acl: Acl, operations: Mapping[str, Sequence[str]]) -> list[Acl]:
    """Return what ALL grants as ACLs of one operation each, but for what brokers do; none of another operation.

    Args:
        acl: The ACL.
        operations: What ALL contains, by type of resource: the catalogue's ``acls.operations``.
    """
    if acl["operation"].upper() != "ALL":
        return []
    contained = operations[acl["resourceType"].upper()]
    return [{**acl, "operation": operation} for operation in contained if operation != _BROKERS]


def plan_acl_changes(past: Iterable[Acl], kept: Iterable[Sequence[Acl]], hosts: Sequence[str]) -> list[AclChange]:
    """Return the changes that bind rights to the gateways' hosts.

    Args:
        past: The ACLs that grant changes from other hosts, as KFK-ACL-004 finds them.
        kept: Of each, those of `split_acl` that change nothing: who had ALL from anywhere keeps them.
        hosts: Addresses from which gateways connect to brokers.
    """
    return [
        AclChange((*({**acl, "host": host} for host in hosts), *parts), acl)
        for acl, parts in zip(past, kept, strict=True)
    ]


def format_commands(changes: Iterable[AclChange], bootstrap_server: str) -> list[str]:
    """Return the changes as commands of kafka-acls.sh."""
    lines = []
    for change in changes:
        lines += [_format_command("--add", acl, bootstrap_server) for acl in change.add]
        lines.append(_format_command("--remove", change.remove, bootstrap_server, "--force"))
    return list(dict.fromkeys(lines))


def _format_command(action: str, acl: Acl, bootstrap_server: str, *more: str) -> str:
    kind = acl["resourceType"].upper()
    resource = [_TYPES[kind]] if kind == "CLUSTER" else [_TYPES[kind], acl["resourceName"]]
    pattern = ["--resource-pattern-type", acl["patternType"].lower()] if kind != "CLUSTER" else []
    who = ["--allow-principal", acl["principal"], "--allow-host", acl["host"]]
    operation = ["--operation", "".join(word.capitalize() for word in acl["operation"].split("_"))]
    return shlex.join(
        ["kafka-acls.sh", "--bootstrap-server", bootstrap_server, action, *more, *who, *operation, *resource, *pattern]
    )
