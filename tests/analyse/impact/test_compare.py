"""Two decisions on one input: what of their difference is a change."""

from typing import Any

import pytest

from warden.analyse.impact.compare import DecisionChange, RuleChange, compare


def violation(rule: str, message: str = "m", effect: str = "deny", waiver: Any = None) -> dict[str, Any]:
    """A violation as in a decision row."""
    return {"rule": rule, "message": message, "effect": effect, "severity": "high", "waiver": waiver}


def decision(*violations: dict[str, Any], error: str | None = None) -> dict[str, Any]:
    """A decision row."""
    denies = any(each["effect"] == "deny" for each in violations)
    return {"status": "ERROR" if error else "DENY" if denies else "ALLOW", "violations": [*violations], "error": error}


WAIVER = {"id": "W", "expires": "2026-11-20", "expired": False}
WAIVED = violation("A", effect="waived", waiver=WAIVER)
EXPIRED = violation("A", waiver={**WAIVER, "expired": True})
ENDED = " (waiver W expired on 2026-11-20)"
ALLOW, A, B = decision(), decision(violation("A")), decision(violation("B"))


@pytest.mark.parametrize(
    ("before", "after", "kind", "rules"),
    [
        (ALLOW, ALLOW, "unchanged", []),
        (A, A, "unchanged", []),
        (ALLOW, A, "newly denied", [("A", "denies", "", "m")]),
        (A, ALLOW, "newly allowed", [("A", "allows", "m", "")]),
        (A, B, "changed", [("A", "allows", "m", ""), ("B", "denies", "", "m")]),
        (A, decision(violation("A", "n")), "changed", [("A", "message", "m", "n")]),
        (A, decision(violation("A", effect="warn")), "newly allowed", [("A", "allows", "m", "(warn) m")]),
        (A, decision(WAIVED), "newly allowed", [("A", "allows", "m", "(waived) m")]),
        (decision(WAIVED), A, "newly denied", [("A", "denies", "(waived) m", "m")]),
        (decision(WAIVED), decision(EXPIRED), "newly denied", [("A", "denies", "(waived) m", f"m{ENDED}")]),
        (ALLOW, decision(violation("A", effect="warn")), "changed", [("A", "notes", "", "(warn) m")]),
        (decision(violation("A", effect="dryrun")), ALLOW, "changed", [("A", "notes", "(dryrun) m", "")]),
        (A, decision(violation("A"), violation("A", "n")), "changed", [("A", "message", "m", "m; n")]),
        (decision(violation("A", "n"), violation("A")), decision(violation("A"), violation("A", "n")), "unchanged", []),
        (ALLOW, decision(error="bad"), "newly denied", [("", "denies", "", "bad")]),
        (decision(error="bad"), ALLOW, "newly allowed", [("", "allows", "bad", "")]),
        (decision(error="bad"), decision(error="bad"), "not evaluated", [("", "not evaluated", "bad", "bad")]),
        (
            decision(error="bad"),
            decision(error="worse"),
            "not evaluated",
            [("", "not evaluated", "bad", "baseline: bad; candidate: worse")],
        ),
        (decision(error="bad"), A, "changed", [("", "allows", "bad", ""), ("A", "denies", "", "m")]),
    ],
)
def test_compare(before: Any, after: Any, kind: str, rules: list[tuple[str, str, str, str]]) -> None:
    """Each pair has one kind; what one policy refuses or cannot evaluate is not allowed by it."""
    expected = tuple(RuleChange(rule, "high" if rule else "", *rest) for rule, *rest in rules)

    assert DecisionChange(kind, expected) == compare(before, after)
