"""Runs one program and takes it along when the process that wanted it is gone, however that ended.

A script of its own, started as ``python -I -S supervisor.py PROGRAM ARGUMENT…``; it prints the program's process id.

Why a process in between: Linux can kill a child when its parent ends (PR_SET_PDEATHSIG, prctl(2)), but "parent" there
means the thread that forked, so that a program started in a worker thread would end with that thread; and the
``preexec_fn`` which sets it is unsafe in a process with threads. This process has one thread, so both are safe here.
It watches its standard input, a pipe whose other end only the wanting process holds: end of file means that this
process has closed it or is gone, by SIGKILL too. A fork of it may hold the pipe as well, so the parent's id is looked
at once a second. Should this process itself be killed, Linux kills the program.
"""

import ctypes
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable

__all__: list[str] = []

_PR_SET_PDEATHSIG = 1
_GRACE = 5.0  # seconds between SIGTERM and SIGKILL
_LOOK = 1.0  # seconds


def _dies_with_me() -> Callable[[], None] | None:
    if not sys.platform.startswith("linux"):
        return None
    prctl, me = ctypes.CDLL(None).prctl, os.getpid()

    def set_death_signal() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != me:
            os._exit(1)

    return set_death_signal


def _main(command: list[str]) -> int:
    parent = os.getppid()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    program = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        preexec_fn=_dies_with_me(),  # noqa: PLW1509 - this process has one thread
    )
    print(program.pid, flush=True)
    wanted = True
    while wanted and program.poll() is None:
        ready, _, _ = select.select([sys.stdin, woken], [], [], _LOOK)
        told = woken in ready and any(number != signal.SIGCHLD for number in os.read(woken, 64))
        wanted = not told and sys.stdin not in ready and os.getppid() == parent
    if program.poll() is None:
        program.terminate()
        try:
            program.wait(_GRACE)
        except subprocess.TimeoutExpired:
            program.kill()
    return abs(program.wait())


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
