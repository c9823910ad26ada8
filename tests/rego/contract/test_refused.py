"""Forms of documents that were once let through: each is refused by itself, with a sentence about the field."""

import copy
from typing import Any

import pytest

from tests.rego.contract.documents import VALID
from warden.policy.opa.client import OpaClient

pytestmark = pytest.mark.opa

_OP = {"name": "retention.ms", "op": "SET", "value": "90000000"}
_OPS = {"mode": "incremental", "ops": [_OP]}
_RATE = {"key": "producer_byte_rate", "value": 1000000}

# What is wrong → operation, fields of the request that are taken away, fields that are laid over it.
_REQUESTS: dict[str, tuple[str, list[str], dict[str, Any]]] = {
    "an audit without replicationFactor": ("AuditTopicConfigs", ["replicationFactor"], {}),
    "an audit without numPartitions": ("AuditTopicConfigs", ["numPartitions"], {}),
    "an audit without internal": ("AuditTopicConfigs", ["internal"], {}),
    "a quota without ops": ("AlterQuota", ["ops"], {}),
    "an unknown field of configs": ("AlterTopic", [], {"configs": {**_OPS, "more": 1}}),
    "an unknown field of an op": ("AlterTopic", [], {"configs": {**_OPS, "ops": [{**_OP, "more": 1}]}}),
    "entries beside ops": ("AlterTopic", [], {"configs": {**_OPS, "entries": {"a": "b"}}}),
    "full without entries": ("AlterTopic", [], {"configs": {"mode": "full"}}),
    "ops that are an object": ("AlterTopic", [], {"configs": {**_OPS, "ops": {}}}),
    "an unknown field of a quota's op": ("AlterQuota", [], {"ops": [{**_RATE, "more": 1}]}),
}


def _documents() -> dict[str, dict[str, Any]]:
    documents = {}
    for name, (operation, without, over) in _REQUESTS.items():
        document = copy.deepcopy(VALID[operation])
        request = {field: value for field, value in document["request"].items() if field not in without}
        documents[name] = {**document, "request": {**request, **over}}
    create = VALID["CreateTopic"]
    documents["an unknown field of the principal"] = {**create, "principal": {**create["principal"], "more": 1}}
    documents["an unknown field of the input"] = {**create, "more": 1}
    return documents


def test_forms_that_are_refused(query_client: OpaClient) -> None:
    """None is allowed, none is denied by a rule, and whole documents of the same operations are read."""
    decisions = query_client.decide_many(_documents())
    errors = {name: decision["error"] or {"name": "allowed"} for name, decision in decisions.items()}

    assert {} == {name: error for name, error in errors.items() if error["name"] != "INVALID_REQUEST"}
