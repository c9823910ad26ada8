"""Figures of a soak: memory and descriptors of processes after each settling, and whether they grow."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Sample", "growth", "sample"]

_MORE_MEMORY = 1.25  # median of the last third, as a share of that of the third before it
_MEMORY_FREE = 30.0  # MiB that it may grow whatever the share
_MORE_DESCRIPTORS = 8


@dataclass(frozen=True)
class Sample:
    """One process at one time.

    Args:
        memory: Resident memory in MiB.
        descriptors: Open files and sockets.
        threads: Threads.
    """

    memory: float
    descriptors: int
    threads: int

    def __str__(self) -> str:
        return f"{self.memory:.0f} MiB, {self.descriptors} descriptors, {self.threads} threads"


def sample(pid: int) -> Sample:
    """Return what Linux says of a process."""
    process = Path("/proc") / str(pid)
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    return Sample(
        int(status["VmRSS"].split()[0]) / 1024, sum(1 for _ in (process / "fd").iterdir()), int(status["Threads"])
    )


def growth(samples: Sequence[Sample]) -> str | None:
    """Return in words how a process grew, None where it did not; too few samples tell nothing."""
    third = len(samples) // 3
    if third < 3:
        return None
    before, last = samples[third : 2 * third], samples[-third:]
    memory = [statistics.median(one.memory for one in some) for some in (before, last)]
    if memory[1] > max(_MORE_MEMORY * memory[0], memory[0] + _MEMORY_FREE):
        return f"memory grew from {memory[0]:.0f} to {memory[1]:.0f} MiB"
    for name in ("descriptors", "threads"):
        counts = [max(getattr(one, name) for one in some) for some in (before, last)]
        if counts[1] > counts[0] + _MORE_DESCRIPTORS:
            return f"{name} grew from {counts[0]} to {counts[1]}"
    return None
