"""A soak: all programs with real brokers, an API server and an OPA, under load, changes and faults.

After each settling the replica is compared with what the brokers say, and each program has to decide again.
"""

import os
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from tests.fixtures.brokers.three_brokers import Brokers
from tests.fixtures.settings import few_rules
from tests.k8s.control_plane import ControlPlane
from tests.soak.churn import Churn
from tests.soak.faults import Faults
from tests.soak.figures import Sample, growth, sample
from tests.soak.kafka_programs import ADMIN, run_gateway, run_service
from tests.soak.kubernetes_programs import RESOURCE, prepare_kubernetes, run_remediator, run_webhook
from tests.soak.load import Loaded
from tests.soak.truth import Parts, differences, read_truth
from warden.base.errors import OpaError, WardenError
from warden.base.process.child_process import Process
from warden.base.process.pids import is_alive
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.opa.local import LocalOpa

__all__ = ["Result", "Soak"]

_SETTLE_SECONDS = 900.0  # in which the replica must equal the cluster once every fault has ended
_NAME = "soak"


@dataclass
class Result:
    """What a soak found.

    Attributes:
        failures: What was not as it is to be.
        settled: Seconds from the end of changes and faults until the replica was seen to equal the cluster, by round.
        faults: How often each kind came.
        samples: Figures of each program and of OPA after each settling.
        answers: Lines about what each program answered.
    """

    failures: list[str] = field(default_factory=list)
    settled: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    samples: dict[str, list[Sample]] = field(default_factory=dict)
    answers: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return it as lines of text."""
        lines = [f"faults: {', '.join(f'{count} of {kind}' for kind, count in sorted(self.faults.items()))}"]
        if self.settled:
            median, most = statistics.median(self.settled), max(self.settled)
            lines.append(f"settled {len(self.settled)} times, in {median:.1f} s in the median, {most:.1f} s at most")
        for name, samples in self.samples.items():
            lines.append(f"{name}: at first {samples[0]}; at last {samples[-1]}")
        return [*lines, *self.answers, *(f"FAILED: {failure}" for failure in self.failures)]


class Soak:
    """One soak.

    Args:
        seed: Of all choices.
        topics: How many topics the cluster has.
        turn: Seconds of changes, with one fault, before each settling.
        say: Gets a line for each round.
        has_kubernetes: Whether webhook and remediator run too, before an API server.
    """

    def __init__(
        self, seed: int, topics: int, turn: float, print_status: Callable[[str], None], *, has_kubernetes: bool = True
    ) -> None:
        self._has_kubernetes = has_kubernetes
        self._random = random.Random(seed)
        self._topics, self._turn, self._say = topics, turn, print_status
        self.result = Result()

    def run(self, minutes: float, directory: Path) -> Result:
        """Go on for so many minutes after the first settling, and return what was found.

        Args:
            minutes: How long; the settling that has begun is finished.
            directory: For configuration and logs; it exists.
        """
        with ExitStack() as running:
            brokers = running.enter_context(Brokers(heap=768))
            opa = running.enter_context(LocalOpa(_bundle(directory), directory=directory / "opa"))
            plane = running.enter_context(ControlPlane()) if self._has_kubernetes else None
            tokens = {directory / "token": "replicator", directory / "query": "query"}
            for path, role in tokens.items():
                path.write_text(getattr(opa.tokens, role))
            config = _config(directory, opa, brokers, plane)
            self._admin = _client(brokers.bootstrap_servers)
            churn = Churn(self._admin, brokers.bootstrap_servers, self._random, self._topics)
            begun = time.monotonic()
            churn.fill()
            self._say(f"{self._topics} topics made in {time.monotonic() - begun:.0f} s")
            pids = {"OPA": opa.pid}
            replicators = {}
            for number in (1, 2):
                replicators[f"replicator {number}"] = _replicator(config, directory / f"replicator-{number}.log")
                running.callback(replicators[f"replicator {number}"].stop)
            self._settle(brokers, opa, churn, "the first load")
            loaded = self._start_programs(running, directory, brokers, opa, plane)
            self._await_decisions(loaded)
            faults = Faults(brokers, opa, tokens, self._random)
            until = time.monotonic() + 60 * minutes
            while time.monotonic() < until and not self.result.failures:
                fault = self._round(churn, faults)
                pids = {
                    **{name: one.pid for name, one in replicators.items()},
                    **{one.name: one.pid for one in loaded},
                    "OPA": opa.pid,
                }
                self._settle(brokers, opa, churn, fault)
                self._await_decisions(loaded)
                self._take_figures(pids)
            self.result.failures += [f"{name} has ended" for name, pid in pids.items() if not is_alive(pid)]
            grown = {name: growth(samples) for name, samples in self.result.samples.items() if name != "OPA"}
            self.result.failures += [f"{name}: {how}" for name, how in grown.items() if how]
            for one in loaded:
                self.result.answers += [f"{one.name}: {line}" for line in one.load.lines()]
                self.result.failures += [f"{one.name}: {what}" for what in one.load.wrong]
            log = sum(path.stat().st_size for path in (directory / "opa").glob("opa.log"))
            self._say(f"{churn.changes} changes, {churn.attempted} deletions; OPA's log has {log / 1e6:.1f} MB")
        return self.result

    def _start_programs(
        self, running: ExitStack, directory: Path, brokers: Brokers, opa: LocalOpa, plane: ControlPlane | None
    ) -> list[Loaded]:
        """Start what decides, each with load of its own."""
        query = directory / "query"
        asks = {"url": opa.url, "token": {"file": str(query)}}
        seeds = [random.Random(self._random.random()) for _ in range(4)]
        parts = [
            run_gateway(directory / "gateway", _NAME, brokers, asks, seeds[0]),
            run_service(directory / "service", _NAME, brokers, asks, seeds[1]),
        ]
        if plane is not None:
            parts += [
                run_webhook(directory / "webhook", plane, asks, seeds[2]),
                run_remediator(directory / "remediator", plane, opa, query, seeds[3]),
            ]
        return [running.enter_context(part) for part in parts]

    def _await_decisions(self, loaded: list[Loaded]) -> None:
        """Wait until each program allows what is allowed, and denies what is not."""
        for one in loaded:
            try:
                seconds = one.load.wait_for_decisions()
                self._say(f"  {one.name}: decides within {seconds:.1f} s")
            except AssertionError as error:
                self.result.failures.append(f"{one.name}: {error}")

    def _round(self, churn: Churn, faults: Faults) -> str:
        """Changes, and a fault that begins and ends among them."""
        begun = time.monotonic()
        start = begun + self._random.uniform(0.0, 0.3) * self._turn
        end = start + self._random.uniform(0.2, 0.5) * self._turn
        fault = ""
        while time.monotonic() < begun + self._turn:
            if not fault and time.monotonic() >= start:
                fault = faults.begin()
            if fault and time.monotonic() >= end:
                faults.end()
            churn.step()
        faults.end()
        self.result.faults[" ".join(word for word in fault.split() if not word.isdecimal())] += 1
        return fault

    def _settle(self, brokers: Brokers, opa: LocalOpa, churn: Churn, after: str) -> None:
        """Wait until the replica equals what the brokers say."""
        begun, unlike, truth = time.monotonic(), ["nothing was compared"], Parts()
        while unlike and time.monotonic() < begun + _SETTLE_SECONDS:
            try:
                self._revive(brokers)
                brokers.wait()
                truth = read_truth(self._admin, brokers.bootstrap_servers, brokers.nodes)
                with opa.build_client(opa.tokens.replicator) as client:
                    replica = client.get_data(["clusters", _NAME])
                unlike = differences(replica, truth)
                counted = replica.get("deletions", {}).get("lastHour")
            except (KafkaException, OpaError, WardenError, TimeoutError) as error:
                unlike = [str(error)]
        seconds = time.monotonic() - begun
        if unlike:
            self.result.failures.append(f"after {after}: not equal within {seconds:.0f} s: {'; '.join(unlike)}")
            return
        least, most = churn.deletions(time.monotonic(), self._turn + _SETTLE_SECONDS)
        if not least <= counted <= most:
            bounds = f"not from {least} to {most}"
            self.result.failures.append(f"after {after}: {counted} topics count as deleted in an hour, {bounds}")
        else:
            self.result.settled.append(seconds)
            churn.settle(truth["topics"])
            parts = ", ".join(f"{len(part)} {name}" for name, part in truth.items())
            self._say(f"{after}: equal after {seconds:.1f} s ({parts}; {counted} deleted)")

    def _revive(self, brokers: Brokers) -> None:
        """Start brokers again that ended by themselves, as whoever operates them does."""
        for node, said in brokers.ended().items():
            self.result.faults["broker that ended by itself"] += 1
            self._say(f"broker {node} ended by itself: {said}")
            brokers.start_node(node)

    def _take_figures(self, pids: dict[str, int]) -> None:
        for name, pid in pids.items():
            one = sample(pid)
            self.result.samples.setdefault(name, []).append(one)
            self._say(f"  {name}: {one}")


def _client(bootstrap_servers: str) -> AdminClient:
    return AdminClient({"bootstrap.servers": bootstrap_servers, "socket.timeout.ms": 6000, "log_level": 0})


def _bundle(directory: Path) -> Bundle:
    settings = few_rules(directory / "settings.yaml")
    settings.write_text(yaml.safe_dump({**yaml.safe_load(settings.read_text()), "superUsers": [ADMIN]}))
    return build_bundle(directory / "bundle.tar.gz", settings=settings)


def _config(directory: Path, opa: LocalOpa, brokers: Brokers, plane: ControlPlane | None) -> Path:
    cluster = {"name": _NAME, "bootstrapServers": brokers.bootstrap_servers, "compare": 60, "assumeNoDeletions": True}
    cluster["guard"] = {"share": 1.0}  # changes are quick, and an OPA that was away for long sees many at once
    document: dict[str, Any] = {"opa": {"url": opa.url, "token": {"file": "token"}}, "clusters": [cluster]}
    if plane is not None:
        prepare_kubernetes(plane)
        kubeconfig = plane.kubeconfig("soak", {"token": plane.admin_token})
        document["kubernetes"] = [{"kubeconfig": str(kubeconfig), "resources": [RESOURCE]}]
    path = directory / "replicator.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


def _replicator(config: Path, log: Path) -> Process:
    command = [sys.executable, "-m", "warden", "replicate", "--config", str(config), "--all", "--listen", "127.0.0.1:0"]
    search = os.pathsep.join(str(place) for place in (Path("glue").resolve(), Path.cwd()))
    return Process(command, {**os.environ, "PYTHONPATH": search}, log)
