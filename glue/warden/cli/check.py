"""``warden check``: what the policy says about files in which people declare Kafka's resources."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.cli.completion import COMPONENT
from warden.cli.opa_options import with_opa
from warden.cli.options import argument, option, with_options
from warden.cli.unknown_clusters import UNNAMED, point_out_unknown
from warden.errors import ConfigurationError

if TYPE_CHECKING:
    from warden.check.decisions import Cluster, Finding
    from warden.check.model import Contents, Declared
    from warden.opa.client import OpaClient
    from warden.opa.session import OpaOptions
    from warden.report.check.result import Result

__all__ = ["CheckOptions", "command"]

_PATH = click.Path(path_type=Path)
_OPA_MEMORY = "192MiB"  # OPA took 436 MB for 2,000 files without it, and no less time
_ROUNDS = 4  # a patch may call for another; what has not settled by then is shown as it is


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
    command_config: Path | None = option(
        "--command-config",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Kafka client properties for the live cluster.",
    )
    state: Path | None = option(
        "--state",
        type=click.Path(dir_okay=False, path_type=Path),
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
        type=click.Choice(["warn", "deny"]),
        default="warn",
        show_default=True,
        help="What becomes of a rule that reads what is known only after apply.",
    )
    output: str = option(
        "--output",
        type=click.Choice(["text", "json", "sarif", "junit", "github", "gitlab", "markdown"]),
        default="text",
        show_default=True,
        help="What to print.",
    )


@click.command(short_help="Decide on files: topics, ACLs, quotas, brokers, connectors, clients.")
@with_options(CheckOptions)
@with_opa
def command(options: CheckOptions, opa: "OpaOptions") -> int:
    """Decide on what files declare: Strimzi, Terraform's plan, Jikkou, topicctl, Warden's own YAML and others.

    Which form a file has shows in its content. Below a directory .yaml, .yml, .json and .properties files are read; "-"
    is standard input. Without a cluster, rules that look at it are not evaluated, and are named.

    A broker's server.properties is decided as that of a broker that is about to start, as for a unit's ExecStartPre; of
    a connector's JSON and of properties of Connect and of clients the lists are checked (KIP-1161). Passwords are
    not sent to the policy.

    Exit status: 0 all allowed, 1 something denied, 2 something could not be evaluated.

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

    from warden.opa.session import open_session

    if options.fix and (options.diff is not None or Path("-") in options.paths):
        raise ConfigurationError("--fix writes files: leave out --diff, and name files instead of -")
    states = _states(options)
    with open_session(replace(opa, memory_limit=_OPA_MEMORY)) as session, ThreadPoolExecutor(1) as thread:
        starting = thread.submit(session.client)  # an OPA starts while files are read
        result = _result(starting.result, options, states)
        if options.fix:
            result = _fixed(result, lambda: _result(starting.result, options, states))
        point_out_unknown(starting.result(), {one.cluster for one in result.decided})
        starting.result().close()
    from warden.report.check.write import FORMATS

    click.echo(FORMATS[options.output](result), color=False if os.environ.get("NO_COLOR") else None)
    return result.status


def _fixed(result: "Result", decide_again: "Callable[[], Result]") -> "Result":
    """Write the patches, and say on standard error what was written; a patch may call for another."""
    from warden.check.fix import fix_files

    for _ in range(_ROUNDS):
        fixes = fix_files(result.decided)
        for line in fixes.written:
            click.echo(f"fixed {line}", err=True)
        if not fixes.written:
            for line in fixes.left:
                click.echo(f"not fixed {line}", err=True)
            break
        result = decide_again()
    return result


def _result(client: "Callable[[], OpaClient]", options: CheckOptions, states: Mapping[str | None, Any]) -> "Result":
    """Read the files and decide on them."""
    from warden.check.decisions import decide
    from warden.report.check.result import Result

    contents, remarks = _contents(options, states)
    clusters = dict(_clusters(contents.declared, options, states))
    from warden.api.warden import Warden

    warden = Warden(
        client=client(),
        cluster=UNNAMED,
        principal=options.principal,
        enforcement_point=options.enforcement_point,
    )
    decided, faults, unchanged = decide(
        client(),
        contents.declared,
        clusters,
        warden.common(),
        denies_unknown=options.unknown == "deny",
    )
    return Result(decided, sorted([*contents.faults, *faults]), contents.skipped, unchanged, remarks)


def _contents(options: CheckOptions, states: Mapping[str | None, Any]) -> "tuple[Contents, list[Finding]]":
    """What there is to decide, each with its cluster, and what there is to say about it."""
    from warden.check.changes import changes, placed
    from warden.check.config_files import ConfigReading
    from warden.check.decisions import Finding
    from warden.check.files import read_paths
    from warden.check.revisions import Revisions, read_revisions
    from warden.cli.topics.values import key_values

    overrides = key_values("--override", options.overrides, example="broker.rack=a")
    reading = ConfigReading(options.component, overrides, options.resolve_variables)

    def place(one: "Declared") -> "Declared":
        return replace(one, cluster=_cluster_of(one, options, states))

    if options.diff is None:
        return placed(read_paths(options.paths, reading), place), []
    seen = read_revisions(options.diff, options.paths, reading)
    same, base, head = (placed(contents, place) for contents in (seen.same, seen.base, seen.head))
    reason = "could not be read before the change, so what it declared is taken for nothing"
    remarks = [Finding("warning", each.file, 1, "warden", f"{reason} ({each.message})") for each in base.faults]
    return changes(Revisions(same, base, head, seen.files), cluster_is_known=bool(states)), remarks


def _states(options: CheckOptions) -> Mapping[str | None, Any]:
    """What is known, by cluster; None is the key of what is known of whichever cluster is named."""
    given = [each for each in (options.snapshot, options.bootstrap_server, options.state) if each is not None]
    if len(given) > 1:
        raise ConfigurationError("--snapshot, --bootstrap-server and --state are three ways: give one")
    if options.command_config is not None and options.bootstrap_server is None:
        raise ConfigurationError("--command-config is for a live cluster: give --bootstrap-server too")
    if options.state is not None:
        from warden.files.json_files import read_json

        return {None: read_json(options.state, "a cluster state")}
    if options.bootstrap_server is not None:
        from warden.sources.kafka.collect import collect
        from warden.sources.kafka.security import read_properties

        security = read_properties(options.command_config) if options.command_config else {}
        state = collect(options.bootstrap_server, security=security)
        return {options.cluster or state["meta"]["clusterId"]: state}
    if options.snapshot is not None:
        from warden.snapshot.layout import latest_partitions

        return {part.cluster: part for part in latest_partitions(options.snapshot)}
    return {}


def _cluster_of(declared: "Declared", options: CheckOptions, states: Mapping[str | None, Any]) -> str:
    only = next(iter(states)) if len(states) == 1 else None
    if options.bootstrap_server is not None:
        return str(only)
    name = options.cluster or declared.cluster or only
    if name is None and len(states) > 1:
        raise ConfigurationError(
            f"{declared.file}:{declared.line}: the cluster of {declared.name} is not known: give --cluster"
        )
    return name or UNNAMED


def _clusters(
    declared: "Sequence[Declared]", options: CheckOptions, states: Mapping[str | None, Any]
) -> "Iterator[tuple[str, Cluster]]":
    from warden.check.decisions import Cluster
    from warden.snapshot.store import read_partition

    for name in dict.fromkeys(str(one.cluster) for one in declared):
        found = states.get(name, states.get(None))
        if options.snapshot is not None:
            if found is None:
                first = next(one for one in declared if one.cluster == name)
                known = ", ".join(sorted(map(str, states)))
                raise ConfigurationError(
                    f"{first.file}:{first.line}: the snapshot has no cluster {name}, it has {known}: give --cluster"
                )
            found = read_partition(found)
        yield name, Cluster(name, found)
