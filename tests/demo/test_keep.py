"""`warden demo --keep`: what it prints is what a shell needs, and what it proposes does what it is there for."""

import shlex
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from warden.base.errors import KafkaError
from warden.commands.topics import command as topics
from warden.console.config import ConsoleConfig, read_console_config
from warden.demo.keep import COMMANDS, keep_running
from warden.demo.local_broker import LocalBroker

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


def test_the_first_two_commands(broker: LocalBroker) -> None:
    """Under the profile for one broker a good topic is allowed with one copy and a bad one denied; then all ends."""
    ended, lines = threading.Event(), list[str]()
    done: list[tuple[int, str]] = []
    consoles: list[ConsoleConfig] = []

    def say(line: str) -> None:
        lines.append(line)
        if COMMANDS[-1] in line:
            done.extend(_create(lines, command) for command in COMMANDS[:2])
            ended.set()
        if "warden console --config " in line:
            consoles.append(read_console_config(Path(line.rpartition(" ")[2])))

    keep_running(broker, say, ended, Path("build/runs"))

    assert [0, 1] == [status for status, _ in done]
    assert "shop.orders.placed" in done[0][1]
    assert "deny KFK-SIZ-001" in done[1][1]
    (console,) = consoles
    assert console.opa is not None
    assert console.opa.token is not None
    assert console.decisions.files[0].name == "opa.log"
    assert "KFK-DUR-001" not in done[0][1] + done[1][1]


def test_a_broker_that_ends() -> None:
    """Nobody is left with an OPA beside a broker that is gone."""
    with pytest.raises(KafkaError, match="has ended by itself"):
        keep_running(_Gone(), lambda _: None, threading.Event(), Path("build/runs"))


class _Gone(LocalBroker):
    """A broker that has been killed."""

    bootstrap_servers = "127.0.0.1:9"
    is_alive = False


def _create(lines: list[str], command: str) -> tuple[int, str]:
    variables = dict(line.removeprefix("export ").split("=", 1) for line in lines if line.startswith("export "))
    line = command.removeprefix("warden topics ").replace("$BROKER", variables["BROKER"])
    arguments = [*shlex.split(line), "--validate-only"]
    result = CliRunner().invoke(topics, arguments, env=variables, standalone_mode=False, catch_exceptions=False)
    return result.return_value, result.output
