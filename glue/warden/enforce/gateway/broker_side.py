"""The broker's side of a relayed connection."""

import asyncio
import threading
from typing import Final, Protocol, cast

__all__ = ["BrokerSide", "ClientSide", "set_reading"]


_SCRATCH: Final = threading.local()
_SIZE: Final = 64 * 1024


class ClientSide(Protocol):
    """What the broker's side of a connection needs of the client's."""

    def attach_broker(self, transport: asyncio.Transport) -> None:
        """Take the broker's side, which is open."""

    def room(self) -> memoryview | None:
        """Return where the broker's next bytes have their place; None where they have none yet."""

    def commit_broker_bytes(self, count: int) -> None:
        """Take note that so many bytes of the broker are in `room`."""

    def from_broker(self, data: bytes) -> None:
        """Take bytes of the broker."""

    def broker_slow(self, slow: bool) -> None:
        """Read less, or more again, of the client."""

    def close(self) -> None:
        """Close both sides."""


class BrokerSide(asyncio.BufferedProtocol):
    """Hands everything to the client's side: what belongs to a large response is received in its place.

    Args:
        relay: The client's side.
    """

    def __init__(self, relay: ClientSide) -> None:
        self._relay = relay
        self._in_place = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Be open."""
        self._relay.attach_broker(cast("asyncio.Transport", transport))

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return where the next bytes go."""
        room = self._relay.room()
        self._in_place = room is not None
        return room if room is not None else _scratch()

    def buffer_updated(self, nbytes: int) -> None:
        """Hand bytes on."""
        if self._in_place:
            self._relay.commit_broker_bytes(nbytes)
        else:
            self._relay.from_broker(bytes(_scratch()[:nbytes]))

    def pause_writing(self) -> None:
        """Have less read of the client."""
        self._relay.broker_slow(True)

    def resume_writing(self) -> None:
        """Have more read of it again."""
        self._relay.broker_slow(False)

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the client's side."""
        self._relay.close()


def _scratch() -> memoryview:
    """One place for all connections of a loop: bytes are copied from it before it gets others."""
    if not hasattr(_SCRATCH, "view"):
        _SCRATCH.view = memoryview(bytearray(_SIZE))
    view: memoryview = _SCRATCH.view
    return view


def set_reading(transport: asyncio.Transport, wanted: bool) -> None:
    """Read from a transport, or no more."""
    if transport.is_closing() or transport.is_reading() == wanted:
        return
    (transport.resume_reading if wanted else transport.pause_reading)()
