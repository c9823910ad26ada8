"""Requests about the offsets of one group, each decided as one: the group, and its decision input's request."""

from collections.abc import Mapping
from typing import Any

from warden.policy.adapter.structs import read_code, read_structs, read_text

__all__ = ["read_deleted_offsets", "read_deleted_share_offsets", "read_share_offsets"]

Struct = Mapping[str, Any]


def read_deleted_offsets(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the group of OffsetDelete (KIP-496), and the partitions whose offsets go."""
    named = [
        {
            "topic": read_text(struct, "name"),
            "partitions": [read_code(one, "partitionIndex") for one in read_structs(struct, "partitions")],
        }
        for struct in read_structs(request, "topics")
    ]
    return _of_group(request, "topicPartitions", named)


def read_deleted_share_offsets(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the group of DeleteShareGroupOffsets (KIP-932), and the topics of which all partitions' offsets go."""
    named = [
        {"topic": read_text(struct, "topicName"), "partitions": None} for struct in read_structs(request, "topics")
    ]
    return _of_group(request, "topicPartitions", named)


def read_share_offsets(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the group of AlterShareGroupOffsets (KIP-932), and where it is to start in each partition."""
    named = [
        {
            "topic": read_text(struct, "topicName"),
            "partition": read_code(one, "partitionIndex"),
            "offset": read_code(one, "startOffset"),
        }
        for struct in read_structs(request, "topics")
        for one in read_structs(struct, "partitions")
    ]
    return _of_group(request, "offsets", named)


def _of_group(request: Struct, field: str, named: list[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    group = read_text(request, "groupId")
    return group, {"group": group, field: named}
