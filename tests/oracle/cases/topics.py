"""Topics that cases need: as a cluster state has them, made on a broker, and as the broker describes them."""

from collections.abc import Mapping
from typing import Any

from tests.fixtures.conditions import eventually
from tests.oracle.broker import Broker, unused

__all__ = ["creation", "described", "leaving", "make", "topic_state"]

_TOPIC_ALREADY_EXISTS = 36


def topic_state(partitions: int, configs: Mapping[str, str], *, internal: bool = False) -> dict[str, Any]:
    """A topic of a cluster state, with one replica of each partition."""
    return {
        "numPartitions": partitions,
        "replicationFactor": 1,
        "replicasAssignments": {str(partition): [1] for partition in range(partitions)},
        "configs": dict(configs),
        "labels": {},
        "internal": internal,
        "markedForDeletion": False,
        "reassigning": {},
    }


def creation(name: str, topic: Mapping[str, Any]) -> dict[str, Any]:
    """The element of a CreateTopics that makes a topic of a cluster state."""
    return {
        "name": name,
        "numPartitions": topic["numPartitions"],
        "replicationFactor": 1,
        "assignments": [],
        "configs": [{"name": key, "value": value} for key, value in topic["configs"].items()],
    }


def make(broker: Broker, topics: Mapping[str, Mapping[str, Any]]) -> None:
    """Create topics of a cluster state where they are not there."""
    made = broker.answers(
        "CreateTopics",
        {name: (name, creation(name, topic)) for name, topic in topics.items()},
        lambda elements: {"topics": elements, "timeoutMs": 300_000, "validateOnly": False},
        lambda response: ((topic.name, topic.error_code, topic.error_message) for topic in response.topics),
    )
    assert [] == [answer for answer in made.values() if answer.code not in {0, _TOPIC_ALREADY_EXISTS}]


def described(broker: Broker, last: str) -> dict[str, dict[str, list[int]]]:
    """The replicas of all topics' partitions, once the broker knows of a new topic whose name begins with ``last``.

    What a controller does comes to a broker in its order, so that then all that was done before is known too.
    """
    last = unused(last)
    make(broker, {last: topic_state(1, {})})

    def read() -> dict[str, dict[str, list[int]]] | None:
        found = _assignments(broker)
        return found if last in found else None

    return eventually(read, "the broker knows of all topics")


def _assignments(broker: Broker) -> dict[str, dict[str, list[int]]]:
    from kafka.protocol.metadata import MetadataRequest

    request = MetadataRequest(topics=None, allow_auto_topic_creation=False)
    response = broker.connection.send(request, check=False)
    return {
        topic.name: {str(part.partition_index): list(part.replica_nodes) for part in topic.partitions}
        for topic in response.topics
    }


def leaving(broker: Broker) -> dict[tuple[str, str], list[int]]:
    """The replicas that go once a reassignment is done, by topic and partition."""
    response = broker.send("ListPartitionReassignments", {"timeoutMs": 300_000, "topics": None})
    return {
        (topic.name, str(part.partition_index)): list(part.removing_replicas)
        for topic in response.topics
        for part in topic.partitions
    }
