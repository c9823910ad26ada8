"""The ACL changes that close a cluster to everybody but the gateways' hosts. No input or output."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["AclChange", "format_commands", "plan_acl_changes"]

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


def plan_acl_changes(
    past: Iterable[Acl],
    hosts: Sequence[str],
    operations: Mapping[str, Sequence[str]],
    rights: Mapping[str, Sequence[str]],
) -> list[AclChange]:
    """Return the changes that bind rights to the gateways' hosts. Who had ALL from anywhere keeps what changes nothing.

    Args:
        past: The ACLs that grant changes from other hosts, as KFK-ACL-004 finds them.
        hosts: Addresses from which gateways connect to brokers.
        operations: What ALL contains, by type of resource: the catalogue's ``acls.operations``.
        rights: Which of them change a cluster: the parameter of KFK-ACL-004.
    """
    changes = []
    for acl in past:
        kind = acl["resourceType"].upper()
        whole = operations[kind] if acl["operation"].upper() == "ALL" else ()
        kept = [operation for operation in whole if operation not in (*rights[kind], _BROKERS)]
        bound = [{**acl, "host": host} for host in hosts]
        changes.append(AclChange((*bound, *({**acl, "operation": operation} for operation in kept)), acl))
    return changes


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
