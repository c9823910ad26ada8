"""`python -m tests.bench.console.intake`: what a console that takes in decisions costs them at the gateway.

One gateway and one OPA, whose log a console follows with a page open, in rounds: the console runs, or is stopped
(SIGSTOP) and catches up after the round. One client makes a creation after the other, then 200 do so at once.
"""

import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import requests
import yaml

from tests.bench.enforce.gateway_client import Client, busy
from tests.bench.enforce.gateway_process import (
    build_creation,
    check_allowed,
    cpu_seconds,
    start_deciding,
    started_gateway,
)
from warden.base.http.ports import find_free_port

__all__ = ["measure_intake"]

_MANY = 200


def measure_intake(rounds: int = 8, calls: int = 400) -> dict[str, dict[str, float]]:
    """Return, with the console and without, milliseconds of a creation, and creations a second of 200 clients.

    And the microseconds of processor that the console takes for a decision, of the page that is open too.

    Args:
        rounds: Of each of both.
        calls: Creations of the one client in a round; the 200 make ten each.
    """
    taken: dict[str, list[float]] = {"without": [], "with": []}
    rates: dict[str, list[float]] = {"without": [], "with": []}
    with ExitStack() as stack:
        directory, broker, opa = start_deciding(stack)
        gateway = stack.enter_context(started_gateway(directory / "gateway", broker, opa))
        pid, url = stack.enter_context(_started_console(directory, opa.log))
        client = stack.enter_context(Client(gateway.address))
        request = build_creation()
        for _ in range(50):
            check_allowed(client.ask(request))
        began_with = cpu_seconds(pid)
        for turn in range(2 * rounds):
            name = ("without", "with")[(turn + turn // 2) % 2]  # in turn, each as often the first of two
            _wait_until_read(url)
            if name == "without":
                os.kill(pid, signal.SIGSTOP)
            for _ in range(calls):
                began = time.perf_counter()
                client.ask(request)
                taken[name].append(1000 * (time.perf_counter() - began))
            began = time.perf_counter()
            asyncio.run(busy(gateway.address, _MANY, lambda: request, 10))
            rates[name].append(10 * _MANY / (time.perf_counter() - began))
            os.kill(pid, signal.SIGCONT)
        _wait_until_read(url)
        spent = (cpu_seconds(pid) - began_with) / (2 * rounds * (calls + 10 * _MANY))
    found = {"console": {"cpuUs": 1e6 * spent}}
    for name, milliseconds in taken.items():
        points = statistics.quantiles(milliseconds, n=100)
        found[name] = {"p50Ms": points[49], "p99Ms": points[98], "aSecondOf200": statistics.median(rates[name])}
    return found


@contextmanager
def _started_console(directory: Path, log: Path) -> Iterator[tuple[int, str]]:
    """Start a console that follows a log, open a page that shows decisions as they fall, and stop it."""
    address = f"127.0.0.1:{find_free_port()}"
    document = {"storage": {"path": str(directory / "console.db")}, "decisions": {"files": [str(log)]}}
    (directory / "console.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")
    command = [sys.executable, "-m", "warden", "console", "--listen", address]
    with (directory / "console.log").open("w") as errors:
        process = subprocess.Popen([*command, "--config", str(directory / "console.yaml")], stderr=errors)
        try:
            _wait_until_read(f"http://{address}")
            with requests.get(f"http://{address}/decisions/stream", stream=True, timeout=600) as page:
                threading.Thread(target=_read, args=(page,), daemon=True).start()
                yield process.pid, f"http://{address}"
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            process.wait(30)


def _read(page: requests.Response) -> None:
    with suppress(Exception):  # it ends with the console
        for _ in page.iter_lines():
            pass


def _wait_until_read(url: str) -> None:
    """Wait until the console has stored all lines, and nothing has come for a second."""
    before = -1.0
    while True:
        with suppress(requests.RequestException):
            lines = requests.get(f"{url}/metrics", timeout=60).text.splitlines()
            values = dict(line.rsplit(" ", 1) for line in lines if line.startswith("warden_console_"))
            stored = float(values["warden_console_decisions"])
            if stored == before and not float(values["warden_console_lines_unread"]):
                return
            before = stored
        time.sleep(1)


if __name__ == "__main__":
    print(json.dumps(measure_intake(), indent=2))
