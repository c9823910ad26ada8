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


# What a run that does not ask for them leaves out, with what it takes: marker → where the tests are.
_LEFT_OUT = {"k8s": "tests/k8s", "cluster": "tests/scan/test_clusters"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that take minutes, or minutes to build what they run on; `make ci` asks for them."""
    asked = config.getoption("markexpr")
    out = {
        marker
        for marker, place in _LEFT_OUT.items()
        if marker not in asked and not any(place in a for a in config.args)
    }
    left = [item for item in items if any(item.get_closest_marker(marker) for marker in out)]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in set(left)]


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


@pytest.fixture(scope="session")
def few_bundle(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> "Bundle":
    """Return a bundle under whose settings only a few rules deny."""
    from tests.admin.settings import few_rules
    from warden.bundle.build import build_bundle

    directory = tmp_path_factory.mktemp("few")
    settings = few_rules(directory / "settings.yaml")
    return build_bundle(directory / "bundle.tar.gz", settings=settings, opa=opa_binary)
