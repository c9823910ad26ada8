"""Stores of client configs: what was acknowledged is read by everybody, and nobody overwrites what they did not see."""

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from warden.client_configs.open_store import open_store
from warden.client_configs.store import Store, Stored, state_of
from warden.demo.local_broker import LocalBroker
from warden.errors import ConfigurationError, StoreConflict
from warden.sources.kafka.connection import Connection, connect

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
            connections.append(connect(broker.bootstrap_servers, timeout=30))
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
    store.write({ALICE: Stored({"acks": "-1"}, 0), LEDGER: Stored({"acks": "0"}, 0)})
    first = store.read()
    assert {"alice": {"": {"acks": "-1"}, "ledger": {"acks": "0"}}} == state_of(first)

    store.write({LEDGER: Stored({}, first["alice"]["ledger"].version)})
    assert {"alice": {"": {"acks": "-1"}}} == state_of(store.read()) == state_of(opening().read())


def test_nobody_overwrites_what_they_have_not_seen(opening: Opening) -> None:
    """A write with an older version stores nothing, of no entity; after reading again it does."""
    one, other = opening(), opening()
    one.write({ALICE: Stored({"acks": "-1"}, 0)})
    seen = other.read()
    other.write({ALICE: Stored({"acks": "0"}, seen["alice"][""].version)})

    with pytest.raises(StoreConflict):
        one.write({LEDGER: Stored({"acks": "1"}, 0), ALICE: Stored({"acks": "1"}, seen["alice"][""].version)})
    assert {"alice": {"": {"acks": "0"}}} == state_of(one.read()) == state_of(other.read())

    for _ in range(3):  # a writer that was fenced off takes over again
        try:
            one.write({ALICE: Stored({"acks": "1"}, one.read()["alice"][""].version)})
            break
        except StoreConflict:
            continue
    assert {"alice": {"": {"acks": "1"}}} == state_of(other.read())


def test_an_entity_that_was_stored_again(opening: Opening) -> None:
    """It never has the version again that it had before it was removed."""
    store = opening()
    store.write({ALICE: Stored({"acks": "0"}, 0)})
    before = store.read()["alice"][""].version
    store.write({ALICE: Stored({}, before)})
    store.write({ALICE: Stored({"acks": "0"}, 0)})

    with pytest.raises(StoreConflict):
        store.write({ALICE: Stored({"acks": "1"}, before)})


@pytest.mark.parametrize("address", ["sqlite:", "topic:", "file:x", "x"])
def test_addresses(address: str) -> None:
    """What is no address is refused with those that are."""
    with pytest.raises(ConfigurationError, match="write sqlite:PATH or topic:NAME"):
        open_store(address, None, {})  # type: ignore[arg-type] # it does not come to the cluster


def test_the_file(tmp_path: Path) -> None:
    """Only its owner may read it; what is no database is refused."""
    path = tmp_path / "configs.db"
    open_store(f"sqlite:{path}", None, {}).close()  # type: ignore[arg-type] # a file has no cluster
    assert 0o600 == path.stat().st_mode & 0o777

    path.write_text("no database, of more than a hundred characters " * 10)
    with pytest.raises(ConfigurationError, match="cannot be opened"):
        open_store(f"sqlite:{path}", None, {})  # type: ignore[arg-type] # a file has no cluster
