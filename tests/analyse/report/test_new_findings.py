"""What is new since a baseline: findings of two generated runs, in each form, against a model of a few lines."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analyse.report.conftest import DAY, decision, violation, written_run
from warden.analyse.report.compare import NEW, UNCHANGED, UPDATED, Comparison
from warden.analyse.report.finding import compute_fingerprint
from warden.analyse.report.finished_run import Run, open_run
from warden.analyse.report.new_findings import select_new
from warden.analyse.report.write import iter_report
from warden.base.errors import InputError
from warden.commands.report import command
from warden.policy.contract.effect import EFFECTS
from warden.policy.contract.severities import SEVERITIES, rank_severity

Decisions = list[dict[str, Any]]

_VIOLATIONS = st.builds(
    lambda rule, severity, effect, path, actual: violation(
        rule, severity, effect, path=path, actual=actual, message=f"is {actual}", patch=None
    ),
    st.sampled_from(["KFK-A", "KFK-B"]),
    st.sampled_from(SEVERITIES[:3]),
    st.sampled_from(["deny", "warn", "dryrun"]),
    st.sampled_from([["configs", "a"], []]),
    st.sampled_from(["1", "2", "3"]),
)
_TOPICS = st.dictionaries(
    st.tuples(st.sampled_from(["prod", "dev"]), st.sampled_from(["a", "b"])),
    st.none() | st.lists(_VIOLATIONS, max_size=3, unique_by=lambda each: json.dumps(each, sort_keys=True)),
    max_size=4,
)


def _decide(topics: dict[tuple[str, str], Any]) -> Decisions:
    return [
        decision(cluster, topic, status="ERROR", error="poison")
        if found is None
        else decision(cluster, topic, *found, owner=f"{topic}-team")
        for (cluster, topic), found in topics.items()
    ]


def _write(directory: Path, decisions: Decisions) -> Run:
    names = ("run_id", "revision", "cluster", "topic", "owner", "kind", "resource", "input_hash")
    findings = [
        {**{name: row[name] for name in names}, "day": DAY.isoformat(), **each}
        for row in decisions
        for each in row["violations"]
    ]
    return open_run(written_run(directory, decisions, findings))


def _is_new(finding: dict[str, Any], before: Decisions) -> bool:
    """Where no finding repeats a fingerprint: it is new unless it was there at least as severely."""
    return not any(
        compute_fingerprint({**row, **each}) == compute_fingerprint(finding)
        and list(EFFECTS).index(each["effect"]) <= list(EFFECTS).index(finding["effect"])
        and rank_severity(each["severity"]) <= rank_severity(finding["severity"])
        for row in before
        for each in row["violations"]
    )


@settings(max_examples=60, deadline=None)
@given(before=_TOPICS, after=_TOPICS)
def test_every_form_has_what_is_new(
    tmp_path_factory: pytest.TempPathFactory, before: dict[tuple[str, str], Any], after: dict[tuple[str, str], Any]
) -> None:
    """All forms agree on what is new, and the figures add up, whatever the two runs have."""
    directory = tmp_path_factory.mktemp("runs")
    old, now = _decide(before), _decide(after)
    baseline, run = _write(directory / "old", old), _write(directory / "new", now)
    new = select_new(baseline, run)
    states = Counter(state for _, state in new.iter_states())
    counts, found = new.to_document(), list(new.iter_findings())

    assert sum(states.values()) == len(list(run.iter_findings()))
    assert all(states[state] == counts[state] for state in (NEW, UPDATED, UNCHANGED))
    was = len(list(baseline.iter_findings()))
    assert was - counts["fixed"] - counts["unknown"] >= states[UNCHANGED] + states[UPDATED]
    assert len(found) == states[NEW] == sum(new.summary.severities.values()) == sum(new.summary.findings.values())

    repeated = Counter(compute_fingerprint({**row, **each}) for row in old for each in row["violations"])
    repeated |= Counter(compute_fingerprint({**row, **each}) for row in now for each in row["violations"])
    for finding, state in new.iter_states():
        if repeated[compute_fingerprint(finding)] == 1:
            assert (state == NEW) is _is_new(finding, old)

    rows = list(csv.DictReader(io.StringIO("".join(iter_report(new, "csv")), newline="")))
    assert len(found) == sum(row["status"] == "FINDING" for row in rows)
    (log,) = json.loads("".join(iter_report(new, "sarif")))["runs"]
    assert states == Counter(result["baselineState"] for result in log["results"])
    reports = json.loads("".join(iter_report(new, "openreports")))["items"]
    assert len(found) == sum(each["result"] != "error" for item in reports for each in item["results"])
    denied = {(each["cluster"], each["topic"]) for each in found if each["effect"] == "deny"}
    suites = ET.fromstring("".join(iter_report(new, "junit")))
    assert len(denied) == len(suites.findall(".//failure")) == int(suites.get("failures", "")) == new.summary.denied
    errors = sum(row["status"] == "ERROR" for row in now)
    assert errors == new.summary.errors == len(suites.findall(".//error"))
    assert new.summary.allowed == new.summary.topics - len(denied) - errors
    assert f"{len(denied)} of {len(now)} topics" in "".join(iter_report(new, "html"))


def _compare(tmp_path: Path, before: Decisions, after: Decisions) -> Comparison:
    return select_new(_write(tmp_path / "old", before), _write(tmp_path / "new", after)).comparison


@pytest.mark.parametrize(
    ("change", "state"),
    [
        ({}, UNCHANGED),
        ({"actual": "9"}, UPDATED),
        ({"message": "other words"}, UPDATED),
        ({"effect": "warn"}, UPDATED),
        ({"severity": "low"}, UPDATED),
        ({"severity": "critical"}, NEW),
        ({"path": ["configs", "other"]}, NEW),
        ({"rule": "KFK-OTHER"}, NEW),
    ],
)
def test_a_finding_is_the_same_or_new(tmp_path: Path, change: dict[str, Any], state: str) -> None:
    """Another value is the same finding; what is graver than before is new."""
    first = violation("KFK-A", "medium")
    compared = _compare(tmp_path, [decision("prod", "t", first)], [decision("prod", "t", {**first, **change})])

    assert {**dict.fromkeys((NEW, UPDATED, UNCHANGED), 0), state: 1} == compared.count_states()


def test_a_waiver_that_ends(tmp_path: Path) -> None:
    """What was waived and denies now is new; what is waived now is not."""
    denies, waived = violation("KFK-A", "high"), violation("KFK-A", "high", "waived")

    assert 1 == _compare(tmp_path / "1", [decision("p", "t", waived)], [decision("p", "t", denies)]).count_states()[NEW]
    assert 0 == _compare(tmp_path / "2", [decision("p", "t", denies)], [decision("p", "t", waived)]).count_states()[NEW]


def test_two_entries_of_a_list(tmp_path: Path) -> None:
    """Findings at one path are kept apart by what they say: the one that came is new, whichever is named first."""
    one, two = (violation("KFK-A", "high", message=f"{name} is not allowed") for name in "ab")
    compared = select_new(
        _write(tmp_path / "old", [decision("prod", "t", two)]),
        _write(tmp_path / "new", [decision("prod", "t", one, two)]),
    )

    assert ["a is not allowed"] == [each["message"] for each in compared.iter_findings()]


def test_what_is_gone(tmp_path: Path) -> None:
    """Fixed is what was evaluated without it; of what failed now, or is not there, nobody knows."""
    before = [decision("prod", name, violation("KFK-A", "high")) for name in ("fixed", "failed", "away", "left")]
    after = [
        decision("prod", "fixed"),
        decision("prod", "failed", status="ERROR", error="poison"),
        decision("prod", "left", violation("KFK-A", "high")),
    ]

    assert (1, 2) == _compare(tmp_path, before, after).count_ended()


def test_the_command(tmp_path: Path) -> None:
    """`warden report --baseline` takes a run, says what is none, and a damaged one."""
    known, came = violation("KFK-A", "high"), violation("KFK-B", "high")
    _write(tmp_path / "old", [decision("prod", "t", known)])
    _write(tmp_path / "new", [decision("prod", "t", known, came)])
    arguments = [str(tmp_path / "new"), "--output", "json", "--out", "-", "--baseline"]
    shown = CliRunner().invoke(command, [*arguments, str(tmp_path / "old")])

    assert ["KFK-B"] == [json.loads(line)["rule"] for line in shown.stdout.splitlines()]
    with pytest.raises(InputError, match=r"not a run, it has no summary\.json"):
        CliRunner().invoke(command, [*arguments, str(tmp_path)], catch_exceptions=False, standalone_mode=False)
    (tmp_path / "old" / "findings.jsonl").write_text('{"rule": "KFK-A"}\n')
    with pytest.raises(InputError, match=r"findings\.jsonl: not the findings of a run"):
        CliRunner().invoke(command, [*arguments, str(tmp_path / "old")], catch_exceptions=False, standalone_mode=False)
