"""Whatever JSON comes in, a decision comes out, and nothing that cannot be read is ever allowed."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.rego.contract.documents import VALID, find_at, places, spoiled
from warden.base.resources import find_shipped
from warden.policy.bundle.opa import run_opa_json
from warden.policy.opa.client import OpaClient

pytestmark = pytest.mark.opa

FIELDS = {"allowed", "errors", "error", "violations", "warnings", "annotations", "stateAge", "revision"}
NAMES = st.sampled_from([*VALID["CreateTopic"], *VALID["AlterTopic"]["request"], "mode", "ops", "topics", "x", ""])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES | st.text(max_size=5), inner, max_size=6),
    max_leaves=12,
)
PLACES = [(operation, path) for operation, document in VALID.items() for path in places(document)]
IN_BATCHES = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def decided(query_client: OpaClient, documents: list[Any]) -> list[dict[str, Any]]:
    """The decision about each document, in one batch."""
    answers = query_client.decide_many(
        {str(i): document for i, document in enumerate(documents)}, batch_size=len(documents)
    )
    return [answers[str(i)] for i in range(len(documents))]


def test_every_operation_is_spoiled(query_client: OpaClient) -> None:
    """No operation that the engine knows is left out; those about clients' configs are spoiled in tests/clients."""
    (error,) = query_client.decide({**VALID["CreateTopic"], "operation": "None"})["errors"]
    known = error.partition("use one of ")[2].split(", ")

    assert sorted({*VALID, "AlterClientConfigs", "AuditClientConfigs", "DescribeClientConfigs"}) == known


def test_what_is_as_the_contract_says_is_read(query_client: OpaClient) -> None:
    """The documents that are spoiled below are good ones: none is refused for its form."""
    decisions = dict(zip(VALID, decided(query_client, list(VALID.values())), strict=True))
    refused = {operation: decision["error"] for operation, decision in decisions.items() if decision["error"]}

    assert {} == {operation: error for operation, error in refused.items() if error["name"] != "POLICY_VIOLATION"}


@IN_BATCHES
@given(documents=st.lists(JSON, min_size=40, max_size=40))
def test_any_json_is_decided_and_denied(query_client: OpaClient, documents: list[Any]) -> None:
    """No JSON value makes OPA fail, and none that is not a decision input is allowed."""
    for document, decision in zip(documents, decided(query_client, documents), strict=True):
        assert decision.keys() >= FIELDS, document
        assert (False, True) == (decision["allowed"], decision["errors"] != []), document


@IN_BATCHES
@given(spoilings=st.lists(st.tuples(st.sampled_from(PLACES), JSON), min_size=40, max_size=40))
def test_a_spoiled_document_is_decided(
    query_client: OpaClient, spoilings: list[tuple[tuple[str, tuple[str, ...]], Any]]
) -> None:
    """Any value at any place of a good document leads to a decision, and a value of another JSON type is denied."""
    documents = [spoiled(VALID[operation], path, value) for (operation, path), value in spoilings]
    for ((operation, path), value), decision in zip(spoilings, decided(query_client, documents), strict=True):
        case = (operation, path, value, decision["errors"])
        assert decision.keys() >= FIELDS, case
        assert decision["allowed"] is (decision["errors"] == []), case
        # A null here is what "any" is in an ACL filter, whose fields take strings too.
        original = find_at(VALID[operation], path)
        if kind(value) not in {"null", "string" if original is None else kind(original)}:
            assert decision["allowed"] is False, case


def kind(value: Any) -> str:
    """The JSON type of a value."""
    kinds = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    return kinds.get(type(value), "null")


@pytest.mark.parametrize("given", [None, "{}", "5"])
def test_no_entry_point_takes_what_is_no_input(opa_binary: Path, given: str | None) -> None:
    """Without an input, with an empty one and with a number: no answer that could be taken for a good one."""
    policies, bundle = (str(find_shipped(name)) for name in ("policies", "bundle"))
    annotations = run_opa_json(opa_binary, "inspect", "--annotations", "--format", "json", policies)["annotations"]
    paths = [
        ".".join(part["value"] for part in one["path"])
        for one in annotations
        if one["annotations"].get("entrypoint") and [part["value"] for part in one["path"]][1] != "checks"
    ]
    query = f"{{path: answer | [path, answers] := {_rows(paths)}[_]; some answer in answers}}"
    command = [str(opa_binary), "eval", "--format", "raw", "--bundle", policies, "--bundle", bundle, query]
    stdin = [] if given is None else ["--stdin-input"]
    raw = subprocess.run([*command, *stdin], input=given or "", capture_output=True, check=True, text=True).stdout
    answers = json.loads(raw)

    assert {"data.kafka.decision", "data.kafka.configs.change"} <= answers.keys()
    good = {"errors": [], "allowed": True, "valid": True, "refused": {}}
    assert {} == {
        path: answer
        for path, answer in answers.items()
        if isinstance(answer, dict) and any(answer.get(field) == value for field, value in good.items())
    }


def _rows(paths: list[str]) -> str:
    return "[" + ", ".join(f'["{path}", [answer | answer := {path}]]' for path in paths) + "]"
