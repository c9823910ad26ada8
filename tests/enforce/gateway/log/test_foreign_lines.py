"""Lines of others in the logs: decisions for another enforcement point, and those of any other program."""

import json

import pytest

from tests.enforce.gateway.log.test_explanation import DECISION, LINE, REQUEST, explained
from warden.commands import EXIT_OK


@pytest.mark.parametrize("arguments", [["4ca6"], REQUEST, ["--principal", "User:alice"]])
@pytest.mark.parametrize(
    "foreign",
    [
        {"message": ["decided"]},
        {"message": {"text": "decided"}},
        {"decision_id": ["4ca6"]},
        *({name: value} for name in ("items", "decisionIds", "decisionKeys") for value in (None, "4ca6", [["4ca6"]])),
        {"items": [{"name": "Payments", "rules": None}]},
        {"forwarded": []},
    ],
    ids=str,
)
def test_lines_of_other_programs_are_passed_over(tmp_path, capsys, arguments, foreign):
    """Whatever they call by the same names."""
    (tmp_path / "other.log").write_text(json.dumps({**LINE, **foreign}))
    (tmp_path / "gateway.log").write_text(json.dumps(LINE))
    status, text = explained(tmp_path, capsys, *arguments, names=("other.log", "gateway.log"))

    assert EXIT_OK == status
    assert "prod-eu: DeleteRecords v2 of User:alice" in text


def test_a_decision_of_another_enforcement_point(tmp_path, capsys):
    """By its id: what was decided about what, each violation with its fix."""
    document = {"operation": "CreateTopic", "cluster": "c", "request": {"topic": "A"}, "enforcementPoint": "ci"}
    violation = {"rule": "KFK-NAM-001", "effect": "deny", "message": "bad", "fix": "rename it"}
    entry = {**DECISION, "path": "kafka/decision", "input": document, "result": {"violations": [violation]}}
    (tmp_path / "opa.log").write_text(json.dumps(entry))
    text = explained(tmp_path, capsys, "4ca6", names=("opa.log",))[1]

    assert (
        "c: CreateTopic A of nobody at ci: denied, decision 4ca6\n  KFK-NAM-001 deny: bad\n    fix: rename it" in text
    )
