"""Run a tool quietly: its output is shown only when it fails."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from warden.base.errors import ToolchainError

__all__ = ["run"]


def run(
    command: Sequence[str | Path], *, environ: Mapping[str, str] | None = None, timeout: float | None = None
) -> str:
    """Run a command without standard input and return what it printed on both streams.

    Args:
        command: Program and arguments.
        environ: The whole environment of the command; this process's own where it is not given.
        timeout: Seconds after which the command is killed.

    Raises:
        ToolchainError: The command cannot be started, failed, or took longer than ``timeout``.
    """
    program = str(command[0])
    try:
        done = subprocess.run(
            [str(argument) for argument in command],
            env=None if environ is None else dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            text=True,
            errors="replace",
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolchainError(f"{program} did not end within {timeout:.0f} s") from error
    except OSError as error:
        raise ToolchainError(f"{program} cannot be run ({error.strerror})") from error
    if done.returncode != 0:
        lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
        raise ToolchainError(f"{program} failed with status {done.returncode} ({_pick_telling_line(lines)})")
    return done.stdout


def _pick_telling_line(lines: Sequence[str]) -> str:
    """Pick the line that says what went wrong: the last one that names an error, else the last one."""
    errors = [line for line in lines if "error" in line.lower() or line.startswith("E:")]
    return (errors or lines or ["no output"])[-1]
