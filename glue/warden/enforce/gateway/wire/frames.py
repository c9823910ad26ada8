"""Frames of Kafka's protocol: four bytes of length, then a head that says what the rest is. No input or output."""

import struct
from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from warden.enforce.gateway.wire.apis import APIS, Api

__all__ = [
    "LENGTH",
    "MAX_HEAD_BYTES",
    "Buffer",
    "FieldReader",
    "FrameBuffer",
    "FrameLimits",
    "Incomplete",
    "ProtocolError",
    "Raw",
    "RequestHeader",
    "encode_frame",
    "encode_varint",
    "peek_head",
    "read_head",
    "read_produce_acks",
]

LENGTH: Final = 4
"""Bytes of the length before each frame."""

MAX_HEAD_BYTES: Final = 128 * 1024
"""Bytes of a request that are looked at: a client's id, a transaction's and a group's have 32 KiB at most."""

_MAX_TAGS = 16
_HEAD = struct.Struct(">ihhi")  # length, API key, version, correlation id
_INT32 = struct.Struct(">i")
_INT16 = struct.Struct(">h")

Buffer = bytes | bytearray | memoryview
Raw = bytes | bytearray
"""A whole frame."""


class ProtocolError(Exception):
    """Raised for bytes that are no Kafka protocol, or that the gateway does not carry; the connection has to be closed.

    Args:
        message: What was wrong, for the log. It holds nothing of a frame's content.
    """


class Incomplete(Exception):
    """Raised by a reader that needs more bytes than there are."""


@dataclass(frozen=True, slots=True)
class FrameLimits:
    """Sizes of frames, in bytes.

    Args:
        frame: Largest frame that is carried.
        decoded: Largest request that is decoded, to be decided.
    """

    frame: int = 100 * 1024 * 1024
    decoded: int = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RequestHeader:
    """The head of a request.

    Args:
        api: Its API.
        version: The version of the API.
        correlation_id: The number that its response will carry.
        client_id: What the client calls itself; None where it does not say.
        body_start: Where the body begins, from the beginning of the frame's length.
        client_version: The version that the client speaks; None where it is ``version``.
    """

    api: Api
    version: int
    correlation_id: int
    client_id: str | None
    body_start: int
    client_version: int | None = None


class FrameBuffer:
    """Bytes that came in, of which whole frames or the beginnings of frames are taken.

    Args:
        limit: Largest length of a frame, in bytes.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._first: bytes | bytearray = b""
        self._at = 0  # how much of the first piece is taken
        self._more: deque[bytes] = deque()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def feed(self, data: bytes) -> None:
        """Add bytes, of which no copy is made as long as they are taken as they came."""
        if self._size:
            self._more.append(data)
        else:
            self._first, self._at = data, 0
        self._size += len(data)

    def peek_length(self) -> int | None:
        """Return the size of the next frame with its length, in bytes; None while that is not known.

        Raises:
            ProtocolError: It is negative or above the limit.
        """
        if self._size < LENGTH:
            return None
        self._join(LENGTH)
        (length,) = _INT32.unpack_from(self._first, self._at)
        if not 4 <= length <= self._limit:  # a response is a correlation id at the least
            raise ProtocolError(
                f"a frame of {length} bytes: between 4 and {self._limit} are carried; "
                "a length such as 369295616 is TLS sent to a plain port"
            )
        return int(length) + LENGTH

    def peek(self) -> memoryview:
        """Return the first bytes, as many as a head has at most, to be released before others are added."""
        self._join(MAX_HEAD_BYTES + 1)
        return memoryview(self._first)[self._at :]

    def take(self, count: int) -> bytes:
        """Remove and return the first ``count`` bytes, or all where there are fewer."""
        count = min(count, self._size)
        if not self._at and count == len(self._first):
            taken = bytes(self._first)  # the very object where it is bytes
        else:
            self._join(count)
            taken = bytes(memoryview(self._first)[self._at : self._at + count])
        self._at += count
        self._size -= count
        if self._at == len(self._first):
            self._first, self._at = self._more.popleft() if self._more else b"", 0
        return taken

    def _join(self, count: int) -> None:
        """Have the first ``count`` bytes, or all, in one piece; each byte is copied once however many pieces come."""
        if not self._more or len(self._first) - self._at >= count:
            return
        joined = self._first if isinstance(self._first, bytearray) else bytearray(self._first)
        del joined[: self._at]
        self._first, self._at = joined, 0
        while self._more and len(joined) < count:
            joined += self._more.popleft()


def encode_frame(*pieces: Buffer) -> bytes:
    """Return pieces as one frame, with its length before them."""
    return b"".join((_INT32.pack(sum(map(len, pieces))), *pieces))


def peek_head(data: Buffer) -> tuple[RequestHeader, bool] | None:
    """Return the head of the request that ``data`` begins with, and whether a response to it will come.

    Returns:
        None while more bytes are needed.

    Raises:
        ProtocolError: As of `read_head`; or a head that is too long: until it is read, nothing of it goes on.
    """
    try:
        head = read_head(data)
        return head, head.api.name != "Produce" or read_produce_acks(data, head) != 0
    except Incomplete:
        if len(data) > MAX_HEAD_BYTES:
            raise ProtocolError(f"a head of more than {MAX_HEAD_BYTES} bytes") from None
        return None


def read_head(data: Buffer) -> RequestHeader:
    """Return the head of the request whose frame ``data`` begins with.

    Raises:
        Incomplete: More bytes are needed.
        ProtocolError: Its API or version is not carried, or it is no head.
    """
    if len(data) >= LENGTH and _INT32.unpack_from(data)[0] < _HEAD.size - LENGTH:
        raise ProtocolError("a request that is shorter than a head")
    if len(data) < _HEAD.size:
        raise Incomplete
    length, key, version, correlation_id = _HEAD.unpack_from(data)
    api = _require_api(key, version)
    reader = FieldReader(data, _HEAD.size, length + LENGTH)
    client_id = reader.read_text()
    if api.is_flexible(version):
        reader.skip_tags()
    return RequestHeader(api, version, correlation_id, client_id, reader.at)


@lru_cache(maxsize=1024)  # versions are a client's to name
def _require_api(key: int, version: int) -> Api:
    api = APIS.get(key)
    if api is None:
        raise ProtocolError(f"unknown API {key} v{version}")
    if not api.supports_version(version) and api.name != "ApiVersions":  # of which brokers answer any version
        raise ProtocolError(f"{api.name} v{version}: not carried by the gateway")
    return api


def read_produce_acks(data: Buffer, head: RequestHeader) -> int:
    """Return which acknowledgement a Produce request wants: with 0 no response comes.

    Raises:
        Incomplete: More bytes are needed.
        ProtocolError: The request cannot be read so far.
    """
    reader = FieldReader(data, head.body_start, _INT32.unpack_from(data)[0] + LENGTH)
    if head.api.is_flexible(head.version):
        reader.read_compact_text()
    elif head.version >= 3:
        reader.read_text()
    return reader.read_int16()


class FieldReader:
    """Reads the fields at the beginning of a frame.

    Args:
        data: The frame, perhaps not whole.
        at: Where to begin.
        end: Where the frame ends.
    """

    def __init__(self, data: Buffer, at: int, end: int) -> None:
        self.at = at
        self._data = data
        self._end = end

    def _move(self, count: int) -> int:
        before, self.at = self.at, self.at + count
        if count < 0 or self.at > self._end:
            raise ProtocolError("a field that reaches over the end of its frame")
        if self.at > len(self._data):
            raise Incomplete
        return before

    def read_int16(self) -> int:
        return int(_INT16.unpack_from(self._data, self._move(2))[0])

    def read_int32(self) -> int:
        return int(_INT32.unpack_from(self._data, self._move(4))[0])

    def skip(self, count: int) -> None:
        self._move(count)

    def read_varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._data[self._move(1)]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 28:
                raise ProtocolError("a number of more than five bytes")

    def read_text(self) -> str | None:
        count = self.read_int16()
        return None if count < 0 else self._decode_text(count)

    def read_compact_text(self) -> str | None:
        count = self.read_varint()
        return None if count == 0 else self._decode_text(count - 1)

    def skip_tags(self) -> None:
        if (count := self.read_varint()) > _MAX_TAGS:
            raise ProtocolError(f"a head with {count} tagged fields: {_MAX_TAGS} at most, since Kafka has none there")
        for _ in range(count):
            self.read_varint()
            self._move(self.read_varint())

    def _decode_text(self, count: int) -> str:
        start = self._move(count)
        return bytes(self._data[start : self.at]).decode("utf-8", "replace")


def encode_varint(value: int) -> bytes:
    """Return an unsigned number in Kafka's variable length."""
    pieces = bytearray()
    while value >= 0x80:
        pieces.append(value & 0x7F | 0x80)
        value >>= 7
    pieces.append(value)
    return bytes(pieces)
