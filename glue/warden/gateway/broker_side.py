"""The broker's side of a relayed connection."""

import asyncio
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from warden.gateway.relay import Relay

__all__ = ["BrokerSide", "set_reading"]


class BrokerSide(asyncio.Protocol):
    """Hands everything to the client's side.

    Args:
        relay: This.
    """

    def __init__(self, relay: "Relay") -> None:
        self._relay = relay

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Be open."""
        self._relay.broker_connected(cast("asyncio.Transport", transport))

    def data_received(self, data: bytes) -> None:
        """Hand bytes on."""
        self._relay.from_broker(data)

    def pause_writing(self) -> None:
        """Have less read of the client."""
        self._relay.broker_slow(True)

    def resume_writing(self) -> None:
        """Have more read of it again."""
        self._relay.broker_slow(False)

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the client's side."""
        self._relay.close()


def set_reading(transport: asyncio.Transport, wanted: bool) -> None:
    """Read from a transport, or no more."""
    if transport.is_closing() or transport.is_reading() == wanted:
        return
    (transport.resume_reading if wanted else transport.pause_reading)()
