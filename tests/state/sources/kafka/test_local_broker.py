"""The local broker: it is real, it says why it dies, and it leaves nothing behind."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from warden.base.errors import KafkaError
from warden.demo.local_broker import LocalBroker

pytestmark = pytest.mark.kafka


def test_kafkas_own_tools_talk_to_it(broker: LocalBroker) -> None:
    """A tool's output comes back; a bare name is one of org.apache.kafka.tools."""
    assert "audit" in run_tool(broker, "TopicCommand", "--list").splitlines()


def test_starting_it_again_changes_nothing(broker: LocalBroker) -> None:
    """The same process goes on; a second one would be left behind."""
    before = (broker.pid, broker.bootstrap_servers)
    broker.start()

    assert before == (broker.pid, broker.bootstrap_servers)


def test_a_tool_that_fails_says_why(broker: LocalBroker) -> None:
    """The error quotes the tool."""
    with pytest.raises(KafkaError, match=r"TopicCommand failed with status 1: (.|\n)*'audit' already exists"):
        run_tool(broker, "TopicCommand", "--create", "--topic", "audit")


@pytest.mark.parametrize(
    ("properties", "text"),
    [
        ({"num.partitions": "zero"}, "Invalid value zero for configuration num.partitions"),
        (
            {"authorizer.class.name": "no.such.Authorizer"},
            "the local Kafka broker ended by itself: .*no.such.Authorizer",
        ),
    ],
)
def test_a_broker_that_dies_says_why(
    properties: dict[str, str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it runs or while it starts: the log's end is in the error, and its directory is gone."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    broker = LocalBroker(properties=properties)
    with pytest.raises(KafkaError, match=text):
        broker.start()

    assert [] == list(tmp_path.iterdir())
    assert broker.pid is None


def test_it_does_not_outlive_a_process_that_is_killed(tmp_path: Path) -> None:
    """SIGKILL leaves no time to clean up; the broker ends all the same."""
    program = """
        from warden.demo.local_broker import LocalBroker
        broker = LocalBroker(timeout=300)
        broker.start()
        print(broker.pid, flush=True)
        input()
    """
    owner = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)},
    )
    with owner:
        assert owner.stdout
        pid = int(owner.stdout.readline())
        assert _alive(pid)
        owner.send_signal(signal.SIGKILL)
    eventually(lambda: not _alive(pid), f"the end of the broker {pid}")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
