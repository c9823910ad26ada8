"""Bundles whose decisions are counted, unsigned, since `opa bench` has no flag to verify a signature."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bench.decisions.counting_opa import CountingOpa
from tests.bench.decisions.decision_inputs import RULES
from tests.bench.decisions.sequence import SETTINGS
from tests.bench.measures import unsigned
from warden.policy.bundle.build import Bundle, build_bundle


@pytest.fixture(scope="module")
def shipped(shipped_bundle: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the settings as shipped."""
    return unsigned(shipped_bundle.path, tmp_path_factory.mktemp("shipped") / "bare.tar.gz")


@pytest.fixture(scope="module")
def bare(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the profile production, under which what is counted is allowed."""
    return _build_production(opa_binary, tmp_path_factory.mktemp("counts"), {"rules": RULES})


@pytest.fixture(scope="module")
def ordered(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, where many may be."""
    return _build_production(opa_binary, tmp_path_factory.mktemp("ordered"), SETTINGS)


@pytest.fixture(scope="module")
def counting(opa_binary: Path, ordered: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CountingOpa]:
    """An OPA with `ordered`."""
    with CountingOpa(opa_binary, ordered, tmp_path_factory.mktemp("counting")) as opa:
        yield opa


@pytest.fixture(scope="module")
def counting_shipped(
    opa_binary: Path, shipped: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CountingOpa]:
    """An OPA with `shipped`."""
    with CountingOpa(opa_binary, shipped, tmp_path_factory.mktemp("counting")) as opa:
        yield opa


def _build_production(opa: Path, directory: Path, settings: dict[str, Any]) -> Path:
    written = directory / "settings.yaml"
    written.write_text(json.dumps(settings), encoding="utf-8")
    bundle = build_bundle(directory / "bundle.tar.gz", settings=written, profile="production", opa=opa)
    return unsigned(bundle.path, directory / "bare.tar.gz")
