"""`python -m tests.bench.clients`: the service with many clients that wait, and with many stored entities."""

import argparse
import asyncio
import itertools
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import requests
import yaml
from rich import box
from rich.console import Console
from rich.table import Table

from tests.fixtures.kafka import AUTHORIZER
from warden.bundle.build import build_bundle
from warden.config_store.sqlite_store import SqliteStore
from warden.config_store.store import Stored
from warden.demo.local_broker import LocalBroker
from warden.opa.local import LocalOpa
from warden.process.open_files import allow_open_files
from warden.process.ports import free_port
from warden.toolchain.progress import working

__all__ = ["measure_clients", "show_clients"]

_CALLERS = ("admin", "crowd", "probe")
_PER_USER = 100  # client-ids of each stored user
_STATIC = {"kind": "producer", "static": {"acks": "all"}}


class _Service:
    """A service in a process of its own.

    Args:
        url: Its address.
        process: Its process.
    """

    def __init__(self, url: str, process: "subprocess.Popen[bytes]") -> None:
        self.url, self._process = url, process
        self._session = requests.Session()

    def post(self, caller: str, verb: str, body: Any) -> Any:
        """Ask, and return the answer."""
        answer = self._session.post(
            f"{self.url}/v1/client-configs/{verb}", json=body, headers=_headers(caller), timeout=300
        )
        answer.raise_for_status()
        document = answer.json()
        if document.get("errorCode") or any(entry.get("errorCode") for entry in document.get("entries") or ()):
            raise RuntimeError(answer.text)
        return document

    def alter(self, user: str, client: str | None = None, acks: str = "1") -> None:
        """Alter an entity."""
        entity = [{"entityType": "user", "entityName": user}]
        if client is not None:
            entity.append({"entityType": "client-id", "entityName": client})
        self.post("admin", "alter", {"entries": [{"entity": entity, "ops": [{"key": "acks", "value": acks}]}]})

    def bytes(self) -> int:
        """Return the memory that it holds."""
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


def measure_clients(clients: list[int], entities: int) -> dict[str, Any]:
    """Measure everything once.

    Args:
        clients: How many wait at a time.
        entities: How many are stored.
    """
    allow_open_files()
    found: dict[str, Any] = {"waiting": {}}
    with TemporaryDirectory(prefix="warden-bench-") as name, LocalBroker(properties=AUTHORIZER) as broker:
        directory = Path(name)
        (directory / "settings.yaml").write_text('superUsers: ["User:admin"]\n', encoding="utf-8")
        with LocalOpa(build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml")) as opa:
            start = partial(_started, directory, broker, opa)
            for count in clients:
                with working(f"{count:,} clients that wait"), start(f"sqlite:{directory / f'{count}.db'}") as service:
                    found["waiting"][str(count)] = asyncio.run(_waiting(service, count))
            found["alters"] = {}
            for kind, store in (("sqlite", f"sqlite:{directory / 'alters.db'}"), ("topic", "topic:alters")):
                with working(f"alters, {kind}"), start(store) as service:
                    found["alters"][kind] = _alters(service)
            for what, count in (("few", _PER_USER), ("many", entities)):
                path = directory / f"{what}.db"
                with working(f"{count:,} entities"):
                    _fill(path, count)
                    with start(f"sqlite:{path}") as service:
                        found[what] = _entities(service)
    return found


async def _waiting(service: _Service, count: int) -> dict[str, float]:
    service.alter("crowd", acks="0")
    before = await asyncio.to_thread(service.bytes)
    applied: list[float] = []
    ready, began = asyncio.Semaphore(0), 0.0
    limits = asyncio.Semaphore(64)  # who begin at a time

    async def client(session: aiohttp.ClientSession, number: int) -> None:
        body = {"clientId": f"c{number}", **_STATIC}
        url = f"{service.url}/v1/client-configs/resolve"
        async with limits, session.post(url, json=body, headers=_headers("crowd")) as first:
            first.raise_for_status()
            tag = first.headers["ETag"]
        waits = {**_headers("crowd"), "If-None-Match": tag, "Prefer": "wait=3600"}
        ready.release()
        async with session.post(url, json=body, headers=waits) as changed:
            document = await changed.json()
            if document["accepted"]["configs"].get("acks") != "1":
                raise RuntimeError(str(document))
            applied.append(time.perf_counter() - began)

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=None)) as session:
        waiting = [asyncio.create_task(client(session, number)) for number in range(count)]
        for _ in range(count):
            await ready.acquire()
        await asyncio.sleep(2)  # nothing tells that the last request has come to wait
        held = await asyncio.to_thread(service.bytes)
        times = await asyncio.to_thread(_resolves, service, 500)
        began = time.perf_counter()
        await asyncio.to_thread(service.alter, "crowd")
        altered = time.perf_counter() - began
        await asyncio.gather(*waiting)
    return {
        "bytesPerClient": (held - before) / count,
        **times,
        "alterMs": 1000 * altered,
        "appliedHalfMs": 1000 * statistics.median(applied),
        "appliedAllMs": 1000 * max(applied),
    }


def _resolves(service: _Service, count: int) -> dict[str, float]:
    """How long another user's resolve takes while the others wait."""
    return _times(lambda _: service.post("probe", "resolve", {"clientId": "c0"}), count)


def _times(call: Any, count: int) -> dict[str, float]:
    call(0)
    seconds = []
    for number in range(count):
        began = time.perf_counter()
        call(number)
        seconds.append(1000 * (time.perf_counter() - began))
    cuts = statistics.quantiles(seconds, n=100)
    return {"p50Ms": cuts[49], "p99Ms": cuts[98]}


def _alters(service: _Service) -> dict[str, float]:
    """How many alterations a second are durable, from one caller and from sixteen at a time."""
    found, numbers = {}, itertools.count()
    for callers, count in ((1, 100), (16, 200)):
        began = time.perf_counter()
        with ThreadPoolExecutor(callers) as pool:
            list(pool.map(lambda _: service.alter(f"user-{next(numbers)}"), range(count)))
        found[str(callers)] = count / (time.perf_counter() - began)
    return found


def _fill(path: Path, count: int) -> None:
    store = SqliteStore(path)
    keys = [(f"user-{number // _PER_USER}", f"client-{number % _PER_USER}") for number in range(count)]
    store.write({key: Stored({"acks": "1"}, 0) for key in keys})
    store.close()


def _entities(service: _Service) -> dict[str, Any]:
    """How long resolve and describe take, of a user with a hundred clients."""
    filter_ = {"components": [{"entityType": "user", "matchType": 0, "match": "user-0"}]}
    described = service.post("admin", "describe", filter_)
    return {
        "resolve": _times(lambda _: service.post("probe", "resolve", {"clientId": "c0"}), 200),
        "describe": _times(lambda _: service.post("admin", "describe", filter_), 100),
        "described": len(described["entries"]),
    }


@contextmanager
def _started(directory: Path, broker: LocalBroker, opa: LocalOpa, store: str) -> Iterator[_Service]:
    (directory / "opa.token").write_text(opa.tokens.query)
    for name in _CALLERS:
        (directory / f"{name}.token").write_text(f"token-of-{name}")
    document = {
        "opa": {"url": opa.url, "token": {"file": "opa.token"}, "timeout": 60},
        "callers": [{"token": {"file": f"{name}.token"}, "principal": f"User:{name}"} for name in _CALLERS],
        "clusters": [{"name": "c", "bootstrapServers": broker.bootstrap_servers, "store": store}],
        "limits": {"requestsPerSecond": 1_000_000, "waitSeconds": 3600},
    }
    (directory / "serve.yaml").write_text(yaml.safe_dump(document))
    at = f"127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "warden", "serve", "--config", str(directory / "serve.yaml"), "--listen", at]
    with (directory / "serve.log").open("w") as log, subprocess.Popen(command, stderr=log) as process:
        try:
            while not _ready(f"http://{at}"):
                if process.poll() is not None:
                    raise RuntimeError((directory / "serve.log").read_text())
                time.sleep(0.1)
            yield _Service(f"http://{at}", process)
        finally:
            process.terminate()


def _ready(url: str) -> bool:
    try:
        return requests.get(f"{url}/readyz", timeout=30).ok
    except requests.ConnectionError:
        return False


def _headers(caller: str) -> dict[str, str]:
    return {"Authorization": f"Bearer token-of-{caller}"}


def show_clients(found: dict[str, Any], console: Console) -> None:
    """Print what was measured as tables."""
    table = Table(title="The service with clients that wait", title_justify="left", box=box.SIMPLE_HEAD)
    columns = {
        "p50Ms": "resolve p50, ms",
        "p99Ms": "p99, ms",
        "bytesPerClient": "bytes a client",
        "alterMs": "alter, ms",
        "appliedHalfMs": "applied by half, ms",
        "appliedAllMs": "by all, ms",
    }
    for name in ("clients", *columns.values()):
        table.add_column(name, justify="right")
    for count, row in found["waiting"].items():
        table.add_row(f"{int(count):,}", *(f"{row[name]:,.1f}" for name in columns))
    console.print(table)
    for kind, rates in found["alters"].items():
        texts = ", ".join(f"{rate:,.0f} from {callers} at a time" for callers, rate in rates.items())
        console.print(f"durable alters a second, {kind}: {texts}")
    few, many = found["few"], found["many"]
    for what in ("resolve", "describe"):
        ratio = many[what]["p50Ms"] / few[what]["p50Ms"]
        console.print(
            f"{what} with many stored entities against {few['described']}, p50: "
            f"{many[what]['p50Ms']:.1f} ms, {few[what]['p50Ms']:.1f} ms, ratio {ratio:.2f}"
        )


def main() -> int:
    """Measure, print, and write the figures into a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--entities", type=int, default=100_000)
    options = parser.parse_args()
    found = measure_clients(options.clients, options.entities)
    show_clients(found, Console())
    print(json.dumps({"cores": os.cpu_count(), **found}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
