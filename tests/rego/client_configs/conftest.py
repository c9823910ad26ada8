"""One built bundle for all tests of client configs, and one OPA that decides by it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.fixtures.asking import Ask, asking
from warden.policy.bundle.build import Bundle, build_bundle


@pytest.fixture(scope="session")
def bundle(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Return a bundle whose super user is admin."""
    directory = tmp_path_factory.mktemp("clients")
    (directory / "settings.yaml").write_text(yaml.safe_dump({"superUsers": ["User:admin"]}), encoding="utf-8")
    return build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml", opa=opa_binary)


@pytest.fixture(scope="session")
def ask(opa_binary: Path, bundle: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Return what asks an OPA with this bundle many questions at once."""
    with asking(opa_binary, bundle, tmp_path_factory.mktemp("ask")) as asks:
        yield asks
