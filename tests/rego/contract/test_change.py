"""What was there before does not deny, and items of one request add up: over REST and as requests of Kafka."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from warden import Warden
from warden.enforce.sdk.evaluate import evaluate_request
from warden.policy.adapter.parse import parse_request
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_SOUND = {"min.insync.replicas": "2", "retention.bytes": "1073741824", "segment.ms": "600000"}
_MINIMUM, _MAXIMUM = 3_600_000, 2_592_000_000  # of retention.ms, as shipped


def _topic(replicas: int = 3, partitions: int = 1, **configs: str) -> dict[str, Any]:
    return {
        "numPartitions": partitions,
        "replicationFactor": replicas,
        "replicasAssignments": {str(i): list(range(1, replicas + 1)) for i in range(partitions)},
        "configs": {**_SOUND, **{name.replace("_", "."): value for name, value in configs.items()}},
        "labels": {},
        "internal": False,
        "markedForDeletion": False,
        "reassigning": {},
    }


def _state(topic: Mapping[str, Any], replicas: int = 3) -> dict[str, Any]:
    totals = {"topics": 1, "partitions": 1, "replicas": replicas, "byBroker": {}, "byOwner": {}, "byPrincipal": {}}
    brokers = {str(i): {"host": "b", "rack": f"r{i}", "configs": {}} for i in range(1, 4)}
    return {
        "clusterSize": 3,
        "brokers": brokers,
        "defaults": {},
        "topics": {"shop.orders.made": topic},
        "totals": totals,
    }


def _document(topic: Mapping[str, Any], **request: Any) -> dict[str, Any]:
    return {
        "operation": "AlterTopic",
        "cluster": "prod",
        "request": {"topic": "shop.orders.made", **request},
        "clusterState": _state(topic),
    }


def _set(name: str, value: object) -> dict[str, Any]:
    return {"mode": "incremental", "ops": [{"name": name, "op": "SET", "value": str(value)}]}


def _causes(decision: Mapping[str, Any]) -> dict[str, str]:
    return {violation["rule"]: violation["cause"] for violation in decision["violations"]}


def test_one_replica_is_no_reason_against_another_config(query_client: OpaClient) -> None:
    """Neither in an alteration nor where the first step towards what is wanted is made."""
    single = _topic(1, min_insync_replicas="1")

    unrelated = query_client.decide(_document(single, configs=_set("max.message.bytes", 1_000_000)))
    better = query_client.decide(_document(single, reassignments={"0": [1, 2]}, allowReplicationFactorChange=True))
    created = query_client.decide(
        {**_document(single), "operation": "CreateTopic", "request": {"topic": "shop.a.b", "replicationFactor": 1}}
    )

    assert ({"KFK-DUR-001": "found", "KFK-DUR-003": "found"}, True) == (_causes(unrelated), unrelated["allowed"])
    assert "KFK-DUR-001: replication factor 1 is below the minimum of 3 (so before the change)" in unrelated["warnings"]
    assert ("found", True) == (_causes(better)["KFK-DUR-001"], better["allowed"])
    assert ("caused", False) == (_causes(created)["KFK-DUR-001"], created["allowed"])


def test_a_kafka_request_has_what_it_causes_in_its_message_alone(opa: LocalOpa) -> None:
    """By the adapter: IncrementalAlterConfigs with an improvement and a new fault."""
    configs = [
        {"name": "retention.ms", "configOperation": 0, "value": "100000"},
        {"name": "min.insync.replicas", "configOperation": 0, "value": "3"},
    ]
    request = {"resources": [{"resourceType": 2, "resourceName": "shop.orders.made", "configs": configs}]}
    with Warden(opa.url, opa.tokens.query, cluster="prod", principal="User:a") as warden:
        parsed = parse_request("IncrementalAlterConfigs", request)
        evaluated = evaluate_request(warden, parsed, state=_state(_topic(retention_ms="1000")))

    (result,) = evaluated.results.values()
    assert 44 == result.error_code
    assert "KFK-DUR-002" in (result.error_message or "")
    assert "KFK-RET-001" not in (result.error_message or "")


def test_what_a_kafka_request_adds_up_to(opa: LocalOpa) -> None:
    """50 topics of 3 replicas, and room for 30 of them."""
    topics = [{"name": f"shop.t{i}.made", "numPartitions": 1, "replicationFactor": 3} for i in range(50)]
    with Warden(opa.url, opa.tokens.query, cluster="prod", principal="User:a") as warden:
        parsed = parse_request("CreateTopics", {"topics": topics, "validateOnly": False})
        evaluated = evaluate_request(warden, parsed, state=_state(_topic(), 200_000 - 90))

    allowed = [decision.allowed for decision in evaluated.decisions.values()]
    assert [True] * 30 + [False] * 20 == allowed


def _broken_by(retention: int) -> int:
    """By how much retention.ms is out of its bounds; -1 is no limit."""
    if retention < 0:
        return 2**70
    return min(retention - _MINIMUM, 0) or max(retention - _MAXIMUM, 0)


def test_sequences_of_changes_never_get_worse(query_client: OpaClient) -> None:
    """A model of one rule: what is allowed is never further out than before, and what is nearer is not its to deny."""
    chance = random.Random(20261124)
    values = [-1, 1, 1000, 100_000, _MINIMUM - 1, _MINIMUM, 86_400_000, _MAXIMUM, _MAXIMUM + 1, 2**50]
    for _ in range(12):
        retention = chance.choice(values)
        for _ in range(8):
            topic = _topic(retention_ms=str(retention))
            wanted = chance.choice(values)
            decision = query_client.decide(_document(topic, configs=_set("retention.ms", wanted)))
            before, after = _broken_by(retention), _broken_by(wanted)
            worse = after != 0 and (abs(after) > abs(before) or before * after <= 0)

            assert worse == any(line.startswith("KFK-RET-001") for line in decision["errors"]), (retention, wanted)
            assert ("KFK-RET-001" in _causes(decision)) == (after != 0)
            retention = wanted if decision["allowed"] else retention


def test_however_a_request_is_split_no_cap_is_passed(query_client: OpaClient) -> None:
    """Items in any order and any parts, what was charged before being pending in the next."""
    chance = random.Random(7)
    for _ in range(6):
        room = chance.randrange(0, 120)
        sizes = [chance.choice([1, 2, 5, 10]) for _ in range(12)]
        state = _state(_topic(), 200_000 - room)
        pending: dict[str, float] = {}
        added, keys = 0, [str(i) for i in range(len(sizes))]
        while keys:
            part, keys = keys[: (size := chance.randrange(1, 6))], keys[size:]
            items = {
                key: {
                    "operation": "CreateTopic",
                    "request": {"topic": f"shop.t{key}.a", "numPartitions": sizes[int(key)], "replicationFactor": 3},
                }
                for key in part
            }
            common = {"cluster": "prod", "clusterState": state, "pending": dict(pending)}
            for key, decision in query_client.decide_many(items, common, in_order=True).items():
                added += 3 * sizes[int(key)] if decision["allowed"] else 0
                for pointer, amount in decision["charges"].items():
                    pending[pointer] = pending.get(pointer, 0) + amount

        assert added <= room
        assert added == pending.get("/totals/replicas", 0)
