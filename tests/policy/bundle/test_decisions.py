"""A bundle decides as the sources do: what it has as constants is what they have as data."""

import json
from pathlib import Path
from typing import Any

import pytest

from warden.base.resources import find_shipped
from warden.policy.bundle.opa import evaluate_opa, run_opa_json

pytestmark = pytest.mark.opa

_TOPIC = {
    "numPartitions": 2,
    "replicationFactor": 3,
    "replicasAssignments": {"0": [1, 2, 3], "1": [2, 3, 1]},
    "configs": {"retention.ms": "5000", "min.insync.replicas": "3"},
    "labels": {"owner": "payments"},
    "internal": False,
    "markedForDeletion": False,
    "reassigning": {},
}

_STATE = {
    "clusterSize": 3,
    "brokers": {},
    "defaults": {
        "num.partitions": "4",
        "default.replication.factor": "3",
        "min.insync.replicas": "2",
        "retention.ms": "86400000",
    },
    "topics": {"shop.orders.v1": _TOPIC},
    "totals": {"replicas": 6, "byOwner": {}},
    "meta": {"observedAt": "2026-11-21T09:59:58Z"},
}

_ITEMS: dict[str, Any] = {
    "allowed": {"request": {"topic": "shop.baskets.v1", "labels": {"owner": "shop"}}},
    "denied": {"request": {"topic": "Baskets", "replicationFactor": 1, "numPartitions": 1000}},
    "kafka refuses": {"request": {"topic": "shop.orders.v1", "configs": {"segment.ms": "0", "preallocate": "perhaps"}}},
    "append to a default": {
        "operation": "AlterTopic",
        "request": {
            "topic": "shop.orders.v1",
            "configs": {"mode": "incremental", "ops": [{"name": "cleanup.policy", "op": "APPEND", "value": "compact"}]},
        },
    },
    "audit": {"operation": "AuditTopic", "request": {"topic": "shop.orders.v1"}},
    "internal": {"request": {"topic": "__consumer_offsets", "configs": {"cleanup.policy": "compact"}}},
    "malformed": {"request": {"topic": 1}},
    "no object": 3,
}

_COMMON = {
    "operation": "CreateTopic",
    "cluster": "prod-eu",
    "now": "2026-11-21T10:00:00Z",
    "clusterState": _STATE,
}


def _value(opa: Path, bundles: list[Path], query: str, document: Any) -> Any:
    arguments = [argument for bundle in bundles for argument in ("--bundle", str(bundle))]
    return evaluate_opa(opa, *arguments, query, stdin=json.dumps(document))


def test_a_bundle_decides_as_its_sources_do(opa_binary, shipped):
    """Every decision is the same, but for the revision that only a bundle has."""
    sources = [find_shipped("policies"), find_shipped("bundle")]
    document = {"common": _COMMON, "items": _ITEMS}
    compiled = "x := data.kafka.decisions with data.settings.compiled as c"
    settings = 'c := data.checks.settings.compiled with input as {"settings": data.settings}'

    built = _value(opa_binary, [shipped.path], "data.kafka.decisions", document)
    answer = run_opa_json(
        opa_binary, "eval", "--format", "json", "--stdin-input",
        *[argument for bundle in sources for argument in ("--bundle", str(bundle))],
        f"{settings}; {compiled}",
        stdin=json.dumps(document),
    )  # fmt: skip
    expected = answer["result"][0]["bindings"]["x"]

    assert {key: {**decision, "revision": shipped.revision} for key, decision in expected.items()} == built
    assert [True, False, False] == [built[key]["allowed"] for key in ("allowed", "denied", "kafka refuses")]


def test_the_catalog_lists_every_rule(opa_binary, shipped):
    """Under catalog/rules is the METADATA of every rule, and its mode."""
    rules = _value(opa_binary, [shipped.path], "data.catalog.rules", None)

    assert sorted(rules) == sorted(
        _value(opa_binary, [find_shipped("bundle")], "object.keys(data.settings.rules)", None)
    )
    replication = rules["KFK-DUR-001"]
    assert {
        "id": "KFK-DUR-001",
        "title": "Replication factor within bounds",
        "severity": "critical",
        "mode": "deny",
        "operations": ["CreateTopic", "AlterTopic", "AuditTopic"],
    } == {key: replication[key] for key in ("id", "title", "severity", "mode", "operations")}
