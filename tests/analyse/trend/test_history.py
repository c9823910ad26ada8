"""Findings through the days, and the shares that comply: real Spark over runs as scans leave them."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.analyse.trend.conftest import decision, error, violation, write_run
from warden.analyse.report.json_stream import iter_json_document
from warden.analyse.report.trend.documents import iter_histories, iter_json
from warden.analyse.trend.runs import FinishedScan, list_finished_scans
from warden.analyse.trend.summary import ComplianceCount, DayCompliance, Series
from warden.base.errors import InputError
from warden.base.files.address import Address

pytestmark = pytest.mark.spark

_WAIVER = {"id": "W-1", "owner": "", "reason": "", "ticket": "", "expires": "", "expired": False}
WAIVED = violation("W", effect="waived", waiver=_WAIVER)
BROKEN, WARNED = violation(), violation("S", effect="warn", severity="low")
# (topic, what was found of it on each of four days); None where the topic is not there.
FATES: dict[str, list[Any]] = {
    "open": [[BROKEN], [BROKEN], [BROKEN], [BROKEN]],
    "new": [[], [], [], [BROKEN]],
    "fixed": [[BROKEN], [BROKEN], [], []],
    "fixed-now": [[BROKEN], [BROKEN], [BROKEN], []],
    "gone": [[BROKEN], [BROKEN], None, None],
    "unknown": [[BROKEN], [BROKEN], [BROKEN], "error"],
    "fixed-after-error": [[BROKEN], "error", "error", []],
    "back": [[BROKEN], [], [BROKEN], [BROKEN]],
    "not-back": [[BROKEN], "error", [BROKEN], [BROKEN]],
    "waived": [[WAIVED], [WAIVED], [WAIVED], [WAIVED]],
    "warned": [[WARNED], [WARNED], [], []],
    "good": [[], [], [], []],
}


def day(number: int) -> list[dict[str, Any]]:
    """The decisions of a day."""
    found = {topic: fates[number] for topic, fates in FATES.items() if fates[number] is not None}
    return [error(topic) if fate == "error" else decision(topic, *fate) for topic, fate in found.items()]


@pytest.fixture(scope="module")
def followed(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """(trend, directory of the histories) of four days, the policy changing on the third."""
    from spark_jobs.analyse.trend import follow_findings

    out = tmp_path_factory.mktemp("runs")
    write_run(out, "a-overtaken", "2026-11-01T01:00:00Z", [decision("open", violation("OLD"))])
    for number in range(4):
        revision = "one" if number < 2 else "two"
        write_run(out, f"r{number}", f"2026-11-0{number + 1}T02:00:00Z", day(number), revision)
    # Another cluster, scanned by itself on two of the days.
    for number, found in ((0, [BROKEN]), (2, [])):
        other = [decision("other", *found, cluster="d", owner=None)]
        write_run(out, f"s{number}", f"2026-11-0{number + 1}T03:00:00Z", other, "two")
    (out / "latest").symlink_to("r3")
    (out / ".running-x").mkdir()
    kept = tmp_path_factory.mktemp("histories")
    return follow_findings(spark, list_finished_scans(out), kept), kept


def test_history_of_each_finding(followed: Any) -> None:
    """State, first and last day seen, the day it ended, and what is not known is not called fixed."""
    rows = {(row["cluster"], row["topic"], row["rule"]): row for row in iter_histories(followed[1])}
    fields = ("state", "first_seen", "last_seen", "ended_on", "came_back", "other_policy", "effect")
    by_key = {key: tuple(_short(row[name]) for name in fields) for key, row in rows.items()}

    assert {
        ("c", "open", "R"): ("open", 1, 4, None, False, False, "deny"),
        ("c", "new", "R"): ("new", 4, 4, None, False, False, "deny"),
        ("c", "fixed", "R"): ("fixed", 1, 2, 3, False, True, "deny"),
        ("c", "fixed-now", "R"): ("fixed", 1, 3, 4, False, False, "deny"),
        ("c", "gone", "R"): ("gone", 1, 2, 3, False, False, "deny"),
        ("c", "unknown", "R"): ("unknown", 1, 3, None, False, False, "deny"),
        ("c", "fixed-after-error", "R"): ("fixed", 1, 1, 4, False, True, "deny"),
        ("c", "back", "R"): ("open", 1, 4, None, True, False, "deny"),
        ("c", "not-back", "R"): ("open", 1, 4, None, False, False, "deny"),
        ("c", "waived", "W"): ("open", 1, 4, None, False, False, "waived"),
        ("c", "warned", "S"): ("fixed", 1, 2, 3, False, True, "warn"),
        ("d", "other", "R"): ("fixed", 1, 1, 3, False, False, "deny"),
    } == by_key


def _short(value: Any) -> Any:
    return date.fromisoformat(value).day if isinstance(value, str) and value.startswith("2026-") else value


def test_days(followed: Any) -> None:
    """Of several runs on a day each cluster's latest counts; what could not be evaluated is apart."""
    assert [
        DayCompliance("2026-11-01", 13, 4, 0, ["one", "two"]),
        DayCompliance("2026-11-02", 10, 5, 2, ["one"]),
        DayCompliance("2026-11-03", 11, 6, 1, ["two"]),
        DayCompliance("2026-11-04", 10, 6, 1, ["two"]),
    ] == followed[0].days


def test_lines(followed: Any) -> None:
    """By rule: violations in force only, warnings among them; by cluster and owner: decisions."""
    trend = followed[0]
    rules = {line.name: (line.severity, [count.complying for count in line.days.values()]) for line in trend.rules}

    assert {"R": ("high", [4, 5, 6, 6]), "S": ("low", [12, 9, 11, 10])} == rules
    assert [
        Series(
            "c",
            "",
            {f"2026-11-0{n}": ComplianceCount(*c) for n, c in enumerate([(12, 4), (10, 5), (10, 5), (10, 6)], 1)},
        ),
        Series("d", "", {"2026-11-01": ComplianceCount(1, 0), "2026-11-03": ComplianceCount(1, 1)}),
    ] == trend.clusters
    assert ["o", None] == [line.name for line in trend.owners]


def test_counts_and_what_is_fresh(followed: Any) -> None:
    """Counts by state and severity; the new and the ended of the last day by name."""
    trend = followed[0]

    assert {
        "new": {"high": 1},
        "open": {"high": 4},
        "fixed": {"high": 4, "low": 1},
        "gone": {"high": 1},
        "unknown": {"high": 1},
    } == trend.states
    assert [("new", "new"), ("fixed", "fixed-after-error"), ("fixed", "fixed-now")] == [
        (row["state"], row["topic"]) for row in trend.fresh
    ]


def test_json(followed: Any) -> None:
    """The document has the trend and every finding."""
    trend, kept = followed
    document = json.loads("".join(iter_json(trend, None, kept)))

    assert {"trend", "drift", "findings"} == document.keys()
    assert json.loads(json.dumps(trend.to_document())) == document["trend"]
    assert (None, 12) == (document["drift"], len(document["findings"]))
    assert {"findings": []} == json.loads("".join(iter_json_document({}, "findings", ())))


def test_one_day_only(spark: Any, tmp_path: Path) -> None:
    """A first run has nothing new: there is no run before."""
    from spark_jobs.analyse.trend import follow_findings

    write_run(tmp_path / "runs", "r", "2026-11-01T02:00:00Z", day(0))
    trend = follow_findings(spark, list_finished_scans(tmp_path / "runs"), tmp_path / "out")

    assert ({}, {"high": 9, "low": 1}, []) == (trend.states["new"], trend.states["open"], trend.fresh)


def test_one_run_over_several_days(spark: Any, tmp_path: Path) -> None:
    """A run over a history says what runs on each day would say, and brokers are followed too."""
    from spark_jobs.analyse.trend import follow_findings

    rows = [{**row, "day": date(2026, 11, 1 + number)} for number in range(4) for row in day(number)]
    broker = {"topic": None, "kind": "broker", "resource": "1", "day": date(2026, 11, 1)}
    write_run(tmp_path / "runs", "r", "2026-11-09T02:00:00Z", [*rows, {**decision("x", violation("B")), **broker}])
    trend = follow_findings(spark, list_finished_scans(tmp_path / "runs"), tmp_path / "out")
    states = {row["topic"]: row["state"] for row in iter_histories(tmp_path / "out")}

    assert ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04"] == [each.day for each in trend.days]
    assert [12, 10, 10, 10] == [each.evaluated for each in trend.days]
    assert ("new", "fixed", "gone", "unknown", "gone") == tuple(
        states[name] for name in ("new", "fixed", "gone", "unknown", "broker 1")
    )
    (rule,) = (line for line in trend.rules if line.name == "B")
    assert [ComplianceCount(1, 0), ComplianceCount(0, 0), ComplianceCount(0, 0), ComplianceCount(0, 0)] == [
        *rule.days.values()
    ]


def test_severity_of_a_rule(spark: Any, tmp_path: Path) -> None:
    """It is the highest of the last day on which the rule was broken, not that which sorts last as text."""
    from spark_jobs.analyse.trend import follow_findings

    def broken(*severities: str) -> list[dict[str, Any]]:
        return [
            *(decision(f"t-{each}", violation(severity=each)) for each in severities),
            decision("t-S", *(violation("S", severity=each, path=[each]) for each in severities)),
            {**decision("b", violation("T", severity=severities[0])), "kind": "broker"},
            decision("t-T", *(violation("T", severity=each) for each in severities[1:])),
        ]

    write_run(tmp_path / "runs", "r1", "2026-11-01T02:00:00Z", [decision("t", violation("GONE", severity="low"))])
    write_run(tmp_path / "runs", "r2", "2026-11-02T02:00:00Z", broken("critical", "high", "medium", "info"))
    write_run(tmp_path / "runs", "r3", "2026-11-03T02:00:00Z", broken("info", "high", "medium"))
    runs = list_finished_scans(tmp_path / "runs")
    last, before = (
        {each.name: each.severity for each in follow_findings(spark, those, tmp_path / "out").rules}
        for those in (runs, runs[:2])
    )

    assert {"GONE": "low", "R": "high", "S": "high", "T": "high"} == last
    assert {"GONE": "low", "R": "critical", "S": "critical", "T": "critical"} == before


def test_runs_of_a_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Oldest first, without links and runs under way; nothing, or a damaged run, is an error."""
    with pytest.raises(InputError, match="no such directory: name the --out of `warden scan`"):
        list_finished_scans(tmp_path / "missing")
    with pytest.raises(InputError, match="no whole run in it: `warden scan --out"):
        list_finished_scans(tmp_path)
    write_run(tmp_path, "b", "2026-11-01T02:00:00Z", [])
    write_run(tmp_path, "a", "2026-11-02T02:00:00Z", [])
    write_run(tmp_path, ".running-x", "2026-11-03T02:00:00Z", [])
    (tmp_path / "latest").symlink_to("a")
    for name, metrics in (
        ("whole", {"sample": 1.0, "where": None}),
        ("part", {"sample": 0.1}),
        ("some", {"where": "x"}),
    ):
        write_run(tmp_path, name, "2026-11-05T02:00:00Z", [])
        (tmp_path / name / "metrics.json").write_text(json.dumps(metrics))

    assert [
        FinishedScan("2026-11-01T02:00:00Z", "b", "rev", tmp_path / "b"),
        FinishedScan("2026-11-02T02:00:00Z", "a", "rev", tmp_path / "a"),
        FinishedScan("2026-11-05T02:00:00Z", "whole", "rev", tmp_path / "whole"),
    ] == list_finished_scans(tmp_path)
    assert [f"warden: {tmp_path / name} is left out: it is a scan of a part" for name in ("part", "some")] == [
        line.partition(",")[0] for line in capsys.readouterr().err.splitlines()
    ]
    list_finished_scans(tmp_path, Address("s3a://estate/runs"))
    assert "warden: s3a://estate/runs/part is left out: " in capsys.readouterr().err
    (tmp_path / "a" / "summary.json").write_text('{"run_id": "a", "revision": "r", "evaluated_at": "soon"}')
    with pytest.raises(InputError, match="not the summary of a run"):
        list_finished_scans(tmp_path)


def test_nothing_else_is_replaced(spark: Any, tmp_path: Path) -> None:
    """A directory of that name may be somebody's."""
    from spark_jobs.analyse.trend import follow_findings

    write_run(tmp_path / "runs", "r", "2026-11-01T01:00:00Z", [decision("open", BROKEN)])
    (tmp_path / "history").mkdir()
    (tmp_path / "history" / "mine.md").touch()
    with pytest.raises(InputError, match=r"mine\.md, which is of no table, would be deleted"):
        follow_findings(spark, list_finished_scans(tmp_path / "runs"), tmp_path)

    assert (tmp_path / "history" / "mine.md").exists()
