"""Groups with their number of members and committed offsets (ListGroups, DescribeGroups, OffsetFetch)."""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from warden.base.errors import KafkaUnreachable
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import DENIED_CODES, NotDisclosed, format_reason
from warden.state.sources.kafka.read.last_write_times import read_leaders

__all__ = ["GroupGap", "read_groups"]

_CHUNK = 100
_NO_MEMBERS = ("Empty", "Dead")
_OFFSETS = "__consumer_offsets"  # whoever leads a partition of it coordinates the groups that are kept there


@dataclass(frozen=True)
class GroupGap:
    """What is not known of groups.

    Args:
        kind: The groups that a ``broker`` coordinates, or a group's ``members`` or ``offsets``.
        path: Where it would stand.
        reason: Why it is not known.
        denied: Whether the principal lacks a right.
    """

    kind: Literal["broker", "members", "offsets"]
    path: str
    reason: str
    denied: bool = False

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


def read_groups(
    connection: Connection, brokers: Iterable[int], gaps: list[GroupGap], assigned: dict[str, set[str]] | None = None
) -> dict[str, dict[str, Any]]:
    """Return the contract's ``groups``; what cannot be had is added to ``gaps``.

    Each broker is requested the groups that it coordinates, so no coordinator needs to be looked up. Groups that no
    broker coordinates, since theirs is down, are listed by none, in silence.

    Args:
        connection: The cluster.
        brokers: Ids of the brokers that are alive.
        gaps: Gets what is not known.
        assigned: Gets, by group, the topics that its members read now, whether or not they commit.
    """
    from kafka.protocol.admin import ListGroupsRequest

    groups_by_name: dict[str, dict[str, Any]] = {}
    try:
        leaders = read_leaders(connection, [_OFFSETS]).get(_OFFSETS, ())
        if away := [str(partition) for partition, leader in enumerate(leaders) if leader < 0]:
            gaps.append(GroupGap("broker", "groups", f"partitions {', '.join(away)} of {_OFFSETS} have no leader"))
    except (NotDisclosed, KafkaUnreachable) as error:
        gaps.append(GroupGap("broker", "groups", str(error), isinstance(error, NotDisclosed) and error.denied))
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
            denied = isinstance(error, NotDisclosed) and error.denied
            gaps.append(GroupGap("broker", f"groups of broker {broker}", str(error), denied))
    return dict(sorted(groups_by_name.items()))


def _count_members(
    connection: Connection,
    broker: int,
    groups: dict[str, dict[str, Any]],
    states: dict[str, str],
    gaps: list[GroupGap],
    assigned: dict[str, set[str]] | None,
) -> None:
    """Count the members. Only classic groups can be described; of others it is known when they have no member."""
    from kafka.protocol.admin import DescribeGroupsRequest

    for group in connection.send(DescribeGroupsRequest(groups=list(groups)), broker, check=False).groups:
        name = group.group_id
        if states[name] in _NO_MEMBERS:
            groups[name]["members"] = 0
        elif group.error_code:
            reason = format_reason(group.error_code, group.error_message)
            gaps.append(GroupGap("members", f"groups.{name}.members", reason, group.error_code in DENIED_CODES))
        elif group.group_state == "Dead":  # how brokers before 3.8 describe a group that is not a classic one
            reason = "the broker does not describe this kind of group"
            gaps.append(GroupGap("members", f"groups.{name}.members", reason))
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


def _read_offsets(connection: Connection, broker: int, groups: dict[str, dict[str, Any]], gaps: list[GroupGap]) -> None:
    def record_gap(path: str, code: int) -> None:
        gaps.append(GroupGap("offsets", path, format_reason(code), code in DENIED_CODES))

    for fetched in _fetch(connection, broker, sorted(groups)):
        name, group = fetched
        if group.error_code:
            record_gap(f"groups.{name}.offsets", group.error_code)
            continue
        for topic in sorted(group.topics, key=lambda topic: str(topic.name)):
            refused = next((item.error_code for item in topic.partitions if item.error_code), 0)
            if refused:
                record_gap(f"groups.{name}.offsets.{topic.name}", refused)
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
