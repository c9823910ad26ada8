"""The oracles of this checkout, run against another release of Kafka: its broker, its classes, its commands."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree as ET

from warden.base.errors import WardenError

__all__ = ["run_oracles"]

_CHECKOUT = Path(__file__).parents[3]
# What is started takes the pinned release where none is named: another one is pinned before any of that is loaded.
_RUN = """\
import sys
from warden.base.toolchain import versions
versions.KAFKA = sys.argv[1]
import pytest
sys.exit(pytest.main(sys.argv[2:]))
"""
_ENDED = (0, 1)  # all hold; some do not


def run_oracles(
    version: str, tests: Sequence[str] = ("tests/oracle", "tests/rego", "tests/state")
) -> tuple[list[str], bool]:
    """Run the tests with the marker ``oracle``, and return lines about them and whether all hold.

    Args:
        version: Of Kafka, with its patch; its jars are pinned.
        tests: Files and directories, from the checkout.

    Raises:
        WardenError: They did not run to their end.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    with TemporaryDirectory(prefix="warden-oracles-") as directory:
        report = Path(directory, "report.xml")
        options = ["-m", "oracle", "--quiet", "--no-header", f"--junitxml={report}", "--override-ini=addopts="]
        command = [sys.executable, "-c", _RUN, version, *options, "--import-mode=importlib", *tests]
        done = subprocess.run(command, cwd=_CHECKOUT, env=environment, stdout=sys.stderr, check=False)
        if done.returncode not in _ENDED or not report.exists():
            raise WardenError(f"the oracles ended with {done.returncode} before they were through: see above")
        cases = list(ET.parse(report).iter("testcase"))  # noqa: S314 - pytest has just written it
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    skipped = sum(case.find("skipped") is not None for case in cases)
    hold = len(cases) - len(failed) - skipped
    return [
        f"oracles with Kafka {version}: {hold} hold, {len(failed)} do not, {skipped} skipped",
        *(f"  {case.get('classname')}::{case.get('name')}" for case in failed),
    ], not failed
