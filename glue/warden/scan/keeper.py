"""Runs one program for as long as another process, which need not be its parent, is there.

A script of its own, started as ``python -I -S -c <this text> PID DIRECTORY PROGRAM ARGUMENT…``; it prints the program's
process id. `warden.opa.supervisor` ties a program to the process that started it; the tasks of a Spark executor are
processes that come and go, so an OPA that they share is tied to the executor itself. DIRECTORY is removed at the end.
Should this process be killed, Linux kills the program (PR_SET_PDEATHSIG, prctl(2)).
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time

_PR_SET_PDEATHSIG = 1
_GRACE = 5.0  # seconds between SIGTERM and SIGKILL
_LOOK = 0.5  # seconds


def _begun(pid: int) -> str | None:
    """When a process began, as far as the system tells: a process id may be used again. None where there is none."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:  # noqa: PTH123 - no imports to spare
            fields = stat.read().rpartition(")")[2].split()
        return None if fields[0] == "Z" else fields[19]
    except FileNotFoundError:
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return "" if not os.path.isdir("/proc/self") else None  # noqa: PTH112 - no imports to spare


def _die_with_me() -> None:
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _main(watched: int, directory: str, command: list[str]) -> int:
    begun = _begun(watched)
    told: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda got, _: told.append(got))
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, preexec_fn=_die_with_me)  # noqa: PLW1509
    print(program.pid, flush=True)
    os.close(1)
    while program.poll() is None and not told and begun is not None and _begun(watched) == begun:
        time.sleep(_LOOK)
    wanted = begun is not None and _begun(watched) == begun and not told
    if program.poll() is None:
        program.terminate()
        try:
            program.wait(_GRACE)
        except subprocess.TimeoutExpired:
            program.kill()
    if not wanted:
        shutil.rmtree(directory, ignore_errors=True)
    return abs(program.wait())


if __name__ == "__main__":
    sys.exit(_main(int(sys.argv[1]), sys.argv[2], sys.argv[3:]))
