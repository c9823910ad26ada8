"""Waiting for something to hold, with a limit that no machine is too slow for."""

import time
from collections.abc import Callable
from typing import Any

_PATIENCE = 60.0


def eventually(holds: Callable[[], Any], what: str, timeout: float = _PATIENCE) -> Any:
    """Wait until something holds and return it; fail with ``what`` when it does not in time."""
    deadline = time.monotonic() + timeout
    while not (found := holds()):
        assert time.monotonic() < deadline, f"not within {timeout:g} s: {what}"
        time.sleep(0.03)
    return found


def attempts_within(seconds: float, base: float = 0.5) -> int:
    """The most attempts that growing pauses allow in a time, the one at its beginning included."""
    attempts, passed, pause = 0, 0.0, base
    while passed <= seconds:
        attempts += 1
        passed += pause / 2
        pause *= 2
    return attempts
