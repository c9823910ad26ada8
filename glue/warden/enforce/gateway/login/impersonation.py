"""Speaks to a broker for one client with a certificate: who it is, what proves it, and when that has to be renewed."""

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from warden.base.tls.principals import NoPrincipal, PrincipalMapper
from warden.base.tls.subjects import Unreadable, format_subject
from warden.enforce.gateway.config import GatewayBroker
from warden.enforce.gateway.login.tokens import ClientTokens, NoToken
from warden.enforce.gateway.login.upstream import Credentials

__all__ = ["Impersonation", "ImpersonationServices"]

_RENEWED: Final = 0.8  # the part of a session after which it is renewed


@dataclass(frozen=True, slots=True)
class ImpersonationServices:
    """What the clients of one cluster are spoken for with.

    Args:
        mapper: Says which principal a certificate is.
        tokens: What proves it.
    """

    mapper: PrincipalMapper
    tokens: ClientTokens


class Impersonation:
    """Of one connection.

    Args:
        services: Of its cluster.
        broker: To which it leads.
        renew: Called when the connection has to log in again.
    """

    def __init__(self, services: ImpersonationServices, broker: GatewayBroker, renew: Callable[[], None]) -> None:
        self._services = services
        self._broker = broker
        self._renew = renew
        self._principal: str | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def obtain_credentials(self, connection: ssl.SSLObject) -> tuple[str, Credentials]:
        """Return the client's principal and what logs in as it.

        Args:
            connection: Over which the client has shown its certificate.

        Raises:
            NoToken: There is none, or the certificate is nobody's.
        """
        if self._principal is None:
            try:
                name = self._services.mapper.map_subject(format_subject(connection.getpeercert(True) or b""))
            except (Unreadable, NoPrincipal) as error:
                raise NoToken(58, str(error)) from error
            self._principal = f"User:{name}"
            self._services.tokens.add_session(self._principal)
        return self._principal, await self._services.tokens.obtain_credentials(self._principal, self._broker)

    def schedule_renewal(self, seconds: float) -> None:
        """Take note of how long a login is good, in seconds."""
        self._stop()
        self._timer = asyncio.get_running_loop().call_later(_RENEWED * seconds, self._renew)

    def drop_token(self) -> None:
        """Take note that a broker does not take the token: the next connection gets another."""
        if self._principal is not None:
            self._services.tokens.drop(self._principal)

    def close(self) -> None:
        """Take note that the connection has ended."""
        self._stop()
        if self._principal is not None:
            self._services.tokens.remove_session(self._principal)
            self._principal = None

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
