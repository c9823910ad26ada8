"""The mutants that may survive, each with its reason (``excused.txt``), and what is wrong with a run's survivors."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["EXCUSED", "Outcome", "homeless", "read_excused"]

EXCUSED = Path(__file__).with_name("excused.txt")


def read_excused() -> set[str]:
    """Return the names of the mutants that may survive."""
    lines = (line.split("  #")[0].strip() for line in EXCUSED.read_text("utf-8").splitlines())
    return {line for line in lines if line}


@dataclass(frozen=True)
class Outcome:
    """What became of the mutants of a package, by their names.

    Args:
        package: Its name.
        tolerated: Percent of those tried that may survive without an excuse.
        every: All that there are.
        tried: Those that were tried and compile.
        survived: Those that no test noticed.
    """

    package: str
    tolerated: int
    every: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    survived: list[str] = field(default_factory=list)

    @property
    def limit(self) -> int:
        """How many of those tried may survive without an excuse.

        It is what a choice by chance exceeds once in a thousand times, where of all mutants as many would survive as
        are tolerated (hypergeometric distribution). Where all are tried, nothing is left to chance.
        """
        total, chosen = len(self.every), len(self.tried)
        surviving = math.ceil(self.tolerated * total / 100)
        ways = [math.comb(surviving, n) * math.comb(total - surviving, chosen - n) for n in range(chosen + 1)]
        return next(n for n in range(chosen + 1) if 1000 * sum(ways[n + 1 :]) < sum(ways))

    def complaints(self, excused: set[str]) -> Iterator[str]:
        """Yield a sentence where more survive than are excused or tolerated, and for each excuse without a survivor."""
        unexcused = set(self.survived) - excused
        if len(unexcused) > self.limit:
            yield f"{self.package}: {len(unexcused)} of {len(self.tried)} survive without an excuse, {self.limit} may"
        for name in sorted(excused & set(self.tried) - set(self.survived)):
            yield f"excused in {EXCUSED.name}, but noticed by a test: {name}"
        files = {name.partition(":")[0] for name in self.every}
        for name in sorted(excused - set(self.every)):
            if name.partition(":")[0] in files:
                yield f"excused in {EXCUSED.name}, but no longer there: {name}"


def homeless(excused: set[str]) -> list[str]:
    """Return a sentence for each excuse whose file is no longer there."""
    gone = sorted(name for name in excused if not Path(name.partition(":")[0]).is_file())
    return [f"excused in {EXCUSED.name}, but its file is no longer there: {name}" for name in gone]
