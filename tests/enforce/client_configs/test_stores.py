"""Stores of client configs: what was acknowledged is read by everybody, and nobody overwrites what they did not see."""

import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kafka.errors import KafkaError as LibraryError

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import ConfigurationError, StoreConflict, StoreError
from warden.demo.local_broker import LocalBroker
from warden.enforce.client_configs import topic_store
from warden.enforce.client_configs.open_store import open_store
from warden.enforce.client_configs.sqlite_store import SqliteStore
from warden.enforce.client_configs.store import EVERYTHING, Selected, Store, StoredEntity, build_state
from warden.enforce.client_configs.topic_store import TopicStore
from warden.state.sources.kafka.change_requests import send_change
from warden.state.sources.kafka.client_configs.records import EntityKey
from warden.state.sources.kafka.login.connection import Connection, connect

ALICE, LEDGER = ("alice", ""), ("alice", "ledger")
Opening = Callable[[], Store]


@pytest.fixture(params=["sqlite", pytest.param("topic", marks=pytest.mark.kafka)])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opening]:
    """Opens one and the same store, any number of times, each time as another process would."""
    stores: list[Store] = []
    connections: list[Connection] = []
    if request.param == "sqlite":
        address = f"sqlite:{tmp_path / 'configs.db'}"
    else:
        broker: LocalBroker = request.getfixturevalue("broker")
        address = f"topic:store.{uuid.uuid4().hex}"

    def open_one() -> Store:
        if request.param == "sqlite":
            stores.append(open_store(address, None, {}))  # type: ignore[arg-type] # a file has no cluster
        else:
            connections.append(connect(broker.bootstrap_servers, timeout=PATIENCE))
            stores.append(open_store(address, connections[-1], {}))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()
    for connection in connections:
        connection.close()


def test_what_was_written_is_read(opening: Opening) -> None:
    """By whoever wrote it, at once, and by whoever comes later."""
    store = opening()
    assert {} == store.read()
    store.write({ALICE: StoredEntity({"acks": "-1"}, 0), LEDGER: StoredEntity({"acks": "0"}, 0)})
    first = store.read()
    assert {"alice": {"": {"acks": "-1"}, "ledger": {"acks": "0"}}} == build_state(first)

    store.write({LEDGER: StoredEntity({}, first["alice"]["ledger"].version)})
    assert {"alice": {"": {"acks": "-1"}}} == build_state(store.read()) == build_state(opening().read())


SEVERAL = [("alice", ""), ("alice", "app"), ("alice", "x"), ("bob", ""), ("bob", "app"), ("<default>", "")]


@pytest.mark.parametrize(
    ("selection", "chosen"),
    [
        ([("alice", None)], SEVERAL[:3]),
        ([(None, "app")], [SEVERAL[1], SEVERAL[4]]),
        ([("alice", "app"), ("alice", "")], SEVERAL[:2]),
        ([("alice", "app"), ("bob", None), (None, "app")], [SEVERAL[1], SEVERAL[3], SEVERAL[4]]),
        ([("carol", None), ("alice", "y"), (None, "y")], []),
        ([], []),
        (EVERYTHING, SEVERAL),
    ],
)
def test_reading_a_part(opening: Opening, selection: list[Selected], chosen: list[EntityKey]) -> None:
    """What is selected and nothing else, of what is stored now: what was removed is not there."""
    store, removed = opening(), [("alice", "gone"), ("carol", "app")]
    store.write({key: StoredEntity({"acks": "1"}, 0) for key in (*SEVERAL, *removed)})
    there = store.read()
    store.write({(user, client): StoredEntity({}, there[user][client].version) for user, client in removed})
    for one in (store, opening()):
        found = one.read(selection)
        assert sorted(chosen) == sorted((user, client) for user, clients in found.items() for client in clients)


def test_what_has_changed(opening: Opening) -> None:
    """Whatever anybody stores or removes shows once, to each who looks."""
    store, other = opening(), opening()
    store.write({key: StoredEntity({"acks": "1"}, 0) for key in SEVERAL})
    for one in (store, other):
        one.take_changes()
        assert set() == one.take_changes()

    stored = other.read()["alice"]
    other.write(
        {ALICE: StoredEntity({"acks": "0"}, stored[""].version), ("alice", "x"): StoredEntity({}, stored["x"].version)}
    )
    for one in (store, other):
        assert {ALICE, ("alice", "x")} == one.take_changes()
        assert set() == one.take_changes()


def test_nobody_overwrites_what_they_have_not_seen(opening: Opening) -> None:
    """A write with an older version stores nothing, of no entity; after reading again it does."""
    one, other = opening(), opening()
    one.write({ALICE: StoredEntity({"acks": "-1"}, 0)})
    seen = other.read()
    other.write({ALICE: StoredEntity({"acks": "0"}, seen["alice"][""].version)})

    with pytest.raises(StoreConflict):
        one.write(
            {LEDGER: StoredEntity({"acks": "1"}, 0), ALICE: StoredEntity({"acks": "1"}, seen["alice"][""].version)}
        )
    assert {"alice": {"": {"acks": "0"}}} == build_state(one.read()) == build_state(other.read())

    again = lambda: _written(one, ALICE, "1", one.read()["alice"][""].version)  # noqa: E731 - one line of it
    eventually(again, "a writer that was fenced off takes over again")
    assert {"alice": {"": {"acks": "1"}}} == build_state(other.read())


def test_many_who_write_at_once(opening: Opening) -> None:
    """Nothing is lost of what was acknowledged, however often writers get into each other's way."""
    users, clients = ("a", "b", "c"), [str(number) for number in range(6)]
    stores = [opening() for _ in users]

    def write(store: Store, user: str) -> None:
        for client in clients:
            eventually(partial(_written, store, (user, client)), f"{user} {client} is written")

    with ThreadPoolExecutor(len(users)) as pool:
        for done in [pool.submit(write, store, user) for store, user in zip(stores, users, strict=True)]:
            done.result()
    expected = {user: {client: {"acks": "0"} for client in clients} for user in users}
    assert all(expected == build_state(store.read()) for store in (*stores, opening()))


@pytest.mark.kafka
@pytest.mark.parametrize("hangs", [False, True])
@pytest.mark.parametrize("committed", [True, False])
def test_a_commit_without_an_answer(
    broker: LocalBroker, monkeypatch: pytest.MonkeyPatch, committed: bool, hangs: bool
) -> None:
    """Whether it was done is looked up, after some time at the latest; a transaction that was not comes to nothing."""
    with connect(broker.bootstrap_servers, timeout=PATIENCE) as connection:
        address = f"topic:store.{uuid.uuid4().hex}"
        store, other = (open_store(address, connection, {}) for _ in range(2))
        assert isinstance(store, TopicStore)
        make = store._make_producer

        def failing() -> Any:
            store._make_producer, producer = make, make()
            commit = producer.commit_transaction

            def fail() -> None:
                if committed:
                    commit()
                if hangs:
                    threading.Event().wait()
                raise LibraryError("the answer is lost")

            producer.commit_transaction = fail
            return producer

        store._make_producer = failing
        with monkeypatch.context() as patch:
            if hangs:
                patch.setattr(topic_store, "_commit_within", partial(_within_a_second, topic_store._commit_within))
            try:
                store.write({ALICE: StoredEntity({"acks": "0"}, 0)})
                done = True
            except StoreConflict:
                done = False
        assert committed == done or hangs  # of a commit that takes more than the second either may come
        assert ({"alice": {"": {"acks": "0"}}} if done else {}) == build_state(other.read())
        store.write({LEDGER: StoredEntity({"acks": "1"}, 0)})
        assert {"acks": "1"} == build_state(other.read())["alice"]["ledger"]
        store.close()
        other.close()


def _refusal(connection: Connection) -> str:
    """Why a store cannot be read; nothing where it can."""
    with closing(open_store("topic:shut", connection, {}, timeout=5.0)) as store:
        try:
            store.read()
        except StoreError as error:
            return str(error)
    return ""


def _within_a_second(commit: Callable[[Any, float], None], producer: Any, _: float) -> None:
    commit(producer, 1.0)


def test_a_store_that_was_closed(opening: Opening) -> None:
    """While somebody still has it in hand, as a service whose cluster is away."""
    store = opening()
    store.close()
    with pytest.raises(StoreError):
        store.read()
    with pytest.raises(StoreError):
        store.write({ALICE: StoredEntity({"acks": "0"}, 0)})


@pytest.mark.parametrize("days", [-400, 400])
def test_a_clock_that_jumps(opening: Opening, monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    """Is no reason to lose what is stored, or to refuse what is new."""
    store, now = opening(), time.time
    store.write({ALICE: StoredEntity({"acks": "0"}, 0)})
    monkeypatch.setattr(time, "time", lambda: now() + days * 86400)
    store.write({LEDGER: StoredEntity({"acks": "1"}, 0)})
    assert (
        {"alice": {"": {"acks": "0"}, "ledger": {"acks": "1"}}}
        == build_state(store.read())
        == build_state(opening().read())
    )


def test_a_full_disk(tmp_path: Path) -> None:
    """Nothing of a write is stored, and what was stored before stays; with room again the next write is."""
    path = tmp_path / "configs.db"
    store = SqliteStore(path)
    store.write({ALICE: StoredEntity({"acks": "0"}, 0)})
    (pages,) = store._database.execute("PRAGMA page_count").fetchone()
    store._database.execute(f"PRAGMA max_page_count={pages}")  # SQLite's own answer to a disk that is full
    many = {("alice", f"client-{number}"): StoredEntity({"acks": "1"}, 0) for number in range(1000)}
    with pytest.raises(StoreError, match="database or disk is full"):
        store.write(many)
    assert {"alice": {"": {"acks": "0"}}} == build_state(store.read())
    with closing(SqliteStore(path)) as other:
        assert build_state(store.read()) == build_state(other.read())
    store._database.execute("PRAGMA max_page_count=1000000")
    store.write(many)
    assert 1001 == len(store.read()["alice"])
    store.close()


def test_an_entity_that_was_stored_again(opening: Opening) -> None:
    """It never has the version again that it had before it was removed."""
    store = opening()
    store.write({ALICE: StoredEntity({"acks": "0"}, 0)})
    before = store.read()["alice"][""].version
    store.write({ALICE: StoredEntity({}, before)})
    store.write({ALICE: StoredEntity({"acks": "0"}, 0)})

    with pytest.raises(StoreConflict):
        store.write({ALICE: StoredEntity({"acks": "1"}, before)})


@pytest.mark.kafka
def test_a_quota_that_shuts_the_store() -> None:
    """What holds the reader back is named, with the quota to raise."""
    quota = {"entity": [{"entityType": "client-id", "entityName": "warden"}]}
    change = {"key": "consumer_byte_rate", "value": 1.0, "remove": False}
    with LocalBroker() as broker, connect(broker.bootstrap_servers, timeout=PATIENCE) as connection:
        with closing(open_store("topic:shut", connection, {})) as store:
            store.write({ALICE: StoredEntity({"acks": "0"}, 0)})
        send_change(connection, "AlterClientQuotas", {"entries": [{**quota, "ops": [change]}], "validateOnly": False})
        said = eventually(lambda: _refusal(connection), "the broker goes by the quota")
        assert re.search(r"not read to its end.* throttle its reader.* consumer_byte_rate", said)


@pytest.mark.parametrize("address", ["sqlite:", "topic:", "file:x", "x"])
def test_addresses(address: str) -> None:
    """An invalid address is refused with those that are valid."""
    with pytest.raises(ConfigurationError, match="expected sqlite:PATH or topic:NAME"):
        open_store(address, None, {})  # type: ignore[arg-type] # it does not come to the cluster


def test_the_file(tmp_path: Path) -> None:
    """Only its owner may read it; what is no database is refused."""
    path = tmp_path / "configs.db"
    open_store(f"sqlite:{path}", None, {}).close()  # type: ignore[arg-type] # a file has no cluster
    assert 0o600 == path.stat().st_mode & 0o777

    path.write_text("no database, of more than a hundred characters " * 10)
    with pytest.raises(ConfigurationError, match="cannot be opened"):
        open_store(f"sqlite:{path}", None, {})  # type: ignore[arg-type] # a file has no cluster


def _written(store: Store, key: EntityKey, acks: str = "0", version: int = 0) -> bool:
    """Whether a write went through, not refused because somebody else wrote at the same moment."""
    try:
        store.write({key: StoredEntity({"acks": acks}, version)})
    except StoreConflict:
        return False
    return True
