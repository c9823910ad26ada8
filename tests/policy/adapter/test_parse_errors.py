"""Requests that are refused, or cannot be read, before anything is decided: in Kafka's words, each at its place."""

from uuid import UUID

import pytest

from warden.policy.adapter import Item, Result, index_topic_ids, parse_request

_ID = UUID("09c04520-f401-4857-b277-38c79fc120f9")


def _refused(message: str, code: int = 42, name: str = "INVALID_REQUEST") -> Result:
    return Result(code, name, message)


_UNKNOWN_ID = _refused("This server does not host this topic ID.", 100, "UNKNOWN_TOPIC_ID")
_ONCE = _refused("Each resource must appear at most once.")
_TOPIC = {"resourceType": 2, "resourceName": "a", "configs": []}


@pytest.mark.parametrize(
    ("form", "request_", "refusals"),
    [
        pytest.param(
            "CreateTopics",
            {"topics": [{"name": "a"}, {"name": "b"}, {"name": "a", "numPartitions": 2}]},
            {"topics/0": _refused("Duplicate topic name."), "topics/1": None},
            id="a topic created twice",
        ),
        pytest.param(
            "CreatePartitions",
            {"topics": [{"name": "a", "count": 4}, {"name": "a", "count": 5}]},
            {"topics/0": _refused("Duplicate topic name.")},
            id="a topic grown twice",
        ),
        pytest.param(
            "AlterConfigs",
            {"resources": [_TOPIC, {**_TOPIC, "resourceType": 32}, _TOPIC]},
            {"resources/0": _ONCE, "resources/1": None},
            id="a resource twice, and a group of the same name",
        ),
        pytest.param(
            "IncrementalAlterConfigs", {"resources": [_TOPIC, _TOPIC]}, {"resources/0": _ONCE}, id="a resource twice"
        ),
        pytest.param(
            "IncrementalAlterConfigs",
            {"resources": [{**_TOPIC, "resourceName": ""}, {**_TOPIC, "resourceType": 4, "resourceName": ""}]},
            {"resources/0": None, "resources/1": None},
            id="configs of all topics, which the engine refuses, and of all brokers",
        ),
        pytest.param(
            "IncrementalAlterConfigs",
            {"resources": [{"resourceType": 99, "resourceName": "a", "configs": []}]},
            {"resources/0": _refused("Unknown resource type 99")},
            id="a type that Kafka lacks",
        ),
        pytest.param(
            "UpdateFeatures",
            {"featureUpdates": [{"feature": "a", "maxVersionLevel": 2, "upgradeType": 0}]},
            {
                "request": _refused(
                    "The update failed for all features since the following feature had an error: Invalid update "
                    "version 2 for feature a. The controller does not support the given upgrade type.",
                    95,
                    "INVALID_UPDATE_VERSION",
                )
            },
            id="a feature in a way that Kafka lacks",
        ),
        pytest.param(
            "UpdateFeatures",
            {"featureUpdates": None},
            {"request": _refused("featureUpdates: must be a list of objects")},
            id="no features",
        ),
        pytest.param(
            "UnregisterBroker",
            {"brokerId": "7"},
            {"request": _refused("brokerId: must be an integer")},
            id="what is not a broker",
        ),
        pytest.param(
            "RemoveRaftVoter",
            {"voterId": None},
            {"request": _refused("voterId: must be an integer")},
            id="what is no voter",
        ),
        pytest.param(
            "AlterReplicaLogDirs",
            {"dirs": [{"path": "/a", "topics": [{"name": "a", "partitions": 4}]}]},
            {"request": _refused("partitions: must be a list")},
            id="what is not a list of replicas",
        ),
        pytest.param(
            "CreateDelegationToken",
            {"ownerPrincipalName": "a", "renewers": [], "maxLifetimeMs": 1},
            {"request": _refused("ownerPrincipalType: must be a string")},
            id="an owner without a type",
        ),
        pytest.param(
            "OffsetCommit",
            {"groupId": "g", "topics": [{"name": "a", "partitions": [{"partitionIndex": 0}]}]},
            {"request": _refused("committedOffset: must be an integer")},
            id="what is no offset",
        ),
        pytest.param(
            "DeleteGroups",
            {"groupsNames": ["a", None, {"name": "b"}]},
            {
                "groupsNames/0": None,
                "groupsNames/1": _refused("a group must be a string"),
                "groupsNames/2": _refused("a group must be a string"),
            },
            id="what is not a name of a group",
        ),
        pytest.param(
            "OffsetDelete",
            {"groupId": "g", "topics": [{"name": "a", "partitions": [{"partitionIndex": "0"}]}]},
            {"request": _refused("partitionIndex: must be an integer")},
            id="offsets of what is not a partition",
        ),
        pytest.param(
            "OffsetDelete", {"topics": []}, {"request": _refused("groupId: must be a string")}, id="offsets of no group"
        ),
        pytest.param(
            "AlterShareGroupOffsets",
            {"groupId": "g", "topics": [{"topicName": "a", "partitions": [{"partitionIndex": 0}]}]},
            {"request": _refused("startOffset: must be an integer")},
            id="a start at no offset",
        ),
        pytest.param(
            "DeleteShareGroupOffsets",
            {"groupId": "g", "topics": None},
            {"request": _refused("topics: must be a list of objects")},
            id="offsets of no topics",
        ),
        pytest.param(
            "AlterConfigs",
            {"resources": [{"resourceType": 8, "resourceName": "1", "configs": []}, {**_TOPIC, "resourceType": 4}]},
            {"resources/0": _refused("Unknown resource type 8"), "resources/1": None},
            id="loggers, in the form that lacks them",
        ),
        pytest.param(
            "IncrementalAlterConfigs",
            {"resources": [{**_TOPIC, "configs": [{"name": "k", "configOperation": 4, "value": "1"}]}]},
            {"resources/0": _refused("Unknown operation 4 on key k: it must be one of 0, 1, 2, 3")},
            id="an operation that Kafka lacks",
        ),
        pytest.param(
            "AlterConfigs",
            {"resources": [{**_TOPIC, "configs": [{"name": "k", "value": "1"}, {"name": "k", "value": "1"}]}]},
            {"resources/0": _refused("Error due to duplicate config keys")},
            id="a key twice, legacy",
        ),
        pytest.param(
            "CreateTopics",
            {"topics": [{"name": "a", "assignments": [{"partitionIndex": 0, "brokerIds": [1]}] * 2}]},
            {
                "topics/0": _refused(
                    "Found multiple manual partition assignments for partition 0", 39, "INVALID_REPLICA_ASSIGNMENT"
                )
            },
            id="a partition assigned twice",
        ),
        pytest.param(
            "AlterPartitionReassignments",
            {"topics": [{"name": "a", "partitions": [{"partitionIndex": 3, "replicas": [1]}]}] * 2},
            {"topics/0": _refused("Partition 3 is reassigned twice in one request: name it once.")},
            id="a partition reassigned twice",
        ),
        pytest.param(
            "DeleteTopics",
            {"topicNames": ["a", "b", "a"]},
            {"topicNames/0": _refused("Duplicate topic name."), "topicNames/1": None},
            id="a name deleted twice",
        ),
    ],
)
def test_refusals_without_asking(form, request_, refusals):
    """What makes no sense is refused in Kafka's words, and the rest of the request is read."""
    parsed = parse_request(form, request_)

    assert refusals == {key: item.refusal for key, item in parsed.items.items()}
    assert {key for key, refusal in refusals.items() if refusal is None} == set(parsed.inputs)


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        pytest.param(
            [{"name": "a", "topicId": _ID}], [_refused("You may not specify both topic name and topic id.")], id="both"
        ),
        pytest.param([{"name": None}], [_refused("Neither topic name nor id were specified.")], id="neither"),
        pytest.param(
            [{"name": None, "topicId": UUID(int=0)}],
            [_refused("Neither topic name nor id were specified.")],
            id="the zero id is none",
        ),
        pytest.param([{"name": None, "topicId": UUID(int=7)}], [_UNKNOWN_ID], id="an id that nobody has"),
        pytest.param([{"name": None, "topicId": "orders"}], [_UNKNOWN_ID], id="no id at all"),
        pytest.param([{"name": None, "topicId": _ID}] * 2, [_refused("Duplicate topic id.")], id="an id twice"),
        pytest.param(
            [{"name": "orders"}, {"name": None, "topicId": _ID}],
            [_refused("The provided topic name maps to an ID that was already supplied.")],
            id="a name and its id",
        ),
        pytest.param([{"name": "other"}, {"name": None, "topicId": _ID}], [None, None], id="a name and another's id"),
        pytest.param(
            [{"name": None, "topicId": UUID(int=7)}] * 2, [_refused("Duplicate topic id.")], id="an unknown id twice"
        ),
        pytest.param(
            [{"name": "orders"}, {"name": "orders"}, {"name": None, "topicId": _ID}],
            [_refused("Duplicate topic name."), None],
            id="a name twice, and its id",
        ),
        pytest.param(
            [{"name": None, "topicId": _ID}, {"name": "orders"}, {"name": None, "topicId": str(_ID)}],
            [
                _refused("Duplicate topic id."),
                _refused("The provided topic name maps to an ID that was already supplied."),
            ],
            id="an id twice, and its name",
        ),
    ],
)
def test_deletion_by_id(elements, expected):
    """An id is resolved before anything is decided, and never passed on unresolved."""
    parsed = parse_request("DeleteTopics", {"topics": elements}, topic_ids={"CcBFIPQBSFeydzjHn8Eg-Q": "orders"}.get)

    assert expected == [item.refusal for item in parsed.items.values()]


def test_ids_of_a_state():
    """Ids are found in the cluster's state in either writing, for topics that have one there."""
    state = {"topics": {"orders": {"topicId": str(_ID)}, "billing": {}, "stock": {"topicId": "AAAAAAAAAAAAAAAAAAAABw"}}}
    elements = [{"name": None, "topicId": id} for id in (_ID, UUID(int=7), UUID(int=8))]
    parsed = parse_request("DeleteTopics", {"topics": elements}, topic_ids=index_topic_ids(state))

    assert ["orders", "stock", None] == [item.name for item in parsed.items.values()]
    assert [None, None, _UNKNOWN_ID] == [item.refusal for item in parsed.items.values()]


@pytest.mark.parametrize(
    ("form", "request_", "message"),
    [
        ("Fetch", {}, "Fetch: not a request that is decided"),
        ("CreateTopics", [], "CreateTopics: must be an object"),
        ("CreateTopics", {}, "CreateTopics.topics is missing or of a wrong type"),
        ("CreateTopics", {"topics": {"name": "a"}}, "CreateTopics.topics is missing or of a wrong type"),
        ("CreateTopics", {"topics": [], "validateOnly": 1}, "CreateTopics.validateOnly is missing or of a wrong type"),
    ],
)
def test_requests_that_cannot_be_read(form, request_, message):
    """A request that cannot be read is refused as a whole, and nothing of it is decided."""
    parsed = parse_request(form, request_)

    assert (_refused(message), {}, {}) == (parsed.refusal, dict(parsed.items), parsed.inputs)


def test_malformed_elements_touch_only_themselves():
    """An element that cannot be read is refused at its place; its neighbours are read."""
    elements = [
        3,
        {"name": "b"},
        {"name": 7},
        {"name": "c", "assignments": [{"brokerIds": [1]}]},
        {"name": "d", "configs": "x"},
    ]
    parsed = parse_request("CreateTopics", {"topics": elements})

    assert {
        "topics/0": Item(None, "topic", (("topics", 0),), refusal=_refused("a topic must be an object")),
        "topics/1": Item("b", "topic", (("topics", 1),), {"operation": "CreateTopic", "request": {"topic": "b"}}),
        "topics/2": Item(None, "topic", (("topics", 2),), refusal=_refused("name: must be a string")),
        "topics/3": Item(
            "c",
            "topic",
            (("topics", 3),),
            refusal=_refused("assignments: partitionIndex: must be a partition number from 0"),
        ),
        "topics/4": Item("d", "topic", (("topics", 4),), refusal=_refused("configs: must be a list of objects")),
    } == parsed.items
