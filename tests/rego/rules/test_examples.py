"""The good and bad examples beside each rule get the decision that its page shows."""

from pathlib import Path
from typing import Any

import pytest

from tests.rego.rules.examples import Example, rule_files
from warden.policy.opa.client import OpaClient

pytestmark = pytest.mark.opa


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


def test_every_broken_rule_applies(
    documents: dict[str, Any], decisions: dict[str, Any], example_client: OpaClient
) -> None:
    """What decisions about an operation evaluate is listed for it: the rules that have passed are among these."""
    applicable = example_client.evaluate("kafka/applicable_rules", {"cluster": "example"})
    without_labels = example_client.evaluate("kafka/applicable_rules", {"cluster": "example", "labels": False})
    broken = {
        (documents[name]["operation"], violation["rule"])
        for name, decision in decisions.items()
        for violation in decision["violations"]
    }

    assert set() == {(operation, rule) for operation, rule in broken if rule not in applicable[operation]}
    assert {"AuditTopic", "AuditTopicLabels"} == {
        operation for operation, rules in applicable.items() if set(without_labels.get(operation, ())) < set(rules)
    }
