"""What OPA's own errors become, word for word."""

import json

import pytest

from warden.base.errors import OpaEvaluationError, OpaRefused, OpaUnauthorized, OpaUndefined, OpaUnreachable
from warden.policy.opa.response_errors import build_failure, parse_answer

URL = "http://opa:8181/v1/data/kafka/decision"
CONFLICT = {
    "code": "internal_error",
    "message": "error(s) occurred while evaluating query",
    "errors": [
        {
            "code": "eval_conflict_error",
            "message": "complete rules must not\nproduce multiple outputs",
            "location": {"file": "/tmp/x/kafka/decision.rego", "row": 7, "col": 1},
        }
    ],
    "decision_id": "d-7",
}
OWNED = 'path kafka is owned by bundle "warden"'
FAILED = (
    "error(s) occurred while evaluating query; complete rules must not produce multiple outputs (at decision.rego:7)"
)
MISSING = {"code": "resource_not_found", "message": "storage_not_found_error: document does not exist"}


@pytest.mark.parametrize(
    ("status", "body", "kind", "text", "code"),
    [
        (401, {"code": "unauthorized", "message": "request rejected by administrative policy"}, OpaUnauthorized,
         f"{URL} refused this caller (401): request rejected by administrative policy", "unauthorized"),
        (400, {"code": "invalid_parameter", "message": OWNED}, OpaRefused,
         f"{URL} refused the request (400): {OWNED}", "invalid_parameter"),
        (404, MISSING, OpaUndefined,
         f"{URL} does not exist: storage_not_found_error: document does not exist", "resource_not_found"),
        (404, {"message": "no such page"}, OpaRefused, f"{URL} refused the request (404): no such page", None),
        (500, CONFLICT, OpaEvaluationError,
         f"{URL} failed while it evaluated the policy: {FAILED}", "internal_error"),
        (500, {"code": "internal_error", "message": "authorization policy missing or undefined"}, OpaUnreachable,
         f"{URL} cannot answer now (500): authorization policy missing or undefined", "internal_error"),
        (429, {"message": "slow down"}, OpaUnreachable, f"{URL} cannot answer now (429): slow down", None),
        (503, b"<html>busy</html>", OpaUnreachable,
         f"{URL} answered 503 with '<html>busy</html>', which is not OPA's JSON: check that OPA is there", None),
        (404, b"", OpaRefused,
         f"{URL} answered 404 with nothing, which is not OPA's JSON: check that OPA is there", None),
        (500, {"message": "m", "errors": [{"code": "x", "message": "e", "location": 7}]}, OpaUnreachable,
         f"{URL} cannot answer now (500): m; e", None),
        (500, b"[1]", OpaUnreachable,
         f"{URL} answered 500 with '[1]', which is not OPA's JSON: check that OPA is there", None),
    ],
)  # fmt: skip
def test_failure(status, body, kind, text, code):
    """Each answer becomes one error of the tree, in one sentence with OPA's own words."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    error = build_failure(status, raw, URL, {})

    assert (kind, text, code, status) == (type(error), str(error), error.code, error.status)
    assert error.retry_after is None


@pytest.mark.parametrize("body", [CONFLICT, {"message": "slow down"}, None])
def test_the_pause_is_kept(body):
    """What answers says when to come back, be it OPA or a proxy."""
    raw = b"<html>" if body is None else json.dumps(body).encode()

    assert 7.0 == build_failure(503, raw, URL, {"Retry-After": "7"}).retry_after


@pytest.mark.parametrize(("given", "kept"), [("d-7", "d-7"), (7, None), (None, None)])
def test_the_decision_id_is_kept(given, kept):
    """OPA's decision id leads from the error to the log; it and the code are strings, whatever answers."""
    error = build_failure(500, json.dumps(CONFLICT | {"decision_id": given}).encode(), URL, {})

    assert kept == error.decision_id
    assert build_failure(500, b'{"code": 7}', URL, {}).code is None


def test_a_redirect_is_not_followed():
    """Another address might be somebody else's: the person has to name it."""
    error = build_failure(307, b"", URL, {"Location": "https://elsewhere/"})

    assert (OpaRefused, f"{URL} redirects to https://elsewhere/: give the URL at which OPA itself answers") == (
        type(error),
        str(error),
    )


@pytest.mark.parametrize("body", [b"", b"{", b"null", b"[]", b"\xff", b"<html>", b'"text"'])
def test_only_an_object_is_an_answer(body):
    """Whatever answers with something else is not OPA."""
    with pytest.raises(OpaUnreachable, match="which is not OPA's JSON"):
        parse_answer(body, URL)


def test_an_answer_that_is_nested_too_deeply():
    """No other attempt would help; of a failure the status says what it is."""
    deep = b'{"result": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    with pytest.raises(OpaEvaluationError, match="answered with JSON that is nested too deeply: check the policy"):
        parse_answer(deep, URL)

    assert [OpaUnreachable, OpaRefused] == [type(build_failure(status, deep, URL, {})) for status in (503, 404)]
