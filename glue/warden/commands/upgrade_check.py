"""``warden upgrade-check``: find what the next release of Kafka refuses, does not know, or reads otherwise."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.base.errors import ConfigurationError
from warden.base.extras import check_extras
from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.opa_options import with_running_opa
from warden.commands.shared.options import COMMAND_CONFIG, argument, group, option, read_login, with_options
from warden.commands.shared.place_option import LocalPath
from warden.commands.shared.spark_options import SparkOptions

if TYPE_CHECKING:
    from warden.analyse.upgrade.snapshot_upgrade import UpgradeFinding
    from warden.policy.opa.session import OpaOptions

__all__ = ["UpgradeOptions", "command"]


@dataclass(frozen=True, kw_only=True)
class UpgradeOptions:
    """The two releases, and whose stored values to read."""

    snapshots: tuple[Path, ...] = argument(type=LocalPath(path_type=Path), nargs=-1, metavar="[SNAPSHOT]…")
    before: str = option("--from", required=True, metavar="RELEASE", help="The release that runs, such as 3.9.")
    after: str = option("--to", required=True, metavar="RELEASE", help="The release to come, such as 4.2.")
    bootstrap_server: str | None = option(
        "--bootstrap-server", metavar="HOST:PORT", help="A live cluster in place of SNAPSHOT."
    )
    cluster: str | None = option(
        "--cluster", metavar="NAME", help="Only this cluster of the snapshots, or the live one's name."
    )
    command_config: Path | None = option("--command-config", **COMMAND_CONFIG)
    out: Path | None = option(
        "--out",
        type=LocalPath(path_type=Path),
        metavar="DIR",
        help="Let Spark evaluate the snapshots, and write the findings to DIR as Parquet; DIR is replaced.",
    )
    spark: SparkOptions = group(SparkOptions)
    output: str = option(
        "--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print."
    )


@click.command()
@with_options(UpgradeOptions)
@with_running_opa
def command(options: UpgradeOptions, opa: "OpaOptions") -> int:
    """Name everything that another release of Kafka would refuse, not know any more or read otherwise.

    Evaluated are the configs of brokers, topics and groups, the defaults that brokers leave as they are, the hosts of
    ACLs, and the features, of each cluster in the snapshot directories SNAPSHOT (its newest day) or of a live one. With
    --out, Spark does so for many and large snapshots; its tasks need --opa-url.

    Exit status: 0 nothing has to be done, 1 something is refused, not known or read otherwise, 2 nothing was decided.
    Defaults that change are shown, and are no reason for 1.

    \b
    Examples:
      warden upgrade-check --from 3.9 --to 4.2 snapshots
      warden upgrade-check --from 3.9 --to 4.2 --bootstrap-server localhost:9092 --output json
      warden upgrade-check --from 3.9 --to 4.2 --opa-url http://127.0.0.1:8181 --out findings snapshots archive
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    if bool(options.snapshots) == (options.bootstrap_server is not None):
        raise ConfigurationError("say what to evaluate: a snapshot directory, or --bootstrap-server, and not both")
    if options.out is not None:
        return _evaluate_with_spark(options, options.out, opa)
    from warden.analyse.upgrade.snapshot_upgrade import (
        DEFAULT_OUTCOME,
        iter_findings,
        iter_stored_configs,
        list_gaps,
        read_upgrade,
    )
    from warden.analyse.upgrade.text import iter_lines
    from warden.policy.opa.session import open_session

    gaps: dict[str, list[str]] = {}
    changed: list[UpgradeFinding] = []
    with open_session(opa) as session, session.build_client() as client:
        upgrade = read_upgrade(client, options.before, options.after)
        for name, state in _iter_states(options):
            gaps[name] = list_gaps(state, gaps.get(name, ()))
            changed += iter_findings(iter_stored_configs(name, state), upgrade, client.post_raw)
    if options.output == "json":
        _print_json(options, gaps, upgrade.notes, {"findings": [finding._asdict() for finding in changed]})
    else:
        click.echo("\n".join([*iter_lines(gaps, changed, options.after), *upgrade.notes]))
    return EXIT_OK if all(finding.outcome == DEFAULT_OUTCOME for finding in changed) else EXIT_DENIED


def _evaluate_with_spark(options: UpgradeOptions, out: Path, opa: "OpaOptions") -> int:
    """Write the findings, and print how many each cluster has."""
    if not opa.urls or not options.snapshots or options.cluster is not None:
        raise ConfigurationError(
            "--out is for whole snapshots, and for an OPA that Spark's tasks reach: give SNAPSHOT and --opa-url, "
            "and leave out --cluster"
        )
    check_extras("pandas", "pyarrow", "pyspark")
    from warden.analyse.upgrade.snapshot_upgrade import DEFAULT_OUTCOME, list_gaps, read_upgrade
    from warden.analyse.upgrade.text import iter_headline
    from warden.policy.opa.session import open_session
    from warden.state.snapshot.directory import read_without_topics
    from warden.state.snapshot.layout import select_latest_partitions

    with open_session(opa) as session:
        with session.build_client() as client:
            upgrade = read_upgrade(client, options.before, options.after)
        partitions = [partition for snapshot in options.snapshots for partition in select_latest_partitions(snapshot)]
        gaps: dict[str, list[str]] = {}
        for partition in partitions:
            gaps[partition.cluster] = list_gaps(read_without_topics(partition), gaps.get(partition.cluster, ()))
        with options.spark.open_session() as spark:
            from spark_jobs.analyse.upgrade import find_upgrade_problems, read_stored_configs, write_findings
            from spark_jobs.common.errors import translate_errors

            with translate_errors():
                rows = read_stored_configs(spark, options.snapshots)
                counts = write_findings(find_upgrade_problems(rows, session.endpoint, upgrade), out)
    if options.output == "json":
        _print_json(options, gaps, upgrade.notes, {"directory": str(out), "counts": counts})
    else:
        heads = (iter_headline(name, options.after, counts.get(name, {}), gaps[name]) for name in gaps)
        click.echo("\n".join([*(line for head in heads for line in head), *upgrade.notes]))
    return EXIT_OK if all(set(of_one) <= {DEFAULT_OUTCOME} for of_one in counts.values()) else EXIT_DENIED


def _iter_states(options: UpgradeOptions) -> Iterator[tuple[str, dict[str, Any]]]:
    if options.bootstrap_server is not None:
        from warden.state.sources.kafka.read.collect import collect

        security = read_login(options.command_config)
        state = collect(options.bootstrap_server, security=security)
        yield options.cluster or state["meta"]["clusterId"], state
        return
    from warden.state.snapshot.directory import read_cluster, read_partition
    from warden.state.snapshot.layout import select_latest_partitions

    for snapshot in options.snapshots:
        if options.cluster is not None:
            yield options.cluster, read_cluster(snapshot, options.cluster)
        else:
            yield from (
                (partition.cluster, read_partition(partition)) for partition in select_latest_partitions(snapshot)
            )


def _print_json(
    options: UpgradeOptions, gaps: Mapping[str, list[str]], notes: Sequence[str], document: Mapping[str, Any]
) -> None:
    whole = {"from": options.before, "to": options.after, "clusters": list(gaps), **document}
    whole |= {"notes": notes, "unknown": {name: gap for name, gap in gaps.items() if gap}}
    click.echo(json.dumps(whole, indent=2, ensure_ascii=False))
