"""``warden snapshot``: read a live cluster into a snapshot directory."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

if TYPE_CHECKING:
    from warden.kafka.collect import Progress

__all__ = ["command", "take_snapshot"]


@click.command(short_help="Read a live cluster into a snapshot directory.")
@click.option(
    "--bootstrap-server", required=True, metavar="HOST:PORT", help="Broker to connect to; several with commas."
)
@click.option(
    "--cluster", metavar="NAME", help="Its name in policies, settings and reports.  [default: Kafka's cluster id]"
)
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The snapshot directory; may exist."
)
@click.option(
    "--format",
    type=click.Choice(["jsonl", "parquet"]),
    default="parquet",
    show_default=True,
    help="How rows are stored.",
)
@click.option(
    "--command-config",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Kafka client properties, as for Kafka's own tools: security.protocol, sasl.jaas.config, ssl.*",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=15.0,
    show_default=True,
    metavar="SECONDS",
    help="How long the connection, and each request after it, may take.",
)
def command(
    bootstrap_server: str,
    cluster: str | None,
    out: Path,
    format: Literal["jsonl", "parquet"],
    command_config: Path | None,
    timeout: float,
) -> int:
    """Read topics, configurations, brokers, ACLs, quotas and groups of a live cluster, Kafka 2.8 to 4.x.

    The snapshot has one directory for each day and cluster; the same cluster on the same day is replaced.
    `warden scan` judges it. What the cluster does not tell is named on stderr and in the snapshot (meta.missing).

    \b
    Examples:
      warden snapshot --bootstrap-server localhost:9092 --cluster dev --out snapshots
      warden snapshot --bootstrap-server b1:9093,b2:9093 --cluster prod-eu --out snapshots \\
                      --command-config client.properties --format jsonl
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.kafka.security import read_properties

    security = read_properties(command_config) if command_config else {}
    take_snapshot(bootstrap_server, cluster, out, format=format, security=security, timeout=timeout)
    return 0


def take_snapshot(
    bootstrap_server: str,
    cluster: str | None,
    directory: Path,
    *,
    format: Literal["jsonl", "parquet"] = "parquet",
    security: Mapping[str, str] | None = None,
    timeout: float = 15.0,
) -> None:
    """Read a live cluster into a snapshot directory and say on stderr how that goes and what was written.

    Args:
        bootstrap_server: ``host:port``, several separated by commas.
        cluster: Its name; None for the id that Kafka gave it.
        directory: The snapshot directory; made when it is missing.
        format: How rows are stored.
        security: Kafka's client properties, see `warden.kafka.security`.
        timeout: Seconds for the connection, and for each request after it.

    Raises:
        ConfigurationError, KafkaError: As `warden.kafka.collect.collect`.
        InputError: The directory cannot be written.
    """
    from warden.kafka.collect import collect
    from warden.snapshot.store import write_snapshot

    with _progress_shown() as progress:
        state = collect(bootstrap_server, security=security, timeout=timeout, progress=progress)
    name = cluster or state["meta"]["clusterId"]
    observed = datetime.fromisoformat(state["meta"]["observedAt"])
    write_snapshot(directory, name, state, day=observed.date(), format=format)
    for line in state["meta"]["missing"]:
        print(f"warden: not told: {line}", file=sys.stderr)
    print(f"warden: {name}: {_counted(state)}, written to {directory}", file=sys.stderr)


@contextmanager
def _progress_shown() -> "Iterator[Progress]":
    """Yield a function that shows on stderr what is being read: a bar on a terminal, a line for each part elsewhere."""
    if not sys.stderr.isatty():
        yield _PlainLines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    with Bar(
        TextColumn("reading {task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, of: bar.update(task, description=what, completed=done, total=of or None)


class _PlainLines:
    """One line for each part."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, what: str, _done: int, _of: int) -> None:
        if what != self._last:
            print(f"warden: reading {what}", file=sys.stderr, flush=True)
        self._last = what


def _counted(state: dict[str, Any]) -> str:
    acls = sum(map(len, state["acls"].values()))
    counts = {
        "topic": state["totals"]["topics"],
        "partition": state["totals"]["partitions"],
        "group": len(state["groups"]),
        "ACL": acls,
    }
    return ", ".join(f"{count:,} {name}{'' if count == 1 else 's'}" for name, count in counts.items())
