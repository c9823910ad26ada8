"""Two verdicts on one input: what is told of their difference."""

from typing import Any

import pytest

from warden.impact.compare import Change, RuleChange, compare


def violation(rule: str, message: str = "m", mode: str = "deny", waiver: Any = None) -> dict[str, Any]:
    """A violation as in a verdict row."""
    return {"rule": rule, "message": message, "mode": mode, "severity": "high", "waiver": waiver}


def verdict(*violations: dict[str, Any], error: str | None = None) -> dict[str, Any]:
    """A verdict row."""
    denies = any(each["mode"] == "deny" and not each["waiver"] for each in violations)
    return {"status": "ERROR" if error else "DENY" if denies else "ALLOW", "violations": [*violations], "error": error}


WAIVED = violation("A", waiver={"id": "W"})
ALLOW, A, B = verdict(), verdict(violation("A")), verdict(violation("B"))


@pytest.mark.parametrize(
    ("before", "after", "kind", "rules"),
    [
        (ALLOW, ALLOW, "unchanged", []),
        (A, A, "unchanged", []),
        (ALLOW, A, "newly denied", [("A", "denies", "", "m")]),
        (A, ALLOW, "newly allowed", [("A", "allows", "m", "")]),
        (A, B, "changed", [("A", "allows", "m", ""), ("B", "denies", "", "m")]),
        (A, verdict(violation("A", "n")), "changed", [("A", "message", "m", "n")]),
        (A, verdict(violation("A", mode="warn")), "newly allowed", [("A", "allows", "m", "(warn) m")]),
        (A, verdict(WAIVED), "newly allowed", [("A", "allows", "m", "(waived) m")]),
        (verdict(WAIVED), A, "newly denied", [("A", "denies", "(waived) m", "m")]),
        (ALLOW, verdict(violation("A", mode="warn")), "changed", [("A", "notes", "", "(warn) m")]),
        (verdict(violation("A", mode="dryrun")), ALLOW, "changed", [("A", "notes", "(dryrun) m", "")]),
        (A, verdict(violation("A"), violation("A", "n")), "changed", [("A", "message", "m", "m; n")]),
        (verdict(violation("A", "n"), violation("A")), verdict(violation("A"), violation("A", "n")), "unchanged", []),
        (ALLOW, verdict(error="bad"), "newly denied", [("", "denies", "", "bad")]),
        (verdict(error="bad"), ALLOW, "newly allowed", [("", "allows", "bad", "")]),
        (verdict(error="bad"), verdict(error="bad"), "unchanged", []),
        (verdict(error="bad"), A, "changed", [("", "allows", "bad", ""), ("A", "denies", "", "m")]),
    ],
)
def test_compare(before: Any, after: Any, kind: str, rules: list[tuple[str, str, str, str]]) -> None:
    """Each pair has one kind; what was refused or could not be judged was not allowed."""
    expected = tuple(RuleChange(rule, "high" if rule else "", *rest) for rule, *rest in rules)

    assert Change(kind, expected) == compare(before, after)
