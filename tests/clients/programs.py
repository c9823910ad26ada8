"""Clients of Kafka as tiny programs, each of which creates a good topic and a bad one, and deletes the good one.

Each is run with an address and the two names, and prints a line for each of "good", "bad" and "delete": "ok", or what
its client's error says. Versions are pinned in the lock files beside the sources. `Unavailable` names what a machine
has not.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from warden.demo.class_path import build_class_path

__all__ = ["CLIENTS", "Unavailable", "run_client"]

_HERE = Path(__file__).parent
_BUILD_SECONDS = 900
_RUN_SECONDS = 120


class Unavailable(Exception):
    """A client cannot be had on this machine; its text says why."""


def _go(name: str, directory: Path) -> Sequence[str]:
    program = directory / "go" / name
    _build(["go", "build", "-o", str(program), f"./{name}"], _HERE / "go")
    return [str(program)]


def _cargo(name: str, directory: Path) -> Sequence[str]:
    target = directory / "cargo"
    source = shutil.copytree(_HERE / name, directory / name)  # a build writes a lock beside it
    _build(["cargo", "build", "--quiet", "--target-dir", str(target)], source)
    return [str(target / "debug" / "warden-test-client")]


def _node(name: str, directory: Path) -> Sequence[str]:
    _check_node(*{"platformatic": (22, 22)}.get(name, (18, 0)))
    modules = directory / "node"
    if not modules.exists():
        shutil.copytree(_HERE / "node", modules)
        _build(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], modules)
    return ["node", str(modules / f"{name}.js")]


def _check_node(major: int, minor: int) -> None:
    """Refuse a Node older than a package says that it needs; @platformatic/kafka wants 22.22, or 24.6."""
    version = _output(["node", "--version"])
    there = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if there < (major, minor) or ((major, minor) == (22, 22) and there[0] == 23):
        raise Unavailable(f"Node is {version.strip()}, and {major}.{minor} is needed")


def _python(name: str, _directory: Path) -> Sequence[str]:
    return [sys.executable, str(_HERE / "python" / f"{name}.py")]


def _java(_name: str, _directory: Path) -> Sequence[str]:
    from warden.base.toolchain.java import find_java

    java = find_java() / "bin" / "java"
    return [str(java), "-cp", build_class_path(), str(_HERE / "java" / "Client.java")]


CLIENTS: Mapping[str, tuple[Callable[[str, Path], Sequence[str]], str]] = {
    "franzgo": (_go, "KFK-NAM-001"),
    "sarama": (_go, "KFK-NAM-001"),
    "kafkago": (_go, "Policy Violation"),
    "kafkajs": (_node, "do not satisfy the configured policy"),
    "platformatic": (_node, "KFK-NAM-001"),
    "rskafka": (_cargo, "KFK-NAM-001"),
    "java": (_java, "KFK-NAM-001"),
    "confluent": (_python, "KFK-NAM-001"),
    "kafka_python": (_python, "KFK-NAM-001"),
    "aiokafka_": (_python, "KFK-NAM-001"),
}
"""How each is built, and what it shows of a denial: the policy's sentence, or what the client makes of the code."""


def run_client(name: str, directory: Path, address: str, good: str, bad: str) -> dict[str, str]:
    """Build a client, run it, and return what it printed, by the word before.

    Args:
        name: A key of `CLIENTS`.
        directory: Where builds go.
        address: Of the gateway.
        good, bad: Names of topics.

    Raises:
        Unavailable: Its language, or its packages, cannot be had here.
    """
    command = CLIENTS[name][0](name, directory)
    try:
        done = subprocess.run(
            [*command, address, good, bad], capture_output=True, text=True, timeout=_RUN_SECONDS, check=False
        )
    except FileNotFoundError as error:
        raise Unavailable(f"{error.filename} is not on PATH") from None
    assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr[-3000:]}"
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def _build(command: Sequence[str], directory: Path) -> None:
    _output(command, directory)


def _output(command: Sequence[str], directory: Path | None = None) -> str:
    try:
        done = subprocess.run(
            command, cwd=directory, capture_output=True, text=True, timeout=_BUILD_SECONDS, check=False
        )
    except FileNotFoundError:
        raise Unavailable(f"{command[0]} is not on PATH") from None
    if done.returncode:
        raise Unavailable(f"`{' '.join(command[:2])}` failed: {done.stderr.strip()[-500:]}")
    return done.stdout
