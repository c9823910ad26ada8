"""``warden gateway acls``: close a cluster to everybody but the gateways' hosts."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.options import COMMAND_CONFIG, read_login
from warden.commands.shared.place_option import LocalPath

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["command"]

_RULE = "KFK-ACL-004"


@click.command()
@click.option("--bootstrap-server", required=True, metavar="HOST:PORT", help="Broker to connect to, not the gateway.")
@click.option("--command-config", **COMMAND_CONFIG)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    required=True,
    metavar="ADDRESS",
    help="Address from which a gateway connects to brokers. May be given several times.",
)
@click.option(
    "--server-properties",
    "files",
    multiple=True,
    type=LocalPath(path_type=Path, exists=True, dir_okay=False),
    help="A broker's own file, which alone tells super users. May be given several times.",
)
@click.option("--check", is_flag=True, help="List what leaves a way round; print no changes.")
@click.option("--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def command(
    bootstrap_server: str,
    command_config: Path | None,
    hosts: tuple[str, ...],
    files: tuple[Path, ...],
    check: bool,
    output: str,
) -> int:
    """Print the ACL changes after which nobody changes the cluster past the gateways.

    The brokers' ACLs are read, and KFK-ACL-004 says which of them grant a change from other hosts. The changes are
    commands of kafka-acls.sh: first what is to be added, then what is to be removed; nothing is changed here. Who has
    all operations from anywhere keeps those about data. Super users and allow.everyone.if.no.acl.found, which no ACL
    closes, are in each broker's own file, and brokers do not report them: --server-properties has them listed.

    Exit status: 0 there is no way round, 1 there is one.

    \b
    Examples:
      warden gateway acls --bootstrap-server kafka-1:9092 --host 10.0.0.7 --host 10.0.0.8
      warden gateway acls --bootstrap-server kafka-1:9092 --host 10.0.0.7 --check
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.base.resources import find_shipped
    from warden.enforce.gateway.acls import format_commands, plan_acl_changes
    from warden.policy.bundle.catalog import read_catalog, read_data_tree
    from warden.state.sources.kafka.login.connection import connect
    from warden.state.sources.kafka.read.acls import read_acls

    with connect(bootstrap_server, security=read_login(command_config)) as connection:
        acls = [acl for of_principal in read_acls(connection).values() for acl in of_principal]
    past = _select_breaking(acls, hosts)
    rights = read_data_tree(find_shipped("bundle") / "settings")["rules"][_RULE]["params"]["rights"]
    operations = read_catalog("acls")["operations"]
    changes = plan_acl_changes(past, hosts, operations, rights)
    brokers = [_read_broker(file) for file in files]
    document: dict[str, Any] = {
        "open": past,
        "brokers": brokers,
        "changes": [] if check else [{"add": change.add, "remove": change.remove} for change in changes],
    }
    if output == "json":
        click.echo(json.dumps(document, indent=2))
    else:
        lines = [_format_line(acl) for acl in past] if check else format_commands(changes, bootstrap_server)
        click.echo("\n".join([*lines, *_list_remarks(document)]))
    return EXIT_DENIED if past or any(broker["allowEveryoneIfNoAclFound"] for broker in brokers) else EXIT_OK


def _select_breaking(acls: list[dict[str, str]], hosts: tuple[str, ...]) -> list[dict[str, str]]:
    """Return the ACLs that break the rule when these hosts are its parameter."""
    with _open_opa(hosts) as client:
        inputs = {str(n): {"operation": "AuditAcl", "request": {"acl": acl}} for n, acl in enumerate(acls)}
        common = {"cluster": "unnamed", "enforcementPoint": "scan", "clusterState": {}}
        decisions = client.decide_many(inputs, common)
    return [acl for n, acl in enumerate(acls) if _has_violation(decisions[str(n)])]


def _has_violation(decision: Mapping[str, Any]) -> bool:
    return any(violation["rule"] == _RULE for violation in decision["violations"])


@contextmanager
def _open_opa(hosts: tuple[str, ...]) -> Iterator["OpaClient"]:
    from tempfile import TemporaryDirectory

    import yaml

    from warden.policy.opa.session import OpaOptions, open_session

    with TemporaryDirectory(prefix="warden-") as directory:
        settings = Path(directory) / "settings.yaml"
        rule = {"mode": "deny", "params": {"hosts": list(hosts)}}
        settings.write_text(yaml.safe_dump({"rules": {_RULE: rule}}), encoding="utf-8")
        with open_session(OpaOptions(settings=settings)) as session, session.build_client() as client:
            yield client


def _read_broker(file: Path) -> dict[str, Any]:
    """Return what a broker's file has that no ACL closes."""
    from warden.base.files.properties import load_properties

    properties = load_properties(file)
    return {
        "file": str(file),
        "superUsers": [user for user in properties.get("super.users", "").split(";") if user],
        "allowEveryoneIfNoAclFound": properties.get("allow.everyone.if.no.acl.found", "false").lower() == "true",
    }


def _format_line(acl: Mapping[str, str]) -> str:
    resource = f"{acl['resourceType']} {acl['resourceName']} ({acl['patternType']})"
    return f"{acl['principal']} may {acl['operation']} {resource} from host {acl['host']}"


def _list_remarks(document: Mapping[str, Any]) -> list[str]:
    if not document["brokers"]:
        return ["# super.users and allow.everyone.if.no.acl.found were not seen: give --server-properties"]
    lines = []
    for broker in document["brokers"]:
        users = ", ".join(broker["superUsers"]) or "none"
        lines.append(f"# {broker['file']}: super users, who pass from anywhere: {users}")
        if broker["allowEveryoneIfNoAclFound"]:
            lines.append(f"# {broker['file']}: allow.everyone.if.no.acl.found opens what has no ACL to everybody")
    return lines
