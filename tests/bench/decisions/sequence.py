"""A request of many items of kinds that are capped, as `kafka/decisions` takes it in its order."""

from typing import Any

from tests.bench.decisions.decision_inputs import CLUSTER, DELETABLE, decision_inputs, state

__all__ = ["CAP", "SETTINGS", "items_in_order"]

CAP = 10_000
"""Partitions of a team, as shipped, and topics that may be deleted, by `SETTINGS`."""

SETTINGS: dict[str, Any] = {
    "rules": {
        "KFK-DEL-001": {"params": {"allowPatterns": [DELETABLE]}},
        "KFK-DEL-003": {"params": {"maxCount": CAP, "maxPercent": 100}},
    }
}


def items_in_order(count: int, fitting: int) -> dict[str, Any]:
    """Return a request of creations, growth by a partition and deletions, by turns.

    Args:
        count: How many items.
        fitting: How many partitions, and deletions, are left under the caps.
    """
    decision_input = decision_inputs()["CreateTopic"]
    of_cluster = state()
    of_cluster["totals"]["topics"] = CAP
    of_cluster["totals"]["byOwner"]["payments"]["partitions"] = CAP - fitting
    of_cluster["deletions"]["lastHour"] = CAP - fitting
    name = next(iter(of_cluster["topics"]))
    by_turns = [
        ("CreateTopic", {**decision_input["request"], "numPartitions": 1}),
        ("AlterTopic", {"topic": name, "numPartitions": 4}),
        ("DeleteTopic", {"topic": name}),
    ]
    items = {}
    for i in range(count):
        operation, request = by_turns[i % len(by_turns)]
        named = {"topic": f"payments.orders.t{i}"} if operation == "CreateTopic" else {}
        items[str(i)] = {"operation": operation, "request": {**request, **named}}
    common = {field: decision_input[field] for field in ("principal", "enforcementPoint", "now")}
    common |= {"cluster": CLUSTER, "clusterState": of_cluster}
    return {"items": items, "order": list(items), "common": common}
