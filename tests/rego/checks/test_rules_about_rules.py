"""The rules about our rules (policies/checks/rules), evaluated the policies of this checkout."""

from pathlib import Path

import pytest

from tools.lint.rule_problems import list_rule_problems

pytestmark = pytest.mark.opa

_LEFT_OUT = "KFK-RET-001"
_LACKING = f"""[problem |
  rules := object.remove(input.settings.rules, ["{_LEFT_OUT}"])
  some problem in data.checks.rules.problems with input.settings as {{"rules": rules}}
]"""


@pytest.fixture(scope="module")
def problems(opa_binary: Path) -> list[list[str]]:
    """Return what is wrong with the policies of this checkout, as they are and where the settings lack a rule."""
    found = list_rule_problems(opa_binary, ("data.checks.rules.problems", _LACKING))
    return [sorted(f"{problem['file']}:{problem['row']}: {problem['message']}" for problem in one) for one in found]


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
