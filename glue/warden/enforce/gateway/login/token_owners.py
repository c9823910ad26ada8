"""Owners of the delegation tokens that clients log in with (KIP-48): a login shows an id, and not its owner.

Brokers tell owners together with the tokens' secrets: of what they answer nothing but ids and owners is kept.
"""

import asyncio
from collections.abc import Mapping

from warden.base.errors import ConfigurationError
from warden.enforce.gateway.config import GatewayBroker
from warden.enforce.gateway.login.account import AccountLogin
from warden.enforce.gateway.login.tokens import NoToken
from warden.enforce.gateway.wire.codec import Undecodable
from warden.enforce.gateway.wire.frames import ProtocolError

__all__ = ["TokenOwners"]


class TokenOwners:
    """The owners of one cluster's tokens, as far as the gateway's account may see them.

    Args:
        login: As the gateway's account.
    """

    def __init__(self, login: AccountLogin) -> None:
        self._login = login
        self._by_id: Mapping[str, str] = {}
        self._asking = asyncio.Lock()

    async def read_owner(self, token: str, broker: GatewayBroker) -> str:
        """Return the owner of a token, as in ``User:alice``: for good, since a token has one owner all its life.

        Args:
            token: Its id, of a login that the broker has believed: so nobody makes the gateway look up at will.
            broker: That broker, which knows the token therefore.

        Raises:
            NoToken: The account does not see the token, or the broker does not answer it.
        """
        async with self._asking:  # one look-up learns of all tokens
            if token not in self._by_id:
                try:
                    self._by_id = await self._read_owners(broker)
                except (OSError, ProtocolError, Undecodable, ConfigurationError) as error:
                    raise NoToken(58, str(error) or type(error).__name__) from error
            if token not in self._by_id:
                name = self._login.account.username
                raise NoToken(58, f"grant the gateway's account User:{name} DESCRIBE_TOKENS on the user whose it is")
            return self._by_id[token]

    async def _read_owners(self, broker: GatewayBroker) -> dict[str, str]:
        """Return the owners by token of all tokens that the account may see."""
        async with self._login.build_connection(broker) as connection:
            answer = await connection.ask("DescribeDelegationToken", 3, {"owners": None})
        if answer["errorCode"]:
            raise ProtocolError(f"the broker tells of no tokens (error {answer['errorCode']})")
        return {token["tokenId"]: f"{token['principalType']}:{token['principalName']}" for token in answer["tokens"]}
