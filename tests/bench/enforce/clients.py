"""`python -m tests.bench.enforce.clients`: the service with many clients that wait, and with many stored entities."""

import argparse
import asyncio
import itertools
import json
import os
import resource
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
from rich import box
from rich.console import Console
from rich.table import Table

from tests.bench.enforce.client_service import Service, headers, started
from tests.fixtures.brokers.kafka import AUTHORIZER
from warden.base.process.open_files import allow_open_files
from warden.base.process.progress import print_status, show_working
from warden.demo.local_broker import LocalBroker
from warden.enforce.client_configs.open_store import open_store
from warden.enforce.client_configs.sqlite_store import SqliteStore
from warden.enforce.client_configs.store import Store, StoredEntity
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa
from warden.state.sources.kafka.login.connection import connect

__all__ = ["measure_clients", "show_clients"]

_PER_USER = 100  # client-ids of each stored user
_FEW = 1_000  # stored entities, to compare with
_DESCRIPTORS = 500  # of a process, beside its clients
_STATIC = {"kind": "producer", "static": {"acks": "all"}}


def measure_clients(clients: list[int], entities: int) -> dict[str, Any]:
    """Measure everything once, each beside what it is compared with.

    Args:
        clients: How many wait at a time; one is measured besides, to compare with.
        entities: How many are stored; a thousand are measured besides.
    """
    allow_open_files()
    found: dict[str, Any] = {"waiting": {}}
    with TemporaryDirectory(prefix="warden-bench-") as name, LocalBroker(properties=AUTHORIZER) as broker:
        directory = Path(name)
        (directory / "settings.yaml").write_text('superUsers: ["User:admin"]\n', encoding="utf-8")
        with LocalOpa(build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml")) as opa:
            start = partial(started, directory, broker, opa)
            for count in (1, *_possible(clients)):
                with (
                    show_working(f"clients that wait: {count:,}"),
                    start(f"sqlite:{directory / f'{count}.db'}") as service,
                ):
                    found["waiting"][str(count)] = asyncio.run(_waiting(service, count))
            found["alters"] = {}
            for kind, store in (("sqlite", f"sqlite:{directory / 'alters.db'}"), ("topic", "topic:alters")):
                with show_working(f"alters, {kind}"):
                    with connect(broker.bootstrap_servers) as connection:
                        alone = _writes(open_store(store, connection, {}))
                    with start(store) as service:
                        found["alters"][kind] = {"alone": alone, **_alters(service)}
            paths = {count: directory / f"entities-{count}.db" for count in (_FEW, entities)}
            with show_working(f"{entities:,} entities"):
                for count, path in paths.items():
                    _fill(path, count)
                with start(f"sqlite:{paths[_FEW]}") as few, start(f"sqlite:{paths[entities]}") as many:
                    found["entities"] = _entities({_FEW: few, entities: many})
    return found


def _possible(clients: list[int]) -> list[int]:
    """Those numbers of clients for which this machine gives a process enough descriptors."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    enough = [count for count in clients if limit == resource.RLIM_INFINITY or count + _DESCRIPTORS <= limit]
    for count in sorted(set(clients) - set(enough)):
        print_status(f"{count:,} clients are left out: a process may have {limit:,} descriptors here (ulimit -Hn)")
    return enough


async def _waiting(service: Service, count: int) -> dict[str, float]:
    service.alter("crowd", acks="0")
    await asyncio.to_thread(_resolves, service, 100)  # what every service needs once is not a client's
    before = await asyncio.to_thread(service.bytes)
    applied: list[float] = []
    ready, wait, began = asyncio.Semaphore(0), asyncio.Event(), 0.0
    limits = asyncio.Semaphore(64)  # who begin at a time

    async def client(session: aiohttp.ClientSession, number: int) -> None:
        body = {"clientId": f"c{number}", **_STATIC}
        url = f"{service.url}/v1/client-configs/resolve"
        async with limits, session.post(url, json=body, headers=headers("crowd")) as first:
            first.raise_for_status()
            tag = first.headers["ETag"]
        waits = {**headers("crowd"), "If-None-Match": tag, "Prefer": "wait=3600"}
        ready.release()
        await wait.wait()
        async with session.post(url, json=body, headers=waits) as changed:
            document = await changed.json()
            if document["accepted"]["configs"].get("acks") != "1":
                raise RuntimeError(str(document))
            applied.append(time.perf_counter() - began)

    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=600)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=None)) as session:
        waiting = [asyncio.create_task(client(session, number)) for number in range(count)]
        for _ in range(count):
            await ready.acquire()
        wait.set()
        await asyncio.to_thread(service.wait_for, count)
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


def _resolves(service: Service, count: int) -> dict[str, float]:
    """How long another user's resolve takes while the others wait."""
    return _times(lambda _: service.post("probe", "resolve", {"clientId": "c0"}), count)


def _times(call: Any, count: int) -> dict[str, float]:
    call(0)
    seconds = []
    for number in range(count):
        began = time.perf_counter()
        call(number)
        seconds.append(time.perf_counter() - began)
    return _quantiles(seconds)


def _quantiles(seconds: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(seconds, n=100)
    return {"p50Ms": 1000 * cuts[49], "p99Ms": 1000 * cuts[98]}


def _alters(service: Service) -> dict[str, float]:
    """How many alterations a second are durable, from one caller and from sixteen at a time."""
    found, numbers = {}, itertools.count()
    for callers, count in ((1, 100), (16, 200)):
        began = time.perf_counter()
        with ThreadPoolExecutor(callers) as pool:
            list(pool.map(lambda _: service.alter(f"user-{next(numbers)}"), range(count)))
        found[str(callers)] = count / (time.perf_counter() - began)
    return found


def _writes(store: Store) -> float:
    """How many writes a second the store takes by itself, one after the other."""
    with closing(store):
        began = time.perf_counter()
        for number in range(100):
            store.write({("alone", str(number)): StoredEntity({"acks": "1"}, 0)})
        return 100 / (time.perf_counter() - began)


def _fill(path: Path, count: int) -> None:
    keys = [(f"user-{number // _PER_USER}", f"client-{number % _PER_USER}") for number in range(count)]
    few = [(f"user-{number}", "of-ten-users") for number in range(10)]
    with closing(SqliteStore(path)) as store:
        store.write({key: StoredEntity({"acks": "1"}, 0) for key in (*keys, *few)})


def _entities(services: dict[int, Service]) -> dict[str, dict[str, Any]]:
    """How long the same takes among few and among many stored entities, one after the other."""
    user = {"entityType": "user", "matchType": 0, "match": "user-0"}
    any_user = {"entityType": "user", "matchType": 2}
    client = {"entityType": "client-id", "matchType": 0, "match": "of-ten-users"}
    things = {
        "resolve": ("user-0", "resolve", {"clientId": "client-0"}, 300),
        "describe a user": ("admin", "describe", {"components": [user]}, 100),
        "describe a client-id": (
            "admin",
            "describe",
            {"components": [any_user, client]},
            100,
        ),
    }
    found: dict[str, dict[str, Any]] = {}
    for name, (caller, verb, body, times) in things.items():
        answers = [service.post(caller, verb, body) for service in services.values()]
        if any(answer != answers[0] for answer in answers):
            raise RuntimeError(f"{name}: another answer among more entities")
        seconds: dict[int, list[float]] = {count: [] for count in services}
        for _ in range(times):
            for count, service in services.items():
                began = time.perf_counter()
                service.post(caller, verb, body)
                seconds[count].append(time.perf_counter() - began)
        found[name] = {
            "result": len(answers[0].get("entries") or answers[0]["values"]),
            **{str(count): _quantiles(taken) for count, taken in seconds.items()},
        }
    return found


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
    alters = Table(title="Durable alters a second", title_justify="left", box=box.SIMPLE_HEAD)
    for name in ("store", "its writes alone", "one at a time", "sixteen at a time"):
        alters.add_column(name, justify="right")
    for kind, rates in found["alters"].items():
        alters.add_row(kind, *(f"{rates[which]:,.0f}" for which in ("alone", "1", "16")))
    console.print(alters)
    entities = Table(title="Among few and many stored entities, p50 in ms", title_justify="left", box=box.SIMPLE_HEAD)
    counts = [count for count in next(iter(found["entities"].values())) if count != "result"]
    for name in ("", "result", *(f"{int(count):,}" for count in counts), "ratio"):
        entities.add_column(name, justify="right")
    for what, row in found["entities"].items():
        times = [row[count]["p50Ms"] for count in counts]
        entities.add_row(what, str(row["result"]), *(f"{one:.1f}" for one in times), f"{times[-1] / times[0]:.2f}")
    console.print(entities)


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
