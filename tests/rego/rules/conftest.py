"""The examples of all rules, and an OPA that denies by every rule."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.rego.rules.examples import Example, read_examples, rule_files
from warden.base.resources import find_shipped
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa


@pytest.fixture(scope="package")
def examples(opa_binary: Path) -> list[Example]:
    """Every example, each on a cluster of its own so that settings can differ."""
    return read_examples(find_shipped("policies"), rule_files(opa_binary))


@pytest.fixture(scope="package")
def example_client(
    examples: list[Example], opa_binary: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OpaClient]:
    """A client of an OPA by which every rule denies, with the parameters of each example on its cluster."""
    settings = {
        "rules": {example.rule: {"mode": "deny"} for example in examples},
        "clusters": [
            {"match": {"name": f"example-{i}"}, "rules": {example.rule: {"params": example.params}}}
            for i, example in enumerate(examples)
            if example.params
        ],
    }
    directory = tmp_path_factory.mktemp("examples")
    (directory / "settings.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    bundle = build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml", opa=opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as opa, opa.build_client() as client:
        yield client


@pytest.fixture(scope="package")
def documents(examples: list[Example]) -> dict[str, dict[str, Any]]:
    """The decision inputs of the examples, by their names."""
    return {example.name: {**example.document, "cluster": f"example-{i}"} for i, example in enumerate(examples)}


@pytest.fixture(scope="package")
def decisions(documents: Mapping[str, Mapping[str, Any]], example_client: OpaClient) -> dict[str, Any]:
    """The decisions about all examples."""
    return example_client.decide_many(documents)
