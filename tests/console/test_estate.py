"""The estate: the newest scan, its days, who has to act, what may be seen of it, and which policy decides where."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tests.analyse.report.conftest import DECISIONS, FINDINGS, NAMES, decision, violation, written_run
from tests.console.logged import NOW, build_event
from tests.console.running import RunningConsole, write_config
from warden.base.errors import InputError
from warden.console.estate import read_estate
from warden.console.gate import Viewer
from warden.console.intake.events import iter_decisions_and_notes
from warden.console.policy.policies_seen import list_cluster_states, list_revisions
from warden.console.store.sqlite_store import SqliteDecisions
from warden.policy.opa.local import LocalOpa

_TODAY = date(2026, 11, 24)


def _write_runs(directory: Path) -> Path:
    """Two runs: in the second of them, a day later, owner x has another finding."""
    written_run(directory / "r-1", DECISIONS, FINDINGS)
    new = violation("KFK-NEW", "high")
    findings = [{**FINDINGS[0], **new, "topic": "fine", "resource": "fine", "owner": "x"}]
    fine = decision("prod", "fine", new, owner="x")
    written_run(directory / "r-2", [row for row in DECISIONS if row["topic"] != "fine"] + [fine], FINDINGS + findings)
    path = directory / "r-2" / "summary.json"
    summary = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(summary | {"run_id": "r-2", "evaluated_at": "2026-11-22T02:00:00Z"}), encoding="utf-8")
    return directory


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of runs."""
    return _write_runs(tmp_path_factory.mktemp("runs"))


def test_the_newest_run_and_what_is_new(runs: Path) -> None:
    """Figures are those of its summary; new is what the run before did not have; days are those of both."""
    estate = read_estate(runs, Viewer(), _TODAY).to_document()

    assert (estate["run"]["run_id"], estate["since"]) == ("r-2", "r-1")
    assert [(one["owner"], one["severities"]["high"]) for one in estate["new"]] == [("x", 1)]
    assert [day["day"] for day in estate["days"]] == ["2026-11-21", "2026-11-22"]
    assert [day["evaluated"] - day["complying"] for day in estate["days"]] == [1, 2]
    (waiver,) = estate["waivers"]
    assert (waiver["id"], waiver["days"], waiver["soon"]) == ("W-1", 7, True)


def test_somebody_sees_their_own(runs: Path) -> None:
    """Neither others' findings nor totals that would tell of them."""
    estate = read_estate(runs, Viewer("User:x", None, frozenset({"x"})), _TODAY).to_document()

    assert [group["name"] for group in estate["owners"]] == ["x"]
    assert estate["clusters"] == estate["rules"] == estate["waivers"] == []
    assert estate["run"]["topics"] == estate["owners"][0]["topics"]
    assert estate["run"]["denied"] == 2
    both = read_estate(runs, Viewer("User:x", frozenset({"prod"}), frozenset({"x"})), _TODAY).to_document()
    assert (both["clusters"], both["owners"], both["run"]["topics"]) == ([], [], 0)
    assert [one["owner"] for one in both["new"]] == ["x"]


def test_the_least_compliant_stand_first(runs: Path) -> None:
    """By their share, not by how many topics they have."""
    estate = read_estate(runs, Viewer(), _TODAY)
    for lines in (estate.clusters, estate.owners):
        shares = [line.days["2026-11-22"].complying / line.days["2026-11-22"].evaluated for line in lines]
        assert len(shares) > 1
        assert sorted(shares) == shares


def test_no_runs(tmp_path: Path) -> None:
    """The page says what is missing, and shows the rest."""
    with pytest.raises(InputError):
        read_estate(tmp_path, Viewer(), _TODAY)
    with RunningConsole(write_config(tmp_path, runs=str(tmp_path))) as console:
        page = console.json("/estate")

        assert page["estate"] is None
        assert "warden scan" in page["problem"]
        assert console.get("/estate").status_code == 200
        assert console.get("/estate/report").status_code == 404


def test_a_run_is_there_once_it_has_ended(tmp_path: Path) -> None:
    """No restart is needed; its report is served apart from the console's pages, to who sees everything."""
    runs = tmp_path / "runs"
    written_run(runs / "r-0", DECISIONS, FINDINGS)
    with RunningConsole(write_config(tmp_path, runs=str(runs))) as console:
        assert console.json("/estate")["estate"]["run"]["run_id"] == "r-1"
        _write_runs(runs)
        (runs / "r-2" / "report.html").write_text("<h1>Report</h1>", encoding="utf-8")
        page = console.json("/estate")
        report = console.get("/estate/report")

        assert (page["estate"]["run"]["run_id"], page["report"]) == ("r-2", True)
        assert report.text == "<h1>Report</h1>"
        assert report.headers["Content-Security-Policy"].startswith("sandbox allow-scripts;")


def test_names_in_it_are_text(runs: Path, tmp_path: Path) -> None:
    """Whoever names a topic writes nothing into the page."""
    with RunningConsole(write_config(tmp_path, runs=str(runs))) as console:
        page = console.get("/estate").text

    assert NAMES["prod"][0] not in page
    assert "<script" not in page


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteDecisions]:
    """Decisions of two OPAs with two policies."""
    with SqliteDecisions(tmp_path / "console.db", 100, 100_000) as opened:
        old = build_event("1") | {"labels": {"id": "opa-2"}, "bundles": {"warden": {"revision": "r0"}}}
        old["result"] |= {"revision": "r0", "stateAge": 90}
        events = [old, build_event("2", at=NOW + 60), build_event("3", cluster="dev")]
        opened.add([one for event in events for one in iter_decisions_and_notes(event)])
        yield opened


def test_which_policy_decides_where(store: SqliteDecisions) -> None:
    """By the labels of OPA's log; each cluster's state is as old as its newest decision says."""
    assert {(row["opa"], row["revision"], row["decisions"]) for row in list_revisions(store)} == {
        ("opa-1", "r1", 2),
        ("opa-2", "r0", 1),
    }
    assert {row["cluster"]: row["age"] for row in list_cluster_states(store, Viewer())} == {"prod-eu": 2.0, "dev": 2.0}
    assert [row["cluster"] for row in list_cluster_states(store, Viewer("User:a", frozenset({"dev"})))] == ["dev"]


def test_opas_tell_their_revision(opa: LocalOpa, tmp_path: Path) -> None:
    """One that is configured and cannot be reached says why."""
    (tmp_path / "token").write_text(opa.tokens.query, encoding="utf-8")
    settings = {"urls": [opa.url, "http://127.0.0.1:9"], "token": {"file": "token"}}
    with RunningConsole(write_config(tmp_path, opa=settings)) as console:
        first, second = console.json("/estate")["opas"]

    assert first["revision"] == opa.build_client().read_revision()
    assert (second["revision"], bool(second["problem"])) == (None, True)
