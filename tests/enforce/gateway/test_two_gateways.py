"""Two gateways as processes before one cluster, killed in turn while a real client makes topics through both."""

import itertools
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, NewTopic

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.warden_process import WardenProcess
from warden.base.http.ports import list_free_ports
from warden.demo.local_broker import LocalBroker
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.slow]

_SECONDS = 20
_PARTITIONS = {True: 1, False: 99}  # of a topic that policy allows, and of one that it denies


class _Client:
    """Makes topics through gateways, of which one is there, and knows what became of each."""

    def __init__(self, ports: list[int]) -> None:
        servers = ",".join(f"127.0.0.1:{port}" for port in ports)
        limits: dict[str, str | int | float | bool] = {
            "socket.timeout.ms": 1000 * _SECONDS,
            "reconnect.backoff.max.ms": 500,
        }
        self._admin = AdminClient({"bootstrap.servers": servers, "log_level": 0, **limits})
        self._names = ("two." + "".join(letters) for letters in itertools.product("abcdefgh", repeat=3))
        self.made: set[str] = set()
        self.allowed: set[str] = set()
        self.denied: set[str] = set()

    def make(self, *, is_good: bool) -> bool:
        """Make one, and return whether it was decided."""
        name = next(self._names)
        topic = NewTopic(name, _PARTITIONS[is_good], 1, config={"retention.ms": "600000"})
        future = self._admin.create_topics([topic], request_timeout=_SECONDS)[name]
        if is_good:
            self.made.add(name)
        try:
            future.result(PATIENCE)
        except KafkaException as error:
            if "KFK-" not in error.args[0].str():
                return False
            self.denied.add(name)
        else:
            self.allowed.add(name)
        return True

    def make_many(self, number: int) -> None:
        """Make topics of both kinds in turn, so many that are decided."""
        for is_good in itertools.islice(itertools.cycle((True, False)), number):
            eventually(lambda: self.make(is_good=is_good), "it is decided")  # noqa: B023 - called at once


@pytest.fixture
def gateways(
    broker: LocalBroker, gateway_opa: LocalOpa, replicate, tmp_path: Path
) -> Iterator[tuple[list[WardenProcess], list[int]]]:
    """Two gateways that run, and their ports."""
    (tmp_path / "token").write_text(gateway_opa.tokens.query, encoding="utf-8")
    own = {"name": "gate", "advertisedHost": "127.0.0.1", "bind": "127.0.0.1", "authentication": "none"}
    ports = list_free_ports(2)
    with ExitStack() as running:
        started = []
        for port in ports:
            listed = [{"id": 1, "address": broker.bootstrap_servers, "port": port}]
            opa = {"url": gateway_opa.url, "token": {"file": str(tmp_path / "token")}, "timeout": 60}
            document = {"opa": opa, "clusters": [{**own, "brokers": listed}]}
            started.append(running.enter_context(WardenProcess("gateway", tmp_path / str(port), document)))
        yield started, ports


def test_each_is_killed_in_turn(gateways, connection):
    """Decisions go on through the other; what was acknowledged is there, and nothing that was denied or not decided."""
    (first, second), ports = gateways
    client = _Client(ports)
    client.make_many(8)
    os.kill(first.pid, signal.SIGKILL)
    client.make_many(8)
    first.stop()
    first.log.unlink()
    first.start()
    os.kill(second.pid, signal.SIGKILL)
    client.make_many(8)

    eventually(lambda: client.allowed <= {*connection.admin.list_topics()}, "brokers know of all topics")
    stored = {name for name in connection.admin.list_topics() if name.startswith("two.")}
    connection.admin.delete_topics(sorted(stored))
    assert stored <= client.made
    assert (12, 12) == (len(client.allowed), len(client.denied))
