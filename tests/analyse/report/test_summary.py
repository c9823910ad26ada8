"""The summary of a run from its figures, and what makes a run fail."""

from datetime import UTC, datetime
from typing import Any

import pytest

from warden.analyse.report.summary import GroupCount, RuleCount, Summary, has_failure, summarise

NONE = {"critical": 0, "high": 0, "medium": 0, "low": 0, "info": 0}


def counted(**fields: Any) -> dict[str, Any]:
    """A row of the counted findings; the fields that are given tell the grouping set."""
    empty = {"rule": None, "severity": None, "effect": None, "cluster": None, "owner": None}
    by = {"by_rule": "rule" in fields, "by_cluster": "cluster" in fields}
    return {**empty, **by, **fields}


FIGURES: dict[str, list[dict[str, Any]]] = {
    "statuses": [
        {"cluster": "a", "owner": None, "status": "ALLOW", "by_cluster": True, "topics": 6},
        {"cluster": "a", "owner": None, "status": "DENY", "by_cluster": True, "topics": 2},
        {"cluster": "b", "owner": None, "status": "DENY", "by_cluster": True, "topics": 3},
        {"cluster": "b", "owner": None, "status": "ERROR", "by_cluster": True, "topics": 1},
        {"cluster": None, "owner": "x", "status": "ALLOW", "by_cluster": False, "topics": 6},
        {"cluster": None, "owner": "x", "status": "DENY", "by_cluster": False, "topics": 4},
        {"cluster": None, "owner": None, "status": "DENY", "by_cluster": False, "topics": 1},
        {"cluster": None, "owner": None, "status": "ERROR", "by_cluster": False, "topics": 1},
    ],
    "findings": [
        counted(rule="R1", severity="high", effect="deny", findings=5, topics=4),
        counted(rule="R2", severity="high", effect="deny", findings=7, topics=5),
        counted(rule="R3", severity="critical", effect="waived", findings=1, topics=1),
        counted(rule="R4", severity="odd", effect="warn", findings=2, topics=2),
        counted(cluster="a", severity="high", findings=12, topics=2),
        counted(cluster="b", severity="critical", findings=1, topics=1),
        counted(cluster="b", severity="odd", findings=2, topics=2),
        counted(owner="x", severity="high", findings=12, topics=4),
        counted(owner=None, severity="odd", findings=3, topics=1),
    ],
    "worst": [{"cluster": "a", "topic": "t", "owner": None, "status": "DENY", "rules": ["R1"]}],
    "errors": [{"cluster": "b", "topic": "u", "owner": None, "error": "poison"}],
}


def summary(**figures: list[dict[str, Any]]) -> Summary:
    """The summary of `FIGURES`, some of them replaced."""
    at = datetime(2026, 11, 21, 2, 0, tzinfo=UTC)
    return summarise(
        {**FIGURES, **figures},
        run_id="r",
        revision="1",
        evaluated_at=at,
        source="s",
        seconds=1.234,
        titles={"R1": "One"},
    )


def test_whole_summary() -> None:
    """Everything in it, most severe and most frequent first; a topic without an owner has the owner None."""
    assert (
        Summary(
            run_id="r",
            revision="1",
            evaluated_at="2026-11-21T02:00:00Z",
            source="s",
            seconds=1.23,
            topics=12,
            allowed=6,
            denied=5,
            errors=1,
            findings={"deny": 12, "warn": 2, "dryrun": 0, "waived": 1},
            severities={**NONE, "critical": 1, "high": 12, "odd": 2},
            rules=[
                RuleCount("R3", "", "critical", "waived", 1, 1),
                RuleCount("R2", "", "high", "deny", 7, 5),
                RuleCount("R1", "One", "high", "deny", 5, 4),
                RuleCount("R4", "", "odd", "warn", 2, 2),
            ],
            clusters=[
                GroupCount("b", 4, 3, 1, {**NONE, "critical": 1, "odd": 2}),
                GroupCount("a", 8, 2, 0, {**NONE, "high": 12}),
            ],
            owners=[
                GroupCount("x", 10, 4, 0, {**NONE, "high": 12}),
                GroupCount(None, 2, 1, 1, {**NONE, "odd": 3}),
            ],
            worst=FIGURES["worst"],
            not_evaluated=FIGURES["errors"],
        )
        == summary()
    )


@pytest.mark.parametrize(
    ("severity", "effect", "least", "expected"),
    [
        ("high", "deny", "high", True),
        ("critical", "deny", "high", True),
        ("medium", "deny", "high", False),
        ("info", "deny", "info", True),
        ("high", "warn", "high", False),
        ("high", "dryrun", "high", False),
        ("high", "waived", "high", False),
    ],
)
def test_fail_on(severity: str, effect: str, least: str, expected: bool) -> None:
    """Only a rule that denies, without a waiver, and is at least as severe, fails a run."""
    rule = counted(rule="R", severity=severity, effect=effect, findings=1, topics=1)
    statuses = [{"cluster": "a", "owner": None, "status": "DENY", "by_cluster": True, "topics": 1}]

    assert expected is has_failure(summary(findings=[rule], statuses=statuses), least)


def test_a_topic_that_is_not_evaluated_fails() -> None:
    """What could not be evaluated is not clean, whatever severity is requested."""
    assert has_failure(summary(findings=[]), "critical")
