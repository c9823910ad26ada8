"""Times of the last write to topics (ListOffsets with the largest timestamp, KIP-734)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from warden.base.errors import KafkaUnreachable
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NotDisclosed

__all__ = ["UNKNOWN", "read_leaders", "read_writes"]

UNKNOWN = object()
"""Stands for a topic of which not every partition could be read."""

_MAX_TIMESTAMP = -3
_FIRST_VERSION = 7  # of ListOffsets that knows it: Kafka 3.0
_LAST_VERSION = 10
_CHUNK = 1000  # partitions in a request
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_MS = 253_402_300_799_999  # of the year 9999, the last of RFC 3339


def read_leaders(connection: Connection, names: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return, of some topics, the broker that leads each partition in order; -1 where none does.

    Raises:
        NotDisclosed: The cluster refuses to tell.
    """
    from kafka.protocol.metadata import MetadataRequest

    requested = [MetadataRequest.MetadataRequestTopic(name=name) for name in names]
    response = connection.send(MetadataRequest(topics=requested, allow_auto_topic_creation=False), check=False)
    return {
        str(topic.name): tuple(
            item.leader_id for item in sorted(topic.partitions, key=lambda item: int(item.partition_index))
        )
        for topic in response.topics
    }


def read_writes(connection: Connection, leaders: Mapping[str, Sequence[int]], names: Iterable[str]) -> dict[str, Any]:
    """Return the contract's ``writes`` of some topics: the time of the latest record, None where there is none.

    It is the largest timestamp of the topic's records, which producers may set as they like; one after the year 9999
    is the end of that year.

    Args:
        connection: The cluster.
        leaders: For each topic, the broker that leads each partition; -1 where none does.
        names: Topics to ask about.

    Returns:
        RFC 3339 times, None, or `UNKNOWN`, by topic.

    Raises:
        NotDisclosed: The cluster knows no such API, or refuses to tell.
    """
    from kafka.protocol.consumer import ListOffsetsRequest

    if connection.find_version(ListOffsetsRequest) < _FIRST_VERSION:
        raise NotDisclosed("this version of Kafka does not tell when a partition was last written")
    latest = dict.fromkeys(names, -1)
    unknown = {name for name in latest if not leaders.get(name)}
    for leader, partitions in _group_by_leader(leaders, latest).items():
        if leader < 0:
            unknown |= {name for name, _ in partitions}
            continue
        for start in range(0, len(partitions), _CHUNK):
            some = partitions[start : start + _CHUNK]
            try:
                answer = connection.send(_build_request(some), leader, check=False)
            except KafkaUnreachable:
                unknown |= {name for name, _ in some}
                continue
            for topic in answer.topics:
                for item in topic.partitions:
                    if item.error_code:
                        unknown.add(topic.name)
                    latest[topic.name] = max(latest[topic.name], item.timestamp)
    return {name: UNKNOWN if name in unknown else _format_time(latest[name]) for name in latest}


def _group_by_leader(leaders: Mapping[str, Sequence[int]], names: Iterable[str]) -> dict[int, list[tuple[str, int]]]:
    by_leader: dict[int, list[tuple[str, int]]] = {}
    for name in names:
        for partition, leader in enumerate(leaders.get(name, ())):
            by_leader.setdefault(max(leader, -1), []).append((name, partition))
    return by_leader


def _build_request(partitions: Sequence[tuple[str, int]]) -> Any:
    from kafka.protocol.consumer import ListOffsetsRequest

    of_topic, of_partition = (
        ListOffsetsRequest.ListOffsetsTopic,
        ListOffsetsRequest.ListOffsetsTopic.ListOffsetsPartition,
    )
    topics: dict[str, list[Any]] = {}
    for name, partition in partitions:
        topics.setdefault(name, []).append(
            of_partition(partition_index=partition, current_leader_epoch=-1, timestamp=_MAX_TIMESTAMP)
        )
    return ListOffsetsRequest(
        replica_id=-1,
        isolation_level=0,
        topics=[of_topic(name=name, partitions=of) for name, of in topics.items()],
        min_version=_FIRST_VERSION,
        max_version=_LAST_VERSION,
    )


def _format_time(milliseconds: int) -> str | None:
    if milliseconds < 0:
        return None
    time = _EPOCH + timedelta(milliseconds=min(milliseconds, _LAST_MS))
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
