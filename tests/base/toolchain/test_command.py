"""`python -m tools.toolchain` prints paths on stdout and everything else on stderr."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.base.toolchain import versions

pytestmark = pytest.mark.process

Script = Callable[[str, str], Path]


def _run(environ: dict[str, str], *tools: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.toolchain", *tools]
    environ = {"HOME": os.environ.get("HOME", "/"), "PYTHONPATH": str(CHECKOUT / "glue"), **environ}
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=300)


def test_paths(script: Script, bare: dict[str, str], tmp_path: Path) -> None:
    """Several tools are printed in the order requested, one a line, with nothing on stderr."""
    opa = script("bin/opa", f"echo Version: {versions.OPA}")
    script("jdk/bin/java", "echo 'openjdk version \"21\"'")

    done = _run({**bare, "JAVA_HOME": str(tmp_path / "jdk")}, "java", "opa")

    assert (0, f"{tmp_path}/jdk\n{opa}\n", "") == (done.returncode, done.stdout, done.stderr)


def test_missing_tool(bare: dict[str, str]) -> None:
    """A tool that cannot be had ends with status 2, why in one sentence, and an empty stdout."""
    done = _run(bare, "regal")

    assert (2, "") == (done.returncode, done.stdout)
    *progress, error = done.stderr.splitlines()
    assert error.startswith("warden: Regal is not on PATH, and cannot be built (Go is not on PATH): install Regal ")
    assert [] == progress


def test_unknown_tool(bare: dict[str, str]) -> None:
    """A name that is not a tool is refused with the names that are."""
    done = _run(bare, "kafka")

    assert (2, "") == (done.returncode, done.stdout)
    assert "'kafka' is not one of 'jars', 'java', 'opa', 'osv-scanner', 'promtool', 'regal'" in done.stderr


def test_import_does_nothing() -> None:
    """Importing the package loads neither PySpark nor an HTTP client: it obtains nothing."""
    program = (
        "import sys, warden.base.toolchain.opa, warden.base.toolchain.java, warden.base.toolchain.jars\n"
        "print([m for m in ('pyspark', 'requests', 'rich', 'click') if m in sys.modules])"
    )
    environ = {"PYTHONPATH": str(CHECKOUT / "glue")}
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)

    assert "[]\n" == done.stdout
