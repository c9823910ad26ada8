"""The rules about our rules (policies/checks/rules), evaluated the policies of this checkout."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from warden.bundle.opa import opa_json, opa_run
from warden.resources import share

pytestmark = pytest.mark.opa


def _ask(opa: Path, document: dict[str, Any]) -> list[str]:
    arguments = (
        "eval",
        "--format",
        "json",
        "--stdin-input",
        "--bundle",
        str(share("policies")),
        "data.checks.rules.problems",
    )
    answer = opa_json(opa, *arguments, stdin=json.dumps(document))
    problems = answer["result"][0]["expressions"][0]["value"]
    return sorted(f"{problem['file']}:{problem['row']}: {problem['message']}" for problem in problems)


@pytest.fixture(scope="module")
def document(opa_binary: Path) -> dict[str, Any]:
    """Return what the rules about rules are evaluated: every file's AST, the annotations, the shipped settings."""
    policies = share("policies")
    files = sorted(path.relative_to(policies).as_posix() for path in policies.rglob("*.rego"))
    parse = ("parse", "--format", "json", "--json-include", "locations,-comments")
    inspected = json.loads(opa_run(opa_binary, "inspect", "--annotations", "--format", "json", ".", cwd=policies))
    return {
        "modules": {file: json.loads(opa_run(opa_binary, *parse, file, cwd=policies)) for file in files},
        "annotations": inspected["annotations"],
        "settings": yaml.safe_load((share("bundle") / "settings/data.yaml").read_text(encoding="utf-8")),
    }


def test_our_rules_are_as_we_say(opa_binary, document):
    """No rule of this checkout breaks a rule about rules; each problem names its file and line."""
    problems = _ask(opa_binary, document)

    assert [] == problems, "\n" + "\n".join(problems)


def test_a_problem_is_shown(opa_binary, document):
    """The test above can fail: a rule that the settings lack is found in its file."""
    rules = {id: rule for id, rule in document["settings"]["rules"].items() if id != "KFK-RET-001"}

    problems = _ask(opa_binary, {**document, "settings": {"rules": rules}})

    found = [line for line in problems if "KFK-RET-001" in line]
    assert [True] == [line.startswith("kafka/rules/retention/time.rego:") for line in found]
    assert found[0].endswith(": KFK-RET-001 is not in the settings that ship")
