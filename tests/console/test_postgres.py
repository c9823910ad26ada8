"""Decisions in PostgreSQL: what cannot be used is named, several consoles share it, and it may be away for a while."""

import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.console.logged import build_event, build_violation
from tests.console.running import RunningConsole, write_config
from tests.console.stores import PostgresStores
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.postgres import PASSWORD, PostgresServer
from warden.base.errors import ConfigurationError, StoreError
from warden.base.files.secret import Secret
from warden.base.http.ports import find_free_port
from warden.console.config import PostgresqlStorage
from warden.console.gate import Viewer
from warden.console.intake.events import iter_decisions_and_notes
from warden.console.store.decision_store import DecisionStore
from warden.console.store.postgres_connect import PostgresConnector
from warden.console.store.postgres_store import PostgresDecisions
from warden.console.store.search import list_new_decisions, parse_filter
from warden.console.store.stored import StoredDecision

pytestmark = [pytest.mark.process]

_TOKEN = "upload-token"


@pytest.fixture
def stores(postgres: PostgresServer, tmp_path: Path) -> PostgresStores:
    """Where stores can be opened by name."""
    return PostgresStores(postgres, tmp_path)


@pytest.fixture
def config(stores: PostgresStores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A configuration of consoles that share a database, and have a file each and uploads."""
    monkeypatch.setenv("UPLOADS", _TOKEN)
    decisions = {"files": [str(tmp_path / "opa.json")], "receive": {"token": {"env": "UPLOADS"}}}
    return {"storage": {**stores.storage(), "maxDays": 100_000}, "decisions": decisions}


def _upload(console: RunningConsole, *ids: str) -> int:
    events = [build_event(id, build_violation()) for id in ids]
    headers = {"Authorization": f"Bearer {_TOKEN}"}
    return requests.post(f"{console.url}/logs", json=events, headers=headers, timeout=PATIENCE).status_code


def _counts(console: RunningConsole, decisions: int) -> bool:
    return f"warden_console_decisions {decisions}.0" in console.get("/metrics").text


def _read_ids(stores: PostgresStores) -> list[str]:
    with stores.server.connect() as connection:
        return sorted(id for (id,) in connection.execute(f"SELECT id FROM {stores.schema()}.decisions").fetchall())


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ({"address": "mysql://warden@db/warden"}, "not an address of PostgreSQL: write a URL such as postgresql://"),
        ({"address": "postgresql://warden:hunter2@db/warden"}, "a password is never in this file"),
        ({"address": "postgresql://db/warden?password=hunter2"}, "a password is never in this file"),
        ({"address": "postgresql://db/warden", "schema": "Big-Name"}, "the name of a schema"),
        ({"address": "postgresql://db/warden", "password": "hunter2"}, "a secret is never in this file"),
        ({}, "address is missing"),
    ],
)
def test_a_configuration_that_cannot_be(written: dict[str, Any], says: str, tmp_path: Path) -> None:
    """The sentence says what to write, and shows no password."""
    with pytest.raises(ConfigurationError, match=says) as raised:
        write_config(tmp_path, storage={"postgresql": written})
    assert "hunter2" not in str(raised.value)


def test_one_place(tmp_path: Path) -> None:
    """A file and a database are one too many."""
    with pytest.raises(ConfigurationError, match="write path or postgresql"):
        write_config(tmp_path, storage={"path": "console.db", "postgresql": {"address": "postgresql://db/warden"}})


@pytest.mark.parametrize(
    ("address", "password", "says"),
    [
        (
            "postgresql://warden@127.0.0.1:{free}/postgres",
            PASSWORD,
            r"address: 127.*refused.*start the server, or write",
        ),
        ("postgresql://warden@nowhere.invalid/postgres", PASSWORD, "address: nowhere.invalid/postgres.*write the host"),
        ("postgresql://warden@127.0.0.1:{port}/postgres", "wrong", "authentication failed.*password into password"),
        ("postgresql://stranger@127.0.0.1:{port}/postgres", PASSWORD, "authentication failed.*user into address"),
        ("postgresql://warden@127.0.0.1:{port}/postgres", None, r"postgresql\.password: .*write password: \{env"),
        ("postgresql://warden@127.0.0.1:{port}/none", PASSWORD, "none.*does not exist: create it, or write another"),
        ("postgresql://warden@127.0.0.1:{port}/postgres?odd=1", PASSWORD, "address: .*odd.*as libpq reads it"),
        ("postgresql://warden@127.0.0.1:{port}/postgres?sslmode=require", PASSWORD, "SSL.*write sslmode"),
        ("postgresql://warden@127.0.0.1:{port}/latin", PASSWORD, "encoding LATIN1: create one with ENCODING 'UTF8'"),
    ],
)
def test_a_database_that_cannot_be_used(
    address: str, password: str | None, says: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    """The sentence names the key and says what to write."""
    if "latin" in address:
        postgres.run("DROP DATABASE IF EXISTS latin", "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'")
    secret = None
    if password is not None:
        (tmp_path / "password").write_text(password, encoding="ascii")
        secret = Secret("console.yaml: storage.postgresql.password", file=tmp_path / "password")
    storage = PostgresqlStorage(address=address.format(port=postgres.port, free=find_free_port()), password=secret)
    with pytest.raises(ConfigurationError, match=says) as raised:
        PostgresDecisions(storage, 10, 10)
    assert PASSWORD not in str(raised.value)


def test_a_password_that_is_not_there(postgres: PostgresServer) -> None:
    """The sentence names the variable."""
    secret = Secret("console.yaml: storage.postgresql.password", env="NO_SUCH_VARIABLE")
    storage = PostgresqlStorage(address=postgres.address(), password=secret)
    for connect in (lambda: PostgresDecisions(storage, 10, 10), PostgresConnector(storage).connect):
        with pytest.raises(ConfigurationError, match="NO_SUCH_VARIABLE is not set"):
            connect()


def test_a_password_that_is_being_rotated(stores: PostgresStores, tmp_path: Path) -> None:
    """The store does not answer until it is there again."""
    with stores.open() as store:
        (tmp_path / "password").unlink()
        with pytest.raises(StoreError, match=r"storage\.postgresql\.password"):
            store.add([])
        (tmp_path / "password").write_text(PASSWORD, encoding="ascii")
        assert store.add(iter_decisions_and_notes(build_event("d"))) == 1


@pytest.mark.parametrize(
    ("statements", "says"),
    [
        (["UPDATE {}.console SET version = 0"], r"schema: the schema \w+ .* an earlier Warden \(version 0"),
        (["UPDATE {}.console SET version = 9"], r"a later Warden \(version 9, this one has 2\): name another"),
        (["DROP TABLE {}.console"], "has tables of something else"),
        (["DROP TABLE {}.console", "CREATE TABLE {}.console(a int)"], "has tables of something else"),
    ],
)
def test_a_schema_of_something_else(statements: list[str], says: str, stores: PostgresStores) -> None:
    """It is left alone, and the sentence names the key."""
    stores.open().close()
    stores.server.run(*(statement.format(stores.schema()) for statement in statements))

    with pytest.raises(ConfigurationError, match=says):
        stores.open()


def test_a_schema_that_may_not_be_made(stores: PostgresStores, tmp_path: Path) -> None:
    """The sentence has the statement for the owner; once it is run the store opens."""
    schema, user = stores.schema(), f"user_{stores.schema()}"
    stores.server.run(f"CREATE ROLE {user} LOGIN PASSWORD '{PASSWORD}'")
    storage = PostgresqlStorage(
        address=stores.server.address(user),
        password=Secret("storage.postgresql.password", file=tmp_path / "password"),
        namespace=schema,
    )
    needed = f"CREATE SCHEMA {schema} AUTHORIZATION {user}"
    with pytest.raises(ConfigurationError, match=rf"postgresql\.schema: .*{needed}"):
        PostgresDecisions(storage, 10, 10)

    stores.server.run(needed)
    PostgresDecisions(storage, 10, 10).close()


def test_several_consoles_share_it(config: dict[str, Any], stores: PostgresStores, tmp_path: Path) -> None:
    """What one is sent the other shows, at once; what all are sent at the same time is there once."""
    settings = write_config(tmp_path, **config)
    with RunningConsole(settings) as one, RunningConsole(settings) as other:
        with requests.get(f"{other.url}/decisions/stream?after=0", stream=True, timeout=PATIENCE) as news:
            assert _upload(one, "first") == 200
            assert next(_iterate_news(news)) == ["first"]
        ids = [f"d-{number}" for number in range(600)]
        lines = "".join(json.dumps(build_event(id)) + "\n" for id in ids[300:])
        (tmp_path / "opa.json").write_text(lines, encoding="utf-8")
        senders = [
            threading.Thread(target=_upload, args=(console, *ids[start : start + 100]))
            for console in (one, other)
            for start in range(0, 500, 100)
        ]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
        eventually(lambda: len(_read_ids(stores)) == 601, "all are stored")
        for console in (one, other):
            eventually(partial(_counts, console, 601), "all are counted")

        assert _read_ids(stores) == sorted(["first", *ids])


def _iterate_news(news: requests.Response) -> Iterator[list[str]]:
    for line in news.iter_lines(chunk_size=1):
        if line.startswith(b"data: "):
            yield [row["id"] for row in json.loads(line[6:])["rows"]]


def test_a_database_that_is_away(config: dict[str, Any], stores: PostgresStores, tmp_path: Path) -> None:
    """Pages say so and are never empty; files wait, uploads are refused; once it is back, each is there, once."""
    log = tmp_path / "opa.json"
    with RunningConsole(write_config(tmp_path, **config)) as console:
        assert _upload(console, "before") == 200
        stores.server.stop()
        try:
            log.write_text(json.dumps(build_event("during")) + "\n", encoding="utf-8")
            for path in ("/decisions", "/decisions?format=json", "/decisions/before", "/estate"):
                assert console.get(path).status_code == 503
            assert _upload(console, "refused") == 503
            eventually(lambda: console.get("/readyz").status_code == 503, "it is not ready")
            eventually(lambda: "store_failing 1.0" in console.get("/metrics").text, "the metrics say so")
            assert console.get("/healthz").status_code == 200
        finally:
            stores.server.start()
        eventually(lambda: console.get("/readyz").status_code == 200, "it is ready again")
        assert _upload(console, "refused", "before") == 200
        eventually(lambda: len(console.json("/decisions")["decisions"]) == 3, "the file is read on")

        assert _read_ids(stores) == ["before", "during", "refused"]


@pytest.mark.parametrize("most", [200, 10_000])
def test_writers_that_are_cut_off(most: int, stores: PostgresStores) -> None:
    """Sessions end in the midst of batches of two writers, who send them again: each decision is there, once."""
    batches = [[f"d-{number}-{n}" for n in range(20)] for number in range(20)]
    open_ones = [stores.open(rows=most) for _ in range(2)]

    def write(store: DecisionStore) -> None:
        for ids in batches:
            events = list(chain.from_iterable(iter_decisions_and_notes(build_event(id)) for id in ids))
            is_stored = False
            while not is_stored:
                with suppress(StoreError):
                    store.add(events)
                    is_stored = True

    writers = [threading.Thread(target=write, args=(store,)) for store in open_ones]
    for writer in writers:
        writer.start()
    with stores.server.connect() as connection:
        reached = 0
        while any(writer.is_alive() for writer in writers):
            rows, count, last = connection.execute(
                "SELECT rows, (SELECT count(*) FROM {0}.decisions), last FROM {0}.console".format(stores.schema())
            ).fetchone()
            assert rows == count <= most
            if last >= reached:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'warden console'"
                )
                reached = last + 30
    for store in open_ones:
        store.close()
    ids = _read_ids(stores)

    assert len(ids) == len(set(ids))
    assert len(ids) > most // 2 if most < 400 else ids == sorted(chain.from_iterable(batches))


def test_news_come_in_the_order_of_their_numbers(stores: PostgresStores) -> None:
    """Who looks for what came after a number misses none, however many write."""
    seen: list[str] = []
    with stores.open() as reader, stores.open() as one, stores.open() as other:

        def write(store: DecisionStore, name: str) -> None:
            for number in range(40):
                store.add([StoredDecision(f"{name}-{number}", "", round(store._now() * 1000), "allowed")])

        writers = [threading.Thread(target=write, args=each) for each in ((one, "a"), (other, "b"))]
        for writer in writers:
            writer.start()
        last, is_over = 0, False
        while not is_over:
            is_over = not any(writer.is_alive() for writer in writers)
            rows = list_new_decisions(reader, parse_filter({}), Viewer(), last)
            seen += [row["id"] for row in reversed(rows)]
            last = rows[0]["seq"] if rows else last
        eventually(lambda: reader.last == last, "the reader knows of all")

    assert sorted(seen) == sorted(f"{name}-{number}" for name in "ab" for number in range(40))
