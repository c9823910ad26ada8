"""``warden gateway acls``: close a cluster to everybody but the gateways' hosts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, compress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from warden.analyse.check.model import UNNAMED
from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.completion import PROFILE
from warden.commands.shared.options import COMMAND_CONFIG, option, read_login, with_options
from warden.commands.shared.place_option import LocalPath

if TYPE_CHECKING:
    from warden.enforce.gateway.acls import AclChange
    from warden.policy.opa.client import OpaClient

__all__ = ["GatewayAclsOptions", "command"]

_ACL_RULE: Final = "KFK-ACL-004"
_BROKER_RULE: Final = "KFK-BRK-007"
_POINT: Final = "scan"
_FILE: Final = LocalPath(path_type=Path, exists=True, dir_okay=False)


@dataclass(frozen=True, kw_only=True)
class GatewayAclsOptions:
    """Which cluster, which hosts, and by which settings."""

    bootstrap_server: str = option(
        "--bootstrap-server", required=True, metavar="HOST:PORT", help="Broker to connect to, not the gateway."
    )
    command_config: Path | None = option("--command-config", **COMMAND_CONFIG)
    hosts: tuple[str, ...] = option(
        "--host",
        multiple=True,
        required=True,
        metavar="ADDRESS",
        help="Address from which a gateway connects to brokers. May be given several times.",
    )
    files: tuple[Path, ...] = option(
        "--server-properties",
        multiple=True,
        type=_FILE,
        help="A broker's own file, which alone tells super users. May be given several times.",
    )
    settings: Path | None = option(
        "--settings", type=_FILE, help="YAML laid over the shipped settings: KFK-ACL-004 has the rights to bind."
    )
    profile: str | None = option("--profile", type=PROFILE, metavar="NAME", help="Profile that lies between the two.")
    cluster: str = option(
        "--cluster", default=UNNAMED, show_default=True, metavar="NAME", help="The cluster's name in the settings."
    )
    check: bool = option("--check", is_flag=True, help="List what leaves a way round; print no changes.")
    output: str = option(
        "--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print."
    )


@click.command()
@with_options(GatewayAclsOptions)
def command(options: GatewayAclsOptions) -> int:
    """Print the ACL changes after which nobody changes the cluster past the gateways.

    The brokers' ACLs are read, and KFK-ACL-004 says which of them grant a change from other hosts. The changes are
    commands of kafka-acls.sh: first what is to be added, then what is to be removed; nothing is changed here. Who has
    all operations from anywhere keeps those about data. What no ACL closes is in each broker's own file, and brokers do
    not report it: --server-properties has super users listed, and what KFK-BRK-007 says of the file.

    Exit status: 0 there is no way round, 1 there is one.

    \b
    Examples:
      warden gateway acls --bootstrap-server kafka-1:9092 --host 10.0.0.7 --host 10.0.0.8
      warden gateway acls --bootstrap-server kafka-1:9092 --host 10.0.0.7 --check
      warden gateway acls --bootstrap-server kafka-1:9092 --host 10.0.0.7 --settings settings.yaml
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.enforce.gateway.acls import format_commands
    from warden.state.sources.kafka.login.connection import connect
    from warden.state.sources.kafka.read.acls import read_acls

    rights = _read_rights(options)
    with connect(options.bootstrap_server, security=read_login(options.command_config)) as connection:
        acls = [acl for of_principal in read_acls(connection).values() for acl in of_principal]
    with _open_opa(options.hosts, rights) as client:
        past = list(compress(acls, _decide_acls(client, acls)))
        changes = [] if options.check else _plan_changes(client, past, options.hosts)
        brokers = [_read_broker(client, file) for file in options.files]
    document: dict[str, Any] = {
        "open": past,
        "brokers": brokers,
        "changes": [{"add": change.add, "remove": change.remove} for change in changes],
    }
    if options.output == "json":
        click.echo(json.dumps(document, indent=2))
    else:
        lines = map(_format_line, past) if options.check else format_commands(changes, options.bootstrap_server)
        click.echo("\n".join([*lines, *_list_remarks(document)]))
    return EXIT_DENIED if past or any(broker["open"] for broker in brokers) else EXIT_OK


def _read_rights(options: GatewayAclsOptions) -> Any:
    """The operations that change this cluster: the rule's parameter as its audit has it."""
    from warden.policy.bundle.effective_rules import read_rules_in_force
    from warden.policy.bundle.layers import read_layers

    layers = read_layers(options.settings, options.profile)
    rules = read_rules_in_force(layers, cluster=options.cluster, enforcement_point=_POINT)
    return rules[_ACL_RULE].params["rights"]


@contextmanager
def _open_opa(hosts: tuple[str, ...], rights: Any) -> Iterator["OpaClient"]:
    """An OPA in which both rules deny, with these parameters."""
    from tempfile import TemporaryDirectory

    import yaml

    from warden.policy.opa.session import OpaOptions, open_session

    with TemporaryDirectory(prefix="warden-") as directory:
        settings = Path(directory) / "settings.yaml"
        rule = {"mode": "deny", "params": {"hosts": list(hosts), "rights": rights}}
        rules = {"rules": {_ACL_RULE: rule, _BROKER_RULE: {"mode": "deny"}}}
        settings.write_text(yaml.safe_dump(rules), encoding="utf-8")
        with open_session(OpaOptions(settings=settings)) as session, session.build_client() as client:
            yield client


def _plan_changes(client: "OpaClient", past: Sequence[dict[str, str]], hosts: Sequence[str]) -> "list[AclChange]":
    from warden.enforce.gateway.acls import plan_acl_changes, split_acl
    from warden.policy.bundle.catalog import read_catalog

    operations = read_catalog("acls")["operations"]
    parts = [split_acl(acl, operations) for acl in past]
    breaking = iter(_decide_acls(client, list(chain.from_iterable(parts))))
    return plan_acl_changes(past, [[part for part in own if not next(breaking)] for own in parts], hosts)


def _decide_acls(client: "OpaClient", acls: Sequence[Mapping[str, str]]) -> list[bool]:
    """Whether each of the ACLs breaks the rule."""
    requests = [{"operation": "AuditAcl", "request": {"acl": acl}} for acl in acls]
    return [bool(messages) for messages in _list_messages(client, requests, _ACL_RULE)]


def _list_messages(client: "OpaClient", requests: Sequence[Mapping[str, Any]], rule: str) -> list[list[str]]:
    """What a rule has against each of the requests."""
    common = {"cluster": UNNAMED, "enforcementPoint": _POINT, "clusterState": {}}
    decisions = client.decide_many({str(number): request for number, request in enumerate(requests)}, common)
    return [
        [violation["message"] for violation in decision["violations"] if violation["rule"] == rule]
        for decision in decisions.values()
    ]


def _read_broker(client: "OpaClient", file: Path) -> dict[str, Any]:
    """Return what a broker's file has that no ACL closes."""
    from warden.base.files.properties import load_properties
    from warden.state.sources.kafka.read.server_properties import without_secrets

    properties = load_properties(file)
    request = {"operation": "StartBroker", "request": {"broker": "0", "configs": without_secrets(properties)}}
    users = [user.strip() for user in properties.get("super.users", "").split(";")]
    return {
        "file": str(file),
        "superUsers": [user for user in users if user],
        "open": _list_messages(client, [request], _BROKER_RULE)[0],
    }


def _format_line(acl: Mapping[str, str]) -> str:
    resource = f"{acl['resourceType']} {acl['resourceName']} ({acl['patternType']})"
    return f"{acl['principal']} may {acl['operation']} {resource} from host {acl['host']}"


def _list_remarks(document: Mapping[str, Any]) -> list[str]:
    if not document["brokers"]:
        return ["# super.users and what opens a broker to everybody were not seen: give --server-properties"]
    lines = []
    for broker in document["brokers"]:
        users = ", ".join(broker["superUsers"]) or "none"
        lines.append(f"# {broker['file']}: super users, who pass from anywhere: {users}")
        lines += [f"# {broker['file']}: {message}" for message in broker["open"]]
    return lines
