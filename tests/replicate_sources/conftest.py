"""One OPA with the bundle as it ships, for the tests that ask its rules."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from warden.bundle.build import build_bundle
from warden.opa.client import OpaClient
from warden.opa.server import LocalOpa


@pytest.fixture(scope="session")
def opa(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalOpa]:
    """A running OPA."""
    bundle = build_bundle(tmp_path_factory.mktemp("sources") / "bundle.tar.gz", opa=opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as running:
        yield running


@pytest.fixture(scope="session")
def client(opa: LocalOpa) -> Iterator[OpaClient]:
    """A client of it with the replicator's token."""
    with OpaClient(opa.url, token=opa.tokens.replicator) as asking:
        yield asking
