"""What deciding a change costs beside deciding a state, and with much around it, in numbers of no machine."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.bench.decisions.counting_opa import CountingOpa
from tests.bench.decisions.decision_inputs import CLUSTER, state, topic
from tests.bench.decisions.profile import evaluations_by_file
from tests.bench.decisions.sequence import CAP, items_in_order
from tests.docs.test_examples_of_changes import documents

pytestmark = [pytest.mark.costs, pytest.mark.opa]

_NOW = "2026-11-21T10:00:00Z"


def test_what_was_there_before_costs_at_most_six_tenths_more(counting_shipped: CountingOpa) -> None:
    """Evaluations of each change of the examples, beside those of a decision that does not look for causes."""
    counting_shipped.replicate({})
    operations = counting_shipped.evaluate("data.kafka.operations", {})
    without = {name: {**row, "unchanged": False} for name, row in operations.items()}
    query = f"data.kafka.decision with data.kafka.operations as {json.dumps(without)}"
    ratios = []
    for document in documents():
        decision_input = {"cluster": CLUSTER, "now": _NOW, **document}
        counted = [
            sum(counting_shipped.evaluations(evaluated, decision_input).values())
            for evaluated in ("data.kafka.decision", query)
        ]
        ratios.append(counted[0] / counted[1])

    print(f"evaluations with causes, by those without: {[round(ratio, 2) for ratio in ratios]}")
    assert max(ratios) <= 1.6
    assert max(ratios) > 1.2


def _of_many(topics: int) -> dict[str, Any]:
    """A state of topics each of which sets something else that rules read."""
    configs = topic()["configs"]
    held = {
        f"payments.orders.t{i}": {**topic(), "configs": {**configs, "retention.bytes": str(10**9 + i)}}
        for i in range(topics)
    }
    for one in held.values():
        del one["configs"]["retention.ms"]
    return {**state(), "topics": held}


@pytest.mark.parametrize("carried", [True, False], ids=["in the input", "replicated"])
def test_a_default_costs_the_same_for_each_shape_of_topics(
    opa_binary: Path, shipped: Path, counting_shipped: CountingOpa, carried: bool, tmp_path: Path
) -> None:
    """Evaluations and allocations of what topics inherit, by the number of shapes, of 100 and of 400."""
    evaluations, allocations = [], []
    for shapes in (100, 400):
        change = {"mode": "incremental", "ops": [{"name": "log.retention.ms", "op": "SET", "value": "1"}]}
        request = {"broker": "", "configs": change}
        decision_input: dict[str, Any] = {
            "operation": "AlterBroker",
            "cluster": CLUSTER,
            "now": _NOW,
            "request": request,
        }
        of_cluster, data = _of_many(shapes), None
        if carried:
            decision_input["clusterState"] = of_cluster
        else:
            data = tmp_path / f"{shapes}.json"
            data.write_text(json.dumps({"clusters": {CLUSTER: of_cluster}}), encoding="utf-8")
        counts = evaluations_by_file(opa_binary, shipped, "data.kafka.decision", decision_input, data)
        evaluations.append(sum(counts.values()) / shapes)
        counting_shipped.replicate({} if carried else {CLUSTER: of_cluster})
        allocations.append(counting_shipped.allocations("decision", decision_input, times=2) / shapes)

    print(f"of a shape: {evaluations} evaluations, {allocations} allocations")
    assert evaluations[0] > 300
    assert evaluations[1] <= 1.1 * evaluations[0]
    assert allocations[1] <= 1.1 * allocations[0]


def test_an_item_costs_the_same_in_a_large_state(counting: CountingOpa) -> None:
    """Allocations of 100 ordered items that carry the state of ten topics, and that of a thousand."""
    allocations = []
    for topics in (10, 1_000):
        decision_input = items_in_order(100, CAP)
        decision_input["common"]["clusterState"]["topics"] |= state(topics)["topics"]
        allocations.append(counting.allocations("decisions", decision_input, times=2) / 100)

    print(f"allocations of an item: {allocations}")
    assert allocations[1] <= 1.1 * allocations[0]
