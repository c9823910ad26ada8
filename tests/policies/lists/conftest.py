"""One built bundle, and a way to ask it thousands of questions in one evaluation."""

import json
import subprocess
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from warden.bundle.build import Bundle

Ask = Callable[[Sequence[Any]], list[dict[str, Any]]]


@pytest.fixture(scope="session")
def ask(opa_binary: Path, shipped_bundle: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Return a function from inputs of kafka/lists/check to its answers, through the bundle as it is shipped."""
    directory = tmp_path_factory.mktemp("lists")
    with tarfile.open(shipped_bundle.path) as bundle:
        bundle.extractall(directory / "tree", filter="data")
    (directory / "tree" / ".signatures.json").unlink()

    def evaluate(questions: Sequence[Any]) -> list[dict[str, Any]]:
        command = [str(opa_binary), "eval", "--bundle", "tree", "--format", "raw", "--stdin-input"]
        query = "[answer | some question in input; answer := data.kafka.lists.check with input as question]"
        inputs = json.dumps(list(questions))
        done = subprocess.run(
            [*command, query], cwd=directory, input=inputs, capture_output=True, text=True, check=True
        )
        answers: list[dict[str, Any]] = json.loads(done.stdout)
        return answers

    return evaluate
