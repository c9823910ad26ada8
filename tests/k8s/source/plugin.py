"""A program that a kubeconfig names under `exec`: it prints the next of the credentials that it was given."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["VERSION", "Plugin", "credential"]

VERSION = "client.authentication.k8s.io/v1"

_PROGRAM = """#!/bin/sh
cd "$(dirname "$0")"
echo "$KUBERNETES_EXEC_INFO" >> runs
n=$(wc -l < runs)
while [ ! -f $n ] && [ $n -gt 1 ]; do n=$((n - 1)); done
cat $n
[ -z "$REASON" ] || { echo "$REASON" >&2; exit 3; }
"""


class Plugin:
    """A program of its own in a directory.

    Args:
        directory: Where it, its answers and the notes of its runs are; it is made.
        answers: What it prints at its first run, its second and so on; at further runs the last of them again.
    """

    def __init__(self, directory: Path, *answers: str) -> None:
        directory.mkdir()
        self.path = directory / "plugin"
        self.path.write_text(_PROGRAM, encoding="utf-8")
        self.path.chmod(0o755)
        for number, answer in enumerate(answers, 1):
            (directory / str(number)).write_text(answer, encoding="utf-8")

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The content of KUBERNETES_EXEC_INFO at each run."""
        notes = self.path.with_name("runs")
        lines = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []
        return [json.loads(line) for line in lines]

    def user(self, environment: Mapping[str, str] | None = None, **more: Any) -> dict[str, Any]:
        """Return the user of a kubeconfig that logs in with it."""
        variables = [{"name": name, "value": value} for name, value in (environment or {}).items()]
        return {"exec": {"apiVersion": VERSION, "command": str(self.path), "env": variables, **more}}


def credential(**status: Any) -> str:
    """Return what a program prints."""
    return json.dumps({"apiVersion": VERSION, "kind": "ExecCredential", "status": status})
