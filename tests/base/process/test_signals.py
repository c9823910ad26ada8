"""What ends a program that runs on, at whatever moment it comes."""

import subprocess
import sys
import time

import pytest

from tests.fixtures.patience import PATIENCE

pytestmark = pytest.mark.process

_ROUNDS = 300
_WAITER = f"""
from warden.base.process.signals import stop_at_signal
for _ in range({_ROUNDS}):
    stop = stop_at_signal()
    print("waiting", flush=True)
    while not stop.wait(0.0001):
        pass
    print("ended", flush=True)
"""


def test_signals_in_close_succession_end_a_wait():
    """A second one comes while the first is handled, or one in the midst of the wait."""
    waiter = subprocess.Popen([sys.executable, "-c", _WAITER], stdout=subprocess.PIPE, text=True)
    assert waiter.stdout is not None
    waiter.stdout.readline()
    deadline = time.monotonic() + PATIENCE  # an event that its own handler locks is never set
    while waiter.poll() is None and time.monotonic() < deadline:
        time.sleep(0.00005)
        waiter.terminate()
    waiter.kill()
    said, _ = waiter.communicate()

    assert said.count("ended") == _ROUNDS
