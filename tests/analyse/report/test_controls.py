"""What a run shows about controls: counted as its tables say, and never clean where nothing was seen."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analyse.report.conftest import DAY, DECISIONS, FINDINGS, decision, violation, written_run
from warden.analyse.report.controls import ControlEvidence, RuleEvidence, count_by_rule, iter_frameworks
from warden.analyse.report.evidence import iter_control_rows
from warden.analyse.report.finished_run import Run, open_run
from warden.analyse.report.lines import CONTROL_COLUMNS
from warden.analyse.report.new_findings import select_new
from warden.analyse.report.write import iter_report

_AUDIT = {"operations": ["CreateTopic", "AuditTopic"], "mode": "deny"}
_COUNTS = ("findings", "waived", "evaluated", "broken", "passed", "not_evaluated")


def _control(*rules: RuleEvidence) -> ControlEvidence:
    return ControlEvidence("F", "1", "One", rules)


_BROKEN = RuleEvidence("A", findings=1, evaluated=2, broken=1, passed=1, owners={"x": 1})
_WAIVED = RuleEvidence("B", waived=1, evaluated=2, broken=1, passed=1)
_KEPT = RuleEvidence("C", evaluated=2, passed=2)
_PART = RuleEvidence("D", evaluated=2, passed=2, not_evaluated=1)
_UNSEEN = RuleEvidence("E", metadata=_AUDIT)
_FAILED = RuleEvidence("G", not_evaluated=3, metadata=_AUDIT)


@pytest.mark.parametrize(
    ("rules", "evidence"),
    [
        ((_KEPT, _BROKEN, _WAIVED), "findings"),
        ((_KEPT, _WAIVED, _UNSEEN), "waived"),
        ((_KEPT,), "passes"),
        ((_KEPT, _PART), "passes in part"),
        ((_KEPT, _UNSEEN), "passes in part"),
        ((_UNSEEN, _FAILED), "no evidence"),
        ((), "no evidence"),
    ],
)
def test_a_control_is_as_its_worst_rule(rules: tuple[RuleEvidence, ...], evidence: str) -> None:
    """It passes only where every rule has been kept by all that there is."""
    assert evidence == _control(*rules).evidence


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (_KEPT, ""),
        (_FAILED, "not evaluated"),
        (_UNSEEN, "nothing to evaluate"),
        (RuleEvidence("SITE-1"), "nothing to evaluate"),
        (RuleEvidence("E", metadata={**_AUDIT, "mode": "disabled"}), "disabled"),
        (RuleEvidence("E", metadata={"operations": ["CreateTopic"], "mode": "deny"}), "about changes alone"),
    ],
)
def test_why_there_is_no_evidence(rule: RuleEvidence, reason: str) -> None:
    """For a rule without any, in words."""
    assert reason == rule.reason


def test_a_kind_of_which_nothing_was_decided() -> None:
    """No row of passes says that a rule applies there: it counts where the rule is about the kind, and is on."""
    rules = {"A": _AUDIT, "B": {**_AUDIT, "mode": "disabled"}, "C": {"operations": ["AuditAcl"], "mode": "deny"}}
    shown = count_by_rule(rules, [], [], {("prod", "topic"): 4})
    assert {"A": 4, "B": 0, "C": 0} == {id: rule.not_evaluated for id, rule in shown.items()}
    assert ["no evidence"] * 3 == [rule.evidence for rule in shown.values()]


def test_ids_by_number_and_rules_by_both_ways() -> None:
    """A.5.9 comes before A.5.12; a rule is there by its METADATA or by the table, once."""
    table = {"F": {"title": "One", "controls": {"A.5.12": {"rules": ["A", "B"]}, "A.5.9": {"title": "x"}}}}
    shown = {id: RuleEvidence(id, metadata={"controls": ["F A.5.12"]}) for id in ("A", "C")} | {"B": RuleEvidence("B")}
    [framework] = iter_frameworks(table, dict(sorted(shown.items())))
    found = [(control.control, [rule.rule for rule in control.rules]) for control in framework.controls]
    assert [("A.5.9", []), ("A.5.12", ["A", "B", "C"])] == found


def test_a_run(run_directory: Path) -> None:
    """Counts, owners and what was not evaluated, of each cluster's newest day; a formula is text in the CSV."""
    rows = list(csv.DictReader(io.StringIO("".join(iter_report(open_run(run_directory), "controls")))))
    assert [*CONTROL_COLUMNS] == [*rows[0]]
    found = [[row[name] for name in ("control", "rule", "evidence", "reason", *_COUNTS, "owners")] for row in rows]
    assert [
        ["A1.2", "KFK-DUR-001", "findings", "", "1", "1", "3", "2", "1", "1", "x 1"],
        ["A1.2", "KFK-OFF", "no evidence", "disabled", "0", "0", "0", "0", "0", "0", ""],
        ["A1.3", "", "no evidence", "no rule", "", "", "", "", "", "", ""],
        ["A1.10", "KFK-Y", "passes in part", "", "0", "0", "3", "0", "3", "1", ""],
    ] == found
    assert {("r-1", "rev", "2026-11-21T02:00:00Z")} == {
        (row["run_id"], row["revision"], row["evaluated_at"]) for row in rows
    }


def test_the_page_leads_to_findings_and_owners(run_directory: Path) -> None:
    """What it says of a control, with links to filters that the page has."""
    page = "".join(iter_report(open_run(run_directory), "html"))
    section = page[page.index('id="h-controls"') : page.index('id="h-pages"')]
    assert "SOC 2 &lt;b&gt;" in section
    for link in ("#rule=KFK-DUR-001", "#rule=KFK-DUR-001&amp;effect=waived", "#owner=x"):
        assert f'href="{link}"' in section
    for words in ("passes in part", "No evidence, disabled: ", "No rule names it.", "no certificate"):
        assert words in section


def test_of_an_older_warden_and_since_a_baseline(run_directory: Path, tmp_path: Path) -> None:
    """A run that knows no frameworks has no section and no lines; what is new is no evidence, so the whole run is."""
    old = written_run(tmp_path / "old", DECISIONS, FINDINGS)
    (old / "frameworks.json").unlink()
    assert "h-controls" not in "".join(iter_report(open_run(old), "html"))
    assert 1 == len("".join(iter_report(open_run(old), "controls")).splitlines())
    new = select_new(open_run(run_directory), open_run(run_directory))
    assert "h-controls" not in "".join(iter_report(new, "html"))
    assert [*iter_report(open_run(run_directory), "controls")] == [*iter_report(new, "controls")]


_RULES = ("A", "B", "C", "D")
_PLACES = st.tuples(st.sampled_from(["dev", "prod"]), st.sampled_from(["topic", "acl"]))
_FINDING = st.tuples(st.sampled_from(_RULES), st.sampled_from(["deny", "warn", "dryrun", "waived"]))
_RESOURCE = st.tuples(
    _PLACES,
    st.sampled_from([None, "x", "y"]),
    st.one_of(st.none(), st.lists(_FINDING, max_size=3)),  # None: not evaluated
    st.booleans(),  # of the newest day
)
_OLDER = DAY.replace(day=1)


@settings(max_examples=30, deadline=None)
@given(
    resources=st.lists(_RESOURCE, max_size=25),
    named=st.dictionaries(st.sampled_from(_RULES), st.lists(st.sampled_from(["F 1", "F 2"]), unique=True)),
    parts=st.integers(min_value=1, max_value=4),
)
def test_counts_are_those_of_the_tables(resources: list[Any], named: dict[str, list[str]], parts: int) -> None:
    """Whatever rules, waivers, owners, days and files: nothing is lost, nothing is there twice."""
    decisions = [_decide(number, *resource) for number, resource in enumerate(resources)]
    days = {
        row["cluster"]: max(each["day"] for each in decisions if each["cluster"] == row["cluster"]) for row in decisions
    }
    newest = [row for row in decisions if row["day"] == days[row["cluster"]]]
    with TemporaryDirectory() as name:
        run = _write(Path(name), decisions, named, parts)
        rows = {(row["control"], row.get("rule")): row for row in iter_control_rows(run)}
        frameworks = run.evidence
    assert {("1", None), ("2", None), *((each[2:], id) for id, those in named.items() for each in those)} >= rows.keys()
    for (control, id), row in rows.items():
        if id is None:
            assert not [rule for rule, those in named.items() if f"F {control}" in those]
            continue
        found = [(each, one) for each in newest for one in each["violations"] if one["rule"] == id]
        held = [each for each, one in found if one["effect"] != "waived"]
        decided = [each for each in newest if each["status"] != "ERROR"]
        broken = {each["resource"] for each, _ in found}
        assert {
            "findings": len(held),
            "waived": len(found) - len(held),
            "evaluated": len(decided),
            "broken": len(broken),
            "passed": len(decided) - len(broken),
            "not_evaluated": len(newest) - len(decided),
        } == {name: row[name] for name in _COUNTS}
        assert Counter(each["owner"] for each in held) == {each["owner"]: each["findings"] for each in row["owners"]}
        assert (row["evidence"] in {"passes", "passes in part"}) == bool(decided and not found)
    for control in (each for framework in frameworks for each in framework.controls):
        assert _sum(rows, control.control) == [control.compute_total(name) for name in _COUNTS]
        assert sum(count for _, count in control.owners) == control.compute_total("findings")


def _sum(rows: dict[Any, dict[str, Any]], control: str) -> list[int]:
    return [sum(row.get(name, 0) for (id, _), row in rows.items() if id == control) for name in _COUNTS]


def _decide(number: int, place: tuple[str, str], owner: str | None, found: Any, is_new: bool) -> dict[str, Any]:
    fields = {"owner": owner, "kind": place[1], "day": DAY if is_new else _OLDER}
    if found is None:
        return decision(place[0], f"r{number}", **fields, status="ERROR", error="x")
    return decision(place[0], f"r{number}", *[violation(rule, "low", effect) for rule, effect in found], **fields)


def _write(directory: Path, decisions: list[dict[str, Any]], named: dict[str, list[str]], parts: int) -> Run:
    """A run whose tables are in several files; each rule is about both kinds."""
    written_run(directory / "r", decisions, [])
    operations = ["AuditTopic", "AuditAcl"]
    rules = {id: {"operations": operations, "mode": "deny", "controls": those} for id, those in named.items()}
    (directory / "r" / "rules.json").write_text(json.dumps(rules))
    (directory / "r" / "frameworks.json").write_text(json.dumps({"F": {"controls": {"1": {}, "2": {}}}}))
    tables: dict[str, Callable[[], list[dict[str, Any]]]] = {"passes": lambda: _count_passes(decisions)}
    for name in ("decisions", "findings", "passes"):
        path = directory / "r" / name / "part-0.parquet"
        table = pq.read_table(path, partitioning=None)
        if name in tables:
            table = pa.Table.from_pylist(tables[name](), table.schema)
        for part in range(parts):
            pq.write_table(
                table.take(pa.array(range(part, table.num_rows, parts), pa.int64())),
                path.with_name(f"part-{part}.parquet"),
            )
    return open_run(directory / "r")


def _count_passes(decisions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As Spark counts them: a row of each rule for each cluster, day and kind of which something was decided."""
    decided = [row for row in decisions if row["status"] != "ERROR"]
    rows = []
    for cluster, day, kind in {(row["cluster"], row["day"], row["kind"]) for row in decided}:
        own = [row for row in decided if (row["cluster"], row["day"], row["kind"]) == (cluster, day, kind)]
        for rule in _RULES:
            broken = sum(any(each["rule"] == rule for each in row["violations"]) for row in own)
            counts = {"evaluated": len(own), "broken": broken, "passed": len(own) - broken}
            rows.append(
                {
                    "run_id": "r-1",
                    "revision": "rev",
                    "cluster": cluster,
                    "day": day,
                    "kind": kind,
                    "rule": rule,
                    **counts,
                }
            )
    return rows
