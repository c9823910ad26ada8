"""Delegation tokens in the names of clients with certificates (KIP-48, KIP-373): one for each principal.

A token is a password: nothing here logs one, nor shows it in a text. The gateway's own account makes them and does
nothing else, and a token that is not owned by the very principal is thrown away.
"""

import asyncio
import base64
import time
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from warden.base.errors import ConfigurationError
from warden.enforce.gateway.config import GatewayBroker
from warden.enforce.gateway.login.account import AccountConnection, AccountLogin
from warden.enforce.gateway.login.upstream import Credentials, LoginFailed
from warden.enforce.gateway.wire.codec import Undecodable
from warden.enforce.gateway.wire.frames import ProtocolError

__all__ = ["ClientTokens", "NoToken"]

_INTERVAL: Final = 0.05  # seconds between looks whether a broker knows a token
_PATIENCE: Final = 10.0  # seconds that making a token may take
_FAREWELL: Final = 2.0  # seconds that expiring one may take
_SPENT: Final = 0.7  # the part of a token's life after which the next login gets another
_LINGER: Final = 60.0  # seconds that a token is kept for a principal without connections
_MESSAGES: Final = {
    35: "the brokers make no tokens for others: the gateway needs Kafka 3.3 at least (KIP-373)",
    61: "the brokers have no delegation tokens: set delegation.token.secret.key on every broker and controller",
    65: "the gateway's account may not make tokens for {principal}: grant it CREATE_TOKENS on the user {principal}",
}


class NoToken(Exception):
    """Raised where a client cannot be spoken for; the text says what to configure.

    Args:
        code: The error that its client gets.
        message: For the log; no secret is in it.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(slots=True, eq=False)
class _Token:
    """A token.

    Args:
        id: Its id.
        hmac: Its secret.
        until: When it is spent, by this machine's monotonic clock.
        known: Brokers that have it.
        broker: The broker that made it.
    """

    id: str
    hmac: bytes = field(repr=False)
    until: float
    known: set[int]
    broker: GatewayBroker


class ClientTokens:
    """The tokens of one cluster.

    Args:
        login: As the gateway's account.
    """

    def __init__(self, login: AccountLogin) -> None:
        self._login = login
        self._made: dict[str, asyncio.Task[_Token]] = {}
        self._sessions: dict[str, int] = {}
        self._live: set[_Token] = set()
        self._ending: set[asyncio.Task[None]] = set()

    async def obtain_credentials(self, principal: str, broker: GatewayBroker) -> Credentials:
        """Return what logs in as a principal at a broker.

        Args:
            principal: As in ``User:alice``.
            broker: The broker, which knows the token by then.

        Raises:
            NoToken: There is none.
        """
        try:
            token = await asyncio.shield(self._obtain_token(principal, broker))
            if broker.id not in token.known:
                async with self._login.build_connection(broker) as connection:
                    await _wait(connection, principal, token)
                token.known.add(broker.id)
        except (OSError, ProtocolError, Undecodable, ConfigurationError) as error:
            raise _build_refusal(principal, error) from error
        secret = base64.b64encode(token.hmac).decode()
        return Credentials(token.id, secret, self._login.account.mechanism, is_token=True)

    def add_session(self, principal: str) -> None:
        """Count a connection of a principal."""
        self._sessions[principal] = self._sessions.get(principal, 0) + 1

    def remove_session(self, principal: str) -> None:
        """Count the end of one; after the last its token is expired, once nothing has come for a while."""
        self._sessions[principal] -= 1
        if not self._sessions[principal]:
            del self._sessions[principal]
            asyncio.get_running_loop().call_later(_LINGER, self._forget, principal)

    def drop(self, principal: str) -> None:
        """Forget a token that a broker does not take: its owner may have expired it."""
        if (made := self._made.get(principal)) is not None and made.done():
            del self._made[principal]

    async def close(self) -> None:
        """Expire all tokens, as far as brokers can be reached."""
        for made in self._made.values():
            made.cancel()
        self._made.clear()
        await asyncio.gather(*self._ending, *(self._expire(token) for token in tuple(self._live)))

    def _obtain_token(self, principal: str, broker: GatewayBroker) -> Awaitable[_Token]:
        made = self._made.get(principal)
        if made is None or _is_useless(made):
            if made is not None and not made.cancelled() and made.exception() is None:
                asyncio.get_running_loop().call_later(_LINGER, self._let_go, made.result())
            made = self._made[principal] = asyncio.get_running_loop().create_task(self._make(principal, broker))
        return made

    async def _make(self, principal: str, broker: GatewayBroker) -> _Token:
        kind, _, name = principal.partition(":")
        fields = {
            "ownerPrincipalType": kind,
            "ownerPrincipalName": name,
            "renewers": [{"principalType": "User", "principalName": self._login.account.username}],
            "maxLifetimeMs": int(self._login.account.token_seconds * 1000),
        }
        async with asyncio.timeout(_PATIENCE), self._login.build_connection(broker) as connection:
            began = time.monotonic()
            answer = await connection.ask("CreateDelegationToken", 3, fields)
            if answer["errorCode"]:
                raise LoginFailed(answer["errorCode"], _describe_token_refusal(answer["errorCode"], principal))
            life = (answer["expiryTimestampMs"] - answer["issueTimestampMs"]) / 1000
            token = _Token(answer["tokenId"], bytes(answer["hmac"]), began + _SPENT * life, {broker.id}, broker)
            self._live.add(token)
            if (answer["principalType"], answer["principalName"]) != (kind, name):
                await self._expire(token)
                raise LoginFailed(35, _MESSAGES[35])
            await _wait(connection, principal, token)
        return token

    def _forget(self, principal: str) -> None:
        if principal not in self._sessions and (made := self._made.get(principal)) is not None and made.done():
            del self._made[principal]
            if not made.cancelled() and made.exception() is None:
                self._let_go(made.result())

    def _let_go(self, token: _Token) -> None:
        if token in self._live:
            task = asyncio.get_running_loop().create_task(self._expire(token))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _expire(self, token: _Token) -> None:
        """Have a broker forget a token; where it does not, the token ends by itself."""
        self._live.discard(token)
        with suppress(OSError, ProtocolError, Undecodable, ConfigurationError, TimeoutError):
            async with asyncio.timeout(_FAREWELL), self._login.build_connection(token.broker) as connection:
                await connection.ask("ExpireDelegationToken", 2, {"hmac": token.hmac, "expiryTimePeriodMs": -1})


async def _wait(connection: AccountConnection, principal: str, token: _Token) -> None:
    """Return once the broker knows a token: it takes logins with one that it does not know for wrong passwords."""
    kind, _, name = principal.partition(":")
    while True:
        owners = [{"principalType": kind, "principalName": name}]
        answer = await connection.ask("DescribeDelegationToken", 3, {"owners": owners})
        if answer["errorCode"]:
            raise LoginFailed(answer["errorCode"], _describe_token_refusal(answer["errorCode"], principal))
        if any(listed["tokenId"] == token.id for listed in answer["tokens"]):
            return
        await asyncio.sleep(_INTERVAL)


def _is_useless(made: "asyncio.Task[_Token]") -> bool:
    if not made.done():
        return False
    return made.cancelled() or made.exception() is not None or time.monotonic() > made.result().until


def _describe_token_refusal(code: int, principal: str) -> str:
    return _MESSAGES.get(code, "the broker refuses to make a token for {principal} (error {code})").format(
        principal=principal, code=code
    )


def _build_refusal(principal: str, error: Exception) -> NoToken:
    code = error.code if isinstance(error, LoginFailed) else 58
    return NoToken(code, f"{principal} cannot be spoken for: {str(error) or type(error).__name__}")
