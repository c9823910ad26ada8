"""What rules see as `input` has a schema, and every reference of a rule into it is checked against that."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.rego.contract.documents import VALID
from warden.base.errors import BundleError
from warden.base.resources import find_shipped
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.opa import evaluate_opa, run_opa

pytestmark = pytest.mark.opa

_ALICE = {"user": "alice", "clientId": "app"}
_ABOUT_CLIENTS: dict[str, dict[str, Any]] = {
    "DescribeClientConfigs": {
        "components": [{"entityType": "user", "matchType": "exact", "match": "alice"}],
        "resolveEntity": True,
    },
    "AlterClientConfigs": {"entity": _ALICE, "ops": [{"key": "acks", "value": "all"}]},
    "AuditClientConfigs": {"entity": _ALICE},
}
_MAY = {
    "resourceType": "CLUSTER",
    "resourceName": "kafka-cluster",
    "patternType": "LITERAL",
    "principal": "User:alice",
    "host": "*",
    "operation": "ALL",
    "permissionType": "ALLOW",
}
_STATE = {"clientConfigs": {"alice": {"app": {"acks": "0"}}}, "acls": {"User:alice": [_MAY]}}


def _check(opa: Path, policies: Path) -> None:
    run_opa(
        opa,
        "check",
        "--strict",
        "--bundle",
        "--schema",
        str(find_shipped("schemas")),
        str(policies),
        str(find_shipped("bundle")),
    )


def test_rules_read_what_there_is(opa_binary: Path) -> None:
    """No rule refers to a field that no prepared document has."""
    _check(opa_binary, find_shipped("policies"))


def test_a_misspelled_field_is_found(opa_binary: Path, tmp_path: Path) -> None:
    """A reference that could never be defined, which OPA by itself takes for false, is an error."""
    policies = tmp_path / "policies"
    shutil.copytree(find_shipped("policies"), policies)
    path = policies / "kafka" / "rules" / "sizing" / "growth.rego"
    path.write_text(path.read_text("utf-8").replace("requested.numPartitions", "requested.numPartition"), "utf-8")

    with pytest.raises(BundleError, match=r"undefined ref: input\.requested\.numPartition"):
        _check(opa_binary, policies)


def test_prepared_documents_are_as_the_schema_says(opa_binary: Path, shipped_bundle: Bundle) -> None:
    """Of every operation; and a field that the schema lacks would be noticed."""
    about_clients = {
        operation: {**VALID["AlterScram"], "operation": operation, "request": request, "clusterState": _STATE}
        for operation, request in _ABOUT_CLIENTS.items()
    }
    schema = json.loads((find_shipped("schemas") / "rule_input.json").read_text("utf-8"))
    documents = VALID | about_clients
    query = """{operation: [matches, known] |
        some operation, document in input.documents
        prepared := data.kafka.engine.prechecked_input(document)
        [matches, _] := json.match_schema(prepared, input.schema)
        [known, _] := json.match_schema(object.union(prepared, {"requsted": {}}), input.schema)
    }"""
    arguments = ("--bundle", str(shipped_bundle.path), query)
    answer = evaluate_opa(opa_binary, *arguments, stdin=json.dumps({"documents": documents, "schema": schema}))

    assert {operation: [True, False] for operation in documents} == answer
