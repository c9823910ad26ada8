"""Where one of the gateway's ports leads, and what its connections share."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from warden.errors import OpaError, OpaEvaluationError, OpaInputTooLarge, OpaRefused, OpaUndefined
from warden.gateway.config import Broker, GatewayCluster, LimitSettings
from warden.gateway.decider import Answer, Decider
from warden.gateway.observer import Observer
from warden.gateway.speaker import Speakers
from warden.gateway.token_owners import TokenOwners
from warden.gateway.tokens import NoToken
from warden.tls.followed_context import FollowedContext

__all__ = ["Route", "routes_by_name"]

_REASONS: Final[Mapping[type[OpaError], str]] = {
    OpaUndefined: "it has no decision for this request",
    OpaRefused: "it refuses the gateway",
    OpaInputTooLarge: "the request is too large for it",
    OpaEvaluationError: "it failed while it decided",
}


@dataclass(frozen=True, slots=True)
class Route:
    """Where one of the gateway's ports leads.

    Args:
        cluster: The cluster.
        broker: The broker that the port stands for.
        limits: Limits of each connection.
        decider: Asks OPA.
        observer: Reports everything.
        upstream_tls: TLS to the broker; None for none.
        speakers: Speak for clients with certificates; None where clients speak for themselves.
        owners: Find the owners of clients' delegation tokens; None where logins by token are refused.
    """

    cluster: GatewayCluster
    broker: Broker
    limits: LimitSettings
    decider: Decider
    observer: Observer
    upstream_tls: FollowedContext | None
    speakers: Speakers | None
    owners: TokenOwners | None

    async def connect(self, side: Callable[[], asyncio.BaseProtocol]) -> None:
        """Connect to the broker.

        Args:
            side: Makes what takes the broker's bytes.

        Raises:
            OSError: It cannot be reached.
        """
        host, port = self.broker.host_and_port
        source = self.cluster.local_address
        await asyncio.get_running_loop().create_connection(
            side,
            host,
            port,
            ssl=self.upstream_tls.current() if self.upstream_tls else None,
            server_hostname=host if self.upstream_tls else None,
            local_addr=(source, 0) if source else None,
        )

    async def owner(self, token: str, host: str) -> str | None:
        """Return whose a client's delegation token is, by its id; None where that is not known, which the log tells."""
        try:
            async with asyncio.timeout(self.limits.connect_seconds):
                return await self.owners.owner(token, self.broker) if self.owners else None
        except (NoToken, TimeoutError) as error:
            reason = str(error) or "the broker is too slow"
            self.observer.closed("identity", f"the owner of a delegation token is not known: {reason}", host)
            return None

    async def decide(self, wanted: Mapping[str, Any], principal: str, host: str) -> Answer | str:
        """Return OPA's decisions about a client's request; where it gives none, what the client gets to read."""
        kind, _, name = principal.partition(":")
        common = {
            "cluster": self.cluster.name,
            "enforcementPoint": "gateway",
            "principal": {"type": kind, "name": name, "host": host},
        }
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            answer = await self.decider.decide(wanted, common)
        except OpaError as error:
            self.observer.answered(loop.time() - began, error)
            reason = _REASONS.get(type(error), "it cannot be reached, or is too slow")
            return f"The policy engine did not decide: {reason}. Nothing was changed."
        self.observer.answered(loop.time() - began, None)
        return answer


def routes_by_name(cluster: GatewayCluster, routes: Sequence[Route]) -> dict[str, Sequence[Route]]:
    """Return where each name leads that clients may call the gateway by (SNI): a broker, or any."""
    named = {cluster.sni.name(route.broker.id): [route] for route in routes} if cluster.sni else {}
    return {cluster.advertised_host.lower(): routes, **named}
