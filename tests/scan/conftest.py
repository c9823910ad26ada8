"""One OPA with Warden's bundle and one Spark session for all tests that need them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from warden.scan.local import JudgingOpa, judging_opa, spark_here
from warden.snapshot.estate import write_estate


@pytest.fixture(scope="session")
def judging(opa_binary: Path) -> Iterator[JudgingOpa]:
    """A real OPA with the real bundle."""
    with judging_opa(None, None, None) as found:
        yield found


@pytest.fixture(scope="session")
def spark() -> Iterator[object]:
    """A Spark session on two cores."""
    with spark_here("local[2]") as session:
        yield session


@pytest.fixture(scope="session")
def estate_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small embedded estate, as JSON lines."""
    directory = tmp_path_factory.mktemp("estate") / "snapshot"
    write_estate(directory, 600, seed=7)
    return directory
