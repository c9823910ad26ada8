"""``warden upgrade-check``: which stored lists the next release of Kafka would refuse or read otherwise."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.cli.asked import at_opa, opened_opa

if TYPE_CHECKING:
    from warden.upgrade.stored import Finding

__all__ = ["command"]


@click.command()
@click.argument("snapshot", type=click.Path(path_type=Path), required=False)
@click.option("--from", "before", required=True, metavar="RELEASE", help="The release that runs, such as 3.9.")
@click.option("--to", "after", required=True, metavar="RELEASE", help="The release to come, such as 4.2.")
@click.option("--bootstrap-server", metavar="HOST:PORT", help="A live cluster in place of SNAPSHOT.")
@click.option("--cluster", metavar="NAME", help="Only this cluster of the snapshot, or the live one's name.")
@click.option(
    "--command-config",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Kafka client properties, for a live cluster.",
)
@at_opa
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def command(
    snapshot: Path | None,
    before: str,
    after: str,
    bootstrap_server: str | None,
    cluster: str | None,
    command_config: Path | None,
    url: str | None,
    token: str | None,
    output: str,
) -> int:
    """Name every stored list value (KIP-1161) that another release of Kafka would refuse or read otherwise.

    Judged are the overrides of brokers and topics, of each cluster in the snapshot directory SNAPSHOT (its newest day)
    or of a live one. For many snapshots there is a Spark job, spark_jobs/upgrade_check.py.

    Exit status: 0 nothing changes, 1 something does, 2 nothing was decided.

    \b
    Examples:
      warden upgrade-check --from 3.9 --to 4.2 snapshots
      warden upgrade-check --from 3.9 --to 4.2 --bootstrap-server localhost:9092 --output json
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.errors import ConfigurationError
    from warden.upgrade.stored import findings, stored

    if (snapshot is None) == (bootstrap_server is None):
        raise ConfigurationError("say what to judge: a snapshot directory, or --bootstrap-server, and not both")
    names: list[str] = []
    found: list[Finding] = []
    with opened_opa(url, token, None) as opa:
        for name, state in _states(snapshot, bootstrap_server, cluster, command_config):
            names.append(name)
            asked = stored(name, state)
            found += findings(asked, partial(opa.evaluate, "kafka/lists/upgrade"), before=before, after=after)
    if output == "json":
        document = {"from": before, "to": after, "clusters": names, "findings": [one._asdict() for one in found]}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(_lines(names, found, after)))
    return EXIT_DENIED if found else EXIT_OK


def _states(
    snapshot: Path | None, bootstrap_server: str | None, cluster: str | None, command_config: Path | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    if bootstrap_server is not None:
        from warden.kafka.collect import collect
        from warden.kafka.security import read_properties

        security = read_properties(command_config) if command_config else {}
        state = collect(bootstrap_server, security=security)
        yield cluster or state["meta"]["clusterId"], state
    elif snapshot is not None:
        from warden.snapshot.layout import latest_partitions
        from warden.snapshot.store import read_cluster, read_partition

        if cluster is not None:
            yield cluster, read_cluster(snapshot, cluster)
        else:
            yield from ((part.cluster, read_partition(part)) for part in latest_partitions(snapshot))


def _lines(names: Sequence[str], found: "Iterable[Finding]", after: str) -> Iterator[str]:
    by_cluster = {name: list(group) for name, group in groupby(found, key=lambda one: one.cluster)}
    for name in names:
        own = by_cluster.get(name, [])
        refused = sum(one.outcome == "refused" for one in own)
        yield f"{name}: Kafka {after} would refuse {refused} and reinterpret {len(own) - refused} of the lists stored"
        for one in own:
            value = json.dumps(one.value, ensure_ascii=False)
            yield f"  {one.outcome} {one.component} {one.resource}: {one.config}={value}"
            yield f"    {one.message}"
