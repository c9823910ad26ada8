"""What to do first, from findings as they pass by."""

from typing import Any

from warden.analyse.report.first_steps import FirstSteps, OwnerStep, RuleStep


def finding(rule: str, effect: str, owner: str | None = "a", **fields: Any) -> dict[str, Any]:
    """A finding of a rule, of which only its id, effect and owner matter."""
    return {"rule": rule, "effect": effect, "owner": owner, "severity": "high", "cluster": "c", "fix": None, **fields}


def counted(*findings: dict[str, Any]) -> FirstSteps:
    """The steps after these have passed, unchanged."""
    steps = FirstSteps()
    assert [*findings] == [*steps.iter_counted(findings)]
    return steps


def test_rules() -> None:
    """What denies comes before what is more severe and only warns; the fix is that of a finding that denies."""
    steps = counted(
        finding("W", "warn", severity="critical", fix="w"),
        finding("D", "warn", fix="of a warning"),
        finding("D", "deny", fix="of a denial"),
        finding("D", "deny", fix="of another"),
        *(finding("D", "warn", owner) for owner in (None, "b", "b", "c", "d")),
        finding("C", "deny", severity="critical"),
        finding("Q", "dryrun"),
        finding("V", "waived"),
    )

    assert [
        RuleStep("C", "critical", 1, 0, "", (("a", 1),), 0),
        RuleStep("D", "high", 2, 6, "of a denial", (("a", 3), ("b", 2), (None, 1)), 2),
        RuleStep("W", "critical", 0, 1, "w", (("a", 1),), 0),
    ] == steps.rank_rules()


def test_owners() -> None:
    """Who has most that is denied comes first, then who has most that is warned of; rules by what denies."""
    steps = counted(
        *(finding("W", "warn", "b", severity="critical") for _ in range(3)),
        finding("D", "deny", None),
        finding("W", "warn", None, severity="critical"),
        finding("X", "warn", None, severity="low"),
        finding("Y", "warn", None, severity="info"),
        finding("W", "dryrun", "quiet"),
    )

    assert [
        OwnerStep(None, 1, 3, (("D", 1, 0), ("W", 0, 1), ("X", 0, 1)), 1),
        OwnerStep("b", 0, 3, (("W", 0, 3),), 0),
    ] == steps.rank_owners()


def test_five_are_enough() -> None:
    """More than five rules or owners are not what comes first."""
    steps = counted(*(finding(f"R{n}", "deny", f"o{n}") for n in range(7)))

    assert [f"R{n}" for n in range(5)] == [step.rule for step in steps.rank_rules()]
    assert [f"o{n}" for n in range(5)] == [step.owner for step in steps.rank_owners()]


def test_effects_of_a_group() -> None:
    """All effects of a cluster or an owner, in their order; none of what has no finding."""
    steps = counted(finding("A", "warn", None), finding("A", "waived", None), finding("A", "deny", "x"))

    assert {"deny": 1, "warn": 1, "dryrun": 0, "waived": 1} == steps.count_effects("cluster", "c")
    assert {"deny": 0, "warn": 1, "dryrun": 0, "waived": 1} == steps.count_effects("owner", None)
    assert {"deny": 0, "warn": 0, "dryrun": 0, "waived": 0} == steps.count_effects("owner", "none")
