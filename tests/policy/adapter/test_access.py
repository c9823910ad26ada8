"""Forms about ACLs, quotas and credentials: decision inputs, and results in the order of the request."""

from typing import Any

import pytest

from warden.base.errors import KafkaError
from warden.policy.adapter import (
    Result,
    build_denied_elements,
    build_results,
    merge_response,
    parse_request,
    select_allowed,
)

_ALLOW = {"allowed": True, "errors": [], "error": None, "violations": []}
_ERROR = {"code": 44, "name": "POLICY_VIOLATION", "message": "no"}
_DENY = {"allowed": False, "errors": ["no"], "error": _ERROR, "violations": []}
_BINDING = {
    "resourceType": 2,
    "resourceName": "a",
    "resourcePatternType": 4,
    "principal": "User:x",
    "host": "*",
    "operation": 15,
    "permissionType": 3,
}
_FILTER = {
    "resourceTypeFilter": 1,
    "resourceNameFilter": None,
    "patternTypeFilter": 2,
    "principalFilter": None,
    "hostFilter": "10.0.0.1",
    "operation": 1,
    "permissionType": 99,
}
_SET = {"name": "x", "mechanism": 2, "iterations": 4096, "salt": b"s", "saltedPassword": b"p"}


def _entry(*entity: tuple[str, str | None], ops: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return {"entity": [{"entityType": type_, "entityName": name} for type_, name in entity], "ops": list(ops)}


@pytest.mark.parametrize(
    ("api", "request_", "inputs"),
    [
        pytest.param(
            "CreateAcls",
            {"creations": [_BINDING, {**_BINDING, "resourceType": 99}]},
            {
                f"creations/{index}": {
                    "acl": {
                        "resourceType": type_,
                        "resourceName": "a",
                        "patternType": "PREFIXED",
                        "principal": "User:x",
                        "host": "*",
                        "operation": "TWO_PHASE_COMMIT",
                        "permissionType": "ALLOW",
                    }
                }
                for index, type_ in enumerate(("TOPIC", "UNKNOWN_99"))
            },
            id="bindings, one of what Kafka lacks",
        ),
        pytest.param(
            "CreateAcls",
            {"creations": [{field: value for field, value in _BINDING.items() if field != "resourcePatternType"}] * 2},
            {
                f"creations/{index}": {
                    "acl": {
                        "resourceType": "TOPIC",
                        "resourceName": "a",
                        "patternType": "LITERAL",
                        "principal": "User:x",
                        "host": "*",
                        "operation": "TWO_PHASE_COMMIT",
                        "permissionType": "ALLOW",
                    }
                }
                for index in range(2)
            },
            id="bindings of version 0, one twice",
        ),
        pytest.param(
            "DeleteAcls",
            {"filters": [_FILTER]},
            {
                "filters/0": {
                    "acl": {
                        "resourceType": "ANY",
                        "resourceName": None,
                        "patternType": "MATCH",
                        "principal": None,
                        "host": "10.0.0.1",
                        "operation": "ANY",
                        "permissionType": "UNKNOWN_99",
                    }
                }
            },
            id="a filter",
        ),
        pytest.param(
            "AlterClientQuotas",
            {
                "entries": [
                    _entry(("user", None), ("client-id", "c"), ops=({"key": "k", "value": 1.5, "remove": False},)),
                    _entry(("user", "null"), ("client-id", "c"), ops=({"key": "k", "value": 0.0, "remove": True},)),
                    _entry(("user", "x"), ("user", "y")),
                    _entry(("group", "g")),
                ],
                "validateOnly": False,
            },
            {
                "entries/0": {"entity": {"user": None, "clientId": "c"}, "ops": [{"key": "k", "value": 1.5}]},
                "entries/1": {"entity": {"user": "null", "clientId": "c"}, "ops": [{"key": "k", "remove": True}]},
                "entries/2": {"entity": {"user": "y"}, "ops": []},
                "entries/3": {"entity": {"group": "g"}, "ops": []},
            },
            id="entities",
        ),
        pytest.param(
            "AlterUserScramCredentials",
            {"deletions": [{"name": "y", "mechanism": 1}], "upsertions": [_SET, {**_SET, "name": "z", "mechanism": 0}]},
            {
                "deletions/0": {"user": "y", "mechanism": "SCRAM-SHA-256", "remove": True},
                "upsertions/0": {"user": "x", "mechanism": "SCRAM-SHA-512", "iterations": 4096},
                "upsertions/1": {"user": "z", "mechanism": "UNKNOWN", "iterations": 4096},
            },
            id="credentials, without their secrets",
        ),
    ],
)
def test_inputs(api, request_, inputs):
    """Each resource is a decision input of its own."""
    parsed = parse_request(api, request_)

    assert inputs == {key: document["request"] for key, document in parsed.inputs.items()}


@pytest.mark.parametrize(
    ("api", "request_", "refusal"),
    [
        (
            "AlterUserScramCredentials",
            {"deletions": [{"name": "x", "mechanism": 1}], "upsertions": [_SET]},
            Result(92, "DUPLICATE_RESOURCE", "A user credential cannot be altered twice in the same request"),
        ),
        (
            "AlterClientQuotas",
            {"entries": [_entry(("user", None), ("client-id", "c")), _entry(("client-id", "c"), ("user", None))]},
            Result(
                42,
                "INVALID_REQUEST",
                "Ignoring duplicate entity ClientQuotaEntity(entries={client-id=c, user=null})",
            ),
        ),
        ("CreateAcls", {"creations": ["a"]}, Result(42, "INVALID_REQUEST", "creations: must be objects")),
        (
            "CreateAcls",
            {"creations": [{**_BINDING, "host": None}]},
            Result(42, "INVALID_REQUEST", "host: must be a string"),
        ),
        (
            "CreateAcls",
            {"creations": [{**_BINDING, "operation": "READ"}]},
            Result(42, "INVALID_REQUEST", "operation: must be an integer"),
        ),
        (
            "DeleteAcls",
            {"filters": [{**_FILTER, "hostFilter": 1}]},
            Result(42, "INVALID_REQUEST", "hostFilter: must be a string or null"),
        ),
        (
            "AlterClientQuotas",
            {"entries": [{"entity": None, "ops": []}]},
            Result(42, "INVALID_REQUEST", "entity: must be a list of objects"),
        ),
        (
            "AlterClientQuotas",
            {"entries": [_entry(ops=({"key": "k", "value": "1"},))]},
            Result(42, "INVALID_REQUEST", "value of k: must be a number"),
        ),
        (
            "AlterClientQuotas",
            {"entries": [_entry(ops=({"key": "k", "value": float("nan")},))]},
            Result(42, "INVALID_REQUEST", "value of k: must be a number, and not nan"),
        ),
        (
            "AlterClientQuotas",
            {"entries": [_entry(ops=({"key": "k", "value": float("-inf")},))]},
            Result(42, "INVALID_REQUEST", "value of k: must be a number, and not -inf"),
        ),
        (
            "AlterClientQuotas",
            {"entries": [_entry(ops=({"key": "k", "remove": 1},))]},
            Result(42, "INVALID_REQUEST", "remove: must be true or false"),
        ),
    ],
)
def test_refused_without_a_decision(api, request_, refusal):
    """What is named twice, or cannot be read."""
    assert [refusal] == [item.refusal for item in parse_request(api, request_).items.values()]


@pytest.mark.parametrize(
    ("api", "request_", "answered", "elements"),
    [
        (
            "CreateAcls",
            {"creations": [_BINDING] * 3},
            [{"errorCode": 0, "errorMessage": ""}, {"errorCode": 42, "errorMessage": "bad"}],
            [
                {"errorCode": 0, "errorMessage": ""},
                {"errorCode": 44, "errorMessage": "no"},
                {"errorCode": 42, "errorMessage": "bad"},
            ],
        ),
        (
            "DeleteAcls",
            {"filters": [_FILTER] * 3},
            [{"errorCode": 0, "matchingAcls": [1]}, {"errorCode": 0, "matchingAcls": [2]}],
            [
                {"errorCode": 0, "matchingAcls": [1]},
                {"errorCode": 44, "errorMessage": "no", "matchingAcls": []},
                {"errorCode": 0, "matchingAcls": [2]},
            ],
        ),
        (
            "AlterClientQuotas",
            {"entries": [_entry(("user", name)) for name in "abc"]},
            [{"errorCode": 1, **_entry(("user", "c"))}, {"errorCode": 0, **_entry(("user", "a"))}],
            [
                {"errorCode": 0, **_entry(("user", "a"))},
                {"errorCode": 44, "errorMessage": "no", "entity": [{"entityType": "user", "entityName": "b"}]},
                {"errorCode": 1, **_entry(("user", "c"))},
            ],
        ),
        (
            "AlterUserScramCredentials",
            {"deletions": [], "upsertions": [{**_SET, "name": name} for name in "abc"]},
            [{"errorCode": 1, "user": "c"}, {"errorCode": 0, "user": "a"}],
            [
                {"errorCode": 0, "user": "a"},
                {"errorCode": 44, "errorMessage": "no", "user": "b"},
                {"errorCode": 1, "user": "c"},
            ],
        ),
    ],
)
def test_merged(api, request_, answered, elements):
    """Of three resources the second is denied: the others go on, and all results stand in the request's order."""
    parsed = parse_request(api, request_)
    denied = list(parsed.inputs)[1]
    results = build_results(parsed, {key: _DENY if key == denied else _ALLOW for key in parsed.inputs})
    rest = select_allowed(parsed, results)

    assert rest is not None
    assert [2] == [len(rest[name]) for name in rest if rest[name] and isinstance(rest[name], list)]
    assert [elements[1]] == build_denied_elements(parsed, results)
    assert elements == merge_response(parsed, results, answered)


def test_a_broker_that_does_not_answer_about_all():
    """An answer is never made up."""
    parsed = parse_request("CreateAcls", {"creations": [_BINDING] * 2})
    results = build_results(parsed, dict.fromkeys(parsed.inputs, _ALLOW))

    with pytest.raises(KafkaError, match="has not answered about acl 'a'"):
        merge_response(parsed, results, [{"errorCode": 0}])


@pytest.mark.parametrize(("api", "request_"), [("DeleteTopics", {"topicNames": ["a"]}), ("Heartbeat", {})])
def test_results_that_do_not_tell_by_their_place(api: str, request_: dict[str, Any]):
    """Of other forms the results tell by name what they are about, or nothing is known of them."""
    with pytest.raises(ValueError, match=f"{api}: its results do not tell by their place"):
        merge_response(parse_request(api, request_), {}, [])
