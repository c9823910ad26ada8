"""The examples that stand beside the rules: `<rule>_examples.yaml` with what is good and what is bad."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.examples import locate_examples
from tools.examples import read_examples as read_file
from warden.base.resources import find_shipped

__all__ = ["Example", "read_examples", "rule_files"]


@dataclass(frozen=True)
class Example:
    """One example of one rule.

    Args:
        rule: The rule's id.
        name: Path of the file and title, for messages.
        document: The decision input.
        params: Parameters that differ from the shipped ones.
        message: What the rule says, None where it has nothing to say.
        fix: What it advises then.
    """

    rule: str
    name: str
    document: dict[str, Any]
    params: dict[str, Any]
    message: str | None
    fix: str | None


def rule_files(opa: Path) -> dict[Path, str]:
    """The file of each rule under policies/kafka/rules, and its id."""
    arguments = [str(opa), "inspect", "--annotations", "--format", "json", str(find_shipped("policies"))]
    inspected = json.loads(subprocess.run(arguments, capture_output=True, check=True).stdout)
    entries = ((Path(entry["location"]["file"]), entry["annotations"]) for entry in inspected["annotations"])
    rules = find_shipped("policies") / "kafka" / "rules"
    return {
        path: text["custom"]["id"] for path, text in entries if "id" in text.get("custom", {}) and rules in path.parents
    }


def read_examples(policies: Path, ids: dict[Path, str]) -> list[Example]:
    """Return the examples of all rules.

    Args:
        policies: Directory of the policies.
        ids: The id of the rule in each Rego file.
    """
    found = []
    for path, rule in sorted(ids.items()):
        for kind, examples in read_file(locate_examples(path)).items():
            for example in examples:
                name = f"{path.relative_to(policies)}: {kind}: {example['title']}"
                document = {"now": "2026-11-21T10:00:00Z", "clusterState": {}, **example["input"]}
                params = example.get("settings", {}).get("params", {})
                texts = (example["message"], example["fix"]) if kind == "bad" else (None, None)
                found.append(Example(rule, name, document, params, *texts))
    return found
