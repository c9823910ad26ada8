"""Liveness and end of processes by their id, for those that other processes started."""

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

__all__ = ["is_alive", "kill", "read_name_and_parent"]


def is_alive(pid: int) -> bool:
    """Return whether a process runs.

    A program that was killed keeps its sockets until its last thread is gone, and its id until it is waited for: such
    a zombie does not run.
    """
    try:
        os.kill(pid, 0)
        return _read_status(pid).rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    except FileNotFoundError:  # no /proc: not Linux
        return not Path("/proc/self").exists()


def kill(pid: int) -> None:
    """Send SIGKILL to a process, if it is there."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def read_name_and_parent(pid: int) -> tuple[str, int]:
    """Return a process's name and the id of its parent, 0 where it has none."""
    try:
        before, _, after = _read_status(pid).rpartition(")")
        return before.partition("(")[2], int(after.split()[1])
    except (OSError, ValueError):
        pass
    listed = subprocess.run(["ps", "-o", "ppid=,comm=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S607 - ps is where the system has it
    parent, _, name = listed.stdout.strip().partition(" ")
    return Path(name.strip()).name, int(parent or 0)


def _read_status(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
