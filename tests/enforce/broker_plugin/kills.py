"""`python -m tests.enforce.broker_plugin.kills`: brokers with the plugin under load, while they and OPA are killed.

Nothing that policy denies may ever be made, whatever fails; what is acknowledged is there; OPA costs a creation no more
than its budget.
"""

import argparse
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from typing import Final

from kafka.errors import for_code

from tests.enforce.broker_plugin.figures import jmx_options, read_figures
from tests.enforce.broker_plugin.inside import Inside, build_rules, start_three_inside
from tests.fixtures.brokers.three_brokers import Brokers
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.pausing import pause
from tools.broker_plugin import build_plugin
from warden.base.errors import KafkaError
from warden.base.http.ports import list_free_ports
from warden.base.toolchain.opa import find_opa
from warden.base.toolchain.versions import KAFKA
from warden.state.sources.kafka.read.controllers import connect_controllers

__all__ = ["FAULTS", "Kills", "Report"]

_CLIENTS = 4
_PAUSE = 0.5  # seconds: topics of twenty minutes are as many as three small nodes hold
_REFUSED = "KFK-NAM-001"
_UNDECIDED = "has not decided"


@dataclass
class Report:
    """What has happened.

    Attributes:
        answers: How many creations had which end.
        faults: How many there were of each kind.
        failures: What must not be, a sentence each.
        made: Topics whose creation was acknowledged.
        longest: Longest wait for OPA that a node's figures show, in milliseconds.
    """

    answers: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    longest: float = 0.0


class Kills:
    """Load and faults for three brokers with the plugin.

    Args:
        inside: They, and their OPA.
        jmx: Where each node shows its figures.
        chance: Chooses faults and how long they last.
    """

    def __init__(self, inside: Inside, jmx: Mapping[int, int], chance: random.Random) -> None:
        assert isinstance(inside.broker, Brokers)
        self.report = Report()
        self._inside, self._brokers, self._jmx, self._chance = inside, inside.broker, jmx, chance
        self._numbers, self._lock, self._over = count(), Lock(), Event()

    def run(self, faults: Callable[[], str | None]) -> Report:
        """Create topics all the time, of good names and bad ones, and return what came of it.

        Args:
            faults: Returns the next fault, of `FAULTS`; None ends it.
        """
        threads = [Thread(target=self._create, name=f"client-{number}") for number in range(_CLIENTS)]
        for thread in threads:
            thread.start()
        try:
            while (fault := faults()) is not None:
                FAULTS[fault](self)
                self.report.faults[fault] += 1
                self._settle()
        finally:
            self._over.set()
            for thread in threads:
                thread.join()
        self._check()
        return self.report

    def hang_opa(self) -> None:
        """OPA does nothing for a while."""
        pause(self._inside.opa.pid)
        time.sleep(self._chance.uniform(0.1, 4))
        os.kill(self._inside.opa.pid, signal.SIGCONT)

    def kill_opa(self) -> None:
        """OPA ends, and what starts in its place has no state at first."""
        os.kill(self._inside.opa.pid, signal.SIGKILL)
        time.sleep(self._chance.uniform(0.1, 4))
        self._inside.opa.restart(PATIENCE)
        self._inside.replicate()

    def kill_active_controller(self) -> None:
        """The node on whose event thread everything is decided ends."""
        with connect_controllers(self._brokers.bootstrap_controllers, timeout=PATIENCE) as controllers:
            active = controllers.active
        self._kill(active or self._chance.choice(self._brokers.nodes))

    def kill_broker(self) -> None:
        """Any node ends."""
        self._kill(self._chance.choice(self._brokers.nodes))

    def _kill(self, node: int) -> None:
        self._read_figures(node)
        self._brokers.kill(node)
        time.sleep(self._chance.uniform(0.1, 4))
        self._brokers.start_node(node)
        self._brokers.wait()

    def _settle(self) -> None:
        """Return when a good name is made again: each fault ends before the next begins."""
        eventually(lambda: self._answer(f"shop.settled.{self._word()}") == "made", "a topic is made again")

    def _word(self) -> str:
        """Another word each time, of letters alone, as the convention of names has them."""
        return "".join(chr(ord("a") + int(digit)) for digit in str(next(self._numbers)))

    def _create(self) -> None:
        while not self._over.wait(_PAUSE):
            for kind, name in {"good": f"shop.load.{self._word()}", "bad": f"BAD_{self._word()}"}.items():
                answer = self._answer(name)
                with self._lock:
                    self.report.answers[f"{kind} name: {answer}"] += 1
                    if answer == "made":
                        self.report.made.add(name)

    def _answer(self, name: str) -> str:
        try:
            ((code, text),) = self._inside.create(name).values()
        except KafkaError as error:
            return type(error).__name__
        if _UNDECIDED in text:
            return "undecided"
        return "denied" if _REFUSED in text else for_code(code).__name__ if code else "made"

    def _read_figures(self, node: int) -> None:
        longest = float(read_figures(self._jmx[node])["LongestWaitMs"])
        self.report.longest = max(self.report.longest, longest)

    def _check(self) -> None:
        for node in self._brokers.nodes:
            self._read_figures(node)
        there, report = self._inside.topics(), self.report
        report.failures += [f"{name} is there, which policy denies" for name in sorted(there) if name.startswith("BAD")]
        report.failures += [f"{name} is lost, which was acknowledged" for name in sorted(report.made - there)]
        wrong = report.answers["good name: denied"]
        report.failures += [f"{wrong} good names were denied"] if wrong else []
        if not (report.answers["good name: made"] and report.answers["bad name: denied"]):
            report.failures.append("nothing was made, or nothing denied")


FAULTS: Final[Mapping[str, Callable[[Kills], None]]] = {
    "OPA hangs": Kills.hang_opa,
    "OPA is killed": Kills.kill_opa,
    "the active controller is killed": Kills.kill_active_controller,
    "a node is killed": Kills.kill_broker,
}
"""What may happen, by its name."""


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.enforce.broker_plugin.kills", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget-ms", type=int, default=500, help="what a decision may take (default: %(default)s)")
    options = parser.parse_args()
    chance, jmx = random.Random(options.seed), dict(enumerate(list_free_ports(3), start=1))
    with TemporaryDirectory(prefix="warden-kills-") as name:
        directory, opa = Path(name), find_opa()
        jar = build_plugin(directory / "warden-broker.jar", pinned=True)
        rules = build_rules(directory, opa)
        java = {node: jmx_options(port) for node, port in jmx.items()}
        budget = str(options.budget_ms)
        with start_three_inside(rules, opa, jar, directory, KAFKA, java, budget_ms=budget) as inside:
            end = time.monotonic() + 60 * options.minutes
            kills = Kills(inside, jmx, chance)
            report = kills.run(lambda: chance.choice(sorted(FAULTS)) if time.monotonic() < end else None)
    for title, counted in (("faults", report.faults), ("creations", report.answers)):
        print(f"{title}, {counted.total()}: " + ", ".join(f"{what} {number}" for what, number in counted.most_common()))
    print(f"longest wait for OPA: {report.longest:.0f} ms, of {options.budget_ms} ms")
    print("\n".join(report.failures) or "no failure")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(_main())
