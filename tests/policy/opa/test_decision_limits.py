"""Decision inputs of OPA's largest body are refused before they are evaluated, by what is too large about them."""

import json
import time
from typing import Any

import pytest

from warden.policy.opa.client import OpaClient

pytestmark = pytest.mark.opa

_BYTES = 1_000_000
_MANY = _BYTES // 20
_STATE: dict[str, dict[str, str]] = {"topics": {}, "brokers": {}, "defaults": {}, "acls": {}}
_TOPIC = {"topic": "shop.orders", "numPartitions": 3, "replicationFactor": 3}
_INPUT = {"operation": "CreateTopic", "cluster": "c", "clusterState": _STATE, "request": _TOPIC}
_LARGE: dict[str, tuple[dict[str, Any], str]] = {
    "name": ({"request": {**_TOPIC, "topic": "a" * _BYTES}}, "request.topic: a text of 1000000 characters"),
    "field": ({"request": {**_TOPIC, "a" * _BYTES: 1}}, "request: a name of 1000000 characters"),
    "configs": (
        {"request": {**_TOPIC, "configs": {f"config.{at}": "1" for at in range(_MANY)}}},
        "request.configs: 50000 entries",
    ),
    "pointers": (
        {"unknown": [f"/request/configs/{at}" for at in range(_MANY)]},
        "unknown: 50000 entries",
    ),
    "ops": (
        {
            "operation": "AlterTopic",
            "request": {
                "topic": "shop.orders",
                "configs": {
                    "mode": "incremental",
                    "ops": [{"name": f"c{at}", "op": "DELETE"} for at in range(_MANY // 2)],
                },
            },
        },
        "request.configs.ops: 25000 entries",
    ),
}


@pytest.mark.parametrize("which", _LARGE)
def test_what_is_too_large_is_not_evaluated(query_client: OpaClient, which: str) -> None:
    """It is refused by name, in a small multiple of the time that OPA takes for a body of that size by itself."""
    fields, sentence = _LARGE[which]
    document = {**_INPUT, **fields}
    # As many values, which no decision is about: OPA parses and logs them.
    ordinary = min(_seconds(query_client, {**_INPUT, "clusterState": {**_STATE, "x": fields}}) for _ in range(3))
    decision = query_client.decide(document)
    taken = min(_seconds(query_client, document) for _ in range(3))

    assert decision["invalidInput"]
    assert [sentence] == [error.rpartition(":")[0] for error in decision["errors"]]
    assert taken < 20 * ordinary + 0.1


def test_a_deep_input(query_client: OpaClient) -> None:
    """Nesting that no input has is refused at the first level too many."""
    deep: Any = "x" * 9000
    for _ in range(500):
        deep = {"a": deep}
    decision = query_client.decide({**_INPUT, "request": {**_TOPIC, "configs": deep}})

    assert ["request.configs.a.a.a.a.a.a.a.a.a: nested more than 10 levels deep"] == decision["errors"]


def _seconds(client: OpaClient, document: dict[str, Any]) -> float:
    body = json.dumps({"input": document}).encode()
    start = time.perf_counter()
    client.post_raw("kafka/decision", body)
    return time.perf_counter() - start
