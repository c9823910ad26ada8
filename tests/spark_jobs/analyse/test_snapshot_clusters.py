"""Snapshots of many live clusters, which Spark reads side by side."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from tests.fixtures.patience import PATIENCE
from warden.base.errors import ConfigurationError
from warden.commands.snapshot import command
from warden.demo.local_broker import LocalBroker
from warden.state.snapshot.directory import read_cluster
from warden.state.snapshot.layout import list_partitions
from warden.state.sources.kafka.clusters import ListedCluster
from warden.state.sources.kafka.read.collect import collect

pytestmark = [pytest.mark.kafka, pytest.mark.spark]


def test_snapshots_of_many_clusters(spark: Any, broker: LocalBroker, tmp_path: Path) -> None:
    """Each cluster is written whole; one that cannot be reached is reported, and keeps none of the others."""
    from spark_jobs.analyse.snapshot_clusters import take_snapshots

    clusters = [
        ListedCluster(name="gone", bootstrap_servers="127.0.0.1:9"),
        ListedCluster(name="one", bootstrap_servers=broker.bootstrap_servers),
        ListedCluster(name="two", bootstrap_servers=broker.bootstrap_servers),
    ]
    gone, one, two = take_snapshots(spark, clusters, tmp_path / "s", timeout=PATIENCE)
    expected = collect(broker.bootstrap_servers)["topics"]

    assert (gone["topics"], "127.0.0.1:9" in gone["error"]) == (None, True)
    assert [(len(expected), None)] * 2 == [(row["topics"], row["error"]) for row in (one, two)]
    assert ["one", "two"] == [part.cluster for part in list_partitions(tmp_path / "s")]
    assert expected == read_cluster(tmp_path / "s", "two")["topics"]


@pytest.mark.parametrize("is_remote", [False, True])
def test_command(spark: Any, broker: LocalBroker, store: Path, tmp_path: Path, is_remote: bool) -> None:
    """The command names each cluster with its error or what was written, and ends with 2 as one failed."""
    out = "viewfs://estate/store/s" if is_remote else str(store / "s")
    servers = {"one": broker.bootstrap_servers, "gone": "127.0.0.1:9"}
    listed = [{"name": name, "bootstrapServers": address} for name, address in servers.items()]
    (tmp_path / "clusters.yaml").write_text(yaml.safe_dump({"clusters": listed}))
    arguments = [
        "--clusters",
        str(tmp_path / "clusters.yaml"),
        "--out",
        out,
        "--timeout",
        str(PATIENCE),
    ]
    done = CliRunner().invoke(command, arguments, standalone_mode=False, catch_exceptions=False)
    last, topics = done.stderr.splitlines()[-1], len(collect(broker.bootstrap_servers)["topics"])

    assert 2 == done.return_value
    assert f"warden: one: {topics} topics, written to {out}" in done.stderr.splitlines()
    assert last.startswith("warden: gone: ")
    assert "127.0.0.1:9" in last
    assert ["one"] == [part.cluster for part in list_partitions(store / "s")]


def test_no_cluster_can_be_written(spark: Any, broker: LocalBroker, store: Path, tmp_path: Path) -> None:
    """At an address as in a directory, what is said is why; nothing is put there."""
    name = "n" * 300  # no name of a directory
    listed = [{"name": name, "bootstrapServers": broker.bootstrap_servers}]
    (tmp_path / "clusters.yaml").write_text(yaml.safe_dump({"clusters": listed}))
    arguments = ["--clusters", str(tmp_path / "clusters.yaml"), "--out", "viewfs://estate/store/s"]
    done = CliRunner().invoke(command, arguments, standalone_mode=False, catch_exceptions=False)

    (last,) = done.stderr.splitlines()[-1:]
    assert (2, False) == (done.return_value, (store / "s").exists())
    assert last.startswith(f"warden: {name}: viewfs://estate/store/s: the snapshot cannot be written (")
    assert "File name too long" in last


def test_one_cluster_at_an_address(spark: Any, broker: LocalBroker, store: Path) -> None:
    """What was there of the day is replaced."""
    out = "viewfs://estate/store/s"
    for format in ("jsonl", "parquet"):
        arguments = ["--bootstrap-server", broker.bootstrap_servers, "--cluster", "c", "--out", out, "--format", format]
        done = CliRunner().invoke(command, arguments, standalone_mode=False, catch_exceptions=False)
        assert (0, True) == (done.return_value, f"written to {out}" in done.stderr.splitlines()[-1])

    assert [("c", "parquet")] == [(part.cluster, part.format) for part in list_partitions(store / "s")]
    assert collect(broker.bootstrap_servers)["topics"] == read_cluster(store / "s", "c")["topics"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "say what to read: --bootstrap-server, or --clusters"),
        (["--bootstrap-server", "x:1", "--clusters", "c.yaml"], "say what to read: --bootstrap-server, or --clusters"),
        (["--clusters", "c.yaml", "--cluster", "dev"], "--cluster is for one cluster, and --clusters names many"),
    ],
)
def test_options_that_exclude_each_other(tmp_path: Path, arguments: list[str], said: str) -> None:
    """One sentence, before anything is started."""
    with pytest.raises(ConfigurationError, match=said):
        CliRunner().invoke(command, [*arguments, "--out", str(tmp_path)], standalone_mode=False, catch_exceptions=False)
