"""Warm programs are what a test would have started, are used once, and end with their keeper."""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.patience import PATIENCE
from tests.warm import borrow
from tests.warm.borrow import BorrowedProcess, open_broker, open_opa
from tests.warm.keeper import Keeper
from warden.base.errors import WardenError
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import Bundle
from warden.state.sources.kafka.login.connection import connect

pytestmark = [pytest.mark.slow, pytest.mark.process]

_SPARK = """
import os
from tests.fixtures.spark import SMALL
from tests.warm.borrow import open_spark

with open_spark(SMALL) as spark:
    parent = spark._jvm.java.lang.ProcessHandle.current().parent().get().pid()
    print(spark.range(5).count(), "here" if parent == os.getpid() else "borrowed")
"""


@pytest.fixture
def kept() -> Iterator["queue.Queue[str]"]:
    """The lines of a keeper that keeps two programs, and of which this test's programs are borrowed."""
    lines: queue.Queue[str] = queue.Queue()
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        socket = Path(name) / "warm" / "socket"
        patch.setenv("WARDEN_TEST_WARM", str(socket))
        keeper = Keeper(socket, 2, lines.put)
        running = threading.Thread(target=keeper.run)
        running.start()
        yield lines
        keeper.close()
        running.join(PATIENCE)
        assert not running.is_alive()
        assert not socket.exists()


def _names(broker: LocalBroker) -> set[str]:
    with connect(broker.bootstrap_servers, timeout=PATIENCE) as connection:
        return set(connection.admin.list_topics())


def test_a_broker_is_borrowed_empty_and_ends_with_who_borrowed_it(kept: "queue.Queue[str]") -> None:
    """The first is started here; the next has no topic of the first, restarts with its own, and leaves nothing."""
    directories, pids = [], []
    for turn in range(2):
        with open_broker(properties={"num.partitions": "3"}) as broker:
            assert isinstance(broker._process, BorrowedProcess) == bool(turn)
            assert _names(broker) == set()
            run_tool(broker, "TopicCommand", "--create", "--topic", "a")
            broker.restart()
            assert _names(broker) == {"a"}
            directories.append(broker._directory)
            pids.append(broker.pid)
        assert kept.get(timeout=PATIENCE) == "broker: 1 ready"
    assert not any(directory and directory.exists() for directory in directories)
    assert not any(pid and Path(f"/proc/{pid}").exists() for pid in pids)


def test_a_second_keeper_is_refused(kept: "queue.Queue[str]") -> None:
    """It would take the socket from the first, which nobody would reach any more."""
    with pytest.raises(WardenError, match="another keeper listens at"):
        Keeper(Path(os.environ["WARDEN_TEST_WARM"]), 2, kept.put)


def test_what_would_be_started_otherwise_is_not_borrowed(
    kept: "queue.Queue[str]", monkeypatch: pytest.MonkeyPatch, opa_binary: Path, shipped_bundle: Bundle
) -> None:
    """An OPA of other policies, and one that other files of Python have started, stay where they are."""
    edited = replace(shipped_bundle, revision="another")

    def is_borrowed(bundle: Bundle) -> bool:
        with open_opa(bundle, opa_binary) as opa, opa.build_client() as client:
            assert client.read_revision() == shipped_bundle.revision
            return isinstance(opa._require_started().process, BorrowedProcess)

    assert not is_borrowed(shipped_bundle)
    assert kept.get(timeout=PATIENCE) == "opa: 1 ready"
    assert is_borrowed(shipped_bundle)
    assert kept.get(timeout=PATIENCE) == "opa: 1 ready"
    assert not is_borrowed(edited)
    assert kept.get(timeout=PATIENCE) == "opa: 1 ready"
    monkeypatch.setattr(borrow, "hash_sources", lambda: "another")
    assert not is_borrowed(shipped_bundle)


def test_a_spark_is_borrowed(kept: "queue.Queue[str]") -> None:
    """The second session is in a JVM that it has not started."""

    def run() -> str:
        command = [sys.executable, "-c", _SPARK]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(CHECKOUT), *sys.path])}
        done = subprocess.run(command, cwd=CHECKOUT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout.strip()

    assert run() == "5 here"
    assert kept.get(timeout=PATIENCE) == "spark: 1 ready"
    assert run() == "5 borrowed"
