"""Calls of the ``opa`` command that building a bundle needs."""

import json
import subprocess
from pathlib import Path
from typing import Any

from warden.base.errors import BundleError

__all__ = ["evaluate_opa", "run_opa", "run_opa_json"]


def run_opa(
    opa: Path, *arguments: str, stdin: str | None = None, cwd: Path | None = None, about: str = "the policies"
) -> str:
    """Run OPA and return what it prints; `about` is what it refuses where it fails.

    Raises:
        BundleError: OPA ended with an error; its own words are the message.
    """
    command = [str(opa), *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, encoding="utf-8", cwd=cwd, check=False)
    if done.returncode != 0:
        words = (done.stderr.strip() or done.stdout.strip()).removeprefix("error: ")
        raise BundleError(f"opa {arguments[0]} refused {about}: {words}")
    return done.stdout


def run_opa_json(opa: Path, *arguments: str, stdin: str | None = None) -> Any:
    """As `run_opa`, for a command that prints JSON."""
    return json.loads(run_opa(opa, *arguments, stdin=stdin))


def evaluate_opa(opa: Path, *arguments: str, stdin: str | None = None) -> Any:
    """As `run_opa_json`, the value of what ``opa eval`` evaluates; `stdin` is its input, where it has one."""
    options = ("--format", "json", *(() if stdin is None else ("--stdin-input",)))
    return run_opa_json(opa, "eval", *options, *arguments, stdin=stdin)["result"][0]["expressions"][0]["value"]
