"""A program that runs OPA in the foreground, and starts it again where it hangs."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from warden.base.errors import ToolchainError
from warden.policy.opa.health import Health, RestartDeadline

__all__ = ["notify_systemd", "watch_opa"]

_FIRST_SECONDS = 0.2  # between two checks before the first answer
_STOP_SECONDS = 12.0  # OPA itself lets requests end for ten


def watch_opa(
    command: Sequence[str], check: Callable[[], Health], patience: RestartDeadline, *, interval: float = 2.0
) -> int:
    """Run a command that is an OPA until it ends by itself, and return its exit status.

    It is killed and started again where it gives no answer for longer than ``patience``. systemd, where it waits for
    that, hears of each answer.

    Args:
        command: Program and arguments; its output goes where this process's does.
        check: Asks it how it is.
        patience: How long it may be without an answer.
        interval: Seconds between two checks.

    Raises:
        ToolchainError: The program cannot be started.
    """
    while True:
        process = _start(command)
        patience.begin()
        try:
            status = _watch(process, check, patience, interval)
        finally:
            _end(process)
        if status is not None:
            return status


def notify_systemd(state: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send systemd a state, as of sd_notify(3): nothing where it does not wait for one, or does not read any now."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel, suppress(OSError):
        channel.sendto(state.encode(), socket.MSG_DONTWAIT, f"\0{address[1:]}" if address.startswith("@") else address)


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise ToolchainError(f"{command[0]} cannot be started ({error.strerror}): name OPA's program") from error


def _watch(
    process: subprocess.Popen[bytes], check: Callable[[], Health], patience: RestartDeadline, interval: float
) -> int | None:
    """Return the exit status of an OPA that has ended; None for one that has been killed since it hangs."""
    pause = _FIRST_SECONDS
    while process.poll() is None:
        health = check()
        if health.answers:
            pause = interval
            notify_systemd("READY=1\nWATCHDOG=1")
        if patience.is_over(health):
            print(f"warden: OPA hangs and is started again: {health.problem}", file=sys.stderr, flush=True)
            process.kill()
            process.wait()
            return None
        _sleep_while(process, pause)
    return process.wait()


def _sleep_while(process: subprocess.Popen[bytes], seconds: float) -> None:
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        _sleep_while(process, _STOP_SECONDS)
        process.kill()
        process.wait()
