"""Retries and limits against a server that fails on purpose; requests are counted, never timed."""

from contextlib import suppress
from dataclasses import replace

import pytest

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.policy.opa.faults import GOOD, Answer, faulty
from warden.base.errors import OpaError, OpaEvaluationError, OpaRefused, OpaTimeout, OpaUnauthorized, OpaUnreachable
from warden.policy.opa.client import OpaClient
from warden.policy.opa.retry import RetryPolicy, Timeout
from warden.policy.opa.transport import Transport

QUICK = RetryPolicy(attempts=3, base=0.001, maximum=0.001)
LIMITS = Timeout(connect=PATIENCE, read=PATIENCE, total=PATIENCE)
INTERNAL = b'{"code": "internal_error", "message": "m", "errors": [{"code": "eval_conflict_error", "message": "e"}]}'
ENOUGH = 3  # attempts


def limits(fault):
    """Short for what is never answered, and for nothing else."""
    return replace(LIMITS, read=0.2) if fault.silent else LIMITS


def client(url, timeout=LIMITS):
    return OpaClient(url, token="s3cret", retries=QUICK, timeout=timeout)


@pytest.mark.parametrize(
    ("fault", "kind", "requests"),
    [
        (Answer(429, b'{"message": "m"}'), OpaUnreachable, ENOUGH),
        (Answer(502, b"bad gateway"), OpaUnreachable, ENOUGH),
        (Answer(503, b'{"message": "m"}'), OpaUnreachable, ENOUGH),
        (Answer(504, b""), OpaUnreachable, ENOUGH),
        (Answer(reset=True), OpaUnreachable, ENOUGH),
        (Answer(silent=True), OpaTimeout, ENOUGH),
        (Answer(missing=10), OpaUnreachable, ENOUGH),
        (Answer(headers={"Content-Encoding": "gzip"}), OpaUnreachable, ENOUGH),
        (Answer(400, b'{"code": "invalid_parameter", "message": "m"}'), OpaRefused, 1),
        (Answer(401, b'{"code": "unauthorized", "message": "m"}'), OpaUnauthorized, 1),
        (Answer(403, b'{"message": "m"}'), OpaUnauthorized, 1),
        (Answer(404, b'{"message": "m"}'), OpaRefused, 1),
        (Answer(500, INTERNAL), OpaEvaluationError, 1),
        (Answer(503, INTERNAL), OpaEvaluationError, 1),
        (Answer(500, b'{"code": "internal_error", "message": "m"}'), OpaUnreachable, ENOUGH),
        (Answer(500, b"<html>"), OpaUnreachable, ENOUGH),
        (Answer(307, b"", {"Location": "http://elsewhere/"}), OpaRefused, 1),
        (Answer(200, b"<html>"), OpaUnreachable, ENOUGH),
        (Answer(200, b""), OpaUnreachable, ENOUGH),
    ],
    ids=lambda value: f"{value.status}" if isinstance(value, Answer) else None,
)
def test_what_is_sent_again(fault, kind, requests):
    """Lost connections, late and broken answers, 429, 500, 502, 503 and 504 make it try again; nothing else does."""
    with faulty([fault]) as server, client(server.url, limits(fault)) as opa:
        with pytest.raises(OpaError) as caught:
            opa.decide({"a": 1})
        eventually(lambda: server.count >= requests, "the requests")

    assert (kind, requests) == (type(caught.value), server.count)
    assert server.url in str(caught.value)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    "fault", [Answer(500, b"{}"), Answer(503, b"{}"), Answer(reset=True), Answer(silent=True), Answer(missing=1)]
)
def test_a_fault_that_passes(fault):
    """The caller learns nothing of a fault that a second attempt cures; the same body is sent twice."""
    for limit in (0.2, 2, 20) if fault.silent else (PATIENCE,):  # a slow machine may answer the second one late
        with faulty([fault, Answer()]) as server, client(server.url, replace(LIMITS, read=limit)) as opa:
            allowed = False
            with suppress(OpaTimeout):
                allowed = opa.decide({"a": 1})["allowed"]
        if server.count == 2:
            break

    assert allowed
    assert [b'{"input":{"a":1}}'] * 2 == [body for _, _, body, _ in server.seen]


@pytest.mark.parametrize(
    ("fault", "requests"),
    [
        (Answer(429, b"{}"), ENOUGH),
        (Answer(503, b"{}"), ENOUGH),
        (Answer(500, b"{}"), 1),
        (Answer(502, b"{}"), 1),
        (Answer(504, b"{}"), 1),
        (Answer(reset=True), 1),
        (Answer(silent=True), 1),
    ],
)
def test_a_patch_is_not_sent_twice(fault, requests):
    """A patch may append: it is sent again only where OPA says that it did not take it on."""
    with faulty([fault]) as server, client(server.url, limits(fault)) as opa:
        with pytest.raises(OpaUnreachable):
            opa.patch_data(["clusters", "c"], [{"op": "add", "path": "/x/-", "value": 1}])
        eventually(lambda: server.count >= requests, "the requests")

    assert requests == server.count


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
@pytest.mark.parametrize(
    ("body", "kind", "requests"), [(b"{}", OpaUnreachable, ENOUGH), (INTERNAL, OpaEvaluationError, 1)]
)
def test_what_leaves_the_same_state_is_sent_again(method, body, kind, requests):
    """After 500 all but a PATCH is sent again, also what writes; an error of the policy is not."""
    with faulty([Answer(500, body)]) as server, Transport(LIMITS, QUICK, 1, None) as transport, pytest.raises(kind):
        transport.request(method, f"{server.url}/v1/data/x", data=b"{}")

    assert [method] * requests == [verb for verb, _, _, _ in server.seen]


def test_nobody_listens():
    """A port at which nobody listens is unreachable, in the words of the operating system."""
    with faulty([Answer()]) as server:
        url = server.url
    with client(url) as opa, pytest.raises(OpaUnreachable) as caught:
        opa.decide({})

    assert f"{url}/v1/data/kafka/decision cannot be reached: Connection refused: check that OPA runs there" == str(
        caught.value
    )


def test_a_patch_that_never_left():
    """Where nobody listens, OPA cannot have seen the patch: it is sent again like everything else."""
    with faulty([Answer()]) as server:
        url = server.url
    pauses: list[float] = []
    with Transport(LIMITS, QUICK, 1, None, sleep=pauses.append) as session, pytest.raises(OpaUnreachable):
        session.patch(url)

    assert ENOUGH - 1 == len(pauses)


def test_the_server_says_when():
    """Retry-After replaces the back-off, to the second."""
    pauses: list[float] = []
    with (
        faulty(
            [Answer(503, b"{}", {"Retry-After": "3"}), Answer(429, b"{}", {"Retry-After": "1"}), Answer()]
        ) as server,
        Transport(LIMITS, QUICK, 1, None, sleep=pauses.append) as session,
    ):
        assert GOOD == session.get(server.url).content

    assert [3.0, 1.0] == pauses


def test_the_server_says_too_late():
    """A Retry-After beyond the total time ends the call at once, without a pause."""
    pauses: list[float] = []
    with (
        faulty([Answer(503, b"{}", {"Retry-After": "3600"})]) as server,
        Transport(LIMITS, QUICK, 1, None, sleep=pauses.append) as session,
        pytest.raises(OpaUnreachable),
    ):
        session.get(server.url)

    assert ([], 1) == (pauses, server.count)


@pytest.mark.parametrize("answer", [Answer(trickle=True), Answer(slow_head=True)], ids=["body", "head"])
def test_an_answer_that_trickles(answer):
    """An answer that never stops coming ends with the total time, and there is no time left to ask again."""
    with faulty([answer]) as server, client(server.url, replace(LIMITS, total=0.5)) as opa:
        with pytest.raises(OpaUnreachable, match="did not answer in time"):
            opa.decide({})
        eventually(lambda: server.count, "the request")

        assert 1 == server.count


def test_netrc_and_proxies_are_ignored(tmp_path, monkeypatch):
    """A .netrc entry would replace the token, and a proxy would be requested loopback."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login u password p\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    with faulty([Answer()]) as server, client(server.url) as opa:
        opa.decide({})

    assert "Bearer s3cret" == server.seen[0][3]["Authorization"]


def test_connections_are_kept():
    """Answers that were read to the end leave their connection for the next call."""
    with faulty([Answer()]) as server, client(server.url) as opa:
        for _ in range(3):
            opa.decide({})

    assert (3, 1) == (server.count, len(server.connections))


def test_no_time_is_left():
    """No seconds are none, and not those of the client."""
    with faulty([Answer()]) as server, client(server.url) as opa, pytest.raises(OpaUnreachable):
        opa.evaluate_within(0, "kafka/decision", {}, {})
