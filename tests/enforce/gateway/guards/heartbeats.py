"""Heartbeats of Kafka Streams groups, for tests."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.enforce.gateway.frames import KEYS, raw_request
from warden.enforce.gateway.wire import codec

__all__ = ["answer", "heartbeat", "info", "subtopology"]


def info(name: str, partitions: int = 0, replicas: int = 0, **configs: str) -> dict[str, Any]:
    """An internal topic; configs have an underscore for each dot."""
    pairs = [{"key": key.replace("_", "."), "value": value} for key, value in configs.items()]
    return {"name": name, "partitions": partitions, "replicationFactor": replicas, "topicConfigs": pairs}


def subtopology(
    id_: str,
    sources: Sequence[str],
    repartition: Sequence[Mapping[str, Any]] = (),
    changelogs: Sequence[Mapping[str, Any]] = (),
    sinks: Sequence[str] = (),
    together: tuple[Sequence[int], Sequence[int]] | None = None,
) -> dict[str, Any]:
    """A subtopology; ``together``: places of sources, and of repartition topics, that have the same partitions."""
    groups = [] if together is None else [{"sourceTopics": together[0], "repartitionSourceTopics": together[1]}]
    return {
        "subtopologyId": id_,
        "sourceTopics": list(sources),
        "sourceTopicRegex": [],
        "stateChangelogTopics": list(changelogs),
        "repartitionSinkTopics": list(sinks),
        "repartitionSourceTopics": list(repartition),
        "copartitionGroups": [{"sourceTopicRegex": [], **group} for group in groups],
    }


def heartbeat(group: str, subtopologies: Sequence[Mapping[str, Any]] | None, correlation_id: int = 1) -> bytes:
    """What a member sends that joins a group; without subtopologies, that it is there."""
    joining = subtopologies is not None
    fields: dict[str, Any] = {
        "groupId": group,
        "memberId": "member",
        "memberEpoch": 0 if joining else 1,
        "topology": {"epoch": 0, "subtopologies": list(subtopologies)} if subtopologies is not None else None,
    }
    if joining:
        fields |= {"rebalanceTimeoutMs": 60_000, "processId": "process", "clientTags": []}
        fields |= {"activeTasks": [], "standbyTasks": [], "warmupTasks": []}
    return raw_request("StreamsGroupHeartbeat", 0, fields, correlation_id)


def answer(raw: bytes) -> Mapping[str, Any]:
    """The fields of a response without its length."""
    return codec.decode(KEYS["StreamsGroupHeartbeat"], 0, "Response", raw[5:]).fields
