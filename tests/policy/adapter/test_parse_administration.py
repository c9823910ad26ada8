"""Decision inputs of requests about a cluster as a whole, or its groups."""

from typing import Any
from uuid import UUID

import pytest

from warden.policy.adapter import parse_request

_DIRECTORY = UUID(int=7)
_FIRST_AND_THIRD = {"topic": "a", "partitions": [0, 2]}


def _input(operation: str, **request: Any) -> dict[str, Any]:
    return {"operation": operation, "request": request, "validateOnly": False}


def _features(*updates: tuple[str, int, str]) -> dict[str, Any]:
    named = [dict(zip(("feature", "maxVersionLevel", "upgradeType"), update, strict=True)) for update in updates]
    return _input("UpdateFeatures", featureUpdates=named)


@pytest.mark.parametrize(
    ("form", "request_", "inputs"),
    [
        pytest.param(
            "UpdateFeatures",
            {
                "featureUpdates": [
                    {"feature": "a", "maxVersionLevel": 3, "upgradeType": 1},
                    {"feature": "b", "maxVersionLevel": 0, "upgradeType": 3},
                ],
                "validateOnly": False,
            },
            {"request": _features(("a", 3, "UPGRADE"), ("b", 0, "UNSAFE_DOWNGRADE"))},
            id="features, all in one",
        ),
        pytest.param(
            "UpdateFeatures",
            {
                "featureUpdates": [
                    {"feature": "a", "maxVersionLevel": 3, "allowDowngrade": False},
                    {"feature": "b", "maxVersionLevel": 2, "allowDowngrade": True},
                ]
            },
            {"request": _features(("a", 3, "UPGRADE"), ("b", 2, "SAFE_DOWNGRADE"))},
            id="features before version 1",
        ),
        pytest.param(
            "ElectLeaders",
            {"electionType": 1, "topicPartitions": [{"topic": "a", "partitions": (0, 2)}]},
            {"request": _input("ElectLeaders", electionType="UNCLEAN", topicPartitions=[_FIRST_AND_THIRD])},
            id="leaders that are behind",
        ),
        pytest.param(
            "ElectLeaders",
            {"topicPartitions": None},
            {"request": _input("ElectLeaders", electionType="PREFERRED", topicPartitions=None)},
            id="leaders of all partitions, before version 1",
        ),
        pytest.param(
            "UnregisterBroker",
            {"brokerId": 7},
            {"request": _input("UnregisterBroker", broker="7")},
            id="a broker",
        ),
        pytest.param(
            "AddRaftVoter",
            {"voterId": 7, "voterDirectoryId": _DIRECTORY, "listeners": []},
            {"request": _input("AddRaftVoter", voter="7", directory="AAAAAAAAAAAAAAAAAAAABw")},
            id="a voter",
        ),
        pytest.param(
            "RemoveRaftVoter",
            {"voterId": 7, "voterDirectoryId": UUID(int=0)},
            {"request": _input("RemoveRaftVoter", voter="7", directory="")},
            id="a voter without a directory",
        ),
        pytest.param(
            "AlterReplicaLogDirs",
            {
                "dirs": [
                    {"path": "/a", "topics": [{"name": "a", "partitions": [0, 2]}, {"name": "b", "partitions": []}]},
                    {"path": "/b", "topics": [{"name": "a", "partitions": (1,)}]},
                ]
            },
            {
                "request": _input(
                    "AlterReplicaLogDirs",
                    replicas=[
                        {**_FIRST_AND_THIRD, "directory": "/a"},
                        {"topic": "b", "partitions": [], "directory": "/a"},
                        {"topic": "a", "partitions": [1], "directory": "/b"},
                    ],
                )
            },
            id="replicas to two log directories",
        ),
        pytest.param(
            "CreateDelegationToken",
            {
                "ownerPrincipalType": "User",
                "ownerPrincipalName": "a",
                "renewers": [{"principalType": "User", "principalName": "b"}],
                "maxLifetimeMs": 7,
            },
            {"request": _input("CreateDelegationToken", owner="User:a", renewers=["User:b"], maxLifetimeMs=7)},
            id="a token for another",
        ),
        pytest.param(
            "CreateDelegationToken",
            {"renewers": [], "maxLifetimeMs": -1},
            {"request": _input("CreateDelegationToken", owner=None, renewers=[], maxLifetimeMs=-1)},
            id="a token before version 3",
        ),
        pytest.param(
            "RenewDelegationToken",
            {"hmac": b"secret", "renewPeriodMs": 7},
            {"request": _input("RenewDelegationToken", renewPeriodMs=7)},
            id="a renewal, without what is secret",
        ),
        pytest.param(
            "ExpireDelegationToken",
            {"hmac": b"secret", "expiryTimePeriodMs": -1},
            {"request": _input("ExpireDelegationToken", expiryTimePeriodMs=-1)},
            id="an end, without what is secret",
        ),
        pytest.param(
            "OffsetCommit",
            {
                "groupId": "g",
                "topics": [
                    {"name": "a", "partitions": [{"partitionIndex": 2, "committedOffset": 7}]},
                    {"topicId": _DIRECTORY, "partitions": [{"partitionIndex": 0, "committedOffset": 8}]},
                ],
            },
            {
                "request": _input(
                    "AlterGroupOffsets",
                    group="g",
                    offsets=[
                        {"topic": "a", "partition": 2, "offset": 7},
                        {"topic": "AAAAAAAAAAAAAAAAAAAABw", "partition": 0, "offset": 8},
                    ],
                )
            },
            id="offsets that are committed, of a topic by name and of one by id",
        ),
        pytest.param(
            "DeleteGroups",
            {"groupsNames": ["a", "b", "a", ""]},
            {
                "groupsNames/0": _input("DeleteGroup", group="a"),
                "groupsNames/1": _input("DeleteGroup", group="b"),
                "groupsNames/3": _input("DeleteGroup", group=""),
            },
            id="groups, of which one is named twice",
        ),
        pytest.param(
            "OffsetDelete",
            {
                "groupId": "g",
                "topics": [
                    {"name": "a", "partitions": [{"partitionIndex": 0}, {"partitionIndex": 2}]},
                    {"name": "b", "partitions": []},
                ],
            },
            {
                "request": _input(
                    "DeleteGroupOffsets",
                    group="g",
                    topicPartitions=[_FIRST_AND_THIRD, {"topic": "b", "partitions": []}],
                )
            },
            id="offsets of a group",
        ),
        pytest.param(
            "AlterShareGroupOffsets",
            {
                "groupId": "g",
                "topics": [
                    {
                        "topicName": "a",
                        "partitions": [
                            {"partitionIndex": 0, "startOffset": 7},
                            {"partitionIndex": 2, "startOffset": 0},
                        ],
                    },
                    {"topicName": "b", "partitions": []},
                ],
            },
            {
                "request": _input(
                    "AlterGroupOffsets",
                    group="g",
                    offsets=[
                        {"topic": "a", "partition": 0, "offset": 7},
                        {"topic": "a", "partition": 2, "offset": 0},
                    ],
                )
            },
            id="where a share group is to start",
        ),
        pytest.param(
            "DeleteShareGroupOffsets",
            {"groupId": "g", "topics": [{"topicName": "a"}, {"topicName": "b"}]},
            {
                "request": _input(
                    "DeleteGroupOffsets",
                    group="g",
                    topicPartitions=[{"topic": "a", "partitions": None}, {"topic": "b", "partitions": None}],
                )
            },
            id="offsets of a share group",
        ),
    ],
)
def test_inputs(form, request_, inputs):
    """Each form gives one decision input, of groups that go one for each."""
    parsed = parse_request(form, request_)

    assert inputs == parsed.inputs
    assert [None] * len(inputs) == [item.refusal for item in parsed.items.values()]
