"""Describe, alter and resolve over HTTP, as KIP-649 has them."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests

from tests.enforce.service.running import Caller, RunningService, Serve, entry
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.dynamic_clients import ClientConfigsAdmin

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

NONE = {"errorCode": 0, "errorMessage": None}


def user(name: str | None) -> list[dict[str, Any]]:
    """An entity of the KIP's."""
    return [{"entityType": "user", "entityName": name}]


def test_alter_and_describe(admin: Caller) -> None:
    """The KIP's fields, an error for each entry; what is refused of one entry keeps no other from being done."""
    entries = [
        entry("alice", acks="all", session_timeout_ms="11000"),
        entry("alice", "app", acks="2"),
        entry("alice", None, acks="1"),
        {"entity": [{"entityType": "client-id", "entityName": "x"}], "ops": []},
        {"entity": [{"entityType": "ip", "entityName": "x"}], "ops": []},
    ]
    answer = admin.post("client-configs/alter", {"entries": entries}).json()
    assert 0 == answer["throttleTimeMs"]
    assert [0, 42, 0, 42, 42] == [one["errorCode"] for one in answer["entries"]]
    assert [one["entity"] for one in entries] == [one["entity"] for one in answer["entries"]]
    assert "Invalid value 2 for configuration acks" in answer["entries"][1]["errorMessage"]

    filter_ = {"components": [{"entityType": "user", "matchType": 0, "match": "alice"}], "strict": False}
    described = admin.post("client-configs/describe", filter_).json()
    assert {
        "throttleTimeMs": 0,
        **NONE,
        "entries": [
            {
                "entity": user("alice"),
                "values": [{"key": "acks", "value": "-1"}, {"key": "session.timeout.ms", "value": "11000"}],
                "supportedConfigs": {},
            },
            {
                "entity": [*user("alice"), {"entityType": "client-id", "entityName": None}],
                "values": [{"key": "acks", "value": "1"}],
                "supportedConfigs": {},
            },
        ],
    } == described

    without = admin.post(
        "client-configs/describe", {"components": [{"entityType": "client-id", "matchType": 2}]}
    ).json()
    assert (42, None) == (without["errorCode"], without["entries"])


def test_from_a_program(service: RunningService, admin: Caller, alice: Caller) -> None:
    """What the Admin client of the KIP does: several entities with an error for each, and what is stored then."""
    program = ClientConfigsAdmin(service.url, "token-of-admin")
    requests = [
        {"entity": {"user": "alice"}, "ops": [{"key": "acks", "value": "all"}]},
        {"entity": {"user": "alice", "clientId": None}, "ops": [{"key": "acks", "value": "2"}]},
    ]
    assert [True, False] == [one.allowed for one in program.alter(requests, validate_only=True)]
    request = {"components": [{"entityType": "user", "matchType": "exact", "match": "alice"}]}
    assert [] == program.describe(request).document["entries"]

    done, refused = program.alter(requests)
    assert (True, False, "INVALID_REQUEST") == (done.allowed, refused.allowed, refused.error and refused.error.name)
    (described,) = program.describe(request).document["entries"]
    assert ({"user": "alice"}, {"acks": "-1"}) == (described["entity"], described["values"])

    other = ClientConfigsAdmin(service.url, "token-of-alice")
    for decision in (other.describe(request), *other.alter(requests[:1])):
        assert "CLUSTER_AUTHORIZATION_FAILED" == (decision.error and decision.error.name)


def test_who_may(admin: Caller, alice: Caller) -> None:
    """A user resolves itself, and reads and alters nobody else."""
    admin.alter("alice", acks="0")
    admin.alter("alice", "app", session_timeout_ms="7000")

    denied = alice.alter("alice", acks="1")
    assert (31, "User:alice has no ALTER_CONFIGS on the cluster.") == (denied["errorCode"], denied["errorMessage"])
    filter_ = {"components": [{"entityType": "user", "matchType": 0, "match": "alice"}]}
    assert 31 == alice.post("client-configs/describe", filter_).json()["errorCode"]
    resolved = alice.resolve("app").json()
    assert [{"key": "acks", "value": "0"}, {"key": "session.timeout.ms", "value": "7000"}] == resolved["values"]


def test_registrations(admin: Caller, alice: Caller) -> None:
    """A client that resolves itself says what its software supports; whoever describes sees it."""
    software = {"softwareName": "x", "softwareVersion": "1", "supportedConfigs": ["acks"]}
    assert alice.post("client-configs/resolve", {"clientId": "app", **software}).ok
    filter_ = {"components": [{"entityType": "user", "matchType": 0, "match": "alice"}]}
    (only,) = admin.post("client-configs/describe", filter_).json()["entries"]
    assert {"x": {"1": ["acks"]}} == only["supportedConfigs"]


def test_the_request_of_the_kip(admin: Caller, alice: Caller) -> None:
    """With every field of its schema: it describes or resolves, in entries, and registers what is supported."""
    assert 0 == admin.alter("alice", acks="all")["errorCode"]
    assert 0 == admin.alter("alice", "kip", acks="0")["errorCode"]
    components = [
        {"entityType": "user", "matchType": 0, "match": "alice"},
        {"entityType": "client-id", "matchType": 0, "match": "kip"},
    ]
    request = {"components": components, "supportedConfigs": None, "resolveEntity": False, "strict": False}
    (described,) = admin.post("client-configs/describe", request).json()["entries"]
    assert ([{"key": "acks", "value": "0"}], {}) == (described["values"], described["supportedConfigs"])

    own = {**request, "supportedConfigs": ["acks"], "resolveEntity": True}
    answer = alice.post("client-configs/describe", own).json()
    entity = [*user("alice"), {"entityType": "client-id", "entityName": "kip"}]
    assert (0, entity) == (answer["errorCode"], answer["entries"][0]["entity"])
    assert [{"key": "acks", "value": "0"}] == answer["entries"][0]["values"]
    (described,) = admin.post("client-configs/describe", request).json()["entries"]
    assert {"unknown": {"unknown": ["acks"]}} == described["supportedConfigs"]
    assert 31 == alice.post("client-configs/describe", request).json()["errorCode"]
    others = {**own, "components": [{**components[0], "match": "bob"}]}
    for code, supported in ((42, ["acks"]), (31, None)):
        refused = alice.post("client-configs/describe", {**others, "supportedConfigs": supported}).json()
        assert (code, None) == (refused["errorCode"], refused["entries"])


def test_waiting_for_a_change(admin: Caller, alice: Caller) -> None:
    """Whoever waits is answered once a value is another; another user's change ends no wait."""
    first = alice.resolve("app")
    tag = first.headers["ETag"]
    assert 304 == alice.resolve("app", If_None_Match=tag).status_code

    answers: list[Any] = []
    waits = threading.Thread(target=lambda: answers.append(alice.resolve("app", If_None_Match=tag, Prefer="wait=50")))
    waits.start()
    admin.alter("bob", acks="0")
    admin.alter("alice", acks="1")
    waits.join(PATIENCE)
    (changed,) = answers
    assert (200, [{"key": "acks", "value": "1"}]) == (changed.status_code, changed.json()["values"])
    assert tag != changed.headers["ETag"]


def test_many_who_wait(admin: Caller, alice: Caller) -> None:
    """Each is answered with its own next value, however many wait."""
    names = [f"app-{number}" for number in range(40)]
    tag = alice.resolve("app").headers["ETag"]
    with ThreadPoolExecutor(len(names)) as pool:
        waits = [pool.submit(alice.resolve, name, If_None_Match=tag, Prefer="wait=50") for name in names]
        admin.alter("alice", "app-0", acks="0")
        admin.alter("alice", acks="1")
        values = [wait.result().json()["values"][0]["value"] for wait in waits]
    assert values[0] in ("0", "1")
    assert ["1"] * 39 == values[1:]


@pytest.mark.parametrize("known", ["{}", "W/{}", '"other", {}', '"other" , W/{}', "*"])
@pytest.mark.parametrize("wait", ["wait=1", "wait = 1", "Wait=1", 'respond-async, wait="1"; x'])
def test_how_a_wait_is_written(alice: Caller, known: str, wait: str) -> None:
    """Weak tags, lists of them and any (RFC 9110, 13.1.2); preferences as RFC 7240 has them."""
    began = time.monotonic()
    tag = alice.resolve().headers["ETag"]
    assert 304 == alice.resolve(If_None_Match=known.format(tag), Prefer=wait).status_code
    assert time.monotonic() - began >= 0.5


@pytest.mark.parametrize("known", ['"other"', 'W/"other", "x"', "", "other"])
def test_a_tag_that_is_not_known(alice: Caller, known: str) -> None:
    """Whoever has something else is answered at once."""
    assert 200 == alice.resolve(If_None_Match=known, Prefer="wait=50").status_code


def test_a_wait_ends(alice: Caller) -> None:
    """After its time, with 304."""
    tag = alice.resolve().headers["ETag"]
    began = time.monotonic()
    assert 304 == alice.resolve(If_None_Match=tag, Prefer="wait=1").status_code
    assert time.monotonic() - began >= 0.5


def test_waits_end_with_the_service(serve: Serve) -> None:
    """A service that stops answers whoever waits, and does not take their time for it."""
    service = serve(limits={"waitSeconds": 3600})
    alice = Caller(service, "token-of-alice")
    tag = alice.resolve().headers["ETag"]
    with ThreadPoolExecutor(5) as pool:
        waits = [pool.submit(alice.resolve, If_None_Match=tag, Prefer="wait=3600") for _ in range(5)]
        eventually(lambda: service.waits() == 5, "all wait")
        service.stop()
        statuses = [wait.exception() or wait.result().status_code for wait in waits]
    assert not [status for status in statuses if isinstance(status, requests.Timeout)]
    assert {304} == {status for status in statuses if isinstance(status, int)}


def test_two_services(serve: Serve) -> None:
    """Two that share a store lose no alteration, and each tells what the other has stored."""
    admins = [Caller(serve(), "token-of-admin") for _ in range(2)]
    values = [{"acks": "1"}, {"session_timeout_ms": "10000"}, {"heartbeat_interval_ms": "2000"}]
    with ThreadPoolExecutor(2) as pool:
        for given in values:
            altering = [pool.submit(admin.alter, user_, **given) for admin, user_ in zip(admins, "xy", strict=True)]
            answers = [each.result() for each in altering]
            assert [NONE, NONE] == [{field: answer[field] for field in NONE} for answer in answers]
    filter_ = {"components": [{"entityType": "user", "matchType": 2}]}
    one, other = (admin.post("client-configs/describe", filter_).json()["entries"] for admin in admins)
    assert one == other
    of_users = {entity["entity"][0]["entityName"]: len(entity["values"]) for entity in one}
    assert {"x": 3, "y": 3} == {name: of_users[name] for name in "xy"}
