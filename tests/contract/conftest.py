"""An OPA with the shipped bundle."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from warden.bundle.build import Bundle
from warden.opa.client import OpaClient
from warden.opa.server import LocalOpa


@pytest.fixture(scope="session")
def opa(opa_binary: Path, shipped_bundle: Bundle) -> Iterator[OpaClient]:
    """A client of a real OPA with the shipped rules and settings."""
    with LocalOpa(shipped_bundle, opa=opa_binary) as server, server.client() as client:
        yield client
