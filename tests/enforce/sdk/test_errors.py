"""What a program meets that asks before it changes something: a decision, or an error of a class of its own."""

import json

import pytest

import warden
from tests.fixtures.http import Handler, served
from warden import Warden

_REQUEST = {"topic": "shop.orders", "numPartitions": 3, "replicationFactor": 1}
_STATE = {
    "clusterSize": 1,
    "brokers": {"1": {"host": "a", "rack": None, "configs": {}}},
    "defaults": {},
    "topics": {},
    "totals": {"topics": 0, "partitions": 0, "replicas": 0, "byOwner": {}, "byPrincipal": {}},
}


def _create(client: Warden, partitions: object = 3, **more: object) -> str:
    """Ask as an application does, and return what comes of it: an error by the name that `warden` has it under."""
    try:
        decision = client.decide("CreateTopic", {**_REQUEST, "numPartitions": partitions, **more}, state=_STATE)
    except warden.WardenError as error:
        return next(name for name in warden.__all__ if getattr(warden, name) is type(error))
    return "allowed" if decision.error is None else decision.error.name


@pytest.mark.opa
@pytest.mark.parametrize(
    ("partitions", "more", "met"),
    [
        (3, {}, "allowed"),
        (11, {}, "POLICY_VIOLATION"),
        ("3", {}, "INVALID_REQUEST"),
        (float("nan"), {}, "InputError"),
        ({3}, {}, "InputError"),
        (3, {"labels": {"why": "x" * 5_000_000}}, "OpaInputTooLarge"),
    ],
)
def test_with_an_opa(partitions, more, met, few_opa):
    """What is wrong with the request in the contract's terms is denied, and what is no JSON never leaves."""
    with Warden(few_opa.url, few_opa.tokens.query, cluster="prod") as client:
        assert met == _create(client, partitions, **more)


@pytest.mark.parametrize(
    ("status", "answer", "met"),
    [
        (200, {}, "OpaUndefined"),
        (200, {"result": {"allowed": True}}, "OpaUndefined"),
        (429, {}, "OpaUnreachable"),
        (503, {}, "OpaUnreachable"),
        (400, {"code": "invalid_parameter", "message": "no"}, "OpaRefused"),
        (401, {"code": "unauthorized", "message": "no"}, "OpaUnauthorized"),
        (500, {"code": "internal_error", "errors": [{"code": "eval_conflict_error"}]}, "OpaEvaluationError"),
    ],
)
def test_without_a_decision(status, answer, met):
    """Each is another error; none is an answer."""

    class Failing(Handler):
        def respond(self):
            self.body()
            self.answer(status, json.dumps(answer).encode())

    with served(Failing) as url, Warden(url, cluster="a", timeout=2) as client:
        assert met == _create(client)


def test_what_an_error_has():
    """Strings alone of what answers, and when it takes the next request."""

    class Foreign(Handler):
        def respond(self):
            self.body()
            self.answer(200, b'{"decision_id": 7}')

    class Busy(Handler):
        def respond(self):
            self.body()
            self.answer(429, b"{}", {"Retry-After": "600"})

    had = []
    for handler in (Foreign, Busy):
        with served(handler) as url, Warden(url, cluster="a") as client, pytest.raises(warden.OpaError) as error:
            client.delete_topic("a")
        had.append((error.value.status, error.value.retry_after, error.value.decision_id))

    assert [(None, None, None), (429, 600.0, None)] == had
