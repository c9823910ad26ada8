"""Decisions read of a cluster's state what the row of their operation says (policies/kafka/operations), and no more."""

from pathlib import Path
from typing import Any

import pytest

from tests.bench.decisions.decision_inputs import decision_inputs, state
from tests.fixtures.operations import operations
from tests.rego.contract.documents import VALID
from tests.rego.rules.examples import read_examples
from warden.base.resources import find_shipped
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.state_reads import find_state_reads
from warden.policy.opa.client import OpaClient

pytestmark = pytest.mark.opa


@pytest.fixture(scope="module")
def reads() -> dict[str, set[str]]:
    """The parts of the state that each operation's row names."""
    return {operation: set(row["reads"]) for operation, row in operations().items()}


def test_every_part_that_is_read_is_in_a_row(opa_binary: Path, reads: dict[str, set[str]]) -> None:
    """The rows name what the syntax trees of engine and rules refer to, and nothing else."""
    policies = find_shipped("policies")
    read = find_state_reads(opa_binary, policies, read_rule_metadata(opa_binary, policies))

    assert {*read["engine"], *(part for parts in read["rules"].values() for part in parts)} == set().union(
        *reads.values()
    )


def test_what_a_row_leaves_out_changes_nothing(
    opa_binary: Path, query_client: OpaClient, reads: dict[str, set[str]]
) -> None:
    """Every example of every rule is decided as with the whole state where the other parts are taken away."""
    policies = find_shipped("policies")
    rules = {
        id: rule for id, rule in read_rule_metadata(opa_binary, policies).items() if rule["file"].startswith("kafka/")
    }
    examples = read_examples(policies, {policies / rule["file"]: id for id, rule in rules.items()})
    documents: dict[str, dict[str, Any]] = {
        **{example.name: {"cluster": "prod", **example.document} for example in examples},
        **{f"bench {operation}": decision_input for operation, decision_input in decision_inputs().items()},
        **VALID,
    }
    whole = {
        name: {**document, "clusterState": {**state(), **document.get("clusterState", {})}}
        for name, document in documents.items()
        if document["operation"] in reads
    }
    trimmed = {name: {**document, "clusterState": _only(document, reads)} for name, document in whole.items()}
    decisions, without = query_client.decide_many(whole), query_client.decide_many(trimmed)

    assert reads.keys() == {document["operation"] for document in whole.values()}
    assert {} == {name: (decisions[name], without[name]) for name in whole if decisions[name] != without[name]}


def _only(document: dict[str, Any], reads: dict[str, set[str]]) -> dict[str, Any]:
    read = reads[document["operation"]]
    return {part: value for part, value in document["clusterState"].items() if part in read}
