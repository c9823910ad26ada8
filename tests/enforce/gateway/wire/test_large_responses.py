"""Responses that are needed whole: however their bytes come, into their own buffer or not, the client gets the same."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka.protocol.consumer import FetchResponse

from tests.enforce.gateway.frames import connection, raw_request, taken
from warden.enforce.gateway.wire.frames import FrameBuffer

VERSION = 16
"""The first version of Fetch whose responses tell new leaders (KIP-951)."""


@cache
def fetched(number, size, hinted):
    """A response with so many bytes of records, and perhaps with a new leader's address."""
    topic = FetchResponse.FetchableTopicResponse
    part = topic.PartitionData(version=VERSION, partition_index=0, error_code=0, records=bytes([number]) * size)
    topics = [topic(version=VERSION, topic_id=None, partitions=[part])]
    hint = {"version": VERSION, "node_id": 2, "host": "real", "port": 9, "rack": None}
    tagged = {"node_endpoints": [FetchResponse.NodeEndpoint(**hint)]} if hinted else {}
    made = FetchResponse(version=VERSION, session_id=1, responses=topics, **tagged)
    made.with_header(correlation_id=number)
    return bytes(made.encode(header=True, framed=True))


def waiting(*numbers):
    """A connection whose client has sent these requests."""
    core = connection()
    for number in numbers:
        core.receive_from_client(raw_request("Fetch", VERSION, b"any", number))
    taken(core)
    return core


def whole(core, data):
    """What the client gets of bytes that come at once."""
    core.receive_from_broker(data)
    return taken(core)[0]


RESPONSES = ((1, 70_000, False), (2, 10, True), (3, 140_000, True), (4, 65_536, False))


@given(st.lists(st.tuples(st.integers(1, 60_000), st.booleans()), max_size=30))
def test_room_does_not_matter(cuts):
    """Bytes that are put in the buffer which is offered, and bytes that are handed over, make the same frames."""
    numbers = [number for number, _, _ in RESPONSES]
    stream = b"".join(fetched(*one) for one in RESPONSES)
    core, at, got = waiting(*numbers), 0, b""
    for size, direct in [*cuts, *[(50_000, True)] * len(stream)]:
        buffer = core.receive_buffer if direct else None
        if buffer is None:
            piece = stream[at : at + size]
            core.receive_from_broker(piece)
        else:
            piece = stream[at : at + min(size, len(buffer))]
            buffer[: len(piece)] = piece
            core.accept_bytes(len(piece))
        at += len(piece)
        got += taken(core)[0]
        if at == len(stream):
            break

    assert whole(waiting(*numbers), stream) == got
    assert core.idle


def test_no_room_for_what_goes_by():
    """Room is offered for a response that is needed whole, once its size is known, and until it is complete."""
    core, raw = waiting(1), fetched(1, 200_000, False)
    assert (None, False) == (core.receive_buffer, core.idle)
    core.receive_from_broker(raw[:1000])
    buffer = core.receive_buffer
    assert buffer is not None
    assert len(raw) - 1000 == len(buffer)
    buffer[:] = raw[1000:]
    core.accept_bytes(len(buffer))

    assert core.receive_buffer is None
    assert raw == taken(core)[0]


@given(st.lists(st.binary(max_size=20)), st.lists(st.integers(0, 30)))
def test_a_buffer_gives_what_it_got(pieces, counts):
    """In order, and nothing twice."""
    buffer, got = FrameBuffer(1000), b""
    for at in range(max(len(pieces), len(counts))):
        if at < len(pieces):
            buffer.feed(pieces[at])
        if at < len(counts):
            got += buffer.take(counts[at])
    size = len(buffer)
    with buffer.peek() as rest:
        assert size == len(rest)
        got += bytes(rest)

    assert b"".join(pieces) == got


@pytest.mark.parametrize("size", [1, 3, 100])
def test_small_pieces_are_joined_once(size):
    """A head that comes in pieces can be read once it is there."""
    buffer, raw = FrameBuffer(10_000), raw_request("ListGroups", 3, bytes(2000))
    for at in range(0, len(raw), size):
        buffer.feed(raw[at : at + size])
        with buffer.peek() as seen:
            assert raw[: at + size] == seen

    assert (len(raw), raw) == (buffer.peek_length(), buffer.take(len(raw)))
