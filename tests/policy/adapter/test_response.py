"""From decisions back to Kafka's results, requests and responses."""

from typing import Any

import pytest

from warden.policy.adapter import Result, build_denied_elements, build_results, parse_request, select_allowed
from warden.policy.contract.decision import Decision

_ALLOW = {"allowed": True, "errors": [], "error": None, "violations": []}


def _deny(message: str = "no", code: Any = 44, name: str = "POLICY_VIOLATION") -> dict[str, Any]:
    error = {"code": code, "name": name, "message": message}
    return {"allowed": False, "errors": [message], "error": error, "violations": []}


_DENIED = Result(44, "POLICY_VIOLATION", "no")
_OK = Result()
_TOPICS = {
    "topics": [{"name": "a"}, {"name": "b", "configs": []}, {"name": "c"}],
    "timeoutMs": 1,
    "validateOnly": False,
}


def test_a_violation_touches_only_its_topic():
    """Of three topics one is denied: the other two go on."""
    parsed = parse_request("CreateTopics", _TOPICS, version=7)
    results = build_results(parsed, {"topics/0": _ALLOW, "topics/1": _deny(), "topics/2": _ALLOW})

    assert {"topics/0": _OK, "topics/1": _DENIED, "topics/2": _OK} == results
    assert {**_TOPICS, "topics": [{"name": "a"}, {"name": "c"}]} == select_allowed(parsed, results)
    assert [{"name": "b", "errorCode": 44, "errorMessage": "no"}] == build_denied_elements(parsed, results)


def test_decisions_as_a_client_has_them():
    """Read ones, as of `Warden.decide_many`, have the results of their documents, and a denied one is not true."""
    parsed = parse_request("CreateTopics", _TOPICS, version=7)
    documents = {"topics/0": _ALLOW, "topics/1": _deny()}
    decisions = {key: Decision.from_document(document) for key, document in documents.items()}
    results = build_results(parsed, decisions)

    assert build_results(parsed, documents) == results
    assert [True, False, False] == list(map(bool, results.values()))


@pytest.mark.parametrize(
    "decision",
    [
        pytest.param(None, id="missing"),
        pytest.param({}, id="nothing"),
        pytest.param({"allowed": "true"}, id="allowed in words"),
        pytest.param({"allowed": 1}, id="allowed by number"),
        pytest.param({**_ALLOW, "allowed": "true"}, id="the rest fits"),
        pytest.param({**_ALLOW, "errors": ["no"]}, id="allowed with errors"),
        pytest.param({**_deny(), "error": None}, id="denied without an error"),
        pytest.param(_deny(code=0, name="NONE"), id="denied with no error"),
        pytest.param(_deny(code="44"), id="a code in words"),
    ],
)
def test_what_is_not_a_decision_allows_nothing(decision):
    """A decision that is missing, or is none, is neither a denial nor an allowance: it is a server's error."""
    parsed = parse_request("DeleteTopics", {"topicNames": ["a"]})
    results = build_results(parsed, {} if decision is None else {"topicNames/0": decision})

    text = "nothing was decided about topic 'a', so it is not carried out: try again"
    assert {"topicNames/0": Result(-1, "UNKNOWN_SERVER_ERROR", text)} == results
    assert select_allowed(parsed, results) is None


@pytest.mark.parametrize(
    ("form", "version", "result", "logged"),
    [
        ("DeleteTopics", 6, _DENIED, []),
        ("DeleteTopics", 5, _DENIED, []),
        ("DeleteTopics", 4, Result(-1, "UNKNOWN_SERVER_ERROR", None, "POLICY_VIOLATION: no"), ["DeleteTopics v4"]),
        ("DeleteTopics", 1, Result(-1, "UNKNOWN_SERVER_ERROR", None, "POLICY_VIOLATION: no"), ["DeleteTopics v1"]),
        ("DeleteRecords", 2, Result(44, "POLICY_VIOLATION", None, "POLICY_VIOLATION: no"), ["DeleteRecords v2"]),
        ("DeleteRecords", 1, Result(-1, "UNKNOWN_SERVER_ERROR", None, "POLICY_VIOLATION: no"), ["DeleteRecords v1"]),
        ("DeleteRecords", 0, Result(-1, "UNKNOWN_SERVER_ERROR", None, "POLICY_VIOLATION: no"), ["DeleteRecords v0"]),
        ("DeleteTopics", None, _DENIED, []),
        ("CreateTopics", 1, _DENIED, []),
        ("CreateTopics", 0, Result(44, "POLICY_VIOLATION", None, "POLICY_VIOLATION: no"), ["CreateTopics v0"]),
        ("CreatePartitions", 0, _DENIED, []),
        ("AlterPartitionReassignments", 0, _DENIED, []),
    ],
)
def test_old_versions(form, version, result, logged):
    """Versions from before KIP-201 get UNKNOWN_SERVER_ERROR, those without a text a bare code; a log says why."""
    lines: list[str] = []
    parsed = parse_request(form, {"topics": [{"name": "a", "partitions": [], "count": 1}]}, version=version)
    results = build_results(parsed, {"topics/0": _deny()}, log=lines.append)

    assert {"topics/0": result} == results
    assert [f"{head}: topic 'a': POLICY_VIOLATION: no" for head in logged] == lines


def test_old_versions_keep_other_errors():
    """Only POLICY_VIOLATION is unknown to old clients: what Kafka itself would say, it has always said."""
    parsed = parse_request("DeleteTopics", {"topicNames": ["a"]}, version=4)
    results = build_results(
        parsed, {"topicNames/0": _deny("gone", 3, "UNKNOWN_TOPIC_OR_PARTITION")}, log=lambda _line: None
    )

    said = Result(3, "UNKNOWN_TOPIC_OR_PARTITION", None, "UNKNOWN_TOPIC_OR_PARTITION: gone")
    assert {"topicNames/0": said} == results


_ELECTION_DENIED = {"partitionId": 4, "errorCode": 44, "errorMessage": "no"}
_PARTITION = {"partitionIndex": 4, "replicas": [1], "offset": 9}


@pytest.mark.parametrize(
    ("form", "version", "request_", "elements"),
    [
        (
            "AlterConfigs",
            2,
            {"resources": [{"resourceType": 2, "resourceName": "a", "configs": []}]},
            [{"errorCode": 44, "errorMessage": "no", "resourceType": 2, "resourceName": "a"}],
        ),
        (
            "IncrementalAlterConfigs",
            1,
            {"resources": [{"resourceType": 99, "resourceName": "a", "configs": []}]},
            [{"errorCode": 42, "errorMessage": "Unknown resource type 99", "resourceType": 99, "resourceName": "a"}],
        ),
        (
            "AlterPartitionReassignments",
            1,
            {"topics": [{"name": "a", "partitions": [_PARTITION]}]},
            [{"name": "a", "partitions": [{"partitionIndex": 4, "errorCode": 44, "errorMessage": "no"}]}],
        ),
        (
            "DeleteRecords",
            2,
            {"topics": [{"name": "a", "partitions": [_PARTITION]}]},
            [{"name": "a", "partitions": [{"partitionIndex": 4, "lowWatermark": -1, "errorCode": 44}]}],
        ),
        (
            "DeleteTopics",
            6,
            {"topics": [{"name": "a", "topicId": None}]},
            [{"name": "a", "topicId": None, "errorCode": 44, "errorMessage": "no"}],
        ),
        (
            "DeleteTopics",
            4,
            {"topicNames": ["a"]},
            [{"name": "a", "topicId": None, "errorCode": -1, "errorMessage": None}],
        ),
        (
            "CreatePartitions",
            3,
            {"topics": [{"name": "a", "count": 3}]},
            [{"name": "a", "errorCode": 44, "errorMessage": "no"}],
        ),
        (
            "UpdateFeatures",
            2,
            {"featureUpdates": [{"feature": "a", "maxVersionLevel": 0, "upgradeType": 2}]},
            [{"errorCode": 44, "errorMessage": "no"}],
        ),
        (
            "ElectLeaders",
            2,
            {"electionType": 1, "topicPartitions": [{"topic": "a", "partitions": [4]}]},
            [{"errorCode": 0, "replicaElectionResults": [{"topic": "a", "partitionResult": [_ELECTION_DENIED]}]}],
        ),
        (
            "ElectLeaders",
            2,
            {"electionType": 1, "topicPartitions": None},
            [{"errorCode": 44, "replicaElectionResults": []}],
        ),
        ("DeleteGroups", 3, {"groupsNames": ["a", "a"]}, [{"groupId": "a", "errorCode": 44, "errorMessage": "no"}]),
        ("DeleteGroups", 2, {"groupsNames": ["a"]}, [{"groupId": "a", "errorCode": 44, "errorMessage": None}]),
        ("OffsetDelete", 0, {"groupId": "g", "topics": []}, [{"errorCode": 44}]),
        ("UnregisterBroker", 0, {"brokerId": 7}, [{"errorCode": 44, "errorMessage": "no"}]),
        ("RemoveRaftVoter", 0, {"voterId": 7}, [{"errorCode": 44, "errorMessage": "no"}]),
        ("RenewDelegationToken", 2, {"hmac": b"h", "renewPeriodMs": 7}, [{"errorCode": 44}]),
        (
            "AlterReplicaLogDirs",
            2,
            {"dirs": [{"path": "/a", "topics": [{"name": "a", "partitions": [4]}]}]},
            [{"errorCode": 0, "results": [{"topicName": "a", "partitions": [{"partitionIndex": 4, "errorCode": 44}]}]}],
        ),
        (
            "OffsetCommit",
            9,
            {
                "groupId": "g",
                "topics": [{"name": "a", "partitions": [{"partitionIndex": 4, "committedOffset": 1}]}],
            },
            [{"errorCode": 0, "topics": [{"name": "a", "partitions": [{"partitionIndex": 4, "errorCode": 44}]}]}],
        ),
        ("AlterShareGroupOffsets", 0, {"groupId": "g", "topics": []}, [{"errorCode": 44, "errorMessage": "no"}]),
        ("DeleteShareGroupOffsets", 0, {"groupId": "g", "topics": []}, [{"errorCode": 44, "errorMessage": "no"}]),
    ],
)
def test_elements_of_responses(form, version, request_, elements):
    """What is refused has the fields that the response of its form has; of a topic every partition is refused."""
    parsed = parse_request(form, request_, version=version)
    results = build_results(parsed, dict.fromkeys(parsed.items, _deny()), log=lambda _line: None)

    assert elements == build_denied_elements(parsed, results)


@pytest.mark.parametrize(
    ("form", "request_", "sent"),
    [
        (
            "CreateTopics",
            {"topics": [{"name": "a"}], "validateOnly": True},
            {"topics": [{"name": "a"}], "validateOnly": True},
        ),
        ("DeleteTopics", {"topicNames": ["a"]}, None),
        ("DeleteRecords", {"topics": [{"name": "a", "partitions": []}]}, None),
        ("AlterPartitionReassignments", {"topics": [{"name": "a", "partitions": []}]}, None),
        (
            "CreatePartitions",
            {"topics": [{"name": "a", "count": 2}], "validateOnly": False},
            {"topics": [{"name": "a", "count": 2}], "validateOnly": True},
        ),
        ("UpdateFeatures", {"featureUpdates": []}, {"featureUpdates": [], "validateOnly": True}),
        ("DeleteGroups", {"groupsNames": ["a"]}, None),
        ("OffsetDelete", {"groupId": "g", "topics": []}, None),
        ("AlterShareGroupOffsets", {"groupId": "g", "topics": []}, None),
    ],
)
def test_validate_only_does_nothing(form, request_, sent):
    """Who only asks reaches a broker only with a request that the broker knows to be a question."""
    parsed = parse_request(form, request_, validate_only=True)
    results = build_results(parsed, dict.fromkeys(parsed.items, _ALLOW))

    assert [True] == [result.allowed for result in results.values()]
    assert sent == select_allowed(parsed, results)


@pytest.mark.parametrize(
    ("form", "request_", "configs", "written"),
    [
        (
            "CreateTopics",
            {"topics": [{"name": "a", "configs": [{"name": "min.insync.replicas", "value": "1"}]}]},
            {"min.insync.replicas": "2", "mode": "full"},
            [{"name": "min.insync.replicas", "value": "2"}, {"name": "mode", "value": "full"}],
        ),
        (
            "AlterConfigs",
            {"resources": [{"resourceType": 2, "resourceName": "a", "configs": []}]},
            {"mode": "full", "entries": {"min.insync.replicas": "2"}},
            [{"name": "min.insync.replicas", "value": "2"}],
        ),
        (
            "IncrementalAlterConfigs",
            {"resources": [{"resourceType": 2, "resourceName": "a", "configs": []}]},
            {"mode": "incremental", "ops": [{"name": "min.insync.replicas", "op": "DELETE"}]},
            [{"name": "min.insync.replicas", "configOperation": 1, "value": None}],
        ),
    ],
)
def test_offered_configs_are_written_back(form, request_, configs, written):
    """The configs of what is offered replace those of the request, in the form's own writing."""
    parsed = parse_request(form, request_)
    (key,) = parsed.items
    results = build_results(parsed, {key: _ALLOW})
    sent = select_allowed(parsed, results, {key: {"request": {"configs": configs}}})

    assert sent is not None
    assert [written] == [element["configs"] for element in next(iter(sent.values()))]


def test_a_resource_in_two_pieces_is_kept_or_refused_whole():
    """Both pieces of a reassigned topic share its decision."""
    request = {
        "topics": [
            {"name": "a", "partitions": [{"partitionIndex": 0, "replicas": [1]}]},
            {"name": "b", "partitions": [{"partitionIndex": 0, "replicas": [1]}]},
            {"name": "a", "partitions": [{"partitionIndex": 1, "replicas": [1]}]},
        ]
    }
    parsed = parse_request("AlterPartitionReassignments", request, version=1)
    results = build_results(parsed, {"topics/0": _deny(), "topics/1": _ALLOW})
    error = {"errorCode": 44, "errorMessage": "no"}

    assert {"topics": [request["topics"][1]]} == select_allowed(parsed, results)
    assert [
        {"name": "a", "partitions": [{"partitionIndex": 0, **error}, {"partitionIndex": 1, **error}]}
    ] == build_denied_elements(parsed, results)
