"""Who asks, and how often they may."""

import hashlib
import time
from collections.abc import Callable, Mapping

__all__ = ["Callers", "Throttled", "Unauthorized"]


class Unauthorized(Exception):
    """Raised where it is not known who asks; its text says what to send."""


class Throttled(Exception):
    """Raised where a principal asks too often.

    Args:
        seconds: After which it may ask again.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(f"too many requests: ask again in {seconds:.3f} s")
        self.seconds = seconds


class Callers:
    """Those who may ask.

    Args:
        tokens: The principal of each token.
        per_second: How many requests a principal may make, a second of them at once.
        now: Seconds of a clock that only goes forward.
    """

    def __init__(self, tokens: Mapping[str, str], per_second: float, now: Callable[[], float] = time.monotonic) -> None:
        self._principals = {_hash(token): principal for token, principal in tokens.items()}
        self._rate, self._now = per_second, now
        self._left: dict[str, tuple[float, float]] = {}

    def admit(self, authorization: str | None) -> str:
        """Return the principal of a request.

        Args:
            authorization: Its header.

        Raises:
            Unauthorized: Nobody has this token.
            Throttled: The principal has none of its requests left.
        """
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Unauthorized("send a token: Authorization: Bearer …")
        principal = self._principals.get(_hash(token.strip()))
        if principal is None:
            raise Unauthorized("nobody has this token")
        self._take(principal)
        return principal

    def _take(self, principal: str) -> None:
        now = self._now()
        most = max(1.0, self._rate)
        left, since = self._left.get(principal, (most, now))
        left = min(most, left + (now - since) * self._rate)
        if left < 1:
            self._left[principal] = left, now
            raise Throttled((1 - left) / self._rate)
        self._left[principal] = left - 1, now


def _hash(token: str) -> bytes:
    """What is compared in a token's place, so that the time tells nothing of how much of it was right."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
