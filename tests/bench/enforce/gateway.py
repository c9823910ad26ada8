"""`python -m tests.bench.enforce.gateway`: what the gateway costs, against the same broker without it, in one run."""

import argparse
import asyncio
import json
import operator
import re
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from tests.bench.decisions.latency import in_turn
from tests.bench.enforce.gateway_client import Client, busy, fetch_frames, idle, metadata_frame
from tests.bench.enforce.gateway_process import (
    TOPIC,
    GatewayProcess,
    bare_relay,
    build_creation,
    check_allowed,
    cpu_seconds,
    start_deciding,
    started_gateway,
)
from tests.enforce.gateway.frames import raw_request
from tests.fixtures.brokers.tools import run_tool
from warden.base.process.progress import show_working
from warden.demo.class_path import build_class_path
from warden.demo.java import run_java
from warden.enforce.gateway.wire.addresses import with_addresses
from warden.policy.opa.local import LocalOpa

__all__ = ["measure_gateway", "show_gateway"]

_SENT = re.compile(r"([\d.]+) MB/sec")
_MEBIBYTE = 1024 * 1024


def measure_gateway(records: int, rounds: int) -> dict[str, Any]:
    """Measure everything once.

    Args:
        records: Records of 1,000 bytes that a round produces and consumes.
        rounds: Rounds, each direct and through the gateway in turn; the median of their ratios counts.
    """
    with ExitStack() as stack:
        directory, broker, opa = start_deciding(stack)
        gateway = stack.enter_context(started_gateway(directory, broker, opa))
        both = {"direct": broker.bootstrap_servers, "gateway": gateway.address}
        run_tool(broker, "TopicCommand", "--create", "--topic", "bench.data", "--partitions", "1")
        found: dict[str, Any] = {"megabytes": records * 1000 / 1e6, "memoryAtStart": gateway.memory()}
        with show_working("small requests"), bare_relay(broker.bootstrap_servers) as relay:
            found["small"] = _small(both, gateway, relay)
        with show_working("creations"):
            found["create"] = _creations(both, gateway, opa)
        with show_working("produce"):
            found["produce"] = _streams(both, gateway, rounds, records, _produce)
        with show_working("consume"):
            found["consume"] = _streams(both, gateway, rounds, records, _consume)
        with show_working("connections"):
            found["connections"] = asyncio.run(_connections(gateway, 1000, 200))
    found["metadata"] = _metadata()
    found["ratios"] = {
        "produce through the gateway / direct (target 0.95)": _ratio(found["produce"]),
        "consume through the gateway / direct (target 0.75)": _ratio(found["consume"]),
    }
    found["rounds"] = {what: _ratios(found[what]) for what in ("produce", "consume")}
    return found


def _ratio(found: dict[str, Any]) -> float:
    """The median of the rounds' ratios: what disturbs one run of a round is likely to disturb the other."""
    return float(statistics.median(_ratios(found)))


def _ratios(found: dict[str, Any]) -> list[float]:
    return list(map(operator.truediv, found["gateway"], found["direct"]))


def _small(both: dict[str, str], gateway: GatewayProcess, relay: GatewayProcess, calls: int = 4000) -> dict[str, float]:
    """The time of a small request and its response, and the processor for the two, the gateway's and a bare relay's."""
    request = raw_request("ListGroups", 3, b"\0")
    with ExitStack() as stack:
        addresses = both | {"relay": relay.address}
        asks = {name: stack.enter_context(Client(address)).ask for name, address in addresses.items()}
        for ask in asks.values():
            for _ in range(500):
                ask(request)
        before = gateway.cpu(), relay.cpu()
        taken = in_turn({name: partial(ask, request) for name, ask in asks.items()}, calls)
        spent = {"cpuUs": gateway.cpu() - before[0], "relayCpuUs": relay.cpu() - before[1]}
    found = {name: statistics.median(times) * 1e3 for name, times in taken.items()}
    return found | {what: seconds / calls * 1e6 for what, seconds in spent.items()}


def _creations(both: dict[str, str], gateway: GatewayProcess, opa: LocalOpa, calls: int = 400) -> dict[str, float]:
    """Medians of a creation that is allowed, and only validated, so that nothing of the broker's grows."""
    request = build_creation()
    with ExitStack() as stack:
        asks = {name: stack.enter_context(Client(address)).ask for name, address in both.items()}
        for ask in asks.values():
            for _ in range(50):
                check_allowed(ask(request))
        document: dict[str, Any] = {"operation": "CreateTopic", "cluster": "bench", "enforcementPoint": "gateway"}
        document["request"] = {key: TOPIC[key] for key in ("numPartitions", "replicationFactor")} | {"configs": {}}
        document["request"]["topic"] = TOPIC["name"]
        decide = partial(stack.enter_context(opa.build_client()).decide, document)
        alone = in_turn({"opa": decide}, calls)
        before = gateway.cpu(), cpu_seconds(opa.pid or 0)
        taken = alone | in_turn({name: partial(ask, request) for name, ask in asks.items()}, calls)
    found = {name: statistics.median(times) * 1e3 for name, times in taken.items()}
    spent = {"cpuMs": gateway.cpu() - before[0], "opaCpuMs": cpu_seconds(opa.pid or 0) - before[1]}
    found |= {what: seconds / calls * 1e3 for what, seconds in spent.items()}
    return found | {"addedMs": found["gateway"] - found["direct"]}


def _streams(
    both: dict[str, str], gateway: GatewayProcess, rounds: int, records: int, run: Callable[[str, int], float]
) -> dict[str, Any]:
    """MB a second of each round, direct and through the gateway in turn, and the gateway's processor for a MB."""
    found: dict[str, Any] = {name: [] for name in both}
    for address in both.values():
        run(address, records // 4)  # warms up
    spent = 0.0
    for at in range(rounds):
        for name in list(both) if at % 2 else reversed(list(both)):
            before = gateway.cpu()
            found[name].append(run(both[name], records))
            spent += gateway.cpu() - before
    return found | {"cpuMsPerMb": spent * 1e3 / (rounds * records * 1000 / 1e6)}


def _produce(address: str, records: int) -> float:
    options = ["--topic", "bench.data", "--num-records", str(records), "--record-size", "1000", "--throughput", "-1"]
    said = _tool("ProducerPerformance", [*options, "--bootstrap-server", address])
    return float(_SENT.findall(said)[-1])


def _consume(address: str, records: int) -> float:
    options = ["--topic", "bench.data", "--num-records", str(records), "--hide-header", "--timeout", "60000"]
    said = _tool("ConsumerPerformance", [*options, "--bootstrap-server", address])
    return float(said.strip().splitlines()[-1].split(", ")[-2])  # of fetching alone, without joining the group


def _tool(main: str, arguments: list[str]) -> str:
    return run_java(f"org.apache.kafka.tools.{main}", arguments, class_path=build_class_path(), timeout=300)


async def _connections(gateway: GatewayProcess, still: int, working_ones: int) -> dict[str, float]:
    """The gateway's memory with idle connections, with busy ones too, and with those fetching a MiB at a time."""
    found = {"none": gateway.memory()}
    async with idle(gateway.address, still):
        found[f"{still} idle"] = gateway.memory()
        await busy(gateway.address, working_ones, lambda: raw_request("ListGroups", 3, b"\0"), rounds=50)
        found[f"and {working_ones} busy with small requests"] = gateway.memory("VmHWM")
        fetch = await fetch_frames(gateway.address, "bench.data", _MEBIBYTE)
        await busy(gateway.address, working_ones, lambda: fetch, rounds=10)
        found[f"and {working_ones} that fetch a MiB at a time"] = gateway.memory("VmHWM")
    return found


def _metadata(topics: int = 10_000) -> dict[str, float]:
    """The time to replace addresses in the metadata of many topics, without and with the copy of the rest."""
    raw, version = metadata_frame(topics)
    times = []
    for _ in range(30):
        begun = time.perf_counter()
        with_addresses(3, version, raw, lambda broker: ("gateway.example.com", 19090 + broker))
        times.append(time.perf_counter() - begun)
    return {"topics": topics, "bytes": len(raw), "ms": statistics.median(times) * 1e3}


def show_gateway(found: dict[str, Any], console: Console) -> None:
    """Print what was measured as a table."""
    table = Table(title="The gateway against the same broker direct", title_justify="left", box=box.SIMPLE_HEAD)
    for name in ("", "direct", "gateway"):
        table.add_column(name, justify="right" if name else "left")
    table.add_column("the gateway's processor")
    for what in ("produce", "consume"):
        rates = [f"{statistics.median(found[what][name]):,.0f}" for name in ("direct", "gateway")]
        table.add_row(f"{what}, MB/s", *rates, f"{found[what]['cpuMsPerMb']:.2f} ms a MB")
    small, create = found["small"], found["create"]
    table.add_row(
        "small request, p50 ms",
        f"{small['direct']:.2f}",
        f"{small['gateway']:.2f}",
        f"{small['cpuUs']:.0f} us for both frames, a bare relay's {small['relayCpuUs']:.0f}",
    )
    table.add_row(
        "CreateTopics, p50 ms",
        f"{create['direct']:.2f}",
        f"{create['gateway']:.2f}",
        f"{create['cpuMs']:.2f} ms; OPA's {create['opaCpuMs']:.2f} ms, and {create['opa']:.2f} p50 alone",
    )
    console.print(table)
    for what, ratio in found["ratios"].items():
        rounds = found["rounds"][what.split()[0]]
        spread = f"{min(rounds):.2f} - {ratio:.2f} - {max(rounds):.2f}"
        console.print(f"{what}: {spread} (least, median, most of {len(rounds)} rounds)")
    metadata, memory = found["metadata"], found["connections"]
    console.print(f"a guarded CreateTopics adds, p50 (target 5 ms): {create['addedMs']:.2f} ms")
    console.print(f"memory with all connections (target 300 MiB): {max(memory.values()):,.0f} MiB")
    console.print("  of which " + ", ".join(f"{what} {size:,.0f}" for what, size in memory.items()))
    console.print(
        f"metadata of {metadata['topics']:,} topics, {metadata['bytes']:,} bytes, spliced (target 2 ms): "
        f"{metadata['ms']:.3f} ms"
    )
    console.print(f"a frame that passes: {small['cpuUs'] / 2:.0f} us of the gateway's processor")


def main() -> int:
    """Measure, print, and write the figures as JSON where wanted."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.enforce.gateway", description="Measure the gateway.")
    parser.add_argument("--records", type=int, default=200_000, help="records of 1000 bytes in a round (200000)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of which the medians count (5)")
    parser.add_argument("--out", type=Path, help="file for the figures")
    options = parser.parse_args()
    found = measure_gateway(options.records, options.rounds)
    show_gateway(found, Console())
    if options.out:
        options.out.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
