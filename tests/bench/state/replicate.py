"""`python -m tests.bench.state.replicate`: what it costs to keep clusters in OPA, simulated and real ones."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from tests.bench.state.visible import visible
from warden.base.errors import ScanError, WardenError
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa
from warden.state.replicate.meta import build_meta
from warden.state.replicate.replica import Replica
from warden.state.replicate.target import Target
from warden.state.sources.kafka.entry import KafkaEntry
from warden.state.sources.kafka.source import KafkaSource

__all__ = ["measure_replication", "show_replication"]

_CHANGES = 100
_TICKS = 15


class Simulated:
    """What looks at a cluster that is not there: 6 partitions and 3 replicas a topic, two overrides for every other."""

    id = "simulated"

    def __init__(self, topics: int) -> None:
        self.gaps: list[str] = []
        self.unknown_parts: frozenset[str] = frozenset()
        self.all_topics = {f"team{at % 200}.orders-{at}": _topic(at) for at in range(topics)}
        self.parts: dict[str, Any] = {
            "clusterSize": 12,
            "brokers": {str(node): {"host": f"b{node}", "rack": "a", "configs": {}} for node in range(12)},
            "defaults": {f"some.topic.config.{at}": str(at) for at in range(35)},
            **{part: {} for part in ("acls", "quotas", "groups", "consumers", "writes", "clientConfigs")},
        }
        self._polls = 0

    def select_hidden(self, names: Iterable[str]) -> set[str]:
        """None is."""
        return set()

    def select_present(self, names: Iterable[str]) -> set[str]:
        """Return those that are there."""
        return self.all_topics.keys() & set(names)

    def poll(self, *, activity: bool) -> dict[str, dict[str, Any] | None]:
        """Change a hundred topics from the second poll on: half are altered, a quarter made, a quarter deleted."""
        self._polls += 1
        changed: dict[str, dict[str, Any] | None] = {}
        names = list(self.all_topics)
        for at in range(_CHANGES // 2 if self._polls > 1 else 0):
            name = names[at * len(names) // _CHANGES]
            changed[name] = {**self.all_topics[name], "configs": {"retention.ms": str(self._polls)}}
            changed[names[-1 - at]] = None
            changed[f"new.{self._polls}.{at // 2}"] = _topic(at)
            if len(changed) > _CHANGES:
                break
        for name, topic in changed.items():
            self.all_topics.pop(name, None)
            if topic is not None:
                self.all_topics[name] = topic
        return changed


def _topic(at: int) -> dict[str, Any]:
    return {
        "numPartitions": 6,
        "replicationFactor": 3,
        "replicasAssignments": {str(p): [(at + p) % 12, (at + p + 1) % 12, (at + p + 2) % 12] for p in range(6)},
        "configs": {"cleanup.policy": "compact", "retention.ms": "604800000"} if at % 2 else {},
        "labels": {},
        "internal": False,
        "markedForDeletion": False,
        "reassigning": {},
        "topicId": f"{at:022d}",
    }


def simulate(topics: int) -> dict[str, float]:
    """Put a simulated cluster into an OPA, patch it some times, and return what that took.

    Run it in a process of its own: it measures the memory of the one that it is in.
    """
    with TemporaryDirectory() as name, LocalOpa(build_bundle(Path(name) / "bundle.tar.gz")) as opa:
        empty = _memory(opa.pid, "VmRSS")
        before = _memory(os.getpid(), "VmRSS")
        simulated: Any = Simulated(topics)
        source = KafkaSource(
            KafkaEntry.model_construct(name="sim", bootstrap_servers="sim:1", interval=0.01, activity_interval=5.0),
            None,
            lambda: (simulated, lambda: None),
        )
        with OpaClient(opa.url, token=opa.tokens.replicator) as client:
            target = Target(client, source.root, source.meta, "bench")
            begun = time.perf_counter()
            replica = Replica(source.load(), depth=source.depth)
            sent = target.swap(replica.document, _meta(source, replica, 0))
            loaded = time.perf_counter() - begun
            after = _memory(opa.pid, "VmRSS"), _memory(os.getpid(), "VmRSS")
            ticks = [_tick(source, replica, target, number) for number in range(1, _TICKS + 1)]
        return {
            "topics": topics,
            "loadSeconds": loaded,
            "loadBytes": sent,
            "opaBytesPerTopic": (after[0] - empty) / topics,
            "opaPeakBytes": _memory(opa.pid, "VmHWM"),
            "replicatorBytesPerTopic": (after[1] - before) / topics,
            "replicatorPeakBytes": _memory(os.getpid(), "VmHWM"),
            **{key: statistics.median(acquire_or_renew[key] for acquire_or_renew in ticks) for key in ticks[0]},
        }


def _tick(source: KafkaSource, replica: Replica, target: Target, number: int) -> dict[str, float]:
    changes = source.poll(1.0)
    while not changes:
        changes = source.poll(1.0)
    begun = time.perf_counter()
    operations = replica.apply(changes)
    meta = _meta(source, replica, number)
    prepared = time.perf_counter()
    sent = target.patch(operations, meta)
    return {
        "tickPrepareSeconds": prepared - begun,
        "tickWriteSeconds": time.perf_counter() - prepared,
        "tickBytes": sent,
        "tickOperations": len(operations),
    }


def _meta(source: KafkaSource, replica: Replica, number: int) -> dict[str, Any]:
    if source.observed is None:
        raise ScanError("the simulated cluster was not looked at")
    return build_meta(source, replica, f"bench.{number}", source.observed, source.details)


def _memory(pid: int, what: str) -> int:
    """Bytes that a process has now (VmRSS) or had at the most (VmHWM); 0 where the system does not tell."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text(encoding="ascii", errors="replace").splitlines() if status.exists() else []
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(f"{what}:")), 0)


def measure_replication(sizes: Sequence[int], changes: int) -> dict[str, Any]:
    """Measure simulated clusters of some sizes, and how soon changes of a real one are visible in decisions.

    Args:
        sizes: Numbers of topics, ascending.
        changes: Changes of the real cluster; 0 leaves it out.
    """
    simulated = []
    for topics in sizes:
        command = [sys.executable, "-m", "tests.bench.state.replicate", "--simulate", str(topics)]
        simulated.append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
    small, large = simulated[0], simulated[-1]
    ratios = {
        f"{what}, {large['topics']:,} / {small['topics']:,} topics": large[key] / small[key]
        for what, key in (
            ("a tick's operations", "tickOperations"),
            ("a tick's bytes", "tickBytes"),
            ("a tick's writing", "tickWriteSeconds"),
            ("a tick's preparing", "tickPrepareSeconds"),
        )
    }
    return {"simulated": simulated, "ratios": ratios, **({"visible": visible(changes)} if changes else {})}


def show_replication(found: dict[str, Any], console: Console) -> None:
    """Print what was measured as tables."""
    table = Table(title="Replication of a simulated cluster", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("")
    for one in found["simulated"]:
        table.add_column(f"{one['topics']:,} topics", justify="right")
    for what, key, unit, form in (
        ("full load and swap, s", "loadSeconds", 1, ",.2f"),
        ("bytes of the swap, MB", "loadBytes", 1e6, ",.1f"),
        ("OPA's memory a topic, kB", "opaBytesPerTopic", 1e3, ",.1f"),
        ("OPA's memory at the most, MB", "opaPeakBytes", 1e6, ",.0f"),
        ("replicator's memory a topic, kB", "replicatorBytesPerTopic", 1e3, ",.1f"),
        ("replicator's memory at the most, MB", "replicatorPeakBytes", 1e6, ",.0f"),
        (f"tick of {_CHANGES} changes: operations", "tickOperations", 1, ",.0f"),
        ("tick: kB", "tickBytes", 1e3, ",.1f"),
        ("tick: preparing, ms", "tickPrepareSeconds", 1e-3, ",.2f"),
        ("tick: writing, ms", "tickWriteSeconds", 1e-3, ",.2f"),
    ):
        table.add_row(what, *(format(one[key] / unit, form) for one in found["simulated"]))
    console.print(table)
    for what, ratio in found["ratios"].items():
        console.print(f"{what}: {ratio:.2f}")
    if "visible" in found:
        console.print("a change of a real cluster in a decision: " + json.dumps(found["visible"]))


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.state.replicate", description="Measure replication.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 100_000], help="topics of simulated clusters")
    parser.add_argument("--changes", type=int, default=60, help="changes of a real cluster, 0 for none (60)")
    parser.add_argument("--simulate", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        if options.simulate:
            print(json.dumps(simulate(options.simulate)))
        else:
            show_replication(measure_replication(options.sizes, options.changes), Console())
    except WardenError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
