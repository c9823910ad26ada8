"""A program that cannot outlive this one: the handle to `warden.opa.supervisor`."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from warden.errors import ToolchainError

__all__ = ["Process"]

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_PATIENCE = 8.0  # seconds: more than the supervisor gives the program


class Process:
    """A running program under supervision.

    Args:
        command: Program and arguments.
        environment: The program's whole environment.
        log: File to which its output is appended.

    Raises:
        ToolchainError: The program cannot be started.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        watched, held = os.pipe()
        told, tell = os.pipe()
        with log.open("ab") as output:
            # A session of its own, so that Ctrl-C in the terminal reaches us alone and we stop the program in order.
            self._supervisor = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_SUPERVISOR), *command],
                stdin=watched,
                stdout=tell,
                stderr=output,
                env=dict(environment),
                start_new_session=True,
            )
        os.close(watched)
        os.close(tell)
        self._held: int | None = held
        with os.fdopen(told, encoding="ascii") as answer:
            line = answer.readline().strip()
        if not line.isdecimal():
            self.stop()
            raise ToolchainError(f"{command[0]} cannot be started: check that it is a program for this machine")
        self.pid = int(line)

    @property
    def alive(self) -> bool:
        """Whether the program still runs."""
        return self._supervisor.poll() is None

    def stop(self) -> None:
        """Ask the program to end, make it end, and return when it has ended. May be called again."""
        if self._held is not None:
            os.close(self._held)
            self._held = None
        try:
            self._supervisor.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            self._supervisor.wait()
