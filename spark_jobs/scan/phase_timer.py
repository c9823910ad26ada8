"""How long the phases of a scan take."""

import time

__all__ = ["PhaseTimer"]


class PhaseTimer:
    """How long each phase takes.

    Attributes:
        laps: Seconds of each, by name.
    """

    def __init__(self) -> None:
        self._started = self._last = time.monotonic()
        self.laps: dict[str, float] = {}

    def end_phase(self, name: str) -> None:
        """End a phase, which began with the end of the one before."""
        now = time.monotonic()
        self.laps[name], self._last = now - self._last, now

    def measure_total(self) -> float:
        """Return the seconds since it was made."""
        return time.monotonic() - self._started
