"""The responses that one client waits for, in the order of its requests."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from warden.gateway.frames import LENGTH, FrameBuffer, ProtocolError

__all__ = ["Mend", "ResponseQueue"]

Mend = Callable[[bytes], bytes | None]
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
    ready: bytes | None = None


class ResponseQueue:
    """A slot for each request: a response of the gateway's own waits for those before it.

    Args:
        limit: Largest frame, in bytes.
        send: Sends bytes to the client.
    """

    def __init__(self, limit: int, send: Callable[[bytes], None]) -> None:
        self._bytes = FrameBuffer(limit)
        self._send = send
        self._slots: deque[_Slot] = deque()
        self._rest = 0

    @property
    def empty(self) -> bool:
        """Whether no response is owed."""
        return not (self._slots or self._rest)

    def expect(self, correlation_id: int, mend: Mend | None) -> None:
        """Add the place of a response that the broker will send."""
        self._slots.append(_Slot(correlation_id, mend))

    def answer(self, correlation_id: int, raw: bytes) -> None:
        """Add a response of the gateway's own."""
        self._slots.append(_Slot(correlation_id, ready=raw))
        self._release()

    def feed(self, data: bytes) -> None:
        """Take bytes of the broker.

        Raises:
            ProtocolError: They are no response that is waited for; or whatever a ``mend`` raises.
        """
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
        size = self._bytes.length()
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
            return False
        else:
            raw = self._bytes.take(size)
            self._slots.popleft()
            mended = slot.mend(raw)
            if mended is not None:
                self._send(mended)
            self._release()
        return True

    def _release(self) -> None:
        while self._slots and (ready := self._slots[0].ready) is not None:
            self._send(ready)
            self._slots.popleft()
