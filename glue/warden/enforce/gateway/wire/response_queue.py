"""The responses that one client waits for, in the order of its requests."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from warden.enforce.gateway.wire.frames import LENGTH, FrameBuffer, ProtocolError, Raw

__all__ = ["Mend", "ResponseQueue"]

_LARGE: Final = 64 * 1024  # bytes of a response for which room is made

Mend = Callable[[Raw], Raw | None]
"""Makes what the client gets of the broker's frame; None for nothing."""


@dataclass(slots=True)
class _Slot:
    """The place of one response.

    Args:
        correlation_id: The number that it carries.
        mend: Where it is None, the bytes go by as they come.
        ready: What the gateway answers itself, without the broker.
    """

    correlation_id: int
    mend: Mend | None = None
    ready: Raw | None = None


class ResponseQueue:
    """A slot for each request: a response of the gateway's own waits for those before it.

    Args:
        limit: Largest frame, in bytes.
        send: Sends bytes to the client.
    """

    def __init__(self, limit: int, send: Callable[[Raw], None]) -> None:
        self._bytes = FrameBuffer(limit)
        self._send = send
        self._slots: deque[_Slot] = deque()
        self._rest = 0
        self._whole: bytearray | None = None
        self._filled = 0

    @property
    def empty(self) -> bool:
        """Whether no response is owed."""
        return not (self._slots or self._rest)

    def expect(self, correlation_id: int, mend: Mend | None) -> None:
        """Add the place of a response that the broker will send."""
        self._slots.append(_Slot(correlation_id, mend))

    def answer(self, correlation_id: int, raw: Raw) -> None:
        """Add a response of the gateway's own."""
        self._slots.append(_Slot(correlation_id, ready=raw))
        self._release()

    @property
    def receive_buffer(self) -> memoryview | None:
        """Where the broker's next bytes may be put, until `accept_bytes`; None where `feed` takes them."""
        return memoryview(self._whole)[self._filled :] if self._whole is not None else None

    def accept_bytes(self, count: int) -> None:
        """Take so many bytes that are in `receive_buffer` now.

        Raises:
            ProtocolError: As `feed`.
        """
        self._filled += count
        if self._whole is not None and self._filled == len(self._whole):
            raw, self._whole = self._whole, None
            self._forward_response(raw)

    def feed(self, data: bytes) -> None:
        """Take bytes of the broker.

        Raises:
            ProtocolError: They are no response that is waited for; or whatever a ``mend`` raises.
        """
        if (receive_buffer := self.receive_buffer) is not None:
            piece = data[: len(receive_buffer)]
            receive_buffer[: len(piece)] = piece
            self.accept_bytes(len(piece))
            data = data[len(piece) :]
        self._bytes.feed(data)
        while len(self._bytes):
            if not self._rest and not self._begin():
                return
            if self._rest:
                self._go_by()

    def _go_by(self) -> None:
        piece = self._bytes.take(self._rest)
        self._rest -= len(piece)
        self._send(piece)
        if not self._rest:
            self._slots.popleft()
            self._release()

    def _begin(self) -> bool:
        """Begin with the next response, and return False where more bytes are needed."""
        size = self._bytes.peek_length()
        if size is None or len(self._bytes) < LENGTH + 4:
            return False
        if not self._slots:
            raise ProtocolError("a response that nobody waits for")
        slot = self._slots[0]
        with self._bytes.peek() as data:
            if int.from_bytes(data[LENGTH : LENGTH + 4], "big", signed=True) != slot.correlation_id:
                raise ProtocolError("a response out of its order")
        if slot.mend is None:
            self._rest = size
        elif len(self._bytes) < size:
            if size > _LARGE:
                self._begin_whole(size)
            return False
        else:
            self._forward_response(self._bytes.take(size))
        return True

    def _begin_whole(self, size: int) -> None:
        """Make room for a response that is needed whole, so that the rest of it is received in its place."""
        self._whole, self._filled = bytearray(size), len(self._bytes)
        self._whole[: self._filled] = self._bytes.take(self._filled)

    def _forward_response(self, raw: Raw) -> None:
        mend = self._slots.popleft().mend
        mended = mend(raw) if mend is not None else raw
        if mended is not None:
            self._send(mended)
        self._release()

    def _release(self) -> None:
        while self._slots and (ready := self._slots[0].ready) is not None:
            self._send(ready)
            self._slots.popleft()
