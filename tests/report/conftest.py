"""A summary to show."""

import pytest

from warden.report.summary import GroupCount, RuleCount, Summary


@pytest.fixture
def summary() -> Summary:
    """A run with everything in it, and with names that are not harmless."""
    severities = {"critical": 1, "high": 1, "medium": 0, "low": 0, "info": 0}
    return Summary(
        run_id="r-1",
        revision="rev",
        judged_at="2026-11-21T02:00:00Z",
        source="<b>estate</b>",
        seconds=1.2,
        topics=2000,
        allowed=1997,
        denied=2,
        errors=1,
        findings={"deny": 1, "warn": 1, "dryrun": 0, "waived": 0},
        severities=severities,
        rules=[
            RuleCount("KFK-DUR-001", "Replicas", "critical", "deny", 1, 1),
            RuleCount("KFK-X", "[bold]x", "high", "warn", 1, 1),
        ],
        clusters=[GroupCount("prod", 2000, 2, 1, severities)],
        owners=[
            GroupCount(None, 1000, 2, 1, severities),
            GroupCount("[red]", 1000, 0, 0, dict.fromkeys(severities, 0)),
        ],
        worst=[
            {"cluster": "prod", "topic": "<i>", "owner": None, "status": "DENY", "weight": 1, "rules": ["KFK-DUR-001"]}
        ],
        unjudged=[{"cluster": "prod", "topic": "bad", "owner": None, "error": "poison & <u>"}],
    )
