"""The gateway as a process of its own, and a relay that does nothing else, to compare with."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

import yaml

from tests.bench.decisions.decision_inputs import state
from tests.enforce.gateway.frames import raw_request
from warden.base.http.ports import find_free_port
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

__all__ = [
    "TOPIC",
    "GatewayProcess",
    "bare_relay",
    "build_creation",
    "check_allowed",
    "cpu_seconds",
    "resident_mebibytes",
    "start_deciding",
    "started_gateway",
]

_ALONE = {  # the settings as they are shipped, but for a broker without others
    "KFK-DUR-001": {"mode": "deny", "params": {"min": 1, "max": 5}},
    "KFK-DUR-003": {"mode": "deny", "params": {"min": 1, "requireExplicit": False}},
}
TOPIC: Final = {
    "name": "payments.orders.paid",
    "numPartitions": 6,
    "replicationFactor": 1,
    "assignments": [],
    "configs": [],
}
"""What `build_creation` makes."""


class GatewayProcess:
    """A gateway, or a relay in its place, as a process of its own.

    Args:
        process: The process.
        address: ``host:port`` that clients connect to.
    """

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.address = address
        self._process = process

    def cpu(self) -> float:
        """Seconds of processor that it has taken."""
        return cpu_seconds(self._process.pid)

    def memory(self, what: str = "VmRSS") -> float:
        """MiB that it has now (``VmRSS``), or had at the most (``VmHWM``)."""
        return resident_mebibytes(self._process.pid, what)


def resident_mebibytes(pid: int, what: str = "VmRSS") -> float:
    """Return the MiB of a process that it has now (``VmRSS``), or had at the most (``VmHWM``)."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{what}:"))


def cpu_seconds(pid: int) -> float:
    """Return the seconds that a process's threads have taken, to the nanosecond where a tick is a hundredth.

    A thread that ends while it is looked at counts no more.
    """
    total = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):
            total += int((thread / "schedstat").read_text(encoding="ascii").split()[0])
    return total / 1e9


@contextmanager
def started_gateway(
    directory: Path, broker: LocalBroker, opa: LocalOpa, **environment: str
) -> Iterator[GatewayProcess]:
    """Start a gateway before a broker, with what it decides by and further variables, and stop it."""
    directory.mkdir(exist_ok=True)
    (directory / "token").write_text(opa.tokens.query)
    port = find_free_port()
    cluster: dict[str, Any] = {"name": "bench", "advertisedHost": "127.0.0.1", "bind": "127.0.0.1"}
    cluster |= {"authentication": "none", "brokers": [{"id": 1, "address": broker.bootstrap_servers, "port": port}]}
    document = {"opa": {"url": opa.url, "token": {"file": "token"}}, "clusters": [cluster]}
    (directory / "gateway.yaml").write_text(yaml.safe_dump(document))
    command = [sys.executable, "-m", "warden", "gateway", "--config", str(directory / "gateway.yaml")]
    with (directory / "gateway.log").open("w+") as log:
        command += ["--listen", "127.0.0.1:0"]
        process = subprocess.Popen(command, stderr=log, text=True, env={**os.environ, **environment})
        try:
            while "listening" not in (directory / "gateway.log").read_text():
                if process.poll() is not None:
                    raise RuntimeError((directory / "gateway.log").read_text())
                time.sleep(0.05)
            yield GatewayProcess(process, f"127.0.0.1:{port}")
        finally:
            process.terminate()
            process.wait(30)


@contextmanager
def bare_relay(upstream: str) -> Iterator[GatewayProcess]:
    """Start a relay that reads nothing of what it carries, in the same event loop: what any proxy costs here."""
    port = find_free_port()
    process = subprocess.Popen([sys.executable, "-m", __spec__.name, str(port), upstream], text=True, stdout=-1)
    try:
        if process.stdout is None or not process.stdout.readline():
            raise RuntimeError("the relay has not started")
        yield GatewayProcess(process, f"127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait(30)


class _Upstream(asyncio.Protocol):
    def __init__(self, client: asyncio.Transport) -> None:
        self._client = client

    def data_received(self, data: bytes) -> None:
        self._client.write(data)


class _Client(asyncio.Protocol):
    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._client = cast("asyncio.Transport", transport)
        self._client.pause_reading()
        self._opening = asyncio.get_running_loop().create_task(self._open())

    async def _open(self) -> None:
        self._upstream, _ = await asyncio.get_running_loop().create_connection(
            lambda: _Upstream(self._client), *self._address
        )
        self._client.resume_reading()

    def data_received(self, data: bytes) -> None:
        self._upstream.write(data)


async def _relay(port: int, host: str, upstream: int) -> None:
    server = await asyncio.get_running_loop().create_server(lambda: _Client(host, upstream), "127.0.0.1", port)
    print("listening", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    import uvloop

    host, _, upstream = sys.argv[2].rpartition(":")
    uvloop.run(_relay(int(sys.argv[1]), host, int(upstream)))


def start_deciding(stack: ExitStack) -> tuple[Path, LocalBroker, LocalOpa]:
    """Start a broker, and an OPA that has a state of it and allows `build_creation`; return them with a directory."""
    directory = Path(stack.enter_context(TemporaryDirectory(prefix="warden-bench-")))
    (directory / "settings.yaml").write_text(yaml.safe_dump({"rules": _ALONE}), encoding="utf-8")
    bundle = build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml")
    opa = stack.enter_context(LocalOpa(bundle))
    stored = state(100)
    stored["meta"]["observedAt"] = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"  # as a replicator that works
    with opa.build_client(opa.tokens.replicator) as client:
        client.put_data(["clusters", "bench"], stored)
    broker = stack.enter_context(LocalBroker(heap=768))
    return directory, broker, opa


def build_creation() -> bytes:
    """Return a CreateTopics request for `TOPIC`, only validated by the broker, so that nothing of it grows."""
    return raw_request("CreateTopics", 7, {"topics": [TOPIC], "timeoutMs": 1000, "validateOnly": True})


def check_allowed(response: bytes) -> None:
    """Raise `RuntimeError` where `build_creation` was denied, or not decided."""
    if b"KFK-" in response or b"policy engine" in response:
        raise RuntimeError(f"the creation is denied: {response!r}")
