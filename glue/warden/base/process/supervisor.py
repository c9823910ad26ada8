"""Run one program and end it when the process that owns it is gone, however that ended.

A script of its own, started as ``python -I -S -c <this text> OWNER DIRECTORY PROGRAM ARGUMENT...``; it prints the
program's process id. OWNER is a process id, which need not be that of the parent: the tasks of a Spark executor come
and go, so an OPA that they share is owned by the executor. Standard input is /dev/null, or a pipe whose other end only
the owner holds, so that its end is noticed at once. DIRECTORY, unless it is empty, is removed when the owner is gone.

Why a process in between: Linux can kill a child when its parent ends (PR_SET_PDEATHSIG, prctl(2)), but "parent" there
means the thread that forked, so that a program started in a worker thread would end with that thread; and the
``preexec_fn`` which sets it is unsafe in a process with threads. This process has one thread, so both are safe here.
A fork of the owner may hold the pipe as well, so the owner is also looked at twice a second. Should this process itself
be killed, Linux kills the program.
"""

import ctypes
import os
import select
import signal
import stat
import subprocess
import sys
from collections.abc import Callable

__all__: list[str] = []

_PR_SET_PDEATHSIG = 1
_GRACE = 5.0  # seconds between SIGTERM and SIGKILL
_INTERVAL = 0.5  # seconds between looks at the owner


def _read_start_time(pid: int) -> str | None:
    """Start of a process, since a process id may be used again; "" where the system has no /proc, None if it ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as status:  # noqa: PTH123 - few imports
            fields = status.read().rpartition(")")[2].split()
        return None if fields[0] == "Z" else fields[19]
    except FileNotFoundError:
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return "" if not os.path.isdir("/proc/self") else None  # noqa: PTH112 - few imports


def _set_death_signal() -> Callable[[], None] | None:
    if not sys.platform.startswith("linux"):
        return None
    prctl, supervisor = ctypes.CDLL(None).prctl, os.getpid()

    def set_death_signal() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:
            os._exit(1)

    return set_death_signal


def _main(owner: int, directory: str, command: list[str]) -> int:
    started = _read_start_time(owner)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    os.umask(0o077)  # what the program writes is its user's alone
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    program = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        preexec_fn=_set_death_signal(),  # noqa: PLW1509 - this process has one thread
    )
    print(program.pid, flush=True)
    watched = [woken, 0] if stat.S_ISFIFO(os.fstat(0).st_mode) else [woken]
    stopped, owned = False, started is not None
    while owned and not stopped and program.poll() is None:
        ready, _, _ = select.select(watched, [], [], _INTERVAL)
        signalled = woken in ready and any(number != signal.SIGCHLD for number in os.read(woken, 64))
        stopped = signalled or 0 in ready
        owned = _read_start_time(owner) == started
    if program.poll() is None:
        program.terminate()
        try:
            program.wait(_GRACE)
        except subprocess.TimeoutExpired:
            program.kill()
    status = abs(program.wait())
    if directory and not owned:
        import shutil  # a program is waited for until this one has loaded what it needs

        shutil.rmtree(directory, ignore_errors=True)
    return status


if __name__ == "__main__":
    os._exit(_main(int(sys.argv[1]), sys.argv[2], sys.argv[3:]))  # nothing is left to put away: somebody waits for it
