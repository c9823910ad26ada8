"""Two OPAs, well at the beginning of each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.policy.failover.pair import Pair
from warden.policy.bundle.build import Bundle


@pytest.fixture(scope="session")
def both(few_bundle: Bundle, opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Two OPAs that all tests of this directory share."""
    with Pair(few_bundle, opa_binary, tmp_path_factory.mktemp("pair")) as running:
        yield running


@pytest.fixture
def pair(both: Pair) -> Pair:
    """Both run, and have the state of now."""
    for at, opa in enumerate(both.opas):
        both.resume(at)
        if not opa.is_alive:
            both.restart(at)
        both.write(at)
    return both
