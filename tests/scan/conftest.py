"""One OPA with Warden's bundle, one Spark session and a small estate for all tests that need them."""

from pathlib import Path

import pytest

from tests.sessions import judging, spark
from warden.snapshot.estate import write_estate

__all__ = ["estate_directory", "judging", "spark"]


@pytest.fixture(scope="session")
def estate_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small embedded estate, as JSON lines."""
    directory = tmp_path_factory.mktemp("estate") / "snapshot"
    write_estate(directory, 600, seed=7)
    return directory
