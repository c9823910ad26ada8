"""Asks an entry point many questions in one evaluation of an OPA that runs on, as fast as a test can."""

import os
import tarfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests

from tests.fixtures.conditions import eventually
from warden.bundle.build import Bundle
from warden.process.ports import free_port
from warden.process.process import Process

__all__ = ["Ask", "asking"]

Ask = Callable[[str, Sequence[Any]], list[Any]]
"""Return the answers of a document, such as ``kafka.clients.accepted``, to each input, in their order."""

_SECONDS = 300


@contextmanager
def asking(opa: Path, bundle: Bundle, directory: Path) -> Iterator[Ask]:
    """Yield what asks an OPA that takes any query, started for the time being.

    Args:
        opa: The OPA binary.
        bundle: The built bundle.
        directory: Where it is unpacked; nothing is there yet.
    """
    tree, log, url = directory / "tree", directory / "opa.log", f"http://127.0.0.1:{free_port()}"
    with tarfile.open(bundle.path) as packed:
        packed.extractall(tree, filter="data", members=[m for m in packed if not m.name.endswith(".signatures.json")])
    command = [str(opa), "run", "--server", f"--addr={url}", "--log-level=error", "--skip-version-check"]
    environment = {name: os.environ[name] for name in ("GOGC", "GOMEMLIMIT") if name in os.environ}
    process = Process([*command, "--bundle", str(tree)], environment, log)

    def answers() -> bool:
        assert process.alive, log.read_text(encoding="utf-8")
        try:
            return requests.get(f"{url}/health", timeout=5).ok
        except requests.ConnectionError:
            return False

    def ask(path: str, questions: Sequence[Any]) -> list[Any]:
        query = f"answers := [answer | some question in input; answer := data.{path} with input as question]"
        answer = requests.post(f"{url}/v1/query", json={"query": query, "input": questions}, timeout=_SECONDS)
        assert answer.ok, answer.text
        found: list[Any] = answer.json()["result"][0]["answers"]
        return found

    try:
        eventually(answers, "OPA answers")
        yield ask
    finally:
        process.stop()
