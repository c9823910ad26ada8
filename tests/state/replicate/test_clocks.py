"""Two replicators as processes, with a lease, whose clocks are turned: one writes, and it is the same one."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.fixtures.brokers.faketime_parts import Clock
from tests.fixtures.conditions import eventually
from tests.fixtures.warden_process import WardenProcess
from tests.state.replicate.clusters import create, delete, replica_of, same, write_config
from warden.base.errors import ToolchainError

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.slow]

_HOUR = 3600
_NAME = "clocks"


def _clock(path: Path) -> Clock:
    try:
        return Clock(path)
    except ToolchainError as error:
        pytest.skip(str(error))


def _process(directory: Path, document: dict[str, Any], clock: Clock) -> WardenProcess:
    return WardenProcess("replicate", directory, document, **clock.environment)


def test_clocks_that_jump(broker, opa, client, connection, tmp_path):
    """However the leader's or the other's clock jumps, nobody takes over; once the leader is killed the other does."""
    document = yaml.safe_load(write_config(tmp_path, opa, broker, _NAME, lease=30).read_text())
    document["opa"]["token"] = {"file": str(tmp_path / "token")}
    clocks = [_clock(tmp_path / name) for name in ("first", "second")]

    def writers() -> set[str]:
        return set(replica_of(client, _NAME)["meta"]["writer"])

    with _process(tmp_path / "1", document, clocks[0]) as first:
        eventually(lambda: same(client, broker, _NAME), "the first load")
        leader = writers()
        with _process(tmp_path / "2", document, clocks[1]) as second:
            eventually(lambda: _line(second, "another replicator leads"), "looking on")
            led, ahead = [], []
            for number, (clock, seconds) in enumerate((at, by) for at in clocks for by in (_HOUR, -_HOUR, 0)):
                clock.turn(seconds)
                before = replica_of(client, _NAME)["meta"]["observedAt"]
                create(connection, f"clocks.{number}")
                eventually(lambda: same(client, broker, _NAME), "the replica")
                led.append(writers())
                ahead.append(replica_of(client, _NAME)["meta"]["observedAt"] > before)
            os.kill(first.pid, signal.SIGKILL)
            create(connection, "clocks.last")
            eventually(lambda: same(client, broker, _NAME) and writers() != leader, "the other leads")
            assert not _line(second, "defect")
    delete(connection, "clocks.last", *(f"clocks.{number}" for number in range(6)))

    assert [leader] * 6 == led
    assert ahead[:3] == [True, False, True]  # the first one's time of day is what the state says


def _line(process: WardenProcess, message: str) -> bool:
    return any(message in line["message"] for line in process.lines())
