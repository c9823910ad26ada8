"""What is not a request, who is nobody, and what happens while others are away."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests

from tests.enforce.service.running import Caller, RunningService, Serve, entry
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import ConfigurationError
from warden.base.http.ports import find_free_port
from warden.base.tls.principals import PrincipalMapper
from warden.enforce.service.callers import Callers, Throttled, Unauthorized
from warden.enforce.service.wire import decode_alter

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_RESOLVED = {"mode": "resolved", "before": {"retention.ms": "1"}, "after": {"retention.ms": "2"}}
ALTER, DESCRIBE, RESOLVE = "client-configs/alter", "client-configs/describe", "client-configs/resolve"


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        (ALTER, [], "the request is not a JSON object"),
        (ALTER, {}, "the request: entries is missing: send it"),
        (ALTER, {"entries": {}}, "the request: entries is not a list"),
        (ALTER, {"entries": [], "x": 1}, "the request: unknown field x: write one of entries, validateOnly"),
        (
            ALTER,
            {"entrys": []},
            "the request: unknown field entrys: write entries, the nearest of entries, validateOnly",
        ),
        (ALTER, {"entries": [1] * 10_001}, "entries: there are 10001: send 10000 at the most at a time"),
        (ALTER, {"entries": [1]}, "entries[0] is not a JSON object"),
        (ALTER, {"entries": [{"entity": [], "ops": [{"key": 1}]}]}, "entries[0].ops[0]: key is not a string"),
        (ALTER, {"entries": [{"entity": [{"entityType": "user", "entityName": 1}], "ops": []}]}, "a string or null"),
        (
            ALTER,
            {"entries": [entry("a", acks="1"), entry("a", acks="0")]},
            "entries[1]: the entity is named twice: name it",
        ),
        (
            ALTER,
            {"entries": [{"entity": [*entry("a")["entity"]] * 2, "ops": []}]},
            "type user is named twice: name each",
        ),
        (DESCRIBE, {"components": [{"entityType": "user", "matchType": "x"}]}, "matchType is not a whole number"),
        (RESOLVE, {"clientId": 1}, "clientId is not a string or null"),
        (RESOLVE, {"user": "bob"}, "unknown field user: write "),
        (RESOLVE, {"clientId": "\ud800"}, "half a surrogate pair"),
        ("decide", {"operation": "CreateTopic", "principal": {}}, "leave principal out: it is not taken from a caller"),
        ("decide", {"operation": "CreateTopic", "now": "2020"}, "leave now out"),
        ("decide", {"operation": "CreateTopic", "cluster": "d"}, "leave cluster out"),
        ("decide", {"operation": "CreateTopic", "clusters": {}}, "leave clusters out"),
        ("decisions", {"items": {"a": {"clusterState": {}}}}, "items.a: leave clusterState out"),
        ("decide", {"operation": "CreateTopic", "unknown": ["/clusterState/totals"]}, "unknown: leave out what is not"),
        (
            "decide",
            {"operation": "AlterTopic", "request": {"topic": "a", "configs": _RESOLVED}},
            "configs.before: send",
        ),
        (
            "decide",
            {"operation": "AuditClientConfigs", "request": {"entity": {"user": "bob"}}},
            "only client configs of",
        ),
        (
            "decisions",
            {"items": {"a": {"unknown": ["/clusterState"]}}},
            "items.a: unknown: leave out what is not below",
        ),
        ("decisions", {"items": {"a": {}}, "common": {"unknown": [""]}}, "items.a: unknown: leave out what is not"),
        ("decisions", {"items": []}, "the request is not {items: {key: input}, common: input, order: [key]}"),
    ],
)
def test_bad_requests(admin: Caller, path: str, body: Any, said: str) -> None:
    """400, INVALID_REQUEST, and the place of the mistake."""
    answer = admin.post(path, body)
    assert (400, 42) == (answer.status_code, answer.json()["errorCode"])
    assert said in answer.json()["errorMessage"]


def test_content_that_is_no_request(admin: Caller) -> None:
    """Of another type, too large, cut off, too deep, another encoding, a key twice."""
    for status, refused in (
        (415, admin.raw(ALTER, b"{}", "text/plain")),
        (413, admin.raw(ALTER, b'{"entries": [' + b" " * 2**21 + b"]}")),
    ):
        assert (status, 42, True) == (
            refused.status_code,
            refused.json()["errorCode"],
            "" < refused.json()["errorMessage"],
        )
    assert 200 == admin.raw(ALTER, b'{"entries": [' + b" " * 1_000_000 + b"]}").status_code
    for content in (b'{"entries": [', b"[" * 100_000, b'{"entries": "\xff"}', b'{"entries": [], "entries": []}', b""):
        answer = admin.raw(ALTER, content)
        assert (400, 42) == (answer.status_code, answer.json()["errorCode"]), content[:20]
    assert 404 == admin.post("nothing", {}).status_code
    assert 42 == admin.post("nothing", {}).json()["errorCode"]


def test_a_body_that_cannot_be_unpacked(admin: Caller) -> None:
    """Is refused in Kafka's code, in words that repeat nothing of it."""
    answer = admin.raw(DESCRIBE, b"secret" * 9, Content_Encoding="gzip")

    assert (400, 42) == (answer.status_code, answer.json()["errorCode"])
    assert "cannot be read" in answer.json()["errorMessage"]
    assert "secret" not in answer.text


def test_a_method_that_is_none(service: RunningService) -> None:
    """Only POST asks."""
    answer = requests.get(f"{service.url}/v1/decide", timeout=PATIENCE)
    assert (405, "POST") == (answer.status_code, answer.headers["Allow"])


@pytest.mark.parametrize("token", [None, "", "nobody", "token-of-admin2"])
def test_nobody(service: RunningService, token: str | None) -> None:
    """No principal, no answer; and a client that is nobody cannot tell why."""
    answer = Caller(service, token).post(RESOLVE, {})
    assert (401, 58) == (answer.status_code, answer.json()["errorCode"])
    assert "Bearer" == answer.headers["WWW-Authenticate"]


def test_clusters(serve: Serve, admin: Caller) -> None:
    """A cluster that is not served is named with those that are."""
    answer = admin.post(f"{RESOLVE}?cluster=x", {})
    assert (400, "unknown cluster x: write one of c") == (
        answer.status_code,
        answer.json()["errorMessage"],
    )
    assert 200 == admin.post(f"{RESOLVE}?cluster=c", {}).status_code


def test_decide(alice: Caller) -> None:
    """OPA's decision as it is, here that it knows nothing of the cluster; an input of a batch has what all have."""
    request = {"topic": "BAD", "numPartitions": 1, "replicationFactor": 1}
    decision = alice.post("decide", {"operation": "CreateTopic", "request": request}).json()
    assert (False, ['cluster: nothing is known of "c": replicate it or send clusterState']) == (
        decision["allowed"],
        decision["errors"],
    )
    several = alice.post("decisions", {"items": {"a": {"request": request}}, "common": {"operation": "CreateTopic"}})
    assert {"a": decision["errors"]} == {key: one["errors"] for key, one in several.json().items()}


def test_too_many_requests(serve: Serve) -> None:
    """A principal that asks too often waits; others do not."""
    service = serve(limits={"requestsPerSecond": 1})
    alice, bob = Caller(service, "token-of-alice"), Caller(service, "token-of-bob")
    with ThreadPoolExecutor(8) as pool:

        def throttle() -> list[requests.Response]:
            return [answer for answer in pool.map(lambda _: alice.resolve(), range(8)) if answer.status_code == 429]

        # However slow the machine is, some of those that are sent at once come within a second.
        throttled, *_ = eventually(throttle, "one of eight at once is throttled")
    assert (89, True) == (throttled.json()["errorCode"], throttled.json()["throttleTimeMs"] > 0)
    assert int(throttled.headers["Retry-After"]) >= 1
    assert 200 == bob.resolve().status_code


def test_a_bucket_fills_again() -> None:
    """Up to a second's worth."""
    now = [0.0]
    callers = Callers({"t": "User:a"}, PrincipalMapper(), 2.0, lambda: now[0])
    for _ in range(2):
        assert "User:a" == callers.authenticate("Bearer t")
    with pytest.raises(Throttled) as throttled:
        callers.authenticate("Bearer t")
    assert 0.5 == throttled.value.seconds
    now[0] = 100.0
    for _ in range(2):
        callers.authenticate("bearer t")
    with pytest.raises(Throttled):
        callers.authenticate("Bearer t")
    for header in (None, "t", "Basic t", "Bearer", "Bearer x"):
        with pytest.raises(Unauthorized):
            callers.authenticate(header)


def test_opa_is_away(serve: Serve) -> None:
    """Nothing is decided and nothing is stored; the caller is to ask again."""
    service = serve(ready=False, opa={"url": f"http://127.0.0.1:{find_free_port()}", "timeout": 1})
    admin = Caller(service, "token-of-admin")
    wanted = "nothing was decided, OPA cannot be reached: ask again"
    eventually(lambda: wanted in admin.post(ALTER, {"entries": [entry("a", acks="1")]}).text, wanted)
    answer = admin.post(ALTER, {"entries": [entry("a", acks="1")]})
    assert (503, "1", -1) == (answer.status_code, answer.headers["Retry-After"], answer.json()["errorCode"])
    ready = requests.get(f"{service.url}/readyz", timeout=PATIENCE)
    assert (503, "OpaUnreachable") == (ready.status_code, ready.json()["opa"])
    assert requests.get(f"{service.url}/healthz", timeout=PATIENCE).ok


def test_the_cluster_is_away(serve: Serve) -> None:
    """The service says so, and answers no address of what is behind it."""
    at = f"127.0.0.1:{find_free_port()}"
    service = serve(ready=False, clusters=[{"name": "c", "bootstrapServers": at}])
    for path, body in ((RESOLVE, {}), (ALTER, {"entries": [entry("alice", acks="1")]})):
        answer = Caller(service, "token-of-admin").post(path, body)
        assert (503, "1", "the cluster or its store cannot be reached: ask again") == (
            answer.status_code,
            answer.headers["Retry-After"],
            answer.json()["errorMessage"],
        )
    ready = requests.get(f"{service.url}/readyz", timeout=PATIENCE)
    assert (503, None) == (ready.status_code, ready.json()["opa"])


def test_one_token_for_two(serve: Serve) -> None:
    """Nobody knows then who asks."""
    callers = [{"token": {"file": "admin.token"}, "principal": principal} for principal in ("User:a", "User:b")]
    with pytest.raises(ConfigurationError, match="callers User:a and User:b have the same token"):
        serve(ready=False, callers=callers)


@pytest.mark.parametrize("token", ["s3cret\n", "s3cret ", " s3cret", "\u20ac"])
def test_a_token_that_nobody_can_send(serve: Serve, monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    """Is refused before anybody tries to log in with it, without being shown."""
    monkeypatch.setenv("ALICE_TOKEN", token)
    with pytest.raises(ConfigurationError, match=r"^the token of caller User:alice has a line end, a blank") as raised:
        serve(ready=False, callers=[{"token": {"env": "ALICE_TOKEN"}, "principal": "User:alice"}])
    assert token not in str(raised.value)


def _measure_decoding(entries: int) -> float:
    """Seconds of this thread, the fewest of some trials."""
    body, seconds = {"entries": [entry(f"user-{number}") for number in range(entries)]}, []
    for _ in range(3):
        began = time.thread_time()
        decode_alter(body)
        seconds.append(time.thread_time() - began)
    return min(seconds)


def test_many_entries_take_a_time_of_their_number() -> None:
    """As many as there may be; others are answered meanwhile."""
    assert _measure_decoding(8000) < 8 * _measure_decoding(2000)
