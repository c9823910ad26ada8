"""Requests about ACLs, quotas and credentials: adapter, engine and broker together beside the broker alone."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from tests.fixtures.seed import SEED
from tests.oracle.broker import Broker
from tests.oracle.cases import acls, credentials, quotas
from tests.oracle.cases.sampling import Case
from tests.oracle.engine import Engine
from warden.policy.adapter import build_results, merge_response, parse_request, select_allowed

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.oracle]

_MANY = 80
_RESULTS = {
    "CreateAcls": "results",
    "DeleteAcls": "filter_results",
    "AlterClientQuotas": "entries",
    "AlterUserScramCredentials": "results",
}
_UNREAD = {"ANY", "MATCH"}  # one of these, or a name that Kafka lacks, fails all of a request


def _readable(case: Case) -> bool:
    codes = {value for field, value in case.sent.items() if field not in {"principal", "host", "resourceName"}}
    return not (_UNREAD & {str(value).upper() for value in case.request["acl"].values()}) and 99 not in codes


def _create_acls() -> dict[str, Any]:
    return {"creations": [case.sent for case in acls.creations() if _readable(case)]}


def _delete_acls() -> dict[str, Any]:
    return {"filters": [case.sent for case in acls.deletions()]}


def _is_known(entity: Mapping[str, str | None]) -> bool:
    """Whether it needs no resolver to say what is wrong with an entity: Kafka asks it first."""
    return "group" not in entity and re.fullmatch(r"[0-9.]*", entity.get("ip") or "") is not None


def _quotas() -> dict[str, Any]:
    """Entities of many sorts, one twice, and one with a key twice."""
    entries = [case.sent for case in quotas.cases() if _is_known(case.request["entity"])][-_MANY:]
    once = {str(entry["entity"]): entry for entry in entries}
    twice = {"entity": [{"entityType": "user", "entityName": "twice"}], "ops": entries[0]["ops"][:1]}
    named = {"entity": [{"entityType": "user", "entityName": name} for name in ("x", "y")], "ops": []}
    return {"entries": [*once.values(), twice, twice, named], "validateOnly": True}


def _credentials() -> dict[str, Any]:
    """Users of many sorts, and some who are named twice."""
    cases = list({case.request["user"]: case for case in credentials.cases() if case.state == {"users": {}}}.values())[
        -_MANY:
    ]
    twice = [
        {"name": name, "mechanism": code, "iterations": 4096, "salt": b"0" * 16, "saltedPassword": b"0" * 16}
        for name in ("both", "again")
        for code in (1, 2)
    ]
    every = [*(case.sent for case in cases), *twice]
    return {
        "deletions": [sent for sent in every if "salt" not in sent],
        "upsertions": [sent for sent in every if "salt" in sent],
    }


_REQUESTS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "CreateAcls": _create_acls,
    "DeleteAcls": _delete_acls,
    "AlterClientQuotas": _quotas,
    "AlterUserScramCredentials": _credentials,
}


@pytest.mark.parametrize("api", _REQUESTS)
def test_whole_request(api: str, oracle: Broker, engine: Engine) -> None:
    """What the broker says of all of a request is what it says of the rest, with what the engine says of the others."""
    request = _REQUESTS[api]()
    print(f"seed {SEED}")
    parsed = parse_request(api, request)
    inputs = {key: {**document, "clusterState": {"users": {}}} for key, document in parsed.inputs.items()}
    decisions = engine.evaluate("data.kafka.decisions", {"items": inputs, "common": {"cluster": "oracle"}})
    results = build_results(parsed, decisions, log=print)
    rest = select_allowed(parsed, results)

    assert rest is not None
    assert {True, False} == {result.allowed for result in results.values()}
    ours = _said(merge_response(parsed, results, _answered(oracle, api, rest)))
    theirs = _said(_answered(oracle, api, request))
    different = [
        (one, other) for one, other in zip(theirs, ours, strict=True) if one[:2] != other[:2] or one[2] not in other[2]
    ]
    assert [] == different


def _answered(oracle: Broker, api: str, request: Mapping[str, Any]) -> list[dict[str, Any]]:
    elements: list[dict[str, Any]] = _camel(oracle.send(api, request).to_dict()[_RESULTS[api]])
    return elements


def _camel(value: Any) -> Any:
    """Fields as Kafka's JSON writes them."""
    if isinstance(value, list):
        return [_camel(element) for element in value]
    if not isinstance(value, dict):
        return value
    return {re.sub("_([a-z])", lambda part: part[1].upper(), name): _camel(inner) for name, inner in value.items()}


def _said(elements: Sequence[Mapping[str, Any]]) -> list[tuple[str, int, str]]:
    """Who each result is about, its code and its words; users and entities are sorted, as Kafka has no order."""
    said = [
        (
            element.get("user") or str(sorted(str(part) for part in element.get("entity", ()))),
            element["errorCode"],
            element["errorMessage"] or "",
        )
        for element in elements
    ]
    has_order = not any("user" in element or "entity" in element for element in elements)
    return said if has_order else sorted(said)
