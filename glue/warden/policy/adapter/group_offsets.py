"""Requests about the offsets of one group, each decided as one: the group, and its decision input's request."""

from typing import Any

from warden.policy.adapter.structs import Struct, list_structs, parse_code, parse_structs, parse_text
from warden.policy.adapter.topic_ids import format_topic_id

__all__ = [
    "build_commit_refusal",
    "parse_commit",
    "parse_deleted_offsets",
    "parse_deleted_share_offsets",
    "parse_share_offsets",
]


def parse_deleted_offsets(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the group of OffsetDelete (KIP-496), and the partitions whose offsets go."""
    named = [
        {
            "topic": parse_text(struct, "name"),
            "partitions": [parse_code(entry, "partitionIndex") for entry in parse_structs(struct, "partitions")],
        }
        for struct in parse_structs(request, "topics")
    ]
    return _parse_group(request, "topicPartitions", named)


def parse_deleted_share_offsets(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the group of DeleteShareGroupOffsets (KIP-932), and the topics of which all partitions' offsets go."""
    named = [
        {"topic": parse_text(struct, "topicName"), "partitions": None} for struct in parse_structs(request, "topics")
    ]
    return _parse_group(request, "topicPartitions", named)


def parse_share_offsets(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the group of AlterShareGroupOffsets (KIP-932), and where it is to start in each partition."""
    named = [
        {
            "topic": parse_text(struct, "topicName"),
            "partition": parse_code(partition, "partitionIndex"),
            "offset": parse_code(partition, "startOffset"),
        }
        for struct in parse_structs(request, "topics")
        for partition in parse_structs(struct, "partitions")
    ]
    return _parse_group(request, "offsets", named)


def parse_commit(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the group of an OffsetCommit or TxnOffsetCommit, and the offsets that it commits.

    Outside a generation that is how the AdminClient alters an inactive group's offsets (KIP-396). A topic that has only
    an id, as of version 10, is called by it.
    """
    named = [
        {
            "topic": parse_text(struct, "name")
            if struct.get("name") is not None
            else format_topic_id(struct.get("topicId")) or "",
            "partition": parse_code(partition, "partitionIndex"),
            "offset": parse_code(partition, "committedOffset"),
        }
        for struct in parse_structs(request, "topics")
        for partition in parse_structs(struct, "partitions")
    ]
    return _parse_group(request, "offsets", named)


def build_commit_refusal(request: Struct, error: Struct) -> dict[str, Any]:
    """Return the response to a commit that is refused: each partition has the error."""
    topics = [
        {
            **{field: struct[field] for field in ("name", "topicId") if struct.get(field) is not None},
            "partitions": [
                {"partitionIndex": partition.get("partitionIndex"), **error}
                for partition in list_structs(struct.get("partitions"))
            ],
        }
        for struct in list_structs(request.get("topics"))
    ]
    return {"errorCode": 0, "topics": topics}


def _parse_group(request: Struct, field: str, named: list[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    group = parse_text(request, "groupId")
    return group, {"group": group, field: named}
