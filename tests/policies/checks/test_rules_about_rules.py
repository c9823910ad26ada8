"""The rules about our rules (policies/checks/rules), evaluated the policies of this checkout."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.fixtures.checkout import CHECKOUT
from warden.bundle.opa import opa_json, opa_run
from warden.resources import share

pytestmark = pytest.mark.opa

# What `opa parse` makes of each file is kept from run to run, by OPA's version and the file's name and text.
_TREES = CHECKOUT / "build/syntax-trees"
_LEFT_OUT = "KFK-RET-001"
_QUERY = f"""[shipped, lacking] |
  shipped := data.checks.rules.problems
  rules := object.remove(input.settings.rules, ["{_LEFT_OUT}"])
  lacking := data.checks.rules.problems with input.settings as {{"rules": rules}}
"""


@pytest.fixture(scope="module")
def problems(opa_binary: Path) -> list[list[str]]:
    """Return what is wrong with the policies of this checkout, as they are and where the settings lack a rule."""
    policies = share("policies")
    inspected = json.loads(opa_run(opa_binary, "inspect", "--annotations", "--format", "json", ".", cwd=policies))
    modules = ",".join(f"{json.dumps(file)}:{tree}" for file, tree in _trees(opa_binary, policies).items())
    settings = yaml.safe_load((share("bundle") / "settings/data.yaml").read_text(encoding="utf-8"))
    rest = json.dumps({"annotations": inspected["annotations"], "settings": settings})
    arguments = ("eval", "--format", "json", "--stdin-input", "--bundle", str(policies), f"[{_QUERY}]")
    answer = opa_json(opa_binary, *arguments, stdin=f'{{"modules":{{{modules}}},{rest[1:]}')
    (found,) = answer["result"][0]["expressions"][0]["value"]
    return [sorted(f"{problem['file']}:{problem['row']}: {problem['message']}" for problem in one) for one in found]


def _trees(opa: Path, policies: Path) -> dict[str, str]:
    """The syntax tree of each file with the rows in it, as JSON, by the path under policies/."""
    version, trees, known = opa_run(opa, "version"), {}, set()
    _TREES.mkdir(parents=True, exist_ok=True)
    for path in sorted(policies.rglob("*.rego")):
        file = path.relative_to(policies).as_posix()
        kept = _TREES / hashlib.sha256(f"{version}\0{file}\0{path.read_text(encoding='utf-8')}".encode()).hexdigest()
        known.add(kept)
        if not kept.exists():
            parse = ("parse", "--format", "json", "--json-include", "locations,-comments", file)
            tree = json.loads(opa_run(opa, *parse, cwd=policies), object_hook=_with_row)
            written = kept.with_suffix(".new")
            written.write_text(json.dumps(tree, separators=(",", ":")), encoding="utf-8")
            written.replace(kept)
        trees[file] = kept.read_text(encoding="utf-8")
    for other in set(_TREES.iterdir()) - known:
        other.unlink(missing_ok=True)
    return trees


def _with_row(node: dict[str, Any]) -> dict[str, Any]:
    """Of a location the row alone, which is all that is read of it."""
    if "location" in node:
        node["location"] = {"row": node["location"]["row"]}
    return node


def test_our_rules_are_as_we_say(problems):
    """No rule of this checkout breaks a rule about rules; each problem names its file and line."""
    shipped, _ = problems

    assert [] == shipped, "\n" + "\n".join(shipped)


def test_a_problem_is_shown(problems):
    """The test above can fail: a rule that the settings lack is found in its file."""
    _, lacking = problems

    found = [line for line in lacking if _LEFT_OUT in line]
    assert [True] == [line.startswith("kafka/rules/retention/time.rego:") for line in found]
    assert found[0].endswith(": KFK-RET-001 is not in the settings that ship")
