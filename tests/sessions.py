"""What tests run on; each directory that imports a fixture has one of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.report.browser import Browser, find_chromium
from warden.bundle.build import Bundle
from warden.opa.server import LocalOpa
from warden.scan.local import JudgingOpa, judging_opa, spark_here

__all__ = ["browser", "judging", "opa", "spark"]


@pytest.fixture(scope="session")
def opa(opa_binary: Path, shipped_bundle: Bundle) -> Iterator[LocalOpa]:
    """A real OPA with the bundle as it ships, into which tests write."""
    with LocalOpa(shipped_bundle, opa=opa_binary) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser; tests that need it are left out where there is none."""
    found = find_chromium()
    if isinstance(found, str):
        pytest.skip(found)
    with Browser(found) as started:
        yield started


@pytest.fixture(scope="session")
def judging(opa_binary: Path) -> Iterator[JudgingOpa]:
    """A real OPA with the real bundle."""
    with judging_opa(None, None, None) as found:
        yield found


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A Spark session on two cores."""
    with spark_here("local[2]") as session:
        yield session
