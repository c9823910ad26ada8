"""An OPA with the shipped bundle."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from warden.bundle.build import build_bundle
from warden.opa.client import OpaClient
from warden.opa.server import LocalOpa


@pytest.fixture(scope="session")
def opa(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpaClient]:
    """A client of a real OPA with the shipped rules and settings."""
    bundle = build_bundle(tmp_path_factory.mktemp("contract") / "bundle.tar.gz", opa=opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as server, server.client() as client:
        yield client
