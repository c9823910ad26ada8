"""One OPA with the bundle as it ships, for the tests that ask its rules."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from warden.bundle.build import Bundle
from warden.opa.client import OpaClient
from warden.opa.server import LocalOpa


@pytest.fixture(scope="session")
def opa(opa_binary: Path, shipped_bundle: Bundle) -> Iterator[LocalOpa]:
    """A running OPA."""
    with LocalOpa(shipped_bundle, opa=opa_binary) as running:
        yield running


@pytest.fixture(scope="session")
def client(opa: LocalOpa) -> Iterator[OpaClient]:
    """A client of it with the replicator's token."""
    with OpaClient(opa.url, token=opa.tokens.replicator) as asking:
        yield asking
