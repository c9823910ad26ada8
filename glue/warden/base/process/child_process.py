"""Child processes that cannot outlive their owner: the handle of `warden.base.process.supervisor`."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import resources
from pathlib import Path
from threading import Thread

from warden.base.errors import ToolchainError
from warden.base.files.private import open_private

__all__ = ["Process"]

_STOP_SECONDS = 8.0  # more than the supervisor gives the program


class Process:
    """A running program under supervision: it ends by itself, with `stop`, or when its owner is gone.

    Args:
        command: Program and arguments.
        environment: The program's whole environment.
        log: File to which its output is appended; made with mode 0600.
        owner: Id of the process that owns it; None for this one.
        directory: Directory to remove when the owner is gone; None for none.

    Raises:
        ToolchainError: The program cannot be started.

    Attributes:
        pid: The program's process id.
        supervisor_pid: That of the process between: SIGTERM to it stops the program.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        log: Path,
        *,
        owner: int | None = None,
        directory: Path | None = None,
    ) -> None:
        # The modules may be in a zip file, so the supervisor's text, in ASCII, is given and not its path.
        supervisor = resources.files("warden.base.process").joinpath("supervisor.py").read_text(encoding="utf-8")
        arguments = [str(owner or os.getpid()), str(directory or ""), *command]
        self._pipe: int | None = None
        watched = subprocess.DEVNULL
        if owner is None:
            watched, self._pipe = os.pipe()
        with open_private(log, "a") as output:
            # A session of its own, so that Ctrl-C in the terminal reaches us alone and we stop the program in order.
            self._supervisor = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", supervisor, *arguments],
                stdin=watched,
                stdout=subprocess.PIPE,
                stderr=output,
                env=dict(environment),
                start_new_session=True,
            )
        if owner is None:
            os.close(watched)
        else:
            Thread(target=self._supervisor.wait, name="supervisor", daemon=True).start()  # so that it leaves no zombie
        with self._supervisor.stdout as answer:  # type: ignore[union-attr]  # there is one: it is a pipe
            line = answer.readline().strip()
        if not line.isdigit():
            self.stop()
            raise ToolchainError(f"{command[0]} cannot be started: check that it is a program for this machine")
        self.pid, self.supervisor_pid = int(line), self._supervisor.pid

    @property
    def is_alive(self) -> bool:
        """Whether the program still runs."""
        return self._supervisor.poll() is None

    def stop(self) -> None:
        """Ask the program to end, make it end, and return when it has ended. May be called again."""
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None
        with suppress(ProcessLookupError):
            self._supervisor.send_signal(signal.SIGTERM)
        try:
            self._supervisor.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            self._supervisor.wait()
