"""The three forms of a change of configs: one outcome, one decision."""

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.rego.contract.documents import VALID
from warden.policy.opa.client import OpaClient

pytestmark = pytest.mark.opa

_VALUES = {
    "cleanup.policy": ["delete", "compact", "compact,delete", ""],
    "compression.type": ["producer", "gzip"],
    "flush.ms": ["1"],
    "max.message.bytes": ["100", "99999999"],
    "min.insync.replicas": ["1", "2", "3"],
    "retention.bytes": ["-1", "1000000000"],
    "retention.ms": ["-1", "1000", "86400000", "604800000"],
    "segment.ms": ["100", "60000000"],
    "unclean.leader.election.enable": ["true", "false"],
}
_CONFIGS = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in _VALUES.items()})
_Configs = dict[str, str]


def _forms(before: _Configs, after: _Configs) -> dict[str, dict[str, Any]]:
    """The change from one to the other, in each form."""
    sets = [{"name": name, "op": "SET", "value": value} for name, value in after.items() if before.get(name) != value]
    deletes = [{"name": name, "op": "DELETE"} for name in before if name not in after]
    return {
        "incremental": {"mode": "incremental", "ops": [*sets, *deletes]},
        "full": {"mode": "full", "entries": after},
        "resolved": {"mode": "resolved", "before": before, "after": after},
    }


def _decision_input(before: _Configs, change: dict[str, Any]) -> dict[str, Any]:
    document = copy.deepcopy(VALID["AlterTopic"])
    (name,) = document["clusterState"]["topics"]
    document["clusterState"]["topics"][name]["configs"] = before
    return {**document, "request": {"topic": name, "configs": change}}


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(changes=st.lists(st.tuples(_CONFIGS, _CONFIGS), min_size=20, max_size=20))
def test_one_outcome_one_decision(query_client: OpaClient, changes: list[tuple[_Configs, _Configs]]) -> None:
    """The same decision to the letter, but for how an override is removed: by name, or by not being named."""
    items = {
        f"{number}/{form}": _decision_input(before, change)
        for number, (before, after) in enumerate(changes)
        for form, change in _forms(before, after).items()
    }
    found = {key: json.dumps(decision) for key, decision in query_client.decide_many(items).items()}
    for number, change in enumerate(changes):
        full = found[f"{number}/full"].replace("by not being named", "by name")
        assert found[f"{number}/incremental"] == found[f"{number}/resolved"] == full, change
