"""Creation, growth and reassignment of topics: the engine beside a real broker, and the defaults that it takes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.conditions import eventually
from tests.policy.adapter.oracle import Answer, Oracle
from warden.policy.adapter import parse_request
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.opa import evaluate_opa
from warden.policy.opa.client import OpaClient
from warden.state.sources.kafka.read.request_state import collect_topics_state

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


def _on(*replicas: list[int]) -> dict[str, Any]:
    assignments = [{"partitionIndex": index, "brokerIds": ids} for index, ids in enumerate(replicas)]
    return {"numPartitions": -1, "replicationFactor": -1, "assignments": assignments}


def _configs(**configs: str | None) -> dict[str, Any]:
    return {"configs": [{"name": name.replace("_", "."), "value": value} for name, value in configs.items()]}


_THROTTLED = "leader.replication.throttled.replicas"

# case → what differs from one partition with one replica
_CREATES: dict[str, dict[str, Any]] = {
    "numbers": {"numPartitions": 5},
    "default of both": {"numPartitions": -1, "replicationFactor": -1},
    "default of partitions": {"numPartitions": -1},
    "default of replicas": {"numPartitions": 2, "replicationFactor": -1},
    "assigned": _on([1], [1]),
    "configs": _configs(retention_ms="1000", cleanup_policy="compact"),
    "a name twice, the last": {"configs": [{"name": "flush.ms", "value": "x"}, {"name": "flush.ms", "value": "5"}]},
    "no partitions": {"numPartitions": 0},
    "-2 partitions": {"numPartitions": -2},
    "no replicas": {"replicationFactor": 0},
    "-2 replicas": {"replicationFactor": -2},
    "neither": {"numPartitions": 0, "replicationFactor": 0},
    "assigned and counted": {**_on([1]), "numPartitions": 1},
    "assigned and replicated": {**_on([1]), "replicationFactor": 1},
    "assigned with a gap": {**_on(), "assignments": [{"partitionIndex": 1, "brokerIds": [1]}]},
    "assigned twice": {**_on(), "assignments": [{"partitionIndex": 0, "brokerIds": [1]}] * 2},
    "assigned to nobody": _on([]),
    "assigned to one broker twice": _on([1, 1]),
    "assigned to a broker that is not": _on([7]),
    "assigned unevenly": _on([1], [1, 7]),
    "null config": _configs(retention_ms=None),
    "null configs": _configs(flush_ms=None, retention_ms=None),
    "bad config": _configs(retention_ms="x"),
    "bad config and no partitions": {"numPartitions": 0, **_configs(retention_ms="x")},
    "tiered storage that brokers lack": _configs(remote_storage_enable="true"),
    "the greatest length": {"configs": [{"name": _THROTTLED, "value": ",".join(["1:1"] * 8192)}]},
    "exists": {"name": "there"},
    "exists, and has a dot": {"name": "with.dot"},
    "bad name": {"name": "a b"},
    "no name": {"name": ""},
    "no name and all else": {"name": "", "numPartitions": 0, **_configs(retention_ms="x")},
    "a bad name and all else": {"name": "a b", "numPartitions": 0, **_configs(retention_ms="x")},
    "a dot": {"name": "."},
    "two dots": {"name": ".."},
    "three dots": {"name": "..."},
    "longest name": {"name": "x" * 249},
    "long name": {"name": "x" * 250},
    "name that collides": {"name": "with_dot"},
    "internal": {"name": "__cluster_metadata"},
    "too few brokers": {"replicationFactor": 2},
}

# case → form, what differs in the request's one topic
_CHANGES: dict[str, tuple[str, dict[str, Any]]] = {
    "grown": ("CreatePartitions", {"count": 4}),
    "grown, no name": ("CreatePartitions", {"name": "", "count": 4}),
    "grown on brokers": ("CreatePartitions", {"count": 4, "assignments": [{"brokerIds": [1]}, {"brokerIds": [1]}]}),
    "grown by nothing": ("CreatePartitions", {"count": 2}),
    "shrunk": ("CreatePartitions", {"count": 1}),
    "grown to nothing": ("CreatePartitions", {"count": 0}),
    "grown with too few": ("CreatePartitions", {"count": 4, "assignments": [{"brokerIds": [1]}]}),
    "grown with too many": ("CreatePartitions", {"count": 3, "assignments": [{"brokerIds": [1]}] * 2}),
    "grown unevenly": ("CreatePartitions", {"count": 3, "assignments": [{"brokerIds": [1, 7]}]}),
    "grown on one that is not": ("CreatePartitions", {"count": 3, "assignments": [{"brokerIds": [7]}]}),
    "moved to one that is not": (
        "AlterPartitionReassignments",
        {"partitions": [{"partitionIndex": 0, "replicas": [7]}]},
    ),
    "moved to one twice": ("AlterPartitionReassignments", {"partitions": [{"partitionIndex": 0, "replicas": [1, 1]}]}),
    "moved to none": ("AlterPartitionReassignments", {"partitions": [{"partitionIndex": 0, "replicas": []}]}),
    "nothing to cancel": ("AlterPartitionReassignments", {"partitions": [{"partitionIndex": 0, "replicas": None}]}),
    "no such partition": ("AlterPartitionReassignments", {"partitions": [{"partitionIndex": 9, "replicas": [1]}]}),
    "moved to where it is": ("AlterPartitionReassignments", {"partitions": [{"partitionIndex": 0, "replicas": [1]}]}),
}


@pytest.fixture(scope="module")
def state(oracle: Oracle) -> dict[str, Any]:
    """The broker's state as Warden collects it, with two topics."""
    elements: list[dict[str, Any]] = [
        {"name": name, "numPartitions": 2, "replicationFactor": 1, "assignments": [], "configs": []}
        for name in ("there", "with.dot")
    ]
    oracle.answers("CreateTopics", {"topics": elements, "timeoutMs": 300_000, "validateOnly": False})
    names = ["there", "with.dot"]

    def known() -> dict[str, Any] | None:
        found = collect_topics_state(oracle.connection, names)
        return found if sorted(found["topics"]) == names else None

    return eventually(known, "the broker knows what its controller has made")


def _new(case: str) -> dict[str, Any]:
    new = {"name": f"new-{case.replace(' ', '-').replace(',', '')}", "numPartitions": 1, "replicationFactor": 1}
    return {**new, "assignments": [], "configs": [], **_CREATES[case]}


def _submitted(form: str, element: Mapping[str, Any]) -> dict[str, Any]:
    return {"topics": [element], "timeoutMs": 300_000, "validateOnly": True}


def _decision(
    form: str, element: Mapping[str, Any], state: Mapping[str, Any], query_client: OpaClient
) -> tuple[int, list[str]]:
    """What adapter and engine together refuse, without what rules deny: the code, and the texts."""
    (item,) = parse_request(form, _submitted(form, element)).items.values()
    if item.input is None:
        assert item.refusal is not None
        return item.refusal.error_code, [str(item.refusal.error_message)]
    decision = query_client.decide({**item.input, "cluster": "oracle", "clusterState": state})
    refusals = [error for error in decision["errors"] if not error.startswith("KFK-")]
    return (decision["error"]["code"] if refusals else 0), refusals


@pytest.mark.parametrize("case", _CREATES)
def test_create(case: str, oracle: Oracle, state: dict[str, Any], query_client: OpaClient) -> None:
    """A creation that a broker refuses is refused with its code and text; none is refused that a broker takes."""
    ((_, answer),) = oracle.answers("CreateTopics", _submitted("CreateTopics", _new(case)))
    _compare(answer, _decision("CreateTopics", _new(case), state, query_client))


@pytest.mark.parametrize("case", _CHANGES)
def test_change(case: str, oracle: Oracle, state: dict[str, Any], query_client: OpaClient) -> None:
    """The same for growth and reassignment, which changes nothing here: the broker is alone."""
    form, element = _CHANGES[case]
    request = _submitted(form, {"name": "there", **element})
    if form == "AlterPartitionReassignments":
        del request["validateOnly"]
    ((_, answer),) = oracle.answers(form, request)
    _compare(answer, _decision(form, {"name": "there", **element}, state, query_client))


def _compare(answer: Answer, decision: tuple[int, list[str]]) -> None:
    code, message = answer
    assert code == decision[0], (answer, decision)
    if message is not None:
        assert message in decision[1]


def test_defaults(
    oracle: Oracle, state: dict[str, Any], opa_binary: Path, shipped_bundle: Bundle, tmp_path: Path
) -> None:
    """A new topic has the partitions, replicas and values that a broker says it would give it."""
    cases = ["numbers", "default of both", "default of partitions", "default of replicas", "assigned", "configs"]
    request = {"topics": [_new(case) for case in cases], "timeoutMs": 300_000, "validateOnly": True}
    given = {topic.name: topic for topic in oracle.response("CreateTopics", request).topics}
    prepared = _prepared(parse_request("CreateTopics", request).inputs, state, opa_binary, shipped_bundle, tmp_path)

    for document in prepared.values():
        topic = given[document["topic"]]
        requested = document["requested"]
        assert (topic.num_partitions, topic.replication_factor) == (
            requested["numPartitions"],
            requested["replicationFactor"],
        )
        reported = {config.name: config.value for config in topic.configs}
        effective = {name: _text(value) for name, value in document["effective"]["values"].items() if name in reported}
        assert {name: value for name, value in reported.items() if name in effective} == effective


def _prepared(
    inputs: Mapping[str, Any], state: Mapping[str, Any], binary: Path, bundle: Bundle, directory: Path
) -> dict[str, Any]:
    """What rules see of each input."""
    import json

    documents = {key: {**input, "cluster": "oracle", "clusterState": state} for key, input in inputs.items()}
    path = directory / "inputs.json"
    path.write_text(json.dumps(documents), encoding="utf-8")
    query = '{k: data.kafka.model.topics.prepared(d.operation, d, {"now": 0, "params": {}}) | some k, d in input}'
    found: dict[str, Any] = evaluate_opa(binary, "-b", str(bundle.path), "-i", str(path), query)
    return found


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, list) else str(value)
