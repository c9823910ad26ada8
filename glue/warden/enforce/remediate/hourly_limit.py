"""The stop: how many objects may be patched in an hour before a person has to say so. Pure."""

from collections import deque
from collections.abc import Iterable
from typing import Final

from warden.enforce.remediate.config import Stop

__all__ = ["HourlyLimit"]

_HOUR: Final = 3600.0


class HourlyLimit:
    """Counts patches, and says when there would be too many.

    Args:
        limits: What is too many.
        accept: Whether a person has accepted what is to be patched by the first decisions: so many patches are free.
    """

    def __init__(self, limits: Stop, *, accept: bool = False) -> None:
        self._limits, self._accept, self._free = limits, accept, 0
        self._times: deque[float] = deque()

    def count_patch(self, now: float) -> None:
        """Note a patch.

        Args:
            now: Monotonic seconds.
        """
        if self._free:
            self._free -= 1
        else:
            self._times.append(now)

    def note_pending(self, pending: int) -> None:
        """Note what is to be patched once all is decided: the first time it is what was accepted, and then the most.

        Args:
            pending: Objects that are to be patched.
        """
        self._free = pending if self._accept else min(self._free, pending)
        self._accept = False

    def check(self, pending: int, total: int, now: float) -> str | None:
        """Return why nothing may be patched, None where it may.

        Args:
            pending: Objects that are to be patched.
            total: Objects that there are.
            now: Monotonic seconds.
        """
        while self._times and self._times[0] <= now - _HOUR:
            self._times.popleft()
        self.note_pending(pending)
        limit = max(self._limits.at_least, int(self._limits.share * total))
        done, excess = len(self._times), pending - self._free
        if not excess or done + excess <= limit:
            return None
        return (
            f"{pending} of {total} objects would be patched and {done} were within the hour, more than {limit}: "
            "look at them with --once --report-only, then start with --accept"
        )

    def list_ages(self, now: float) -> list[int]:
        """Return for each patch of the last hour how many seconds ago it was."""
        return [round(now - time) for time in self._times if time > now - _HOUR]

    def restore(self, ages: Iterable[float], now: float) -> None:
        """Count the patches of a Lease alone; an age that cannot be, as after a change of the clock, is 0."""
        self._times = deque(sorted(now - max(0.0, age) for age in ages if age < _HOUR))
