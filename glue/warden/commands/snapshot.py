"""``warden snapshot``: read live clusters into a snapshot directory."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from warden.base.errors import ConfigurationError
from warden.base.extras import check_extras
from warden.base.files.address import Address, Place
from warden.commands import EXIT_ERROR, EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.options import COMMAND_CONFIG, REQUEST_TIMEOUT, group, option, read_login, with_options
from warden.commands.shared.place_option import LocalPath, PlaceType
from warden.commands.shared.spark_options import SparkOptions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from warden.state.sources.kafka.read.collect import Progress

__all__ = ["SnapshotOptions", "command", "take_snapshot"]


@dataclass(frozen=True, kw_only=True)
class SnapshotOptions:
    """The cluster, or clusters, to read, and where to write."""

    bootstrap_server: str | None = option(
        "--bootstrap-server", metavar="HOST:PORT", help="Broker to connect to; several with commas."
    )
    cluster: str | None = option(
        "--cluster", metavar="NAME", help="Its name in policies, settings and reports.  [default: Kafka's cluster id]"
    )
    command_config: Path | None = option("--command-config", **COMMAND_CONFIG)
    clusters: Path | None = option(
        "--clusters",
        type=LocalPath(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="YAML list of many clusters, which Spark reads side by side; in place of --bootstrap-server.",
    )
    out: Place = option(
        "--out",
        required=True,
        type=PlaceType(file_okay=False),
        metavar="DIR",
        help="The snapshot directory, or its address (s3a://…); may exist.",
    )
    format: Literal["jsonl", "parquet"] = option(
        "--format",
        type=Choice(["jsonl", "parquet"]),
        default="parquet",
        show_default=True,
        help="How rows are stored.",
    )
    sees_all: bool = option(
        "--sees-all",
        is_flag=True,
        help="State that the login sees all topics, where it may not read the ACLs that would show it.",
    )
    timeout: float = option("--timeout", default=15.0, **REQUEST_TIMEOUT)
    spark: SparkOptions = group(SparkOptions)


@click.command(short_help="Read live clusters into a snapshot directory.")
@with_options(SnapshotOptions)
def command(options: SnapshotOptions) -> int:
    """Read topics, configurations, brokers, ACLs, quotas and groups of live clusters, Kafka 2.8 to 4.x.

    The snapshot has one directory for each day and cluster; the same cluster on the same day is replaced.
    `warden scan` evaluates it. What a cluster does not show is named on stderr and in the snapshot (meta.missing).
    With --clusters each cluster is a task of Spark; one that cannot be read is named, does not keep the others from
    being written, and makes the exit status 2. --out may be an address of Spark's file systems (s3a://…).

    \b
    Examples:
      warden snapshot --bootstrap-server localhost:9092 --cluster dev --out snapshots
      warden snapshot --bootstrap-server b1:9093,b2:9093 --cluster prod-eu --out snapshots \\
                      --command-config client.properties --format jsonl
      warden snapshot --clusters clusters.yaml --out snapshots
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    if (options.bootstrap_server is None) == (options.clusters is None):
        raise ConfigurationError("say what to read: --bootstrap-server, or --clusters, and not both")
    if options.format == "parquet":
        check_extras("kafka", "pyarrow")
    if options.clusters is not None:
        return _take_snapshots(options, options.clusters)
    security = read_login(options.command_config)
    if isinstance(options.out, Path):
        _take_snapshot(options, nullcontext(options.out), security)
        return EXIT_OK
    options.spark.check_places({"--out": options.out})
    check_extras("pyspark")
    with options.spark.open_session() as spark:
        _take_snapshot(options, _open_directory(options.out, spark), security)
    return EXIT_OK


def _take_snapshots(options: SnapshotOptions, listed: Path) -> int:
    from warden.base.process.progress import print_status
    from warden.state.sources.kafka.clusters import read_clusters

    for name, value in (("--cluster", options.cluster), ("--command-config", options.command_config)):
        if value is not None:
            raise ConfigurationError(f"{name} is for one cluster, and --clusters names many: leave out one of them")
    options.spark.check_places({"--out": options.out})
    clusters = read_clusters(listed)
    with options.spark.open_session() as spark:
        from spark_jobs.analyse.snapshot_clusters import take_snapshots
        from spark_jobs.common.errors import translate_errors

        master = str(spark.conf.get("spark.master", ""))
        if isinstance(options.out, Address) and not master.startswith("local"):
            raise ConfigurationError(
                f"--out {options.out}: many clusters are read by tasks, and those of {master} are on other machines: "
                "leave out --master, or give a directory that all see"
            )
        with translate_errors(), _open_directory(options.out, spark) as directory:
            rows = take_snapshots(spark, clusters, directory, format=options.format, timeout=options.timeout)
    for row in rows:
        for line in row["missing"]:
            print_status(f"{row['cluster']}: not shown: {line}")
        written = f"{row['topics'] or 0:,} topics, written to {options.out}"
        said = (row["error"] or written).replace(str(directory), str(options.out))  # not of the copy
        print_status(f"{row['cluster']}: {said}")
    return EXIT_ERROR if any(row["error"] for row in rows) else EXIT_OK


def take_snapshot(
    bootstrap_server: str, cluster: str | None, out: Path, *, security: Mapping[str, str] | None = None
) -> None:
    """Read a live cluster into a snapshot directory and say on stderr how that goes and what was written.

    Args:
        bootstrap_server: ``host:port``, several separated by commas.
        cluster: Its name; None for the id that Kafka gave it.
        out: The snapshot directory; made when it is missing.
        security: Kafka's client properties, see `warden.state.sources.kafka.login.security`.

    Raises:
        ConfigurationError, KafkaError: As `warden.state.sources.kafka.read.collect.collect`.
        InputError: Nothing can be written there.
    """
    options = SnapshotOptions(bootstrap_server=bootstrap_server, cluster=cluster, out=out)
    _take_snapshot(options, nullcontext(out), security)


def _take_snapshot(
    options: SnapshotOptions, opened: AbstractContextManager[Path], security: Mapping[str, str] | None
) -> None:
    from warden.state.snapshot.directory import write_snapshot
    from warden.state.sources.kafka.read.collect import collect

    with opened as directory:
        with _show_progress() as progress:
            state = collect(
                str(options.bootstrap_server),
                security=security,
                timeout=options.timeout,
                stated=options.sees_all,
                progress=progress,
            )
        name = options.cluster or state["meta"]["clusterId"]
        observed = datetime.fromisoformat(state["meta"]["observedAt"])
        write_snapshot(directory, name, state, day=observed.date(), format=options.format, partial=True)
    for line in state["meta"]["missing"]:
        print(f"warden: not reported: {line}", file=sys.stderr)
    print(f"warden: {name}: {_format_counts(state)}, written to {options.out}", file=sys.stderr)


def _open_directory(out: Place, spark: "SparkSession") -> AbstractContextManager[Path]:
    """Where a snapshot is written: that for an address is a copy, which Spark puts there at the end."""
    if isinstance(out, Path):
        return nullcontext(out)
    from spark_jobs.scan.remote.remote_snapshot import open_remote_snapshot

    return open_remote_snapshot(spark, out)


@contextmanager
def _show_progress() -> "Iterator[Progress]":
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


def _format_counts(state: dict[str, Any]) -> str:
    """What was read, in numbers; nothing of what is not known."""
    counts = {
        "topic": len(state["topics"]),
        "partition": sum(topic["numPartitions"] for topic in state["topics"].values()),
        **({"group": len(state["groups"])} if "groups" in state else {}),
        **({"ACL": sum(map(len, state["acls"].values()))} if "acls" in state else {}),
    }
    return ", ".join(f"{count:,} {name}{'' if count == 1 else 's'}" for name, count in counts.items())
