"""The plugin's jar, the policy, and a broker that asks it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.enforce.broker_plugin.inside import Inside, build_rules, start_inside
from tools.broker_plugin import build_plugin
from warden.policy.bundle.build import Bundle


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plugin, built from its sources as a release is."""
    return build_plugin(tmp_path_factory.mktemp("plugin") / "warden-broker.jar", pinned=True)


@pytest.fixture(scope="session")
def rules(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """The policy of these tests."""
    return build_rules(tmp_path_factory.mktemp("inside-rules"), opa_binary)


@pytest.fixture(scope="module")
def inside(rules: Bundle, opa_binary: Path, plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A broker that carries out what OPA decides."""
    with start_inside(rules, opa_binary, plugin, tmp_path_factory.mktemp("inside")) as running:
        yield running
