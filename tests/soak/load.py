"""Load on a program: one request after the other, how long decisions take, and what else came back."""

import random
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tests.fixtures.conditions import eventually
from warden.base.process.closing import ManagedProgram

__all__ = ["ALLOWED", "DENIED", "Answer", "Load", "Loaded"]

ALLOWED, DENIED = "allowed", "denied"
_DEFECT = "500"  # what no fault of a soak is to make of an answer
_LEAST = 30  # answers of which the 99th of a hundred says anything

_MOST = 300  # characters of a text that are kept


class Answer(NamedTuple):
    """What became of a request.

    Args:
        kind: `ALLOWED`, `DENIED`, or an error in a word.
        text: What was said besides.
    """

    kind: str
    text: str = ""


class Load(ManagedProgram):
    """Sends requests of two kinds in a thread: such as policy allows, and such as it denies.

    Args:
        ask: Sends a request that is to be allowed (True) or denied, and returns what became of it.
        random: Says which is next.
        pause: Seconds between two requests.

    Attributes:
        kinds: How many of each there were.
        wrong: What was allowed although policy denies it, and answers that are a defect of the program.
        texts: What was said at first of each kind that is an error.
    """

    def __init__(self, ask: Callable[[bool], Answer], random: random.Random, pause: float) -> None:
        self._ask, self._random, self._pause = ask, random, pause
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._took: list[float] = []  # seconds of each decision, in their order
        self.kinds: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.texts: dict[str, str] = {}

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    def stop(self) -> None:
        """Send no more."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    def wait_for_decisions(self) -> float:
        """Return after how many seconds one request was allowed, and another one denied, from now on.

        Raises:
            AssertionError: That was not so in time.
        """
        begun, before = time.monotonic(), (self.kinds[ALLOWED], self.kinds[DENIED])
        eventually(
            lambda: self.kinds[ALLOWED] > before[0] and self.kinds[DENIED] > before[1],
            f"requests are decided again; so far: {dict(self.kinds)}",
        )
        return time.monotonic() - begun

    def lines(self) -> Sequence[str]:
        """Return figures of the first and of the last third of all decisions, and counts."""
        third = len(self._took) // 3
        parts = {"at first": self._took[:third], "at last": self._took[-third:]} if third >= _LEAST else {}
        times = [f"{name} {_percentiles(took)}" for name, took in parts.items()]
        counts = ", ".join(f"{count} {kind}" for kind, count in self.kinds.most_common())
        return [
            f"{len(self._took)} decisions: {'; '.join(times) or 'too few for percentiles'}",
            f"answers: {counts}",
            *(f"the first {kind}: {text}" for kind, text in self.texts.items()),
        ]

    def _run(self) -> None:
        while not self._stop.wait(self._pause):
            is_good = self._random.random() < 0.5
            begun = time.monotonic()
            kind, text = self._ask(is_good)
            if kind in (ALLOWED, DENIED):
                self._took.append(time.monotonic() - begun)
            if kind == ALLOWED and not is_good:
                self.wrong.append(f"allowed after {sum(self.kinds.values())} requests, although policy denies it")
            if kind == _DEFECT and kind not in self.kinds:
                self.wrong.append(f"answered {kind}: {text[:_MOST]}")
            kind = f"{kind} although policy allows it" if is_good and kind == DENIED else kind
            self.kinds[kind] += 1
            if kind not in (ALLOWED, DENIED):
                self.texts.setdefault(kind, " ".join(text.split())[:_MOST])


def _percentiles(seconds: Sequence[float]) -> str:
    hundredths = statistics.quantiles(seconds, n=100)
    return f"p50 {1000 * hundredths[49]:.0f} ms, p99 {1000 * hundredths[98]:.0f} ms"


@dataclass(frozen=True)
class Loaded:
    """A program under load.

    Args:
        name: Of the program.
        pid: Its process.
        load: What asks it.
    """

    name: str
    pid: int
    load: Load
