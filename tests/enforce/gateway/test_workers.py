"""Several processes on one port, as a command: they share the connections, and are counted together."""

import contextlib
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.http.ports import find_free_port

pytestmark = pytest.mark.process

CONFIG = """\
opa: {{url: "http://127.0.0.1:{opa}"}}
workers: 2
clusters:
  - name: quiet
    advertisedHost: 127.0.0.1
    bind: 127.0.0.1
    authentication: none
    brokers: [{{id: 1, address: "127.0.0.1:{broker}", port: {port}}}]
"""


@pytest.fixture
def quiet_broker():
    """Something that takes connections and says nothing; its port."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield server.getsockname()[1]


@contextlib.contextmanager
def running(path, port, broker, listen):
    """The command; its lines come in a queue."""
    path.write_text(CONFIG.format(opa=find_free_port(), broker=broker, port=port))
    command = [sys.executable, "-m", "warden", "gateway", "--config", str(path), "--listen", listen]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        lines: queue.Queue[str] = queue.Queue()
        stderr = process.stderr
        assert stderr is not None
        reader = threading.Thread(target=lambda: list(map(lines.put, stderr)))
        reader.start()
        try:
            yield process, lines
        finally:
            process.terminate()
            process.wait(PATIENCE)
            reader.join()


def line_of(lines, message):
    """The next line with a message."""
    while True:
        line = json.loads(lines.get(timeout=PATIENCE))
        if line["message"] == message:
            return line


def connections(probes):
    """How many are open, of all workers."""
    with urlopen(f"http://{probes}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("warden_gateway_connections{"))


def children(process):
    """Processes that a process has started."""
    pids = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(pid) for pid in pids.split()]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_workers_share_a_port(tmp_path, quiet_broker):
    """Connections are counted together; a worker that is killed is replaced; SIGTERM ends them all."""
    port, probes = find_free_port(), f"127.0.0.1:{find_free_port()}"
    with running(tmp_path / "gateway.yaml", port, quiet_broker, probes) as (process, lines):
        assert {probes} == {line_of(lines, "listening")["probes"] for _ in range(2)}
        with contextlib.ExitStack() as stack:
            for _ in range(8):
                stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            eventually(lambda: connections(probes) == 8, "all connections are counted")
        eventually(lambda: connections(probes) == 0, "they have ended")
        killed, left = children(process)
        os.kill(killed, signal.SIGKILL)
        assert -signal.SIGKILL == line_of(lines, "worker ended")["status"]
        line_of(lines, "listening")
        assert left in children(process)
        workers = children(process)
        process.send_signal(signal.SIGTERM)
        assert 0 == process.wait(PATIENCE)
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]


def test_workers_end_with_the_process_that_started_them(tmp_path, quiet_broker):
    """However that ends."""
    port = find_free_port()
    with running(tmp_path / "gateway.yaml", port, quiet_broker, "127.0.0.1:0") as (process, lines):
        for _ in range(2):
            line_of(lines, "listening")
        process.kill()
        for _ in range(2):
            line_of(lines, "stopping")


def test_a_port_that_is_taken(tmp_path, quiet_broker):
    """It is not shared with a stranger."""
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        running(tmp_path / "gateway.yaml", taken.getsockname()[1], quiet_broker, "127.0.0.1:0") as (process, lines),
    ):
        assert "Address already in use" in lines.get(timeout=PATIENCE)
        assert 2 == process.wait(PATIENCE)
