"""The store of decisions: each once, whatever is sent twice; no more than there may be; found as filtered."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from tests.console.logged import NOW, build_event, build_violation
from tests.console.stores import PostgresStores, SqliteStores, Stores
from tests.fixtures.seed import SEED
from warden.base.errors import ConfigurationError, InputError, StoreError
from warden.console.gate import Viewer
from warden.console.intake.events import iter_decisions_and_notes
from warden.console.policy.policies_seen import list_revisions
from warden.console.store.decision_store import DecisionStore, FilePosition
from warden.console.store.search import Filter, count_facets, find_decision, find_page, list_new_decisions, parse_filter
from warden.console.store.sqlite_store import SqliteDecisions
from warden.console.store.stored import ClientNote

_ALL = Viewer()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.process)])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Stores:
    """Where stores can be opened by name."""
    if request.param == "sqlite":
        return SqliteStores(tmp_path)
    return PostgresStores(request.getfixturevalue("postgres"), tmp_path)


@pytest.fixture
def store(stores: Stores) -> Iterator[DecisionStore]:
    """An empty one."""
    with stores.open() as opened:
        yield opened


def _add(store: DecisionStore, *events: Any) -> int:
    return store.add(chain.from_iterable(map(iter_decisions_and_notes, events)))


def _ids(store: DecisionStore, viewer: Viewer = _ALL, **query: str) -> list[str]:
    now = datetime.fromtimestamp(NOW, UTC)
    return [row["id"] for row in find_page(store, parse_filter(query, now), viewer).rows]


def test_a_decision_is_there_once(store: DecisionStore) -> None:
    """Sent again, in the same batch or another, it is the same."""
    event = build_event("d", build_violation())

    assert _add(store, event, event) == 1
    assert _add(store, event) == 0
    assert store.rows == 1
    assert _ids(store) == ["d"]


def test_a_page_that_is_open_misses_none(stores: Stores) -> None:
    """A number is given once: what came last may be the oldest, and go first."""
    with stores.open(rows=100) as store:
        _add(store, *(build_event(f"d-{n}", at=NOW - n) for n in range(100)))
        seen = store.last
        _add(store, build_event("older", at=NOW - 200))
        assert store.rows < 100
        _add(store, build_event("new", at=NOW))
        assert [row["id"] for row in list_new_decisions(store, Filter(), _ALL, seen)] == ["new"]
        assert store.last > seen


@pytest.mark.parametrize(
    ("stores", "case"),
    [
        *(("sqlite", case) for case in range(40)),
        *(pytest.param("postgresql", case, marks=pytest.mark.process) for case in range(5)),
    ],
    indirect=["stores"],
)
def test_bounds_hold_and_each_is_there_once(case: int, stores: Stores) -> None:
    """Batches in any order and twice, with restarts between: the newest stay, each once, and no more than may."""
    numbers = random.Random(f"{SEED}/{case}")
    most, total = numbers.randint(5, 60), numbers.randint(1, 200)
    times = {f"d-{n}": NOW - numbers.randint(0, 40 * 86400) for n in range(total)}
    store = stores.open(rows=most)
    waiting = [id for id in times for _ in range(numbers.randint(1, 3))]
    numbers.shuffle(waiting)
    while waiting:
        batch, waiting = waiting[:7], waiting[7:]
        _add(store, *(build_event(id, at=times[id]) for id in batch))
        rows = store.read("SELECT id, at FROM decisions", ())
        assert len(rows) == len(set(rows)) == store.rows <= most
        assert all(at >= (NOW - 30 * 86400) * 1000 for _, at in rows)
        for table in ("documents", "broken"):
            assert store.read(f"SELECT count(*) FROM {table} WHERE seq NOT IN (SELECT seq FROM decisions)", ()) == [
                (0,)
            ]
        if numbers.random() < 0.2:
            store.close()
            store = stores.open(rows=most)
    young = sorted((at, id) for id, at in times.items() if at >= NOW - 30 * 86400)
    kept = {row[0] for row in store.read("SELECT id FROM decisions", ())}
    store.close()

    if len(young) <= most:
        assert kept == {id for _, id in young}
    assert kept <= {id for _, id in young}


def test_days_pass(stores: Stores) -> None:
    """What has become too old goes with the next batch."""
    with stores.open(days=10**15) as store:  # more than a column takes: for ever
        _add(store, build_event("old"))
    with stores.open(now=lambda: NOW + 29 * 86400) as store:
        _add(store, build_event("new", at=NOW + 29 * 86400))
    with stores.open(now=lambda: NOW + 31 * 86400) as store:
        _add(store, build_event("newest", at=NOW + 31 * 86400))

        assert _ids(store) == ["newest", "new"]


def test_a_clock_that_is_ahead(stores: Stores) -> None:
    """By a day it may be; what is further ahead counts as of when it came, and goes in its turn."""
    with stores.open() as store:
        far = {**build_event("far"), "timestamp": "9999-12-31T23:59:59.9999Z"}
        _add(store, far, build_event("days", at=NOW + 2 * 86400), build_event("hours", at=NOW + 3600))
        assert _ids(store) == ["hours", "days", "far"]
        assert {"2026-11-21T10:00:00.000Z"} == {row["time"] for row in find_page(store, Filter(), _ALL).rows[1:]}
    with stores.open(now=lambda: NOW + 31 * 86400) as store:
        _add(store, build_event("new", at=NOW + 31 * 86400))
        assert _ids(store) == ["new"]


def test_a_time_that_no_year_has(stores: Stores) -> None:
    """A store that has one from before is shown all the same."""
    with stores.open(now=lambda: 253_402_300_800.0) as store:
        _add(store, {**build_event("end"), "timestamp": "9999-12-31T23:59:59.9999Z"})
        assert ["9999-12-31T23:59:59.000Z"] == [row["time"] for row in find_page(store, Filter(), _ALL).rows]
        assert ["9999-12-31T23:59:59Z"] == [row["last"] for row in list_revisions(store)]


def test_files_that_are_gone(stores: Stores) -> None:
    """How far one was read is kept as long as decisions are: since it was read last."""
    with stores.open() as store:
        store.add([], FilePosition("gone", b"{", 9))
        store.add([], FilePosition("followed", b"{", 9))
    with stores.open(now=lambda: NOW + 29 * 86400) as store:
        assert {"gone", "followed"} == store.read_positions().keys()
        store.add([], FilePosition("followed", b"{", 10))
    with stores.open(now=lambda: NOW + 31 * 86400) as store:
        _add(store, build_event("new", at=NOW + 31 * 86400))

        assert {"followed": FilePosition("followed", b"{", 10)} == store.read_positions()


def test_one_console_has_a_file(tmp_path: Path) -> None:
    """A second writer, or a file of something else, is refused in a sentence."""
    stores = SqliteStores(tmp_path)
    with stores.open(), pytest.raises(ConfigurationError, match="another console writes to"):
        stores.open()
    (tmp_path / "text.db").write_text("no database, but long enough to be taken for one" * 100)
    with pytest.raises(ConfigurationError, match="cannot be opened"):
        stores.open("text")


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """The sentence says so; once there is room, what was not stored is."""
    big = [build_event(f"big-{n}", note="".join(random.Random(n).choices("abcdefgh", k=9000))) for n in range(200)]
    with SqliteDecisions(tmp_path / "console.db", 1000, 30, now=lambda: NOW) as store:
        _add(store, build_event("before"))
        store._writer.execute("PRAGMA max_page_count = 30")
        with pytest.raises(StoreError, match="database or disk is full: see that its disk has room"):
            _add(store, *big)
        assert _ids(store) == ["before"]
        store._writer.execute("PRAGMA max_page_count = 1000000")
        assert _add(store, *big) == 200


def test_each_field_filters(store: DecisionStore) -> None:
    """A filter leaves what has the value; a star stands for anything, and nothing else does."""
    _add(
        store,
        build_event("1", build_violation(), at=NOW - 3),
        build_event("2", build_violation("KFK-NAM-001", "warn"), at=NOW - 2, cluster="dev", enforcementPoint="ci"),
        build_event("3", at=NOW - 7200, principal={"type": "User", "name": "bob"}, request={"topic": "risk.[x]"}),
        build_event("4", at=NOW - 7300, owner="x", request={"topic": "50%_\\\0"}),
    )

    assert _ids(store) == ["2", "1", "3", "4"]
    assert _ids(store, status="denied") == ["1"]
    assert _ids(store, rule="KFK-NAM-001") == ["2"]
    assert _ids(store, cluster="dev") == _ids(store, point="ci") == ["2"]
    assert _ids(store, owner="payments") == ["2", "1"]
    assert _ids(store, principal="User:bob") == ["3"]
    assert _ids(store, resource="risk.[x]") == _ids(store, resource="ri*[x*") == ["3"]
    assert (
        _ids(store, resource="payments.card?") == _ids(store, resource="payments_*") == _ids(store, resource="P*") == []
    )
    assert _ids(store, resource="50%_\\\0") == _ids(store, resource="50%_\\*") == _ids(store, resource="5*%*") == ["4"]
    assert _ids(store, resource="*\0") == ["4"]
    assert _ids(store, since="1h") == ["2", "1"]
    assert _ids(store, rule="KFK-DUR-001", cluster="dev") == []


@pytest.mark.parametrize(
    "query",
    [{"status": "odd"}, {"before": "9" * 19 + "-1"}, {"since": "soon"}, {"since": "9" * 30 + "d"}, {"before": "x-1"}],
)
def test_a_filter_that_cannot_be(query: dict[str, str]) -> None:
    """The sentence says what to write."""
    with pytest.raises(InputError):
        parse_filter(query)


def test_pages_go_on_where_the_last_ended(store: DecisionStore) -> None:
    """Each decision is on one page, also where many fell in the same moment."""
    _add(store, *(build_event(f"d-{n}", build_violation(), at=NOW - n // 60) for n in range(205)))
    for query in ({}, {"rule": "KFK-DUR-001"}, {"cluster": "prod-eu"}):
        seen: list[str] = []
        before: str | None = ""
        while before is not None:
            page = find_page(store, parse_filter({**query, "before": before}), _ALL)
            seen += [row["id"] for row in page.rows]
            before = page.older

        assert len(seen) == len(set(seen)) == 205
        assert seen[0] == "d-59"


def test_values_are_counted(store: DecisionStore) -> None:
    """The figures are of what the filter leaves."""
    _add(
        store, build_event("1", build_violation()), build_event("2", build_violation(), cluster="dev"), build_event("3")
    )
    facets = count_facets(store, Filter({"rule": "KFK-DUR-001"}), _ALL)

    assert (facets["decisions"], facets["complete"]) == (2, True)
    assert facets["fields"]["cluster"] == [{"value": "dev", "count": 1}, {"value": "prod-eu", "count": 1}]
    assert facets["fields"]["rule"] == [{"value": "KFK-DUR-001", "count": 2}]
    assert facets["fields"]["client"] == []


def test_a_viewer_sees_what_is_theirs(store: DecisionStore) -> None:
    """Of others' resources there is neither a row, nor a figure, nor a page, nor news; own requests are there."""
    carol = {"type": "User", "name": "carol"}
    _add(
        store,
        build_event("own"),
        build_event("other", request={"topic": "x", "labels": {"owner": "risk"}}),
        build_event("nobody", request={"topic": "x"}),
        build_event("mine", request={"topic": "y"}, principal=carol),
        build_event("far", cluster="dev"),
    )
    viewer = Viewer("User:carol", frozenset({"prod-eu"}), frozenset({"payments"}))

    assert sorted(_ids(store, viewer)) == ["mine", "own"]
    assert count_facets(store, Filter(), viewer)["decisions"] == 2
    assert {row["id"] for row in list_new_decisions(store, Filter(), viewer, 0)} == {"mine", "own"}
    assert find_decision(store, "own", "", viewer) is not None
    assert find_decision(store, "mine", "", viewer) is not None
    assert [find_decision(store, id, "", viewer) for id in ("other", "nobody", "far", "none")] == [None] * 4


def test_news_have_the_filter(store: DecisionStore) -> None:
    """What was stored after a decision, by a rule too."""
    _add(store, build_event("1", build_violation()))
    last = store.last
    _add(store, build_event("2", build_violation()), build_event("3"))

    assert [row["id"] for row in list_new_decisions(store, Filter(), _ALL, last)] == ["3", "2"]
    assert [row["id"] for row in list_new_decisions(store, Filter({"rule": "KFK-DUR-001"}), _ALL, last)] == ["2"]


def test_a_search_that_takes_too_long(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends, and the sentence says what to do; the next one is answered."""
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    monkeypatch.setattr("warden.console.store.decision_store.QUERY_SECONDS", 0.1)

    with stores.open() as store:
        with pytest.raises(InputError, match="add since"):
            store.read(endless, ())
        monkeypatch.undo()
        assert store.read("SELECT 1", ()) == [(1,)]


@pytest.mark.parametrize("note_first", [True, False])
def test_a_client_is_known_whichever_log_comes_first(store: DecisionStore, note_first: bool) -> None:
    """The gateway's line names the client of a decision, and of no other item of the batch."""
    batch = build_event("b")
    batch |= {
        "path": "kafka/decisions",
        "result": {},
        "input": {"items": {"0/a": batch["input"], "1/a": batch["input"]}},
    }
    steps = [lambda: store.add([ClientNote("b", "1/", "portal", round(NOW * 1000))]), lambda: _add(store, batch)]
    for step in steps if note_first else reversed(steps):
        step()

    assert sorted(store.read("SELECT item, client FROM decisions", ())) == [("0/a", ""), ("1/a", "portal")]
