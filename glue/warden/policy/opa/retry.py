"""Time limits and retries of calls to OPA: values and arithmetic, no I/O."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from warden.base.errors import ConfigurationError
from warden.base.process.backoff import compute_longest_pause

__all__ = ["RetryPolicy", "Timeout", "parse_retry_after"]


@dataclass(frozen=True)
class Timeout:
    """Limits for one call, in seconds.

    Args:
        connect: To set up a connection.
        read: Between two pieces of an answer.
        total: For the whole call: every attempt, every pause between attempts, and the body to its end.
    """

    connect: float = 2.0
    read: float = 30.0
    total: float = 60.0

    def __post_init__(self) -> None:
        for name in ("connect", "read", "total"):
            if not getattr(self, name) > 0:
                raise ConfigurationError(f"timeout {name} is {getattr(self, name)}: give a number of seconds above 0")


@dataclass(frozen=True)
class RetryPolicy:
    """How often and how patiently to ask again.

    Args:
        attempts: At most so many requests for one call; 1 never asks again.
        base: Longest first pause, in seconds; it doubles with each attempt.
        maximum: Longest pause ever, in seconds.
    """

    attempts: int = 4
    base: float = 0.1
    maximum: float = 2.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.base < 0 or self.maximum < 0:
            raise ConfigurationError(f"{self} cannot be followed: give at least 1 attempt and no negative pause")

    def compute_pause(
        self,
        attempt: int,
        left: float = math.inf,
        requested: float | None = None,
        jitter: Callable[[float, float], float] = random.uniform,
    ) -> float | None:
        """Return how long to wait before the next attempt, in seconds, or None to give up.

        The pause is exponential with full jitter (a random share of it), so that callers who failed together do not
        come back together. A server that says when to come back (``Retry-After``) is obeyed to the second.

        Args:
            attempt: How many attempts have failed so far, from 1.
            left: What is left of the call's total time, in seconds; without a limit where not given.
            requested: The pause that the server asks for, in seconds.
            jitter: Draws a number between two bounds; replaced in tests.
        """
        if attempt >= self.attempts:
            return None
        pause = (
            requested if requested is not None else jitter(0.0, compute_longest_pause(attempt, self.base, self.maximum))
        )
        return pause if pause < left else None


def parse_retry_after(header: str | None, now: datetime | None = None) -> float | None:
    """Read a ``Retry-After`` header (RFC 9110, 10.2.3): seconds or a date.

    Returns:
        Seconds from now, never negative; None where the header is absent or makes no sense.
    """
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    from email.utils import parsedate_to_datetime  # loaded with the first such answer: no OPA of ours sends one

    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
