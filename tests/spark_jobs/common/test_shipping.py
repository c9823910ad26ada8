"""Warden's modules as a zip file, which is all that executors have of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from spark_jobs.common.shipping import write_modules
from warden.base.files.redact import STARS

pytestmark = pytest.mark.process

_PROGRAM = """
import warden
from warden.base.files.redact import redact
print(warden.__file__, redact({"password": "geheim", "name": "a"}))
"""


def test_secrets_are_masked_by_shipped_modules(tmp_path: Path) -> None:
    """The policy's table of secrets is among them: without a checkout, and without an installed package."""
    modules = write_modules(tmp_path / "modules.zip")
    environment = os.environ | {"PYTHONPATH": str(modules)}
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (f"{modules}/warden/__init__.py {{'password': '{STARS}', 'name': 'a'}}\n", "") == (
        done.stdout,
        done.stderr,
    )
