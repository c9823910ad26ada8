"""A connection of the gateway's own account to a broker, for requests that are no client's."""

import asyncio
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from warden.base.process.closing import AsyncManagedProgram
from warden.base.tls.reloading_context import ReloadingContext
from warden.enforce.gateway.config import Account, GatewayBroker
from warden.enforce.gateway.login.upstream import Credentials, encode_request, log_in, read_response
from warden.enforce.gateway.wire.frames import LENGTH, ProtocolError, RequestHeader

__all__ = ["AccountConnection", "AccountLogin"]

_MAX_RESPONSE_BYTES: Final = 16 * 1024 * 1024


class AccountConnection(AsyncManagedProgram):
    """Asks one broker. An asynchronous context manager, which logs in; its callers limit the time.

    Args:
        account: Who logs in.
        broker: Where.
        tls: TLS to it; None for none.
        source: The address to connect from; None for the system's choice.
    """

    def __init__(self, account: Account, broker: GatewayBroker, tls: ssl.SSLContext | None, source: str | None) -> None:
        self._account = account
        self._broker = broker
        self._tls = tls
        self._source = source
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def _start(self) -> None:
        """Connect and log in.

        Raises:
            OSError: The broker cannot be reached, or ends the connection.
            LoginFailed: It does not take the account's login.
            ConfigurationError: The account's password cannot be read.
        """
        account, (host, port) = self._account, self._broker.host_and_port
        credentials = Credentials(account.username, account.password.read(), account.mechanism)
        self._streams = await asyncio.open_connection(
            host,
            port,
            ssl=self._tls,
            server_hostname=host if self._tls else None,
            local_addr=(self._source, 0) if self._source else None,
        )
        steps = log_in(credentials)
        raw = next(steps)
        with suppress(StopIteration):
            while True:
                raw = steps.send(await self._exchange(*raw))

    async def _stop(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            with suppress(OSError):
                await self._streams[1].wait_closed()

    async def ask(self, name: str, version: int, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a request and return the fields of its response.

        Raises:
            OSError: The broker ends the connection: it may not know this version.
            ProtocolError: What comes is not a response to it.
            Undecodable: As ProtocolError.
        """
        head, raw = encode_request(name, version, 1, fields)
        return read_response(head, await self._exchange(head, raw))

    async def _exchange(self, head: RequestHeader, raw: bytes) -> bytes:
        if self._streams is None:
            raise ConnectionError("the connection is not open")
        reader, writer = self._streams
        writer.write(raw)
        try:
            length = await reader.readexactly(LENGTH)
            count = int.from_bytes(length, "big", signed=True)
            if not LENGTH <= count <= _MAX_RESPONSE_BYTES:
                raise ProtocolError(f"a response of {count} bytes")
            rest = await reader.readexactly(count)
        except asyncio.IncompleteReadError:
            raise ConnectionError("the broker ended the connection") from None
        if int.from_bytes(rest[:LENGTH], "big", signed=True) != head.correlation_id:
            raise ProtocolError("a response out of its order")
        return length + rest


@dataclass(frozen=True)
class AccountLogin:
    """How the account reaches the brokers of a cluster.

    Args:
        account: The gateway's account.
        upstream_tls: TLS to brokers; None for none.
        source: The address to connect from; None for the system's choice.
    """

    account: Account
    upstream_tls: ReloadingContext | None
    source: str | None = None

    def build_connection(self, broker: GatewayBroker) -> AccountConnection:
        """Return a new connection to a broker, with the certificates as they are."""
        tls = self.upstream_tls.get_context() if self.upstream_tls else None
        return AccountConnection(self.account, broker, tls, self.source)
