"""`python -m tests.bench.enforce.gateway_load`: decisions a second through the gateway, at few and at many connections.

No broker: each creation is denied for its name, so that the answer is the gateway's. OPA alone is measured beside it.
"""

import argparse
import asyncio
import itertools
import json
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, cast

import aiohttp

from tests.bench.decisions.decision_inputs import state
from tests.bench.enforce.gateway_process import started_gateway
from tests.enforce.gateway.frames import create_topics
from warden.base.http.ports import find_free_port
from warden.demo.local_broker import LocalBroker
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

__all__ = ["measure_load"]

_NUMBERS = itertools.count()


def measure_load(few: int, many: int, seconds: float, rounds: int) -> dict[str, Any]:
    """Measure, the numbers of connections and OPA alone in turn.

    Args:
        few, many: Connections, each with one request after the other.
        seconds: Of each part of a round.
        rounds: Rounds; what they decided is summed.
    """
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory(prefix="warden-bench-")))
        opa = stack.enter_context(LocalOpa(build_bundle(directory / "bundle.tar.gz")))
        stored = state(100)
        stored["meta"]["observedAt"] = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        with opa.build_client(opa.tokens.replicator) as client:
            client.put_data(["clusters", "bench"], stored)
        port = find_free_port()
        broker = cast("LocalBroker", SimpleNamespace(bootstrap_servers=f"127.0.0.1:{port}"))
        gateway = stack.enter_context(started_gateway(directory, broker, opa))
        found: dict[str, Counter[str]] = {f"gateway {few}": Counter(), f"gateway {many}": Counter(), "opa 8": Counter()}
        asyncio.run(_run(found, gateway.address, port, opa, few, many, seconds, rounds))
    parts = {name: {**counted, "aSecond": counted["decided"] / (seconds * rounds)} for name, counted in found.items()}
    ratio = parts[f"gateway {many}"]["aSecond"] / max(1e-9, parts[f"gateway {few}"]["aSecond"])
    return {"parts": parts, "ratio": ratio}


async def _run(
    found: dict[str, Counter[str]], address: str, port: int, opa: LocalOpa, few: int, many: int, seconds: float,
    rounds: int,
) -> None:  # fmt: skip
    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with await asyncio.start_server(hold, "127.0.0.1", port, backlog=1024), aiohttp.ClientSession() as session:
        for _ in range(rounds):
            for count in (few, many):
                await _load(found[f"gateway {count}"], count, seconds, lambda: _through(address))
            await _load(found["opa 8"], 8, seconds, lambda: _alone(session, opa))


Ask = Callable[[], Awaitable[str]]


async def _load(counted: Counter[str], connections: int, seconds: float, connect: Callable[[], Awaitable[Ask]]) -> None:
    """Have so many connections ask for so long; what comes later counts no more."""
    asks = await asyncio.gather(*(connect() for _ in range(connections)))
    end = time.monotonic() + seconds

    async def one(ask: Ask) -> None:
        while time.monotonic() < end:
            outcome = await ask()
            if time.monotonic() < end:
                counted[outcome] += 1

    await asyncio.gather(*(one(ask) for ask in asks))


async def _through(address: str) -> Ask:
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))

    async def ask() -> str:
        writer.write(create_topics(f"BAD_{next(_NUMBERS)}"))
        raw = await reader.readexactly(int.from_bytes(await reader.readexactly(LENGTH), "big"))
        (topic,) = codec.decode(19, 7, "Response", raw[5:]).fields["topics"]
        return "decided" if "KFK-NAM-001" in str(topic["errorMessage"]) else f"error {topic['errorCode']}"

    return ask


async def _alone(session: aiohttp.ClientSession, opa: LocalOpa) -> Ask:
    url, headers = f"{opa.url}/v1/data/kafka/decision", {"Authorization": f"Bearer {opa.tokens.query}"}

    async def ask() -> str:
        request = {"topic": f"BAD_{next(_NUMBERS)}", "numPartitions": 1, "replicationFactor": 1}
        document = {"operation": "CreateTopic", "cluster": "bench", "enforcementPoint": "gateway", "request": request}
        async with session.post(url, json={"input": document}, headers=headers) as answer:
            return "decided" if (await answer.json())["result"]["violations"] else "error"

    return ask


def main() -> int:
    """Measure, and print the figures as JSON; exit status 1 where many connections get less than the share."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.enforce.gateway_load", description=__doc__)
    parser.add_argument("--few", type=int, default=8)
    parser.add_argument("--many", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--share", type=float, default=0.9, help="of the few's decisions that the many have to get")
    options = parser.parse_args()
    found = measure_load(options.few, options.many, options.seconds, options.rounds)
    sys.stdout.write(json.dumps(found, indent=2) + "\n")
    return 0 if found["ratio"] >= options.share else 1


if __name__ == "__main__":
    sys.exit(main())
