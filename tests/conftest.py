"""Shared by all tests: the pinned OPA binary, and how Hypothesis runs."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# No deadlines: a slow machine is not a failure. On continuous integration the same examples every time.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session")
def opa_binary() -> Path:
    """Return the OPA binary at the pinned version, obtaining it first where that is needed."""
    from warden.toolchain.opa import find_opa

    return find_opa()
