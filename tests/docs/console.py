"""Runs the console blocks of a page, in order, in one shell and one copy of the checkout.

A block whose fence has a title (```` ```yaml title="settings.yaml" ````) is written to that file. A console block has
commands behind ``$ `` and, below each, what it prints; without that only the exit status counts. In what is shown,
``…`` stands for any text of a line, and a line that is ``…`` alone for any lines. Before a block may stand comments
that a reader does not see: ``<!-- exit 1 -->`` for another exit status than 0, ``<!-- run: COMMAND -->`` for a command.
Blocks of `sh` are not run: they name hosts or clusters that only the reader has.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.fixtures.checkout import CHECKOUT

__all__ = ["MAKE", "Command", "File", "Session", "copy_checkout", "iter_page"]

MAKE = re.compile(r"make (setup|run|test|demo|lint|ci|bundle|bench|test-k8s|test-docs|test-oracles|mutants)\b.*")
"""What `.ci/run` itself runs in a clean clone; a page may show it without running it once more."""

_BLOCK = re.compile(
    r"^<!-- (?P<word>exit|run:) (?P<value>.*?) -->$|^```(?P<language>\w+)(?P<attributes>[^\n]*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_END = "\x1e"


@dataclass(frozen=True)
class File:
    """A file that a page has its reader write."""

    name: str
    text: str


@dataclass(frozen=True)
class Command:
    """A command of a page.

    Args:
        text: The command, continuation lines included.
        output: What the page shows below it; None where it shows nothing.
        status: The exit status that the page speaks of.
    """

    text: str
    output: str | None
    status: int = 0


def iter_page(text: str) -> Iterator[File | Command]:
    """Yield the files and commands of a page in order."""
    status = 0
    for block in _BLOCK.finditer(text):
        if block["word"] == "exit":
            status = int(block["value"])
        elif block["word"]:
            yield Command(block["value"], None)
        elif title := re.search(r'title="([^"]+)"', block["attributes"]):
            yield File(title[1], block["body"])
        elif block["language"] == "console":
            yield from _commands(block["body"], status)
            status = 0


def _commands(body: str, status: int) -> Iterator[Command]:
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        end = next(i for i, line in enumerate(lines) if not line.endswith("\\"))
        shown = "\n".join(lines[end + 1 :]).strip("\n")
        yield Command("\n".join(lines[: end + 1]), shown or None, status)


class Session:
    """One shell, in which the commands of a page run.

    Args:
        directory: Where it starts.
        addresses: What a page calls an address, or a command that has one by default → the same here.
        more: Environment variables beside those of this process.
    """

    def __init__(self, directory: Path, addresses: Mapping[str, str], more: Mapping[str, str] | None = None) -> None:
        self._addresses = addresses
        self._directory = directory
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        environment = {**os.environ, "PATH": path, "PYTHONPATH": f"{directory / 'glue'}:{directory}", "COLUMNS": "120"}
        environment.pop("WARDEN_OPA_URL", None)
        environment.update(more or {})
        self._shell = subprocess.Popen(
            ["bash", "--norc"], cwd=directory, env=environment, text=True, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def write(self, file: File) -> None:
        """Write a file of the page."""
        path = self._directory / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._here(file.text), encoding="utf-8")

    def run(self, command: Command) -> str:
        """Run a command; return what is wrong with what it did, or nothing."""
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        self._shell.stdin.write(f"{self._here(command.text)}\nprintf '{_END}%d\\n' $?\n")
        self._shell.stdin.flush()
        printed = []
        for line in self._shell.stdout:
            before, end, status = line.partition(_END)
            printed.append(before)
            if end:
                break
        else:
            status = "the shell has ended"
        output = "".join(printed).strip("\n")
        if status.strip() != str(command.status):
            return f"$ {command.text}\nends with {status.strip()}, not {command.status}:\n{output}"
        if command.output is not None and not re.fullmatch(_pattern(self._here(command.output)), f"{output}\n"):
            return f"$ {command.text}\nprints\n{output}\nand not\n{command.output}"
        return ""

    def close(self, patience: float = 60) -> None:
        """End the shell and what it has started.

        Args:
            patience: Seconds that this may take.

        Raises:
            AssertionError: Something that holds the shell's output did not end at SIGTERM; it is killed.
        """
        os.killpg(self._shell.pid, signal.SIGTERM)
        try:
            self._shell.communicate(timeout=patience)
        except subprocess.TimeoutExpired as late:
            os.killpg(self._shell.pid, signal.SIGKILL)
            with self._shell:
                raise AssertionError("what holds the output of the page's shell does not end at SIGTERM") from late

    def _here(self, text: str) -> str:
        for there, here in self._addresses.items():
            text = text.replace(there, here)
        return text


def _pattern(shown: str) -> str:
    lines = (
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*?") + r"\n" for line in shown.split("\n")
    )
    return "".join(lines)


def copy_checkout(target: Path) -> Path:
    """Copy what git tracks, so that a page may change it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if name.startswith("tests/") or not (CHECKOUT / name).is_file():
            continue
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / name, target / name)
    (target / ".venv").symlink_to(sys.prefix)
    return target
