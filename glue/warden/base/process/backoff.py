"""Pauses after failures: exponential, with jitter, and never shorter than a floor. Pure."""

import random
from collections.abc import Callable

__all__ = ["Backoff", "compute_longest_pause"]


def compute_longest_pause(failures: int, base: float, maximum: float) -> float:
    """Return the longest pause after some failures in a row, in seconds: it doubles with each, up to a maximum.

    Args:
        failures: How many, from 1.
        base: Longest first pause, in seconds.
        maximum: Longest pause ever, in seconds.
    """
    return min(maximum, base * 2.0 ** min(failures - 1, 30))


class Backoff:
    """Counts failures in a row and says how long to wait after each.

    The pause doubles from ``base`` to ``maximum``, and a random part of up to half of it is taken off, so that callers
    who failed together do not come back together. So within t seconds there are at most ``1 + 2 * t / base`` attempts.

    Args:
        base: First pause, in seconds.
        maximum: Longest pause, in seconds.
        jitter: Draws a number between two bounds; replaced in tests.
    """

    def __init__(
        self, base: float = 0.5, maximum: float = 30.0, jitter: Callable[[float, float], float] = random.uniform
    ) -> None:
        self._base, self._maximum, self._jitter = base, maximum, jitter
        self.failures = 0

    def compute_delay(self) -> float:
        """Count one more failure and return how long to wait, in seconds."""
        self.failures += 1
        longest = compute_longest_pause(self.failures, self._base, self._maximum)
        return self._jitter(longest / 2, longest)

    def reset(self) -> None:
        """Forget all failures: something succeeded."""
        self.failures = 0
