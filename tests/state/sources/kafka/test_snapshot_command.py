"""``warden snapshot`` from the command line to the directory on disk."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.fixtures.brokers.tools import run_tool
from tests.policy.opa.seeded import NAMED, secret
from warden.base.errors import KafkaUnreachable
from warden.commands.snapshot import command
from warden.demo.local_broker import LocalBroker
from warden.state.snapshot.directory import read_cluster
from warden.state.sources.kafka.read.collect import collect


@pytest.mark.kafka
@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_what_is_written_is_what_the_cluster_is(broker: LocalBroker, tmp_path: Path, format: str) -> None:
    """Reading the snapshot gives the state that reading the cluster gives, but for the time of it."""
    arguments = ["--bootstrap-server", broker.bootstrap_servers, "--cluster", "dev/1", "--out", str(tmp_path)]
    result = CliRunner().invoke(command, [*arguments, "--format", format], standalone_mode=False)
    written, live = read_cluster(tmp_path, "dev/1"), collect(broker.bootstrap_servers)
    for state in (written, live):
        del state["meta"]["observedAt"]

    assert (None, 0) == (result.exception, result.return_value)
    assert live == written
    assert result.stderr.splitlines() == [
        *[f"warden: reading {part}" for part in ("brokers", "topics", "groups", "access control lists and quotas")],
        "warden: not reported: users: the listener SASL_PLAINTEXT takes users whom Kafka cannot list",
        f"warden: dev/1: 3 topics, 7 partitions, 1 group, 3 ACLs, written to {tmp_path}",
    ]


@pytest.mark.kafka
def test_secrets_of_brokers(broker: LocalBroker, tmp_path: Path) -> None:
    """Neither Kafka's own passwords nor what anybody sets by a name of his own are written, and the rest is."""
    odd = [name for name in NAMED if not name.startswith(("delegation.", "listener.", "sasl.", "ssl."))]
    values = {**{name: secret(number) for number, name in enumerate(odd)}, "log.cleaner.threads": "2"}
    entity = ["--alter", "--entity-type", "brokers", "--entity-default"]
    tool = "kafka.admin.ConfigCommand"
    run_tool(broker, tool, *entity, "--add-config", ",".join(f"{name}={value}" for name, value in values.items()))
    try:
        written = CliRunner().invoke(
            command,
            [
                "--bootstrap-server",
                broker.bootstrap_servers,
                "--cluster",
                "c",
                "--out",
                str(tmp_path),
                "--format",
                "jsonl",
            ],
            standalone_mode=False,
        )
    finally:
        run_tool(broker, tool, *entity, "--delete-config", ",".join(values))
    texts = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]

    assert (None, 0) == (written.exception, written.return_value)
    assert "2" == read_cluster(tmp_path, "c")["brokers"]["1"]["configs"]["log.cleaner.threads"]
    assert 20 <= len(odd)
    assert [] == [name for name, value in values.items() for text in texts if value in text and name in odd]


@pytest.mark.kafka
def test_a_login_and_what_it_may_not_see(
    broker: LocalBroker, login: Callable[[str], Path], password: str, tmp_path: Path
) -> None:
    """--command-config logs in; each part that is not reported has its line; the cluster's own id is its name."""
    out = tmp_path / "out"
    arguments = ["--bootstrap-server", broker.sasl_bootstrap_servers, "--out", str(out)]
    result = CliRunner().invoke(command, [*arguments, "--command-config", str(login(password))], standalone_mode=False)

    assert (None, 0) == (result.exception, result.return_value)
    assert ["audit"] == list(read_cluster(out, "d2FyZGVuLWxvY2FsLTAwMQ")["topics"])
    assert 15 == sum(line.startswith("warden: not reported: ") for line in result.stderr.splitlines())


def test_an_unreachable_cluster_leaves_nothing_behind(tmp_path: Path) -> None:
    """The error is for the command line to print; no directory is made."""
    out = tmp_path / "out"
    arguments = ["--bootstrap-server", "localhost:1", "--cluster", "c", "--out", str(out)]
    result = CliRunner().invoke(command, arguments, standalone_mode=False)

    assert isinstance(result.exception, KafkaUnreachable)
    assert not out.exists()
