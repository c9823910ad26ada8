"""A summary to show, and a run's directory to report on."""

import json
from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from warden.analyse.report.summary import GroupCount, RuleCount, Summary, summarise


@pytest.fixture
def summary() -> Summary:
    """A run with everything in it, and with names that are not harmless."""
    severities = {"critical": 1, "high": 1, "medium": 0, "low": 0, "info": 0}
    return Summary(
        run_id="r-1",
        revision="rev",
        evaluated_at="2026-11-21T02:00:00Z",
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
        worst=[{"cluster": "prod", "topic": "<i>", "owner": None, "status": "DENY", "rules": ["KFK-DUR-001"]}],
        not_evaluated=[{"cluster": "prod", "topic": "bad", "owner": None, "error": "poison & <u>"}],
    )


DAY = date(2026, 11, 21)
WAIVER = {
    "id": "W-1",
    "owner": "risk",
    "reason": "legal hold",
    "ticket": "GRC-1",
    "expires": "2026-12-01",
    "expired": False,
}
EXPIRED = {**WAIVER, "id": "W-0", "expires": "2026-11-20", "expired": True}
NAMES = {"prod": ["</script><script>alert(1)", "bad", "=cmd|'!A1", "fine"], "dev/1": ["only"]}


def violation(rule: str, severity: str, effect: str = "deny", **fields: Any) -> dict[str, Any]:
    """A violation as in a decision row."""
    known = {
        "message": f"{rule} says & \x01",
        "path": ["configs", "a.b"],
        "fix": "do",
        "actual": "1",
        "patch": '[{"op":"add"}]',
        "waiver": None,
        "cause": "caused",
        "before": None,
    }
    return {"rule": rule, "effect": effect, "severity": severity, **known, **fields}


def decision(cluster: str, topic: str, *violations: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A decision row."""
    denies = any(each["effect"] == "deny" for each in violations)
    known = {"run_id": "r-1", "revision": "rev", "owner": None, "error": None, "status": "DENY" if denies else "ALLOW"}
    more = {"day": DAY, "kind": "topic", "resource": topic, "input_hash": "h", "input": None}
    return {"cluster": cluster, "topic": topic, "violations": [*violations], **known, **more, **fields}


def broker_decision(cluster: str, broker: str, *violations: dict[str, Any]) -> dict[str, Any]:
    """The decision row of a broker, which is not a topic."""
    return {**decision(cluster, broker, *violations), "kind": "broker", "topic": None}


DECISIONS = [
    decision(
        "prod", NAMES["prod"][0], violation("KFK-DUR-001", "critical"), violation("KFK-X", "high", "warn"), owner="x"
    ),
    decision("prod", "bad", status="ERROR", error="poison & <u>"),
    decision("prod", NAMES["prod"][2], violation("KFK-DUR-001", "critical", "waived", waiver=WAIVER), owner="+team"),
    decision("prod", "fine", owner="x"),
    decision("dev/1", "only", violation("KFK-X", "high", "dryrun", fix=None, path=[], actual=None, patch=None)),
    broker_decision("dev/1", "1", violation("KFK-B", "low", waiver=EXPIRED)),
    decision("dev/1", "only", violation("KFK-OLD", "high"), day=date(2026, 11, 20)),
]
NEWEST = [row for row in DECISIONS if row["day"] == DAY]
_NAMES = ("run_id", "revision", "cluster", "topic", "owner", "kind", "resource", "input_hash")
FINDINGS = [
    {**{name: row[name] for name in _NAMES}, "day": row["day"].isoformat(), **each}
    for row in NEWEST
    for each in row["violations"]
]
FINDINGS.sort(key=lambda found: found["severity"])
RULE = {
    "id": "KFK-DUR-001", "title": "Replicas", "severity": "critical", "mode": "deny", "description": "Why.\n",
    "message": "too few", "fix": "more", "operations": ["CreateTopic", "AuditTopic"], "file": "x.rego",
    "params": {"min": {"type": "integer", "description": "the least"}},
    "references": ["https://kafka.apache.org/", "book"], "controls": ["SOC2 A1.2"],
}  # fmt: skip


FRAMEWORKS = {
    "SOC2": {
        "title": "SOC 2 <b>",
        "form": ".",
        "controls": {"A1.10": {"title": "Kept", "rules": ["KFK-Y"]}, "A1.2": {"title": "Redundancy"}, "A1.3": {}},
    }
}


def evaluated(decisions: list[dict[str, Any]]) -> Summary:
    """The summary of decision rows, as Spark would have counted them."""
    statuses: Counter[tuple[Any, ...]] = Counter()
    found: Counter[tuple[Any, ...]] = Counter()
    for row in (row for row in decisions if row["day"] == DAY):
        for by_cluster, name in ((True, row["cluster"]), (False, row["owner"])):
            statuses[by_cluster, name, row["status"]] += row["kind"] == "topic"
            found.update(("cluster" if by_cluster else "owner", name, each["severity"]) for each in row["violations"])
        found.update(("rule", each["rule"], each["severity"], each["effect"]) for each in row["violations"])
    empty = dict.fromkeys(("rule", "severity", "effect", "cluster", "owner"))
    figures = {
        "statuses": [
            {**empty, "cluster" if by else "owner": name, "status": status, "by_cluster": by, "topics": count}
            for (by, name, status), count in statuses.items()
        ],
        "findings": [
            {**empty, **dict(zip((key[0], "severity", "effect"), key[1:], strict=False)),
             "by_rule": key[0] == "rule", "by_cluster": key[0] == "cluster", "findings": count, "topics": count}
            for key, count in found.items()
        ],
        "worst": [],
        "errors": [
            {name: row[name] for name in ("cluster", "topic", "owner", "error")}
            for row in decisions
            if row["status"] == "ERROR"
        ],
    }  # fmt: skip
    at = datetime(2026, 11, 21, 2, 0, tzinfo=UTC)
    titles = {"KFK-DUR-001": "Replicas"}
    return summarise(
        figures, run_id="r-1", revision="rev", evaluated_at=at, source="<b>estate</b>", seconds=1.2, titles=titles
    )


def written_run(directory: Path, decisions: list[dict[str, Any]], findings: list[dict[str, Any]]) -> Path:
    """A run's directory, as a scan leaves it."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark.sql.pandas.types import to_arrow_schema

    from spark_jobs.common.schemas import FINDING, PASSES, RESOURCE_DECISION

    (directory / "decisions").mkdir(parents=True)
    table = pa.Table.from_pylist(decisions, schema=to_arrow_schema(RESOURCE_DECISION))
    pq.write_table(table, directory / "decisions" / "part-0.parquet")
    (directory / "passes").mkdir()
    passes = [
        {"run_id": "r-1", "revision": "rev", "cluster": "prod", "day": day, "kind": "topic", "rule": rule, **counts}
        for rule, day, counts in (
            ("KFK-DUR-001", DAY, {"evaluated": 3, "broken": 2, "passed": 1}),
            ("KFK-Y", DAY, {"evaluated": 3, "broken": 0, "passed": 3}),
            ("KFK-Y", date(2026, 11, 20), {"evaluated": 99, "broken": 9, "passed": 90}),
        )
    ]
    pq.write_table(pa.Table.from_pylist(passes, to_arrow_schema(PASSES)), directory / "passes" / "part-0.parquet")
    violations = [{**row, **each} for row in decisions for each in row["violations"]]
    (directory / "findings").mkdir()
    pq.write_table(
        pa.Table.from_pylist(violations, to_arrow_schema(FINDING)), directory / "findings" / "part-0.parquet"
    )
    (directory / "frameworks.json").write_text(json.dumps(FRAMEWORKS))
    (directory / "findings.jsonl").write_text("".join(json.dumps(found) + "\n" for found in findings))
    (directory / "summary.json").write_text(json.dumps(evaluated(decisions).to_document()))
    (directory / "rules.json").write_text(
        json.dumps({"KFK-DUR-001": RULE, "KFK-OFF": {**RULE, "id": "KFK-OFF", "mode": "disabled"}})
    )
    return directory


@pytest.fixture(scope="session")
def run_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run with a finding of each mode, a topic that was not evaluated, and names that are not harmless."""
    return written_run(tmp_path_factory.mktemp("runs") / "r-1", DECISIONS, FINDINGS)
