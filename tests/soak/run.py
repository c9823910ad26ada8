"""A soak: real brokers, an OPA and two replicators under changes and faults, compared after each settling."""

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

import yaml
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from tests.fixtures.three_brokers import Brokers
from tests.soak.churn import Churn
from tests.soak.faults import Faults
from tests.soak.figures import Sample, growth, sample
from tests.soak.truth import Parts, differences, read_truth
from warden.base.errors import OpaError, WardenError
from warden.base.process.process import Process
from warden.policy.bundle.build import build_bundle
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
        samples: Figures of each replicator and of OPA after each settling.
    """

    failures: list[str] = field(default_factory=list)
    settled: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    samples: dict[str, list[Sample]] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """Return it as lines of text."""
        lines = [f"faults: {', '.join(f'{count} of {kind}' for kind, count in sorted(self.faults.items()))}"]
        if self.settled:
            median, most = statistics.median(self.settled), max(self.settled)
            lines.append(f"settled {len(self.settled)} times, in {median:.1f} s in the median, {most:.1f} s at most")
        for name, samples in self.samples.items():
            lines.append(f"{name}: at first {samples[0]}; at last {samples[-1]}")
        return [*lines, *(f"FAILED: {failure}" for failure in self.failures)]


class Soak:
    """One soak.

    Args:
        seed: Of all choices.
        topics: How many topics the cluster has.
        turn: Seconds of changes, with one fault, before each settling.
        say: Gets a line for each round.
    """

    def __init__(self, seed: int, topics: int, turn: float, say: Callable[[str], None]) -> None:
        self._random = random.Random(seed)
        self._topics, self._turn, self._say = topics, turn, say
        self.result = Result()

    def run(self, minutes: float, directory: Path) -> Result:
        """Go on for so many minutes after the first settling, and return what was found.

        Args:
            minutes: How long; the settling that has begun is finished.
            directory: For configuration and logs; it exists.
        """
        bundle = build_bundle(directory / "bundle.tar.gz")
        with ExitStack() as running:
            brokers = running.enter_context(Brokers(heap=768))
            opa = running.enter_context(LocalOpa(bundle, directory=directory / "opa"))
            token = directory / "token"
            token.write_text(opa.tokens.replicator)
            config = _config(directory, opa, brokers)
            self._admin = _client(brokers.bootstrap_servers)
            churn = Churn(self._admin, brokers.bootstrap_servers, self._random, self._topics)
            begun = time.monotonic()
            churn.fill()
            self._say(f"{self._topics} topics made in {time.monotonic() - begun:.0f} s")
            replicators = {}
            for number in (1, 2):
                replicators[f"replicator {number}"] = _replicator(config, directory / f"replicator-{number}.log")
                running.callback(replicators[f"replicator {number}"].stop)
            self._settle(brokers, opa, churn, "the first load")
            faults = Faults(brokers, opa, token, self._random)
            until = time.monotonic() + 60 * minutes
            while time.monotonic() < until and not self.result.failures:
                fault = self._round(churn, faults)
                pids = {**{name: one.pid for name, one in replicators.items()}, "OPA": opa.pid}
                self._take_figures(pids)
                self._settle(brokers, opa, churn, fault)
                self._take_figures(pids)
            ended = [name for name, one in replicators.items() if not one.alive]
            self.result.failures += [f"{name} has ended" for name in ended]
            grown = {name: growth(samples) for name, samples in self.result.samples.items() if name != "OPA"}
            self.result.failures += [f"{name}: {how}" for name, how in grown.items() if how]
            log = sum(path.stat().st_size for path in (directory / "opa").glob("opa.log"))
            self._say(f"{churn.changes} changes, {churn.attempted} deletions; OPA's log has {log / 1e6:.1f} MB")
        return self.result

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
                with opa.client(opa.tokens.replicator) as client:
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


def _config(directory: Path, opa: LocalOpa, brokers: Brokers) -> Path:
    cluster = {"name": _NAME, "bootstrapServers": brokers.bootstrap_servers, "compare": 60, "assumeNoDeletions": True}
    cluster["guard"] = {"share": 1.0}  # changes are quick, and an OPA that was away for long sees many at once
    path = directory / "replicator.yaml"
    path.write_text(yaml.safe_dump({"opa": {"url": opa.url, "token": {"file": "token"}}, "clusters": [cluster]}))
    return path


def _replicator(config: Path, log: Path) -> Process:
    command = [sys.executable, "-m", "warden", "replicate", "--config", str(config), "--all", "--listen", "127.0.0.1:0"]
    search = os.pathsep.join(str(place) for place in (Path("glue").resolve(), Path.cwd()))
    return Process(command, {**os.environ, "PYTHONPATH": search}, log)
