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
