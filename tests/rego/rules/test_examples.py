"""The good and bad examples beside each rule get the decision that its page shows."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.rego.rules.examples import Example, read_examples
from warden.base.resources import find_shipped
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa


def rule_files(opa: Path) -> dict[Path, str]:
    """The file of each rule under policies/kafka/rules, and its id."""
    arguments = [str(opa), "inspect", "--annotations", "--format", "json", str(find_shipped("policies"))]
    inspected = json.loads(subprocess.run(arguments, capture_output=True, check=True).stdout)
    entries = ((Path(entry["location"]["file"]), entry["annotations"]) for entry in inspected["annotations"])
    rules = find_shipped("policies") / "kafka" / "rules"
    return {
        path: text["custom"]["id"] for path, text in entries if "id" in text.get("custom", {}) and rules in path.parents
    }


@pytest.fixture(scope="module")
def examples(opa_binary: Path) -> list[Example]:
    """Every example, each on a cluster of its own so that settings can differ."""
    return read_examples(find_shipped("policies"), rule_files(opa_binary))


@pytest.fixture(scope="module")
def decisions(examples: list[Example], opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The decisions about all examples, with every rule denying."""
    rules = sorted({example.rule for example in examples})
    settings = {
        "rules": {rule: {"mode": "deny"} for rule in rules},
        "clusters": [
            {"match": {"name": f"example-{i}"}, "rules": {example.rule: {"params": example.params}}}
            for i, example in enumerate(examples)
            if example.params
        ],
    }
    directory = tmp_path_factory.mktemp("examples")
    (directory / "settings.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    bundle = build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml", opa=opa_binary)
    items = {example.name: {**example.document, "cluster": f"example-{i}"} for i, example in enumerate(examples)}
    with LocalOpa(bundle, opa=opa_binary) as opa, opa.build_client() as client:
        return client.decide_many(items)


def test_every_rule_has_good_and_bad_examples(examples: list[Example], opa_binary: Path) -> None:
    """A page without an example teaches nothing."""
    good = {example.rule for example in examples if example.message is None}
    bad = {example.rule for example in examples if example.message is not None}

    assert (set(rule_files(opa_binary).values()),) * 2 == (good, bad)


def test_every_example_gets_its_decision(examples: list[Example], decisions: dict[str, Any]) -> None:
    """A bad example breaks its rule with message and fix as shown; a good one breaks none, and both can be read."""
    expected = {example.name: [(example.message, example.fix)] if example.message else [] for example in examples}
    decided = {
        example.name: [
            (v["message"], v["fix"]) for v in decisions[example.name]["violations"] if v["rule"] == example.rule
        ]
        for example in examples
    }
    errors = {name: decision["error"] for name, decision in decisions.items() if decision["error"]}
    refused = {name: error for name, error in errors.items() if error["name"] == "INVALID_REQUEST"}

    assert (expected, {}) == (decided, refused)
