"""One OPA with the bundle as it ships, for the tests that ask its rules."""

from collections.abc import Iterator

import pytest

from tests.sessions import opa
from warden.opa.client import OpaClient
from warden.opa.server import LocalOpa

__all__ = ["opa"]


@pytest.fixture(scope="session")
def client(opa: LocalOpa) -> Iterator[OpaClient]:
    """A client of it with the replicator's token."""
    with OpaClient(opa.url, token=opa.tokens.replicator) as asking:
        yield asking
