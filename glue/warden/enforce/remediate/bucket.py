"""A token bucket: so many at once after a rest, and so many a second in the long run. Pure."""

__all__ = ["TokenBucket"]


class TokenBucket:
    """Holds up to ``burst`` tokens, and is full at first.

    Args:
        per_second: Tokens that come each second.
        burst: Tokens that it holds.
    """

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second, self._burst = per_second, burst
        self._tokens = float(burst)
        self._at: float | None = None

    def compute_wait(self, now: float) -> float:
        """Return the seconds until a token is there; 0 where one is.

        Args:
            now: Monotonic seconds; of a clock that goes back no time has passed.
        """
        if self._at is not None and now > self._at:
            self._tokens = min(self._burst, self._tokens + (now - self._at) * self._per_second)
        self._at = now
        return max(0.0, (1.0 - self._tokens) / self._per_second)

    def take(self, now: float) -> bool:
        """Take a token and return whether there was one."""
        if self.compute_wait(now) > 0:
            return False
        self._tokens -= 1.0
        return True
