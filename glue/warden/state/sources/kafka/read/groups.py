"""Groups with their number of members and committed offsets (ListGroups, DescribeGroups, OffsetFetch)."""

import struct
from collections.abc import Iterable, Sequence
from typing import Any

from warden.base.errors import KafkaUnreachable
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NotDisclosed, format_reason

__all__ = ["read_groups"]

_CHUNK = 100
_NO_MEMBERS = ("Empty", "Dead")


def read_groups(
    connection: Connection, brokers: Iterable[int], gaps: list[str], assigned: dict[str, set[str]] | None = None
) -> dict[str, dict[str, Any]]:
    """Return the contract's ``groups``; what cannot be had is added to ``gaps``.

    Each broker is requested the groups that it coordinates, so no coordinator needs to be looked up.

    Args:
        connection: The cluster.
        brokers: Ids of the brokers that are alive.
        gaps: Gets a line for what is not known.
        assigned: Gets, by group, the topics that its members read now, whether or not they commit.
    """
    from kafka.protocol.admin import ListGroupsRequest

    groups_by_name: dict[str, dict[str, Any]] = {}
    for broker in brokers:
        try:
            listed = connection.send(ListGroupsRequest(), broker).groups
            states = {group.group_id: group.group_state or "" for group in listed}
            for start in range(0, len(states), _CHUNK):
                some = sorted(states)[start : start + _CHUNK]
                groups: dict[str, dict[str, Any]] = {name: {"offsets": {}} for name in some}
                _count_members(connection, broker, groups, states, gaps, assigned)
                _read_offsets(connection, broker, groups, gaps)
                groups_by_name.update(groups)
        except (NotDisclosed, KafkaUnreachable) as error:
            gaps.append(f"groups of broker {broker}: {error}")
    return dict(sorted(groups_by_name.items()))


def _count_members(
    connection: Connection,
    broker: int,
    groups: dict[str, dict[str, Any]],
    states: dict[str, str],
    gaps: list[str],
    assigned: dict[str, set[str]] | None,
) -> None:
    """Count the members. Only classic groups can be described; of others it is known when they have no member."""
    from kafka.protocol.admin import DescribeGroupsRequest

    for group in connection.send(DescribeGroupsRequest(groups=list(groups)), broker, check=False).groups:
        name = group.group_id
        if states[name] in _NO_MEMBERS:
            groups[name]["members"] = 0
        elif group.error_code:
            gaps.append(f"groups.{name}.members: {format_reason(group.error_code, group.error_message)}")
        elif group.group_state == "Dead":  # how brokers before 3.8 describe a group that is not a classic one
            gaps.append(f"groups.{name}.members: the broker does not describe this kind of group")
        else:
            groups[name]["members"] = len(group.members)
            if assigned is not None and group.protocol_type == "consumer":
                assigned[name] = {
                    topic for member in group.members for topic in _parse_assignment(member.member_assignment)
                }


def _parse_assignment(assignment: bytes | None) -> set[str]:
    """The topics of a member's assignment; none where it is not what consumers write, which is theirs to choose."""
    from kafka.protocol.consumer.metadata import ConsumerProtocolAssignment

    try:
        return {topic for topic, _ in ConsumerProtocolAssignment.decode(assignment).assigned_partitions}
    except (ValueError, TypeError, LookupError, struct.error):
        return set()


def _read_offsets(connection: Connection, broker: int, groups: dict[str, dict[str, Any]], gaps: list[str]) -> None:
    for fetched in _fetch(connection, broker, sorted(groups)):
        name, group = fetched
        if group.error_code:
            gaps.append(f"groups.{name}.offsets: {format_reason(group.error_code)}")
            continue
        for topic in sorted(group.topics, key=lambda topic: str(topic.name)):
            refused = next((item.error_code for item in topic.partitions if item.error_code), 0)
            if refused:
                gaps.append(f"groups.{name}.offsets.{topic.name}: {format_reason(refused)}")
            committed = {
                item.partition_index: item.committed_offset for item in topic.partitions if not item.error_code
            }
            offsets = {str(partition): offset for partition, offset in sorted(committed.items()) if offset >= 0}
            if offsets:
                groups[name]["offsets"][topic.name] = offsets


def _fetch(connection: Connection, broker: int, names: Sequence[str]) -> Iterable[tuple[str, Any]]:
    """Committed offsets of all partitions: in one request from Kafka 3.0 on (KIP-709), one a group before that."""
    from kafka.protocol.consumer import OffsetFetchRequest

    group_request = OffsetFetchRequest.OffsetFetchRequestGroup
    if connection.find_version(OffsetFetchRequest) >= 8:  # version 9 needs member epochs, 10 topic ids
        request = OffsetFetchRequest(
            groups=[group_request(group_id=name, topics=None) for name in names], min_version=8, max_version=8
        )
        return [(group.group_id, group) for group in connection.send(request, broker, check=False).groups]
    return [
        (
            name,
            connection.send(
                OffsetFetchRequest(group_id=name, topics=None, min_version=2, max_version=7), broker, check=False
            ),
        )
        for name in names
    ]
