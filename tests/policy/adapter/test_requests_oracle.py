"""What the adapter refuses without asking: beside a real broker."""

from typing import Any
from uuid import UUID

import pytest

from tests.policy.adapter.oracle import Oracle
from warden.policy.adapter import parse_request

pytestmark = pytest.mark.kafka

_MORE = {"timeoutMs": 300_000}


def _new(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "numPartitions": 1, "replicationFactor": 1, "assignments": [], "configs": [], **more}


def _config(name: str, configs: list[dict[str, Any]], kind: int = 2) -> dict[str, Any]:
    return {"resourceType": kind, "resourceName": name, "configs": configs}


_SET = {"name": "retention.ms", "configOperation": 0, "value": "1"}
_TWICE = {"name": "retention.ms", "value": "1"}


@pytest.mark.parametrize(
    ("form", "request_"),
    [
        pytest.param(
            "CreateTopics", {"topics": [_new("a"), _new("a")], "validateOnly": True, **_MORE}, id="created twice"
        ),
        pytest.param(
            "CreateTopics",
            {
                "topics": [
                    _new(
                        "a",
                        numPartitions=-1,
                        replicationFactor=-1,
                        assignments=[{"partitionIndex": 0, "brokerIds": [1]}] * 2,
                    )
                ],
                "validateOnly": True,
                **_MORE,
            },
            id="a partition assigned twice",
        ),
        pytest.param(
            "CreatePartitions",
            {"topics": [{"name": "a", "count": 2, "assignments": None}] * 2, "validateOnly": True, **_MORE},
            id="grown twice",
        ),
        pytest.param(
            "AlterConfigs",
            {"resources": [_config("a", [_TWICE, _TWICE])], "validateOnly": True},
            id="a key twice, legacy",
        ),
        pytest.param(
            "IncrementalAlterConfigs",
            {"resources": [_config("a", [_SET]), _config("a", [_SET])], "validateOnly": True},
            id="a resource twice",
        ),
        pytest.param(
            "IncrementalAlterConfigs",
            {"resources": [_config("a", [_SET], kind=99)], "validateOnly": True},
            id="a type that Kafka lacks",
        ),
        pytest.param("DeleteTopics", {"topics": [{"name": "a", "topicId": None}] * 2, **_MORE}, id="deleted twice"),
        pytest.param(
            "DeleteTopics", {"topics": [{"name": "a", "topicId": UUID(int=9)}], **_MORE}, id="deleted by name and id"
        ),
        pytest.param("DeleteTopics", {"topics": [{"name": None, "topicId": UUID(int=9)}], **_MORE}, id="an unknown id"),
        pytest.param("DeleteTopics", {"topics": [{"name": None, "topicId": None}], **_MORE}, id="neither name nor id"),
    ],
)
def test_refusals(form: str, request_: dict[str, Any], oracle: Oracle) -> None:
    """Code and text are the broker's."""
    broker_answers = {answer for _, answer in oracle.answers(form, request_)}
    refused = [item.refusal for item in parse_request(form, request_).items.values()]

    assert broker_answers == {(one.error_code, one.error_message) for one in refused if one is not None}
    assert None not in refused


def test_a_name_and_its_id(oracle: Oracle) -> None:
    """A topic that is named twice, once by its id, is refused, and still there."""
    (topic,) = oracle.response("CreateTopics", {"topics": [_new("by-id")], "validateOnly": False, **_MORE}).topics
    request = {"topics": [{"name": "by-id", "topicId": None}, {"name": None, "topicId": topic.topic_id}], **_MORE}
    ((name, reported),) = oracle.answers("DeleteTopics", request)
    (item,) = parse_request("DeleteTopics", request, topic_ids=lambda _id: "by-id").items.values()

    assert item.refusal is not None
    assert (name, reported) == (item.name, (item.refusal.error_code, item.refusal.error_message))


def test_of_a_config_given_twice_the_last_is_kept(oracle: Oracle) -> None:
    """A broker keeps the last value of a name that a CreateTopics has twice, and so does the decision input."""
    configs = [{"name": "retention.ms", "value": "1000"}, {"name": "retention.ms", "value": "2000"}]
    request = {"topics": [_new("config-twice", configs=configs)], "validateOnly": False, **_MORE}
    ((_, answer),) = oracle.answers("CreateTopics", request)
    (input,) = parse_request("CreateTopics", request).inputs.values()

    assert (0, None) == answer
    assert oracle.stored()["config-twice"] == input["request"]["configs"]
