"""Client configs are described and altered as the policy decides, and nothing that was allowed is lost."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from warden.base.errors import OpaUnreachable
from warden.enforce.client_configs.configs import ClientConfigs
from warden.enforce.client_configs.sqlite_store import SqliteStore
from warden.enforce.client_configs.store import StoredEntity, build_state
from warden.enforce.sdk.warden import Warden
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

ACL = {"resourceType": "CLUSTER", "resourceName": "kafka-cluster", "patternType": "LITERAL", "permissionType": "ALLOW"}
STATE = {"acls": {"User:admin": [{**ACL, "operation": "ALTER_CONFIGS", "host": "*"}]}}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store without anything."""
    opened = SqliteStore(tmp_path / "configs.db")
    yield opened
    opened.close()


@pytest.fixture
def configs(opa: LocalOpa, store: SqliteStore) -> Iterator[ClientConfigs]:
    """Client configs of a cluster, altered by its administrator."""
    with Warden(opa.url, opa.tokens.query, cluster="c", principal="User:admin") as warden:
        yield ClientConfigs(store, warden, lambda: STATE)


def alteration(user: str | None, client: str | None = "", **values: str | None) -> dict[str, Any]:
    """A request; None removes."""
    entity = {"user": user} if client == "" else {"user": user, "clientId": client}
    keys = {name.replace("_", "."): value for name, value in values.items()}
    ops = [{"key": key, **({"remove": True} if value is None else {"value": value})} for key, value in keys.items()]
    return {"entity": entity, "ops": ops}


def test_alter_and_describe(configs: ClientConfigs, store: SqliteStore) -> None:
    """Each entity for itself: what is allowed is stored in the form of the catalogue, what is refused is not."""
    given = [
        alteration("alice", acks="all", session_timeout_ms="11000"),
        alteration("alice", "ledger", acks="2"),
        alteration("alice", None, acks="1"),
    ]
    first, second, third = configs.alter(given)

    assert (True, False, True) == (first.allowed, second.allowed, third.allowed)
    assert second.error is not None
    assert "INVALID_REQUEST" == second.error.name
    stored = {"alice": {"": {"acks": "-1", "session.timeout.ms": "11000"}, "<default>": {"acks": "1"}}}
    assert stored == build_state(store.read())

    configs.alter([alteration("alice", None, acks=None), alteration("alice", session_timeout_ms=None)])
    assert {"alice": {"": {"acks": "-1"}}} == build_state(store.read())
    described = configs.describe({"components": [{"entityType": "user", "matchType": "exact", "match": "alice"}]})
    assert [{"entity": {"user": "alice"}, "values": {"acks": "-1"}, "supportedConfigs": {}}] == described.document[
        "entries"
    ]


def test_validate_only(configs: ClientConfigs, store: SqliteStore) -> None:
    """What is only tried is decided like the rest, and not stored."""
    (decision,) = configs.alter([alteration("alice", acks="1")], validate_only=True)
    assert decision.allowed
    assert {} == store.read()


def test_who_may_not(opa: LocalOpa, store: SqliteStore) -> None:
    """A user without the right alters nothing; it may resolve itself, and its keys are registered then."""
    store.write({("bob", ""): StoredEntity({"acks": "1"}, 0), ("bob", "app"): StoredEntity({"acks": "0"}, 0)})
    with Warden(opa.url, opa.tokens.query, cluster="c", principal="User:bob") as warden:
        configs = ClientConfigs(store, warden, lambda: STATE)
        (refused,) = configs.alter([alteration("bob", acks="-1")])
        components = [
            {"entityType": "user", "matchType": "exact", "match": "bob"},
            {"entityType": "client-id", "matchType": "exact", "match": "app"},
        ]
        software = {"softwareName": "x", "softwareVersion": "1", "supportedConfigs": ["acks"]}
        for registered in ({}, software, {**software, "softwareVersion": "2"}, {**software, "supportedConfigs": []}):
            resolved = configs.describe({"components": components, "resolveEntity": True, **registered})
            assert {"acks": "0"} == resolved.document["entries"][0]["values"]

    assert refused.error is not None
    assert "CLUSTER_AUTHORIZATION_FAILED" == refused.error.name
    registrations = {"x": {"1": [], "2": ["acks"]}}
    assert {"bob": {"": {"acks": "1"}, "app": {"acks": "0", "supported.configs": registrations}}} == build_state(
        store.read()
    )


def _register(warden: Warden, store: SqliteStore, client: str, name: str, version: str) -> bool:
    components = [
        {"entityType": "user", "matchType": "exact", "match": "bob"},
        {"entityType": "client-id", "matchType": "exact", "match": client},
    ]
    software = {"softwareName": name, "softwareVersion": version, "supportedConfigs": ["acks"]}
    request = {"components": components, "resolveEntity": True, **software}
    return ClientConfigs(store, warden, lambda: STATE).describe(request).allowed


def test_many_versions_of_software(opa: LocalOpa, store: SqliteStore) -> None:
    """16 are kept: of the software with the most that which was registered last; what was altered stays."""
    store.write({("bob", "app"): StoredEntity({"acks": "0"}, 0)})
    with Warden(opa.url, opa.tokens.query, cluster="c", principal="User:bob") as warden:
        for name, version in [("z", "1"), ("z", "2"), *(("y", str(number)) for number in range(14, 0, -1))]:
            assert _register(warden, store, "app", name, version)
        for name, version in [("x", "1"), ("z", "3"), ("y", "0")]:
            assert _register(warden, store, "app", name, version)
        kept = store.read()["bob"]["app"].configs
        there = {name: list(versions) for name, versions in kept["supported.configs"].items()}
        assert {"x": ["1"], "z": ["1", "2", "3"], "y": [*map(str, range(11, -1, -1))]} == there
        assert "0" == kept["acks"]
        for number in range(17):
            assert _register(warden, store, "other", f"software-{number}", "1")
    registered = store.read()["bob"]["other"].configs["supported.configs"]
    assert [f"software-{number}" for number in range(1, 17)] == list(registered)


def test_many_registered_clients(
    opa: LocalOpa, store: SqliteStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Beyond as many of a user nothing is stored of another one, which is answered all the same; one line says so."""
    monkeypatch.setattr("warden.enforce.client_configs.configs._MAX_REGISTERED", 2)
    store.write({("bob", "configured"): StoredEntity({"acks": "0"}, 0)})
    with Warden(opa.url, opa.tokens.query, cluster="full", principal="User:bob") as warden, caplog.at_level("WARNING"):
        for client in ("a", "b", "c", "d", "a", "configured"):
            assert _register(warden, store, client, "x", "1")
        assert {"a", "b", "configured"} == store.read()["bob"].keys()
        assert _register(warden, store, "b", "x", "2")
    assert 2 == len(store.read()["bob"]["b"].configs["supported.configs"]["x"])
    assert ["too many registrations"] == [line.message for line in caplog.records]


def test_registrations_outlive_alterations(configs: ClientConfigs, store: SqliteStore) -> None:
    """Altering an entity leaves what its clients registered."""
    registered = {"supported.configs": {"x": {"1": ["acks"]}}}
    store.write({("alice", ""): StoredEntity(registered, 0)})
    configs.alter([alteration("alice", acks="1")])
    assert {"alice": {"": {"acks": "1", **registered}}} == build_state(store.read())


def test_many_at_once(configs: ClientConfigs, store: SqliteStore) -> None:
    """Alterations of one entity's keys and of several entities at the same time are all there in the end."""
    keys = [{"acks": "1"}, {"session_timeout_ms": "10000"}, {"heartbeat_interval_ms": "2000"}]
    given = [alteration(user, **values) for user in ("alice", "bob") for values in keys]
    with ThreadPoolExecutor(len(given)) as pool:
        decided = list(pool.map(lambda one: configs.alter([one])[0].allowed, given))

    assert [True] * len(given) == decided
    of_each = {"": {"acks": "1", "session.timeout.ms": "10000", "heartbeat.interval.ms": "2000"}}
    assert {"alice": of_each, "bob": of_each} == build_state(store.read())


def test_describing_takes_what_is_described(
    configs: ClientConfigs, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OPA gets the entities of a named user or client, however many others are stored."""
    users = [f"user-{number}" for number in range(50)]
    store.write({(user, client): StoredEntity({"acks": "1"}, 0) for user in users for client in ("", "app", "other")})
    sent: list[Any] = []
    decide = configs._warden.decide_many

    def noting(inputs: Any, *, state: Any) -> Any:
        sent.append(state["clientConfigs"])
        return decide(inputs, state=state)

    monkeypatch.setattr(configs._warden, "decide_many", noting)
    store.write({("user-7", "<default>"): StoredEntity({"acks": "1"}, 0)})
    user = {"entityType": "user", "matchType": "exact", "match": "user-7"}
    any_user = {"entityType": "user", "matchType": "any"}
    client = {"entityType": "client-id", "matchType": "exact", "match": "app"}
    default = {"entityType": "client-id", "matchType": 1}
    filters: list[tuple[dict[str, Any], int, int]] = [
        ({"components": [user]}, 4, 4),
        ({"components": [user], "strict": True}, 1, 1),
        ({"components": [user, client]}, 1, 2),
        ({"components": [user, client], "resolveEntity": True}, 1, 2),
        ({"components": [any_user, client]}, 50, 50),
        ({"components": [any_user, default]}, 1, 1),
        ({"components": [any_user], "strict": True}, 50, 50),
        ({"components": [any_user]}, 151, 151),
    ]
    described = [configs.describe(filter_) for filter_, _, _ in filters]
    assert [entries for _, entries, _ in filters] == [len(decision.document["entries"]) for decision in described]
    assert [entities for _, _, entities in filters] == [sum(map(len, state.values())) for state in sent]

    sent.clear()
    configs.alter([alteration("user-7", "app", acks="0"), alteration("user-8", acks="0")])
    assert [{"user-7": {"", "app"}, "user-8": {""}}] == [{name: {*state[name]} for name in state} for state in sent]


def test_without_opa(store: SqliteStore) -> None:
    """Nothing is stored that nobody decided."""
    refusing = Warden("http://127.0.0.1:1", "x", cluster="c", principal="User:admin")
    with refusing as warden, pytest.raises(OpaUnreachable):
        ClientConfigs(store, warden, lambda: STATE).alter([alteration("alice", acks="1")])
    assert {} == store.read()
