"""Topics: partitions and replicas (Metadata), overrides (DescribeConfigs), running reassignments (KIP-455)."""

from collections.abc import Callable, Mapping
from typing import Any

from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import format_reason
from warden.state.sources.kafka.read.configs import TOPIC, request_descriptions

__all__ = ["read_reassignments", "read_topic_configs", "read_topics"]


def read_topics(connection: Connection, gaps: list[str]) -> dict[str, dict[str, Any]]:
    """Return the contract's ``topics``, still without overrides and reassignments.

    Raises:
        NotDisclosed: The cluster refuses to tell.
    """
    from kafka.protocol.metadata import MetadataRequest

    response = connection.send(MetadataRequest(topics=None, allow_auto_topic_creation=False), check=False)
    topics = {}
    for topic in sorted(response.topics, key=lambda topic: str(topic.name)):
        if topic.error_code:
            gaps.append(f"topics.{topic.name}: {format_reason(topic.error_code)}")
            continue
        replicas = {item.partition_index: list(item.replica_nodes) for item in topic.partitions}
        topics[str(topic.name)] = {
            "numPartitions": len(replicas),
            "replicationFactor": len(replicas.get(0, ())),
            "replicasAssignments": {str(partition): replicas[partition] for partition in sorted(replicas)},
            "labels": {},
            "internal": bool(topic.is_internal),
            "markedForDeletion": False,
        }
    return topics


def read_topic_configs(
    connection: Connection, topics: Mapping[str, dict[str, Any]], gaps: list[str], progress: Callable[[int], None]
) -> dict[str, str]:
    """Put each topic's overrides into ``topics`` and return what topics report for keys that they do not set.

    Args:
        connection: The cluster.
        topics: As from `read_topics`.
        gaps: Gets a line for each topic whose configuration cannot be had.
        progress: Called with the number of topics done so far.

    Raises:
        NotDisclosed: The cluster refuses the request as a whole.
    """
    inherited: dict[str, str] = {}
    for done, described in enumerate(request_descriptions(connection, TOPIC, list(topics)), 1):
        if described.error:
            gaps.append(f"topics.{described.name}.configs: {described.error}")
            continue
        overrides = {}
        for name, entry in sorted(described.configs.items()):
            if entry.is_topic_override:
                overrides[name] = entry.value
            elif entry.value is not None:
                inherited.setdefault(name, entry.value)
        topics[described.name]["configs"] = overrides
        progress(done)
    return inherited


def read_reassignments(connection: Connection, controller: int | None, topics: Mapping[str, dict[str, Any]]) -> None:
    """Put the reassignments that are running into ``topics``, each of which gets some or none.

    Raises:
        NotDisclosed: The cluster refuses to tell, or knows no reassignments (before Kafka 2.4).
    """
    from kafka.protocol.admin import ListPartitionReassignmentsRequest

    response = connection.send(ListPartitionReassignmentsRequest(topics=None), controller)
    for entry in topics.values():
        entry["reassigning"] = {}
    for topic in response.topics:
        if topic.name not in topics:  # made since the topics were read
            continue
        topics[topic.name]["reassigning"] = {
            str(item.partition_index): {"adding": list(item.adding_replicas), "removing": list(item.removing_replicas)}
            for item in sorted(topic.partitions, key=lambda item: int(item.partition_index))
        }
