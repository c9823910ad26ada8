"""Asks an entry point many questions in one evaluation, as fast as a test can."""

import json
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from warden.bundle.build import Bundle
from warden.bundle.opa import opa_json

__all__ = ["ask_all"]


def ask_all(opa: Path, bundle: Bundle, path: str, questions: Sequence[Any]) -> list[Any]:
    """Return the answers of a document to each question, in their order.

    Args:
        opa: The OPA binary.
        bundle: The built bundle.
        path: Such as ``kafka.clients.accepted``.
        questions: Inputs.
    """
    tree = bundle.path.with_suffix(".tree")
    if not tree.exists():
        with tarfile.open(bundle.path) as packed:
            packed.extractall(
                tree, filter="data", members=[m for m in packed if not m.name.endswith(".signatures.json")]
            )
    query = f"[answer | some question in input; answer := data.{path} with input as question]"
    arguments = ("eval", "--format", "json", "--stdin-input", "--bundle", str(tree), query)
    answer = opa_json(opa, *arguments, stdin=json.dumps(questions))
    found: list[Any] = answer["result"][0]["expressions"][0]["value"]
    return found
