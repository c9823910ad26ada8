"""A real Kafka broker on this machine: one KRaft node, broker and controller in one."""

import os
import shutil
import socket
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from warden.base.errors import KafkaError, WardenError
from warden.base.files.private import write_private
from warden.base.http.ports import list_free_ports
from warden.base.process.child_process import Process
from warden.base.process.closing import ManagedProgram
from warden.demo.class_path import build_class_path
from warden.demo.java import run_java, start_java
from warden.state.sources.kafka.login.connection import connect

__all__ = ["LocalBroker"]

_LOG4J = """\
rootLogger.level = WARN
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d] %p %m (%c)%n
"""


class LocalBroker(ManagedProgram):
    """A single-node KRaft broker on free loopback ports, with its storage in a temporary directory.

    Use as a context manager. Nothing stays behind: neither a process nor a file.

    Args:
        properties: Further server properties; they override the ones that make it a single node.
        sasl_users: Passwords by user. If there are any, a second listener takes SASL/PLAIN at
            ``sasl_bootstrap_servers``.
        heap: Largest heap of its JVM, in MiB.
        jars: Jars with classes that ``properties`` name, behind Kafka's own.
        options: Further options of its JVM, such as ``-Dname=value``.
        timeout: Seconds that it may take to answer.
    """

    def __init__(
        self,
        *,
        properties: Mapping[str, str] | None = None,
        sasl_users: Mapping[str, str] | None = None,
        heap: int = 384,
        jars: Sequence[Path] = (),
        options: Sequence[str] = (),
        timeout: float = 60.0,
    ) -> None:
        self._properties = dict(properties or {})
        self._sasl_users = dict(sasl_users or {})
        self._heap, self._options = heap, tuple(options)
        self._jars, self._timeout = tuple(jars), timeout
        self._class_path = ""
        self._directory: Path | None = None
        self._process: Process | None = None
        self._ports: dict[str, int] = {}

    @property
    def bootstrap_servers(self) -> str:
        """``host:port`` of the listener that takes everyone (PLAINTEXT)."""
        return f"127.0.0.1:{self._ports['PLAINTEXT']}"

    @property
    def sasl_bootstrap_servers(self) -> str:
        """``host:port`` of the listener that takes ``sasl_users`` (SASL_PLAINTEXT, mechanism PLAIN)."""
        return f"127.0.0.1:{self._ports['SASL_PLAINTEXT']}"

    @property
    def bootstrap_controllers(self) -> str:
        """``host:port`` of the controller's listener (PLAINTEXT)."""
        return f"127.0.0.1:{self._ports['CONTROLLER']}"

    @property
    def pid(self) -> int | None:
        """Process id of the broker, None when it is not running."""
        return self._process.pid if self._process else None

    @property
    def is_alive(self) -> bool:
        """Whether the broker runs."""
        return self._process is not None and self._process.is_alive

    def start(self) -> None:
        """Format the storage, start the broker and wait until it answers. Starting twice is harmless.

        Raises:
            KafkaError: It died or did not answer in time; the text quotes the end of its log.
            ToolchainError: Java or the Kafka jars cannot be had.
        """
        if self._process:
            return
        self._class_path = os.pathsep.join([build_class_path(), *map(str, self._jars)])
        self._directory = Path(tempfile.mkdtemp(prefix="warden-kafka-"))
        try:
            self._start(self._directory)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the broker and delete its storage. Stopping twice is harmless."""
        if self._process:
            self._process.stop()
            self._process = None
        if self._directory:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = None

    def restart(self) -> None:
        """End the broker where it still runs, start it again on the same ports with what it stored, and wait for it.

        Raises:
            KafkaError: It was never started; or as `start`.
        """
        if self._directory is None:
            raise KafkaError("the local Kafka broker was never started: call start()")
        if self._process:
            self._process.stop()
        self._launch(self._directory)

    def _start(self, directory: Path) -> None:
        listeners = ["PLAINTEXT", "CONTROLLER", *(["SASL_PLAINTEXT"] if self._sasl_users else [])]
        self._ports = dict(zip(listeners, list_free_ports(len(listeners)), strict=True))
        server = directory / "server.properties"
        write_private(server, _format_properties({**self._build_node_properties(directory), **self._properties}))
        (directory / "log4j2.properties").write_text(_LOG4J, encoding="utf-8")
        run_java(
            "kafka.tools.StorageTool",
            ["format", "--cluster-id", "d2FyZGVuLWxvY2FsLTAwMQ", "--config", str(server)],
            class_path=self._class_path,
        )
        self._launch(directory)

    def _launch(self, directory: Path) -> None:
        log = directory / "broker.log"
        self._process = start_java(
            "kafka.Kafka",
            [str(directory / "server.properties")],
            class_path=self._class_path,
            options=[
                f"-Xmx{self._heap}m",
                f"-Dlog4j2.configurationFile={directory / 'log4j2.properties'}",
                *self._options,
            ],
            directory=directory,
            log=log,
        )
        self._wait(self._process, log)

    def _wait(self, process: Process, log: Path) -> None:
        deadline = time.monotonic() + self._timeout
        while time.monotonic() < deadline:
            if not process.is_alive:
                raise KafkaError(f"the local Kafka broker ended by itself: {_read_tail(log)}")
            if self._is_answering():
                return
            time.sleep(0.1)
        raise KafkaError(f"the local Kafka broker did not answer within {self._timeout:g} s: {_read_tail(log)}")

    def _is_answering(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self._ports["PLAINTEXT"]), timeout=1).close()
            with connect(self.bootstrap_servers, timeout=5):
                return True
        except (OSError, WardenError):
            return False

    def _build_node_properties(self, directory: Path) -> dict[str, str]:
        """The properties that make one process a whole cluster."""
        address = {name: f"{name}://127.0.0.1:{port}" for name, port in self._ports.items()}
        properties = {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.voters": f"1@127.0.0.1:{self._ports['CONTROLLER']}",
            "controller.listener.names": "CONTROLLER",
            "inter.broker.listener.name": "PLAINTEXT",
            "listeners": ",".join(address.values()),
            "listener.security.protocol.map": ",".join(
                f"{name}:{'PLAINTEXT' if name == 'CONTROLLER' else name}" for name in address
            ),
            "log.dirs": str(directory / "data"),
            "offsets.topic.num.partitions": "1",
            "offsets.topic.replication.factor": "1",
            "transaction.state.log.num.partitions": "1",
            "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1",
            "group.initial.rebalance.delay.ms": "0",
            "metadata.max.idle.interval.ms": "0",  # no records that say only that the controller is there
        }
        if self._sasl_users:
            properties |= _take_users(self._sasl_users)
        return properties


def _format_properties(properties: Mapping[str, str]) -> str:
    return "".join(f"{name}={value}\n" for name, value in properties.items()).replace("\\", "\\\\")


def _take_users(passwords: Mapping[str, str]) -> dict[str, str]:
    """The properties with which a listener named SASL_PLAINTEXT takes users by PLAIN."""
    users = " ".join(f"user_{name}={_quote_jaas(password)}" for name, password in passwords.items())
    module = "org.apache.kafka.common.security.plain.PlainLoginModule"
    return {
        "sasl.enabled.mechanisms": "PLAIN",
        "listener.name.sasl_plaintext.plain.sasl.jaas.config": f"{module} required {users};",
    }


def _quote_jaas(text: str) -> str:
    """A text within a JAAS configuration."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _read_tail(log: Path) -> str:
    """The end of a log without the frames of its stack traces."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    messages = [line.strip() for line in lines if line.strip() and not line.startswith("\tat ")]
    return " | ".join(messages[-8:]) or "it wrote no log"
