"""The OPA binary, a small signed bundle, and one OPA that all tests of this directory share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.policy.opa.bundles import build
from warden.policy.bundle.build import Bundle
from warden.policy.opa.local import LocalOpa


@pytest.fixture(scope="session")
def small_bundle(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return build(opa_binary, tmp_path_factory.mktemp("bundle"), "r1")


@pytest.fixture(scope="session")
def local_opa(opa_binary: Path, small_bundle: Bundle) -> Iterator[LocalOpa]:
    with LocalOpa(small_bundle, opa=opa_binary) as opa:
        yield opa
