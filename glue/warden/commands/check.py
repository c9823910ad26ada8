"""``warden check``: what the policy says about files in which people declare Kafka's resources."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.analyse.check.model import UNNAMED
from warden.base.errors import ConfigurationError
from warden.commands.shared.choice import Choice
from warden.commands.shared.completion import COMPONENT
from warden.commands.shared.opa_options import with_opa
from warden.commands.shared.options import COMMAND_CONFIG, argument, option, with_options
from warden.commands.shared.place_option import LocalPath
from warden.commands.shared.unknown_clusters import report_unknown_names

if TYPE_CHECKING:
    from warden.analyse.check.known_state import KnownState
    from warden.analyse.check.run_check import CheckRequest
    from warden.policy.opa.client import OpaClient
    from warden.policy.opa.session import OpaOptions

__all__ = ["CheckOptions", "command"]

_PATH = LocalPath(path_type=Path)
_OPA_MEMORY = "192MiB"  # OPA took 436 MB for 2,000 files without it, and no less time


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """The files, and what they are held against."""

    paths: tuple[Path, ...] = argument(nargs=-1, required=True, metavar="PATH…", type=_PATH)
    diff: str | None = option(
        "--diff",
        metavar="BASE..HEAD",
        help="Decide on what changes between two commits of git; what is declared no more is deleted.",
    )
    cluster: str | None = option(
        "--cluster", metavar="NAME", help="The cluster that all of it is for, in place of what files say."
    )
    snapshot: Path | None = option("--snapshot", type=_PATH, metavar="DIR", help="Hold them against a snapshot.")
    bootstrap_server: str | None = option(
        "--bootstrap-server", metavar="HOST:PORT", help="Hold them against a live cluster."
    )
    command_config: Path | None = option("--command-config", **COMMAND_CONFIG)
    state: Path | None = option(
        "--state",
        type=LocalPath(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Hold them against a cluster state in JSON.",
    )
    principal: str | None = option("--principal", metavar="TYPE:NAME", help="Who carries the changes out.")
    enforcement_point: str = option(
        "--enforcement-point",
        default="ci",
        show_default=True,
        metavar="NAME",
        help="Enforcement point, as the settings name it.",
    )
    component: str | None = option(
        "--component",
        type=COMPONENT,
        metavar="NAME",
        help="All files are configurations of it: broker, producer, consumer, admin, streams, connect, connector, …",
    )
    overrides: tuple[str, ...] = option(
        "--override", multiple=True, metavar="KEY=VALUE", help="Of a broker, as of kafka-server-start.sh; repeatable."
    )
    resolve_variables: bool = option(
        "--resolve-variables",
        is_flag=True,
        help="Fill in a broker's ${provider:key} from this machine's environment and files: only on its own host.",
    )
    fix: bool = option(
        "--fix",
        is_flag=True,
        help="Write what rules propose into YAML and JSON files, and decide on the result.",
    )
    unknown: str = option(
        "--unknown",
        type=Choice(["warn", "deny"]),
        default="warn",
        show_default=True,
        help="What becomes of a rule that reads what is known only after apply.",
    )
    dryrun: bool = option(
        "--dryrun", is_flag=True, help="Print what rules in dry run say too; other forms than text always have it."
    )
    allow_empty: bool = option(
        "--allow-empty",
        is_flag=True,
        help="Let a file or directory pass in which nothing is found to decide.",
    )
    output: str = option(
        "--output",
        type=Choice(["text", "json", "sarif", "junit", "github", "gitlab", "markdown"]),
        default="text",
        show_default=True,
        help="What to print.",
    )


@click.command(short_help="Decide on files: topics, ACLs, quotas, brokers, connectors, clients.")
@with_options(CheckOptions)
@with_opa
def command(options: CheckOptions, opa: "OpaOptions") -> int:
    """Decide on what files declare: Strimzi, Terraform, Jikkou, topicctl, Warden's own YAML and others.

    Which form a file has shows in its content. Below a directory .yaml, .yml, .json, .properties, .tf and .tofu files
    are read, and charts and overlays rendered by helm and kustomize; what begins with a dot is not read there, and is
    counted. "-" is standard input. Without a cluster, rules that look at it are not evaluated, and are named.

    A broker's server.properties is decided as that of a broker that is about to start, as for a unit's ExecStartPre; of
    a connector's JSON and of properties of Connect and of clients the lists are checked (KIP-1161). Passwords are
    not sent to the policy.

    Exit status: 0 all allowed, 1 something denied, 2 something could not be evaluated, nothing was found to decide, or
    nobody knows a name that was given.

    \b
    Examples:
      warden check topics/
      warden check --diff origin/main...HEAD topics/
      warden check --fix topics/
      warden check --snapshot snapshots --cluster prod-eu topics/
      terraform show -json plan.out > plan.json && warden check --unknown deny plan.json
      helm template chart | warden check --output github -
      warden check --enforcement-point start --resolve-variables /etc/kafka/server.properties
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from concurrent.futures import ThreadPoolExecutor

    from warden.policy.opa.session import open_session

    if options.fix and (options.diff is not None or Path("-") in options.paths):
        raise ConfigurationError("--fix writes files: leave out --diff, and name files instead of -")
    if options.paths.count(Path("-")) > 1:
        raise ConfigurationError("standard input is named twice: write - once")
    known = _read_known_state(options)  # its mistakes are found before anything starts
    with open_session(replace(opa, memory_limit=_OPA_MEMORY)) as session, ThreadPoolExecutor(1) as thread:
        starting = thread.submit(session.build_client)  # an OPA starts while modules are loaded and files read
        from warden.analyse.check.fix.run_fix import fix_and_decide
        from warden.analyse.report.check.text import format_text
        from warden.analyse.report.check.write import FORMATS

        check = _build_check_request(options, known)
        result = check.decide(starting.result)
        if options.fix:
            result = fix_and_decide(check, starting.result, result, partial(click.echo, err=True))
        clusters = {declaration.cluster for declaration in result.decided} | {options.cluster or UNNAMED}
        is_unsure = report_unknown_names(starting.result(), clusters, options.enforcement_point, known=known.states)
        starting.result().close()
    shown = format_text(result, dryrun=options.dryrun) if options.output == "text" else FORMATS[options.output](result)
    click.echo(shown, color=False if os.environ.get("NO_COLOR") else None)
    return 2 if is_unsure else result.status


def _read_known_state(options: CheckOptions) -> "KnownState":
    from warden.analyse.check.known_state import read_known_state

    return read_known_state(
        snapshot=options.snapshot,
        bootstrap_server=options.bootstrap_server,
        command_config=options.command_config,
        state=options.state,
        cluster=options.cluster,
    )


def _build_check_request(options: CheckOptions, known: "KnownState") -> "CheckRequest":
    from warden.analyse.check.readers.config_files import ConfigReading
    from warden.analyse.check.run_check import CheckRequest
    from warden.commands.topics.values import parse_key_values
    from warden.enforce.sdk.warden import Warden

    def build_common(client: "OpaClient") -> Mapping[str, Any]:
        point = options.enforcement_point
        return Warden(
            client, cluster=UNNAMED, principal=options.principal, enforcement_point=point
        ).build_shared_input()

    overrides = parse_key_values("--override", options.overrides, example="broker.rack=a")
    return CheckRequest(
        paths=options.paths,
        reading=ConfigReading(options.component, overrides, options.resolve_variables),
        known=known,
        common=build_common,
        diff=options.diff,
        denies_unknown=options.unknown == "deny",
        allows_empty=options.allow_empty,
    )
