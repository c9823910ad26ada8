"""The broker's side of a relayed connection."""

import asyncio
import threading
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from warden.enforce.gateway.connection.relay import Relay

__all__ = ["BrokerSide", "set_reading"]


_SCRATCH: Final = threading.local()
_SIZE: Final = 64 * 1024


class BrokerSide(asyncio.BufferedProtocol):
    """Hands everything to the client's side: what belongs to a large response is received in its place.

    Args:
        relay: The client's side.
    """

    def __init__(self, relay: "Relay") -> None:
        self._relay = relay
        self._in_place = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Be open."""
        self._relay.attach_broker(cast("asyncio.Transport", transport))

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return where the next bytes go."""
        receive_buffer = self._relay.receive_buffer
        self._in_place = receive_buffer is not None
        return receive_buffer if receive_buffer is not None else _get_scratch()

    def buffer_updated(self, nbytes: int) -> None:
        """Hand bytes on."""
        if self._in_place:
            self._relay.accept_broker_bytes(nbytes)
        else:
            self._relay.receive_from_broker(bytes(_get_scratch()[:nbytes]))

    def pause_writing(self) -> None:
        """Have less read of the client."""
        self._relay.set_broker_slow(True)

    def resume_writing(self) -> None:
        """Have more read of it again."""
        self._relay.set_broker_slow(False)

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the client's side."""
        self._relay.close()


def _get_scratch() -> memoryview:
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
