"""An untrusted caller who writes its lie into another path, parameter, header or body: OPA believes none of them."""

import http.client
import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.fixtures.callers import CALLER_TOKENS, OWN, STATE
from tests.fixtures.patience import PATIENCE
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_PAST = "2020-01-01T00:00:00Z"
_TOPIC = {"topic": "shop.orders.placed", "numPartitions": 1, "replicationFactor": 1, "labels": {"owner": "shop"}}
_HONEST: dict[str, Any] = {**OWN, "operation": "CreateTopic", "cluster": "prod", "request": _TOPIC}
_LIE = json.dumps({"input": {**_HONEST, "now": _PAST}}).encode()  # it revives a waiver
_BEARER = f"Bearer {CALLER_TOKENS['portal']}"


def _send(
    opa: LocalOpa, method: str, path: str, body: bytes, headers: Mapping[str, str] | None = None
) -> tuple[int, Any]:
    """Send a request as it is written; the answer's JSON, or its text."""
    host, port = opa.url.removeprefix("http://").split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
    try:
        connection.request(method, path, body, {"Authorization": _BEARER, **(headers or {})})
        answer = connection.getresponse()
        text = answer.read().decode()
        return answer.status, json.loads(text) if text.startswith("{") else text
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("POST", f"/v1/data/{path}") for path in (
            "kafka//decision", "/kafka/decision", "kafka/decision/", "kafka/./decision", "kafka/x/../decision",
            "kafka%2Fdecision", "kafka%2fdecision", "kafka/%64ecision", "kafka/decision%00", "kafka/decision%20",
            "kafka/decision;a=b", "kafka/decision%3Fa", "KAFKA/decision", "kafka/decision/allowed", "kafka",
            "kafka/engine", "kafka/engine/_decision", "kafka/decision?partial", "kafka/decision?partial=true",
            "kafka/decision?instrument=true", "kafka/decision?explain=full",
            "kafka/decision?strict-builtin-errors=true", "kafka/decision?input=%7B%7D", "kafka/decision?pretty=true",
            "kafka/decision?metrics=true&metrics=x",
        )),
        ("POST", "/"), ("POST", ""), ("POST", "/v0/data/kafka/decision"), ("POST", "/v1/data"),
        ("POST", "//v1/data/kafka/decision"),
        ("POST", "/v1/query"), ("POST", "/v1/compile"), ("POST", "/v1/compile/kafka/decision"),
        ("POST", "/v1/batch/data/kafka/decision"), ("PUT", "/v1/policies/mine"), ("PUT", "/v1/data/clusters/prod"),
        ("PATCH", "/v1/data/clusters/prod"), ("PUT", "/v1/data/settings"), ("GET", "/v1/data/clusters/prod"),
        ("GET", "/v1/data/kafka/decision?input=%7B%22now%22%3A%222020-01-01T00%3A00%3A00Z%22%7D"),
        ("GET", "/v1/query?q=data.settings"), ("GET", "/v1/config"), ("HEAD", "/v1/data/clusters/prod"),
        ("OPTIONS", "/v1/data/kafka/decision"), ("TRACE", "/v1/data/kafka/decision"),
        ("post", "/v1/data/kafka/decision"),
    ],
)  # fmt: skip
def test_another_way_to_it(guarded: LocalOpa, method: str, path: str) -> None:
    """Refused, sent to another address, or not there at all; and no answer has a result."""
    status, answer = _send(guarded, method, path, _LIE)

    assert not 200 <= status < 300, answer
    assert not (isinstance(answer, dict) and "result" in answer)


@pytest.mark.parametrize(
    "headers",
    [
        {"X-HTTP-Method-Override": "PUT"},
        {"X-Original-URL": "/v1/data/catalog/rules", "X-Rewrite-URL": "/health"},
        {"X-Forwarded-For": "127.0.0.1", "Forwarded": "for=127.0.0.1", "X-Real-IP": "127.0.0.1"},
        {"X-Forwarded-User": "admin", "Remote-User": "admin", "X-Remote-User": "admin"},
        {"Content-Type": "application/yaml"},
        {"Content-Type": "text/plain", "Accept": "application/vnd.opa.ucast.all+json"},
        {"Content-Encoding": "identity"},
        {"Connection": "Authorization"},
        {"Traceparent": "00-" + "1" * 32 + "-" + "1" * 16 + "-01"},
    ],
)
def test_another_header_beside_it(guarded: LocalOpa, headers: dict[str, str]) -> None:
    """The lie is seen through all of them, and the same request without it is decided as ever."""
    status, answer = _send(guarded, "POST", "/v1/data/kafka/decision", _LIE, headers)
    assert (401, True) == (status, "now: leave it out" in answer["message"])

    honest = json.dumps({"input": _HONEST}).encode()
    plain, adorned = (
        _send(guarded, "POST", "/v1/data/kafka/decision", honest, more)[1]["result"]["errors"] for more in ({}, headers)
    )
    assert plain == adorned != []


@pytest.mark.parametrize(
    "document",
    [
        {**_HONEST, "request": {**_TOPIC, "now": _PAST}},
        {**_HONEST, "request": {**_TOPIC, "clusterState": STATE}},
        {**_HONEST, "request": {**_TOPIC, "principal": {"type": "User", "name": "admin"}}},
        {**_HONEST, "request": {"input": {"now": _PAST}, **_TOPIC}},
        {**_HONEST, "Now": _PAST},
        {**_HONEST, "now ": _PAST},
        {**_HONEST, "NOW": _PAST},
        {**_HONEST, "input": {"now": _PAST}},
        {**_HONEST, "common": {"now": _PAST}},
        {**_HONEST, "items": {"a": {"now": _PAST}}},
        {**_HONEST, "data": {"clusters": {"prod": STATE}}},
        {**_HONEST, "validateOnly": {"now": _PAST}},
    ],
)
def test_another_place_in_the_input(guarded: LocalOpa, document: dict[str, Any]) -> None:
    """It is an error by its name, or changes nothing of the denial; in an item of a batch as well."""
    for path, whole in (
        ("decision", document),
        ("decisions", {"items": {"a": document}}),
        ("decisions", {"items": {"a": {}}, "common": document}),
    ):
        status, answer = _send(guarded, "POST", f"/v1/data/kafka/{path}", json.dumps({"input": whole}).encode())
        decision = answer["result"] if path == "decision" else answer["result"]["a"]
        assert (200, False) == (status, decision["allowed"])
        assert "waived" not in {violation["effect"] for violation in decision["violations"]}


@pytest.mark.parametrize(
    "body",
    [
        json.dumps({"input": _HONEST, "now": _PAST, "data": {"clusters": {}}, "unknowns": ["input"]}).encode(),
        b"\xef\xbb\xbf" + _LIE,
        _LIE.decode().encode("utf-16"),
        _LIE + _LIE,
        b"[" + _LIE + b"]",
        _LIE.replace(b'"now"', b'"n\\u006fw"'),
        _LIE.replace(b'{"input": {', b'{"Input": {}, "INPUT": {'),
    ],
)
def test_another_body(guarded: LocalOpa, body: bytes) -> None:
    """Nothing is allowed by it, whether OPA reads it or not."""
    status, answer = _send(guarded, "POST", "/v1/data/kafka/decision", body)
    decision = answer.get("result", {}) if isinstance(answer, dict) else {}

    assert status in {200, 400, 401, 500}
    assert not decision.get("allowed")
    assert "waived" not in {violation["effect"] for violation in decision.get("violations", [])}
