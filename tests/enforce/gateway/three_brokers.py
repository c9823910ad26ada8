"""Three KRaft brokers whose clients can come only through a gateway: the addresses that they tell clients are traps."""

import json
import shutil
import socket
import tempfile
import threading
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

import kafka.errors

from tests.fixtures.brokers.three_brokers import QUORUM
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from warden.base.errors import KafkaError, WardenError
from warden.base.http.ports import list_free_ports
from warden.base.process.child_process import Process
from warden.base.process.closing import ManagedProgram
from warden.demo.class_path import build_class_path
from warden.demo.java import run_java, start_java
from warden.state.sources.kafka.login.connection import connect

__all__ = ["IDS", "ThreeBrokers", "Trap", "counted", "move_leader", "topic"]

IDS = (1, 2, 3)
_CLUSTER_ID = "d2FyZGVuLXRocmVlLTAwMQ"


class Trap(ManagedProgram):
    """A port on which nothing answers: it notes who connects, and closes."""

    def __init__(self) -> None:
        self.caught: list[tuple[str, int]] = []
        self._server: socket.socket | None = None
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """Its port."""
        assert self._server is not None
        return int(self._server.getsockname()[1])

    def start(self) -> None:
        """Listen."""
        self._server = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._accept, args=(self._server,), name="trap")
        self._thread.start()

    def stop(self) -> None:
        """Listen no more."""
        if self._server is not None and self._thread is not None:
            with suppress(OSError):
                self._server.shutdown(socket.SHUT_RDWR)
            self._server.close()
            self._thread.join()
            self._server = None

    def _accept(self, server: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connected, peer = server.accept()
                self.caught.append(peer)
                connected.close()


class ThreeBrokers(ManagedProgram):
    """Brokers 1, 2 and 3, each a controller too, on free loopback ports.

    Each has a listener for the others and for the test (`bootstrap_servers`), and one for clients (`addresses`), which
    tells them the port of a trap in place of its own: a client that believes a broker's response is caught.

    Args:
        properties: Further properties of every broker.
        class_path: Of Kafka's programs.
        server: The class path of the brokers, where it is another.
    """

    def __init__(
        self, properties: Mapping[str, str] | None = None, class_path: str | None = None, server: str | None = None
    ) -> None:
        self._properties = dict(properties or {})
        self.class_path = class_path or build_class_path()
        self._server = server or self.class_path
        self.traps = {id_: Trap() for id_ in IDS}
        self._ports: dict[tuple[str, int], int] = {}
        self._processes: dict[int, Process] = {}
        self._directory = Path()
        self._stack = ExitStack()

    @property
    def bootstrap_servers(self) -> str:
        """Addresses that work without a gateway."""
        return ",".join(f"127.0.0.1:{self._ports['PLAINTEXT', id_]}" for id_ in IDS)

    @property
    def addresses(self) -> dict[int, str]:
        """Where a gateway reaches each broker's listener for clients."""
        return {id_: f"127.0.0.1:{self._ports['CLIENTS', id_]}" for id_ in IDS}

    @property
    def caught(self) -> list[tuple[str, int]]:
        """Who came to an address that a broker gave."""
        return [peer for trap in self.traps.values() for peer in trap.caught]

    def start(self) -> None:
        """Start all three, and wait until each knows all of them."""
        self._directory = Path(tempfile.mkdtemp(prefix="warden-kafka-"))
        self._stack.callback(shutil.rmtree, self._directory, ignore_errors=True)
        try:
            for trap in self.traps.values():
                self._stack.enter_context(trap)
            names = [(listener, id_) for listener in ("PLAINTEXT", "CLIENTS", "CONTROLLER") for id_ in IDS]
            self._ports = dict(zip(names, list_free_ports(len(names)), strict=True))
            for id_ in IDS:
                self._format(id_)
            for id_ in IDS:
                self.launch(id_)
            eventually(lambda: all(map(self.knows_all, IDS)), "three brokers that know each other")
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop what runs, and delete its storage."""
        for id_ in list(self._processes):
            self.kill(id_)
        self._stack.close()

    def launch(self, id_: int) -> None:
        """Start a broker, on the ports that it had."""
        directory = self._directory / str(id_)
        self._processes[id_] = start_java(
            "kafka.Kafka",
            [str(directory / "server.properties")],
            class_path=self._server,
            options=["-Xmx320m"],
            directory=directory,
            log=directory / "log",
        )

    def kill(self, id_: int) -> None:
        """End a broker."""
        self._processes.pop(id_).stop()

    def knows_all(self, id_: int) -> bool:
        """Return whether a broker answers and knows all of them.

        Raises:
            KafkaError: It has ended.
        """
        if not self._processes[id_].is_alive:
            log = (self._directory / str(id_) / "log").read_text(errors="replace")
            raise KafkaError(f"broker {id_} ended by itself: {log[-2000:]}")
        failures = (OSError, WardenError, kafka.errors.KafkaError)
        with suppress(*failures), connect(f"127.0.0.1:{self._ports['PLAINTEXT', id_]}") as connection:
            return len(connection.admin.describe_cluster()["brokers"]) == len(IDS)
        return False

    def _format(self, id_: int) -> None:
        directory = self._directory / str(id_)
        directory.mkdir()
        server = directory / "server.properties"
        server.write_text("".join(f"{k}={v}\n" for k, v in {**self._node(id_), **self._properties}.items()))
        arguments = ["format", "--cluster-id", _CLUSTER_ID, "--config", str(server)]
        run_java("kafka.tools.StorageTool", arguments, class_path=self._server)

    def _node(self, id_: int) -> dict[str, str]:
        at = {name: f"{name}://127.0.0.1:{self._ports[name, id_]}" for name in ("PLAINTEXT", "CLIENTS", "CONTROLLER")}
        internal = {
            f"{topic}.{setting}": value
            for topic in ("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")
            for setting, value in (("num.partitions", "2"), ("replication.factor", "3"))
        }
        return {
            **QUORUM,
            **internal,
            "process.roles": "broker,controller",
            "broker.session.timeout.ms": "30000",
            "node.id": str(id_),
            "controller.quorum.voters": ",".join(f"{n}@127.0.0.1:{self._ports['CONTROLLER', n]}" for n in IDS),
            "controller.listener.names": "CONTROLLER",
            "inter.broker.listener.name": "PLAINTEXT",
            "listeners": ",".join(at.values()),
            "advertised.listeners": f"{at['PLAINTEXT']},CLIENTS://127.0.0.1:{self.traps[id_].port}",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs": str(self._directory / str(id_) / "data"),
            "group.initial.rebalance.delay.ms": "0",
        }


def topic(brokers: ThreeBrokers, name: str, partitions: int = 3) -> str:
    """Make a topic on all brokers, without the gateway."""
    numbers = ["--partitions", str(partitions), "--replication-factor", "3"]
    run_tool(brokers, "TopicCommand", "--create", "--topic", name, *numbers)
    return name


def move_leader(brokers: ThreeBrokers, name: str, leader: int) -> None:
    """Have a broker lead partition 0 of a topic, without the gateway."""
    from kafka import TopicPartition

    order = [leader, *(id_ for id_ in IDS if id_ != leader)]
    with connect(brokers.bootstrap_servers) as direct:
        direct.admin.alter_partition_reassignments({TopicPartition(name, 0): order})
        eventually(lambda: not direct.admin.list_partition_reassignments(), "the new order of replicas")

        def leads() -> bool:
            direct.admin.elect_leaders(0, {name: [0]}, raise_errors=False)  # one that lags cannot be elected yet
            return bool(direct.admin.describe_topics([name])[0]["partitions"][0]["leader_id"] == leader)

        eventually(leads, f"broker {leader} leads")


def counted(log: Path, name: str) -> int:
    """How many records one of the verifiable programs has said that it sent or got."""
    if not log.exists():
        return 0
    lines = [
        line for line in log.read_text(errors="replace").splitlines() if line.startswith("{") and line.endswith("}")
    ]
    return sum(line.get("count", 1) for line in map(json.loads, lines) if line["name"] == name)
