"""From Kafka's request forms to decision inputs."""

from typing import Any
from uuid import UUID

import pytest

from warden.policy.adapter import parse_request

_ID = UUID("09c04520-f401-4857-b277-38c79fc120f9")


def _topic(operation: str, **request: Any) -> dict[str, Any]:
    return {"operation": operation, "request": request, "validateOnly": False}


@pytest.mark.parametrize(
    ("form", "request_", "inputs"),
    [
        pytest.param(
            "CreateTopics",
            {
                "topics": [
                    {"name": "a", "numPartitions": 6, "replicationFactor": -1, "assignments": [], "configs": []},
                    {"name": "b", "numPartitions": -1, "replicationFactor": 3},
                ],
                "timeoutMs": 5000,
                "validateOnly": False,
            },
            {
                "topics/0": _topic("CreateTopic", topic="a", numPartitions=6, replicationFactor=-1),
                "topics/1": _topic("CreateTopic", topic="b", numPartitions=-1, replicationFactor=3),
            },
            id="numbers",
        ),
        pytest.param(
            "CreateTopics",
            {
                "topics": [
                    {
                        "name": "a",
                        "assignments": [
                            {"partitionIndex": 1, "brokerIds": [2, 1]},
                            {"partitionIndex": 0, "brokerIds": (1, 2)},
                        ],
                        "configs": [
                            {"name": "retention.ms", "value": "1"},
                            {"name": "flush.ms", "value": None},
                            {"name": "retention.ms", "value": "2"},
                        ],
                    }
                ]
            },
            {
                "topics/0": _topic(
                    "CreateTopic",
                    topic="a",
                    replicasAssignments={"1": [2, 1], "0": [1, 2]},
                    configs={"retention.ms": "2", "flush.ms": None},
                )
            },
            id="assignments and configs, of a name given twice the last",
        ),
        pytest.param(
            "CreatePartitions",
            {
                "topics": [
                    {"name": "a", "count": 4, "assignments": None},
                    {"name": "b", "count": 2, "assignments": [{"brokerIds": [1, 2]}, {"brokerIds": [2, 3]}]},
                ]
            },
            {
                "topics/0": _topic("AlterTopic", topic="a", numPartitions=4),
                "topics/1": _topic("AlterTopic", topic="b", numPartitions=2, newAssignments=[[1, 2], [2, 3]]),
            },
            id="partitions",
        ),
        pytest.param(
            "AlterConfigs",
            {
                "resources": [
                    {"resourceType": 2, "resourceName": "a", "configs": [{"name": "retention.ms", "value": "1"}]},
                    {"resourceType": 4, "resourceName": "", "configs": []},
                    {"resourceType": 32, "resourceName": "a", "configs": []},
                ]
            },
            {
                "resources/0": _topic(
                    "AlterTopic", topic="a", configs={"mode": "full", "entries": {"retention.ms": "1"}}
                ),
                "resources/1": _topic("AlterBroker", broker="", configs={"mode": "full", "entries": {}}),
                "resources/2": _topic(
                    "AlterConfig", resource={"type": "group", "name": "a"}, configs={"mode": "full", "entries": {}}
                ),
            },
            id="legacy configs, by type of resource",
        ),
        pytest.param(
            "IncrementalAlterConfigs",
            {
                "resources": [
                    {
                        "resourceType": 2,
                        "resourceName": "a",
                        "configs": [
                            {"name": "retention.ms", "configOperation": 0, "value": "1"},
                            {"name": "flush.ms", "configOperation": 1, "value": None},
                            {"name": "cleanup.policy", "configOperation": 2, "value": "compact"},
                            {"name": "cleanup.policy", "configOperation": 3, "value": "delete"},
                        ],
                    },
                    {"resourceType": 8, "resourceName": "1", "configs": []},
                    {"resourceType": 16, "resourceName": "m", "configs": []},
                ]
            },
            {
                "resources/0": _topic(
                    "AlterTopic",
                    topic="a",
                    configs={
                        "mode": "incremental",
                        "ops": [
                            {"name": "retention.ms", "op": "SET", "value": "1"},
                            {"name": "flush.ms", "op": "DELETE", "value": None},
                            {"name": "cleanup.policy", "op": "APPEND", "value": "compact"},
                            {"name": "cleanup.policy", "op": "SUBTRACT", "value": "delete"},
                        ],
                    },
                ),
                "resources/1": _topic(
                    "AlterConfig",
                    resource={"type": "broker-logger", "name": "1"},
                    configs={"mode": "incremental", "ops": []},
                ),
                "resources/2": _topic(
                    "AlterConfig",
                    resource={"type": "client-metrics", "name": "m"},
                    configs={"mode": "incremental", "ops": []},
                ),
            },
            id="incremental configs, a key named twice for the engine to refuse",
        ),
        pytest.param(
            "AlterPartitionReassignments",
            {
                "topics": [
                    {"name": "a", "partitions": [{"partitionIndex": 0, "replicas": [1, 2]}]},
                    {"name": "b", "partitions": [{"partitionIndex": 7, "replicas": None}]},
                    {"name": "a", "partitions": [{"partitionIndex": 1, "replicas": [2, 3]}]},
                ]
            },
            {
                "topics/0": _topic("AlterTopic", topic="a", reassignments={"0": [1, 2], "1": [2, 3]}),
                "topics/1": _topic("AlterTopic", topic="b", reassignments={"7": None}),
            },
            id="reassignments, a topic in two pieces",
        ),
        pytest.param(
            "AlterPartitionReassignments",
            {
                "allowReplicationFactorChange": False,
                "topics": [{"name": "a", "partitions": [{"partitionIndex": 0, "replicas": [1, 2]}]}],
            },
            {
                "topics/0": _topic(
                    "AlterTopic", topic="a", reassignments={"0": [1, 2]}, allowReplicationFactorChange=False
                )
            },
            id="reassignments to as many replicas as before",
        ),
        pytest.param(
            "DeleteTopics",
            {"topics": [{"name": "a", "topicId": None}, {"name": None, "topicId": _ID}]},
            {
                "topics/0": _topic("DeleteTopic", topic="a", topicsInRequest=2),
                "topics/1": _topic("DeleteTopic", topic="orders", topicsInRequest=2),
            },
            id="deletion by name and by id",
        ),
        pytest.param(
            "DeleteTopics",
            {"topics": [], "topicNames": ["a", "b"]},
            {
                "topicNames/0": _topic("DeleteTopic", topic="a", topicsInRequest=2),
                "topicNames/1": _topic("DeleteTopic", topic="b", topicsInRequest=2),
            },
            id="deletion before version 6",
        ),
        pytest.param(
            "DeleteRecords",
            {
                "topics": [
                    {
                        "name": "a",
                        "partitions": [{"partitionIndex": 0, "offset": 5}, {"partitionIndex": 1, "offset": -1}],
                    },
                    {"name": "a", "partitions": [{"partitionIndex": 0, "offset": 7}]},
                ]
            },
            {"topics/0": _topic("DeleteRecords", topic="a", deletedMessageOffsets={"0": 7, "1": -1})},
            id="records, of a partition named twice the last",
        ),
    ],
)
def test_inputs(form, request_, inputs):
    """Each form gives one decision input per resource."""
    parsed = parse_request(form, request_, topic_ids={"CcBFIPQBSFeydzjHn8Eg-Q": "orders"}.get)

    assert inputs == parsed.inputs
    assert [None] * len(inputs) == [item.refusal for item in parsed.items.values()]


@pytest.mark.parametrize(
    ("form", "request_", "given", "expected"),
    [
        ("CreateTopics", {"topics": [{"name": "a"}], "validateOnly": True}, False, True),
        ("CreateTopics", {"topics": [{"name": "a"}]}, False, False),
        ("CreateTopics", {"topics": [{"name": "a"}], "validateOnly": False}, True, True),
        ("DeleteTopics", {"topicNames": ["a"]}, True, True),
        ("DeleteTopics", {"topicNames": ["a"], "validateOnly": True}, False, True),
    ],
)
def test_validate_only(form, request_, given, expected):
    """Who only asks says so in the request, or beside it where the request has no field for it."""
    parsed = parse_request(form, request_, validate_only=given)

    assert expected is parsed.validate_only
    assert [expected] == [input["validateOnly"] for input in parsed.inputs.values()]


@pytest.mark.parametrize(("version", "reported"), [(None, {}), (0, {"api": {"key": "DeleteTopics", "version": 0}})])
def test_the_version_is_reported(version, reported):
    """The request's API and its version, where that is known, are in each decision input."""
    parsed = parse_request("DeleteTopics", {"topicNames": ["a", "b"]}, version=version)
    inputs = {
        f"topicNames/{position}": {**_topic("DeleteTopic", topic=name, topicsInRequest=2), **reported}
        for position, name in enumerate("ab")
    }

    assert inputs == parsed.inputs
