"""What a service does not come through itself: its end between store and answer, a full disk, a clock that jumps."""

import json
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
import yaml

from tests.enforce.service.running import Caller, Serve, entry
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.http.ports import find_free_port
from warden.demo.local_broker import LocalBroker
from warden.enforce.client_configs.sqlite_store import SqliteStore
from warden.enforce.client_configs.store import build_state
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

ALTER, DESCRIBE = "client-configs/alter", "client-configs/describe"
EVERYBODY = {"components": [{"entityType": "user", "matchType": 2}]}

# A service of its own process, which is killed once a write of the user "last" is on the disk.
KILLED = """
import os, signal, sys
from warden.commands import main
from warden.enforce.client_configs.sqlite_store import SqliteStore
write = SqliteStore.write
def killed(self, changes):
    write(self, changes)
    if ("last", "") in changes:
        os.kill(os.getpid(), signal.SIGKILL)
SqliteStore.write = killed
main(["serve", "--config", sys.argv[1], "--listen", sys.argv[2]])
"""


class Process(NamedTuple):
    """A service in a process of its own: its address and its process."""

    url: str
    pid: int


@contextmanager
def process(directory: Path, broker: LocalBroker, opa: LocalOpa, admin: str) -> Iterator[tuple[Process, Path]]:
    """Run one with a file as its store, whose path it gives besides."""
    for name, text in {"opa.token": opa.tokens.query, "admin.token": "token-of-admin"}.items():
        (directory / name).write_text(text)
    path, at = directory / "configs.db", f"127.0.0.1:{find_free_port()}"
    document = {
        "opa": {"url": opa.url, "token": {"file": "opa.token"}, "timeout": PATIENCE},
        "callers": [{"token": {"file": "admin.token"}, "principal": admin}],
        "clusters": [{"name": "c", "bootstrapServers": broker.bootstrap_servers, "store": f"sqlite:{path}"}],
    }
    (directory / "serve.yaml").write_text(yaml.safe_dump(document))
    command = [sys.executable, "-c", KILLED, str(directory / "serve.yaml"), at]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as running:
        try:
            service = Process(f"http://{at}", running.pid)
            eventually(lambda: _ready(service), "it is ready")
            yield service, path
        finally:
            running.kill()


def _ready(service: Process) -> bool:
    try:
        return requests.get(f"{service.url}/readyz", timeout=PATIENCE).ok
    except requests.ConnectionError:
        return False


def _stored(path: Path) -> dict[str, object]:
    store = SqliteStore(path)
    try:
        return dict(build_state(store.read()))
    finally:
        store.close()


@pytest.mark.skipif(sys.platform != "linux", reason="needs prlimit(2)")
def test_a_full_disk_and_a_service_that_is_killed(
    broker: LocalBroker, few_opa: LocalOpa, config_admin: str, tmp_path: Path
) -> None:
    """503 and nothing in part while there is no room; what was stored before the kill is whole."""
    with process(tmp_path, broker, few_opa, config_admin) as (service, path):
        admin = Caller(service, "token-of-admin")
        assert 0 == admin.alter("alice", acks="1")["errorCode"]

        before = resource.prlimit(service.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(service.pid, resource.RLIMIT_FSIZE, (4096, before[1]))
        both = {"entries": [entry("alice", acks="0"), entry("bob", acks="0")]}
        refused = admin.post(ALTER, both)
        assert (503, -1, "1") == (refused.status_code, refused.json()["errorCode"], refused.headers["Retry-After"])
        resource.prlimit(service.pid, resource.RLIMIT_FSIZE, before)
        assert {"alice": {"": {"acks": "1"}}} == _stored(path)
        eventually(lambda: admin.post(ALTER, both).ok, "it stores again")

        last = {"entries": [entry("last", acks="0"), entry("other", acks="1")]}
        with pytest.raises(requests.ConnectionError):
            admin.post(ALTER, last)
    expected = {"alice": "0", "bob": "0", "last": "0", "other": "1"}
    assert {user: {"": {"acks": acks}} for user, acks in expected.items()} == _stored(path)

    with process(tmp_path, broker, few_opa, config_admin) as (service, _):
        last["entries"].pop(0)  # at which it would be killed again
        (again,) = Caller(service, "token-of-admin").post(ALTER, last).json()["entries"]
        assert (0, None) == (again["errorCode"], again["errorMessage"])


@pytest.mark.parametrize(
    ("entity", "ops", "code", "said"),
    [
        ({"user": "eve"}, [{"key": "foo", "value": "1"}], 42, "Unknown client config foo"),
        ({"user": "eve"}, [{"key": "acks", "value": "2"}], 42, "Invalid value 2 for configuration acks"),
        ({"user": "eve"}, [{"key": "acks", "value": "1"}, {"key": "acks", "value": "0"}], 42, "acks"),
        ({"ip": "10.0.0.1"}, [{"key": "acks", "value": "1"}], 42, "ip"),
        ({}, [{"key": "acks", "value": "1"}], 42, "user"),
        ({"user": ""}, [{"key": "acks", "value": "1"}], 42, "user"),
        ({"user": "eve"}, [{"key": "acks", "value": "x" * 500_000}], 42, "ops.0.value: a text of 500000 characters"),
    ],
)
def test_entries_that_are_refused(
    admin: Caller, entity: dict[str, str], ops: list[dict[str, str]], code: int, said: str
) -> None:
    """The KIP's error code and a message for that entry alone; nothing of it is stored, and the other one is."""
    parts = [{"entityType": kind, "entityName": name} for kind, name in entity.items()]
    answer = admin.post(ALTER, {"entries": [{"entity": parts, "ops": ops}, entry("carol", acks="1")]}).json()
    refused, done = answer["entries"]
    assert (code, True) == (refused["errorCode"], said in refused["errorMessage"]), refused
    assert 0 == done["errorCode"]
    (only,) = admin.post(DESCRIBE, EVERYBODY).json()["entries"]
    assert ([{"entityType": "user", "entityName": "carol"}], [{"key": "acks", "value": "1"}]) == (
        only["entity"],
        only["values"],
    )


def test_an_alteration_that_is_sent_again(admin: Caller, alice: Caller) -> None:
    """It is answered as before and changes nothing: whoever waits is not answered for it."""
    for _ in range(2):
        assert 0 == admin.alter("alice", acks="1")["errorCode"]
    tag = alice.resolve().headers["ETag"]
    assert 0 == admin.alter("alice", acks="1")["errorCode"]
    assert 304 == alice.resolve(If_None_Match=tag).status_code
    removed = [admin.alter("alice", acks=None) for _ in range(2)]
    assert removed[0] == removed[1]


def test_two_services_that_alter_at_once(serve: Serve, admin: Caller) -> None:
    """Of what was acknowledged by either nothing is lost, of several entities and of each one's keys."""
    of_each = ((admin, {"acks": "1"}), (Caller(serve(), "token-of-admin"), {"session_timeout_ms": "10000"}))
    users = [f"user-{number}" for number in range(6)]

    def alter(caller: Caller, values: dict[str, str]) -> list[int]:
        def stored(user: str) -> list[int]:
            answer = caller.post(ALTER, {"entries": [entry(user, **values)]})
            return [one["errorCode"] for one in answer.json()["entries"]] if answer.ok else []

        return [eventually(partial(stored, user), "it is stored")[0] for user in users]

    with ThreadPoolExecutor(2) as pool:
        assert [[0] * 6] * 2 == list(pool.map(lambda one: alter(*one), of_each))
    for caller, _ in of_each:
        entries = caller.post(DESCRIBE, EVERYBODY).json()["entries"]
        found = {
            one["entity"][0]["entityName"]: {pair["key"]: pair["value"] for pair in one["values"]} for one in entries
        }
        assert {user: {"acks": "1", "session.timeout.ms": "10000"} for user in users} == found


def test_with_the_token_of_somebody_else(admin: Caller, alice: Caller) -> None:
    """Who may not alter alters nothing, of others or of themselves."""
    answer = alice.post(ALTER, {"entries": [entry("bob", acks="1"), entry("alice", acks="1")]})
    assert [31, 31] == [one["errorCode"] for one in answer.json()["entries"]]
    assert [] == admin.post(DESCRIBE, EVERYBODY).json()["entries"]


def test_a_clock_that_jumps(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers, waits and limits go by a clock that does not."""
    service = serve()
    admin, alice, now = Caller(service, "token-of-admin"), Caller(service, "token-of-alice"), time.time
    for days in (400, -800):
        monkeypatch.setattr(time, "time", lambda days=days: now() + days * 86400)
        tag = alice.resolve().headers["ETag"]
        assert 304 == alice.resolve(If_None_Match=tag, Prefer="wait=1").status_code
        assert 0 == admin.alter("alice", acks="1" if days > 0 else "0")["errorCode"]
        assert 200 == alice.resolve(If_None_Match=tag, Prefer="wait=50").status_code
    admin.alter("alice", acks=None)


def test_a_store_that_hangs(serve: Serve, broker: LocalBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks about another cluster, or for a decision, is answered meanwhile, however many wait for it."""
    common = {"bootstrapServers": broker.bootstrap_servers}
    stores = {name: f"sqlite:{tmp_path / name}.db" for name in ("hangs", "answers")}
    clusters = [{**common, "name": name, "store": store} for name, store in stores.items()]
    service = serve(ready=False, clusters=clusters)
    admin, read = Caller(service, "token-of-admin"), SqliteStore.read
    eventually(lambda: all(admin.post(f"{DESCRIBE}?cluster={name}", EVERYBODY).ok for name in stores), "both answer")
    waiting, let_go = threading.Semaphore(0), threading.Event()

    def hang(store: SqliteStore, *selection: Any) -> Any:
        if store._path.stem == "hangs":
            waiting.release()
            let_go.wait(PATIENCE)
        return read(store, *selection)

    monkeypatch.setattr(SqliteStore, "read", hang)
    decision = {"operation": "CreateTopic", "request": {"topic": "a", "numPartitions": 1, "replicationFactor": 1}}
    with ThreadPoolExecutor(20) as pool:
        asking = [pool.submit(admin.post, f"{DESCRIBE}?cluster=hangs", EVERYBODY) for _ in range(20)]
        try:
            for _ in range(16):
                assert waiting.acquire(timeout=PATIENCE)
            for name in stores:
                assert admin.post(f"decide?cluster={name}", decision).ok
            large = " " * 100_000
            assert admin.raw("decide?cluster=hangs", json.dumps(decision).encode() + large.encode()).ok
            assert admin.post(f"{DESCRIBE}?cluster=answers", EVERYBODY).ok
        finally:
            let_go.set()
        assert all(one.result().ok for one in asking)
