"""Commits of offsets outside a generation, by which an inactive group's offsets are put elsewhere (KIP-396).

What a member of an active group commits goes by as it comes: its coordinator refuses that of any other. Who names no
generation may be an AdminClient, or a consumer that assigns partitions to itself: nothing in the request tells which.
"""

import struct
from dataclasses import replace
from typing import Final

from warden.enforce.gateway.guards import guarded_request
from warden.enforce.gateway.guards.guarded_request import GuardedRequest
from warden.enforce.gateway.guards.topic_lookup import encode_lookup, read_names
from warden.enforce.gateway.wire.codec import DecodedMessage
from warden.enforce.gateway.wire.frames import LENGTH, Buffer, FieldReader, Raw, RequestHeader
from warden.policy.adapter.evaluation import Evaluation
from warden.policy.adapter.topic_ids import format_topic_id

__all__ = ["COMMITS", "build_evaluation", "encode_topic_lookup", "is_in_generation"]

COMMITS: Final = frozenset({"OffsetCommit", "TxnOffsetCommit"})
"""Names of the APIs that commit offsets."""

_LENGTH = struct.Struct(">i")
_PRODUCER: Final = 10  # bytes of a producer's id and epoch
_GENERATION_SINCE: Final = {"OffsetCommit": 1, "TxnOffsetCommit": 3}


def is_in_generation(data: Buffer, head: RequestHeader) -> bool:
    """Return whether a commit is one of a member of a group's generation, or of its epoch.

    Args:
        data: The beginning of its frame.
        head: Its head.

    Raises:
        Incomplete: More bytes are needed.
        ProtocolError: The request cannot be read so far.
    """
    if head.version < _GENERATION_SINCE[head.api.name]:
        return False
    (length,) = _LENGTH.unpack_from(data)
    reader = FieldReader(data, head.body_start, length + LENGTH)
    read_text = reader.read_compact_text if head.api.is_flexible(head.version) else reader.read_text
    if head.api.name == "TxnOffsetCommit":
        read_text()  # the transaction
    read_text()  # the group
    if head.api.name == "TxnOffsetCommit":
        reader.skip(_PRODUCER)
    return reader.read_int32() >= 0


def encode_topic_lookup(request: GuardedRequest) -> bytes | None:
    """Return the request that asks the broker for the names of topics that are given by id; None where none is."""
    return encode_lookup(request.head, [topic.get("topicId") for topic in request.message.fields["topics"]])


def build_evaluation(request: GuardedRequest, topics: Raw | None) -> Evaluation:
    """Return the evaluation of a commit, whose topics have their names where the broker shows them.

    Args:
        request: The request.
        topics: The broker's answer to `encode_topic_lookup`.

    Raises:
        Undecodable: The answer is none.
    """
    names = read_names(request.head, topics) if topics is not None else {}
    fields = request.message.fields
    named = [
        {**topic, "name": topic.get("name") or names.get(format_topic_id(topic.get("topicId")) or "")}
        for topic in fields["topics"]
    ]
    message = DecodedMessage({**fields, "topics": named}, request.message.exact)
    return guarded_request.build_evaluation(replace(request, message=message), None)
