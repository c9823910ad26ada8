"""The router of the families asks a rule for every operation that its METADATA names."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from warden.bundle.metadata import rule_metadata
from warden.resources import share

ROUTER = Path("kafka/rules/rules.rego")


def nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Every object of a parse tree."""
    if isinstance(tree, dict):
        yield tree
    for below in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from nodes(below)


def routes(opa: Path) -> set[tuple[str, str]]:
    """The pairs of operation and family of which the router asks the family about the operation.

    What ``_always`` asks is asked wherever it is part of the answer.
    """
    parsed = subprocess.run(
        [opa, "parse", "--format", "json", str(share("policies") / ROUTER)], capture_output=True, check=True
    )
    rules = json.loads(parsed.stdout)["rules"]
    always = {family for rule in rules if rule["head"].get("name") == "_always" for family in families(rule["body"])}
    found = set()
    for rule in rules:
        if rule["head"].get("name") == "violations":
            operations = {node["value"] for node in nodes(rule["body"]) if node.get("type") == "string"}
            asked = families(rule["head"]["value"])
            if {"type": "var", "value": "_always"} in nodes(rule["head"]["value"]):
                asked |= always
            found |= {(operation, family) for operation in operations for family in asked}
    return found


def families(tree: Any) -> set[str]:
    """The families whose ``deny`` a tree refers to."""
    refs = [node["value"] for node in nodes(tree) if node.get("type") == "ref"]
    return {ref[0]["value"] for ref in refs if len(ref) == 2 and ref[1]["value"] == "deny"}


@pytest.mark.opa
def test_every_rule_is_asked_for_each_of_its_operations(opa_binary: Path) -> None:
    """A rule whose family is not asked about an operation would deny nothing there, and nobody would notice."""
    policies = share("policies")
    rules = [rule for rule in rule_metadata(opa_binary, policies).values() if rule["file"].startswith("kafka/rules/")]
    needed = {(operation, Path(rule["file"]).parts[2]) for rule in rules for operation in rule["operations"]}

    assert set() == needed - routes(opa_binary)
