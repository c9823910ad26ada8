"""An OPA with the suite's settings, and the suite's cases."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conformance.build import SETTINGS
from tests.conformance.run import read_cases
from tests.conformance.stated import settings
from tests.fixtures.settings import build_with_settings
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa


@pytest.fixture(scope="session")
def cases() -> list[dict[str, Any]]:
    """All of them."""
    return read_cases()


@pytest.fixture(scope="session")
def conformance_bundle(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """The bundle with the suite's settings."""
    return build_bundle(tmp_path_factory.mktemp("conformance") / "bundle.tar.gz", settings=SETTINGS, opa=opa_binary)


@pytest.fixture(scope="session")
def conformance_opa(opa_binary: Path, conformance_bundle: Bundle) -> Iterator[LocalOpa]:
    """An OPA with it; nothing is ever written to it."""
    with LocalOpa(conformance_bundle, opa=opa_binary) as running:
        yield running


@pytest.fixture(scope="session")
def client(conformance_opa: LocalOpa) -> Iterator[OpaClient]:
    """A client of it."""
    with conformance_opa.build_client() as client:
        yield client


@pytest.fixture(scope="session")
def stated_opa(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalOpa]:
    """An OPA to which each mode of the suite is a cluster."""
    stated = settings(yaml.safe_load(SETTINGS.read_text()))
    bundle = build_with_settings(stated, tmp_path_factory.mktemp("stated"), opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as running:
        yield running
