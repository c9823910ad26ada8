"""Decisions in rounds: what an item gets from the policy stays with it, whatever becomes of the others."""

from typing import Any

from warden.policy.adapter import parse_request
from warden.policy.adapter.evaluation import Evaluation

_CREATION = {"numPartitions": 1, "replicationFactor": 1, "assignments": [], "configs": []}


def _allow(**configs: str) -> dict[str, Any]:
    return {"allowed": True, "errors": [], "error": None, "violations": [], "annotations": {"configs": configs}}


def test_what_is_allowed_with_configs_keeps_them_where_a_later_round_fails() -> None:
    """One topic takes a round more than another: its configs are in the request that goes on without the other."""
    request = {"topics": [{"name": name, **_CREATION} for name in ("a", "b")]}
    evaluation = Evaluation(parse_request("CreateTopics", request, version=7))
    proposed = {"topics/0": {"min.insync.replicas": "2"}, "topics/1": {"cleanup.policy": "compact"}}
    for more in ({}, {"min.compaction.lag.ms": "60000"}):
        missing = evaluation.collect_missing()
        proposed["topics/1"] |= more
        evaluation.add_decisions(missing, {key: _allow(**configs) for key, configs in proposed.items()})
    assert ["topics/1"] == list(evaluation.collect_missing())
    evaluation.deny_remaining(44, "POLICY_VIOLATION", "OPA is away")

    results = evaluation.build_results()
    assert [0, 44] == [result.error_code for result in results.values()]
    configs = [{"name": "min.insync.replicas", "value": "2"}]
    assert [{"name": "a", **_CREATION, "configs": configs}] == (evaluation.select_allowed(results) or {})["topics"]
