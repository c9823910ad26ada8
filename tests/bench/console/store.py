"""The console with a million decisions: seconds of a page by filter, and how late a decision is on it.

    python -m tests.bench.console.store [--rows 1000000] [--calls 40] [--postgresql]

Prints JSON lines: the size of the store and the seconds that it took to fill, p50 and p95 of the decisions page (HTML,
over HTTP, one browser) without a filter and with each, and seconds from OPA's upload or line to the open page.
"""

import argparse
import json
import random
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import requests

from tests.console.logged import build_event, build_violation
from tests.console.running import RunningConsole, write_config
from tests.console.stores import PostgresStores, SqliteStores, Stores
from tests.fixtures.postgres import PostgresServer
from warden.console.intake.events import iter_decisions_and_notes
from warden.demo.estate import iter_estate

__all__ = ["main"]

_BATCH = 2000
_POINTS = (("gateway", 70), ("ci", 15), ("service", 10), ("webhook", 5))


def main() -> None:
    """Fill a store, serve it, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--calls", type=int, default=40)
    parser.add_argument("--directory", type=Path, help="Where the store is, and stays.")
    parser.add_argument("--postgresql", action="store_true", help="In a PostgreSQL of its own, in place of SQLite.")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        scratch = stack.enter_context(TemporaryDirectory(prefix="warden-bench-"))
        directory = arguments.directory or Path(scratch)
        stores: Stores = SqliteStores(directory)
        if arguments.postgresql:
            # On the disk, as a database that is to keep it: the figures are comparable with those of the file.
            server = PostgresServer("fsync=on", "full_page_writes=on", "shared_buffers=1GB")
            stack.callback(server.remove)
            stores = PostgresStores(server, directory)
        _fill(stores, arguments.rows)
        log = directory / "opa.json"
        log.touch()
        storage = {**stores.storage(), "maxRows": arguments.rows + 100_000}
        with RunningConsole(write_config(directory, storage=storage, decisions={"files": [str(log)]})) as console:
            _measure_pages(console, arguments.calls)
            _measure_delay(console, log, arguments.calls)


def _fill(stores: Stores, rows: int) -> None:
    began = time.monotonic()
    with stores.open(rows=rows + 100_000, now=time.time) as store:
        missing = rows - store.rows
        batch: list[Any] = []
        for event in _make_events(max(0, missing)):
            batch += iter_decisions_and_notes(event)
            if len(batch) == _BATCH:
                store.add(batch)
                batch = []
        store.add(batch)
        if missing > 0:
            seconds = time.monotonic() - began
            size = stores.size()
            _say(rows=store.rows, seconds=round(seconds, 1), bytes_a_row=round(size / store.rows))


def _make_events(rows: int) -> Iterator[dict[str, Any]]:
    """Decisions about topics of the embedded estate, over 29 days; of ten one is denied and two are warned about."""
    numbers = random.Random(40)
    topics = [
        (cluster, name, topic.get("labels", {}).get("owner", ""))
        for cluster, state in iter_estate()
        for name, topic in state["topics"].items()
    ]
    rules = [f"KFK-{family}-{number:03}" for family in ("DUR", "NAM", "RET", "SIZ", "SEC") for number in range(1, 9)]
    start, points, weights = time.time() - 29 * 86400, [name for name, _ in _POINTS], [each for _, each in _POINTS]
    for number in range(rows):
        cluster, name, owner = numbers.choice(topics)
        effect = numbers.choices([None, "deny", "warn"], [7, 1, 2])[0]
        found = (
            [build_violation(rule, effect) for rule in numbers.sample(rules, numbers.randint(1, 3))] if effect else []
        )
        yield build_event(
            f"{numbers.getrandbits(128):032x}",
            *found,
            at=start + number * 29 * 86400 / rows,
            cluster=cluster,
            enforcementPoint=numbers.choices(points, weights)[0],
            principal={"type": "User", "name": f"svc-{numbers.randint(0, 300)}"},
            request={"topic": name, "numPartitions": 6, "configs": {"retention.ms": "1"}, "labels": {"owner": owner}},
        )


def _measure_pages(console: RunningConsole, calls: int) -> None:
    values = {
        name: console.json("/decisions")["counts"]["fields"][name][0]["value"]
        for name in ("status", "rule", "cluster", "owner", "resource", "principal", "point")
    }
    filters = {"none": "", **{name: f"{name}={value}" for name, value in values.items()}}
    filters |= {
        "resource with *": "resource=orders.*",
        "since": "since=24h",
        "client, which nothing has": "client=none",
    }
    filters["cluster and denied"] = f"cluster={values['cluster']}&status=denied"
    filters["owner, rule and point"] = f"owner={values['owner']}&rule={values['rule']}&point=ci"
    with requests.Session() as session:
        for name, query in filters.items():
            seconds = []
            for _ in range(calls):
                began = time.perf_counter()
                answer = session.get(f"{console.url}/decisions?{query}", timeout=60)
                assert answer.status_code == 200, answer.text
                seconds.append(time.perf_counter() - began)
            _say(
                filter=name, first_ms=_ms(seconds[0]), p50_ms=_ms(statistics.median(seconds)), p95_ms=_ms(_p95(seconds))
            )


def _measure_delay(console: RunningConsole, log: Path, calls: int) -> None:
    """From a line of OPA's log to the page that is open."""
    seen: dict[str, float] = {}
    came = threading.Event()

    def read(lines: Iterator[bytes]) -> None:
        with suppress(Exception):  # the stream is closed at the end
            for line in lines:
                if line.startswith(b"data: "):
                    seen.update({row["id"]: time.monotonic() for row in json.loads(line[6:])["rows"]})
                    came.set()

    with requests.get(f"{console.url}/decisions/stream", stream=True, timeout=60) as stream:
        threading.Thread(target=read, args=(stream.iter_lines(chunk_size=1),), daemon=True).start()
        delays = []
        for number in range(calls):
            came.clear()
            began = time.monotonic()
            with log.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(build_event(f"live-{began}-{number}", build_violation(), at=time.time())) + "\n")
            came.wait(60)
            delays.append(seen[f"live-{began}-{number}"] - began)
            time.sleep(random.random() / 5)
        _say(
            measured="a line of the log on the open page",
            p50_ms=_ms(statistics.median(delays)),
            max_ms=_ms(max(delays)),
        )


def _p95(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1]


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _say(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


if __name__ == "__main__":
    main()
