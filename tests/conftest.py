"""Shared by all tests: what is slow to make and nothing changes, made once, and how Hypothesis runs."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from warden.bundle.build import Bundle

# No deadlines: a slow machine is not a failure. On continuous integration the same examples every time.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session")
def opa_binary() -> Path:
    """Return the OPA binary at the pinned version, obtaining it first where that is needed."""
    from warden.toolchain.opa import find_opa

    return find_opa()


@pytest.fixture(scope="session")
def shipped_bundle(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> "Bundle":
    """Return the bundle with the settings that ship."""
    from warden.bundle.build import build_bundle

    return build_bundle(tmp_path_factory.mktemp("shipped") / "bundle.tar.gz", opa=opa_binary)
