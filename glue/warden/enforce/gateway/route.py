"""One of the gateway's ports: the broker that it leads to, and the state that its connections share."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from warden.base.errors import (
    OpaError,
    OpaEvaluationError,
    OpaInputTooLarge,
    OpaOutdated,
    OpaRefused,
    OpaUnauthorized,
    OpaUndefined,
)
from warden.base.telemetry.traces import is_tracing
from warden.base.tls.reloading_context import ReloadingContext
from warden.enforce.gateway.config import ConnectionLimitSettings, GatewayBroker, GatewayCluster
from warden.enforce.gateway.connection.connection_options import ConnectionOptions
from warden.enforce.gateway.decisions.batches import BatchDecisions
from warden.enforce.gateway.decisions.decision_queue import DecisionQueue, Overloaded, ReplicaBehind
from warden.enforce.gateway.guards.ungoverned_changes import UngovernedAction
from warden.enforce.gateway.log.observer import Observer
from warden.enforce.gateway.login.impersonation import ImpersonationServices
from warden.enforce.gateway.login.token_owners import TokenOwners
from warden.enforce.gateway.login.tokens import NoToken
from warden.enforce.gateway.recent_denials import RecentDenials
from warden.enforce.gateway.wire.frames import FrameLimits
from warden.policy.opa.revision_floor import RevisionFileFailure

__all__ = ["Route", "UndecidedAnswer", "index_routes"]

_OF_TIMEOUT: Final = 0.9  # so that the client has its answer before it gives up
_REASONS: Final[Mapping[type[OpaError], str]] = {
    OpaUndefined: "it has no decision for this request",
    OpaOutdated: "its bundle is older than one seen before",
    RevisionFileFailure: "whether its bundle is older than one seen before is not known, see the gateway's log",
    OpaRefused: "it refuses the gateway",
    OpaUnauthorized: "it refuses the gateway",
    OpaInputTooLarge: "the request is too large for it",
    OpaEvaluationError: "it failed while it decided",
    ReplicaBehind: "the replica of the cluster is too far behind, see the replicator",
    Overloaded: "it has too much to decide, try again",
}


@dataclass(frozen=True, slots=True)
class UndecidedAnswer:
    """What a client gets to read where nothing was decided.

    Args:
        message: Why.
        shed: As of `warden.enforce.gateway.decisions.undecided_errors.choose_undecided_error`.
    """

    message: str
    shed: bool


@dataclass(frozen=True, slots=True)
class Route:
    """Where one of the gateway's ports leads.

    Args:
        cluster: The cluster.
        broker: The broker that the port stands for.
        limits: Limits of each connection.
        queue: Where the cluster's requests wait for decisions.
        observer: Reports everything.
        upstream_tls: TLS to the broker; None for none.
        impersonation: Speaks for clients with certificates; None where clients speak for themselves.
        owners: Find the owners of clients' delegation tokens; None where logins by token are refused.
        denials: What the cluster's clients were denied a moment ago and ask for again.
    """

    cluster: GatewayCluster
    broker: GatewayBroker
    limits: ConnectionLimitSettings
    queue: DecisionQueue
    observer: Observer
    upstream_tls: ReloadingContext | None
    impersonation: ImpersonationServices | None
    owners: TokenOwners | None
    denials: RecentDenials

    def build_options(self) -> ConnectionOptions:
        """Return what the configuration says about each connection."""
        cluster = self.cluster
        return ConnectionOptions(
            authentication=cluster.authentication,
            claim=cluster.name_claim,
            may_use_tokens=self.owners is not None,
            limits=FrameLimits(self.limits.frame_bytes, self.limits.decoded_bytes),
            as_kip=cluster.deny_old_versions_as == "UNKNOWN_SERVER_ERROR",
            actions=cast("Mapping[str, UngovernedAction]", cluster.undecided),
            traced=is_tracing(),
        )

    def locate(self, broker: int) -> tuple[str, int]:
        """Return where clients reach a broker, by its id; one that the file lacks is reported."""
        if all(entry.id != broker for entry in self.cluster.brokers):
            self.observer.report_unknown_broker(broker)
        return self.cluster.find_advertised_address(broker)

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
            ssl=self.upstream_tls.get_context() if self.upstream_tls else None,
            server_hostname=host if self.upstream_tls else None,
            local_addr=(source, 0) if source else None,
        )

    async def find_owner(self, token: str, host: str) -> str | None:
        """Return whose a client's delegation token is, by its id; None where that is not known, which the log tells."""
        try:
            async with asyncio.timeout(self.limits.connect_seconds):
                return await self.owners.read_owner(token, self.broker) if self.owners else None
        except (NoToken, TimeoutError) as error:
            reason = str(error) or "the broker is too slow"
            self.observer.report_close("identity", f"the owner of a delegation token is not known: {reason}", host)
            return None

    async def decide(
        self, wanted: Mapping[str, Any], principal: str, host: str, timeout_ms: int | None
    ) -> BatchDecisions | UndecidedAnswer:
        """Return OPA's decisions about a client's request; where it gives none, what the client gets to read.

        Args:
            wanted: The decision inputs.
            principal: The client's.
            host: From where it asks.
            timeout_ms: How long it waits; None where the request does not say.
        """
        kind, _, name = principal.partition(":")
        common = {
            "brokerId": str(self.broker.id),
            "principal": {"type": kind, "name": name, "host": host},
        }
        if (denied := self.denials.find(wanted, common)) is not None:
            return BatchDecisions(denied, remembered=True)
        with self.observer.count_waiting_request():
            try:
                answer = await self.queue.decide(wanted, common, self._compute_patience(timeout_ms))
            except OpaError as error:
                self.observer.report_undecided(error)
                reason = _REASONS.get(type(error), "it cannot be reached")
                message = f"The policy engine did not decide: {reason}. Nothing was changed."
                return UndecidedAnswer(message, isinstance(error, Overloaded))
        self.denials.remember(wanted, common, answer.decisions)
        return answer

    def _compute_patience(self, timeout_ms: int | None) -> float:
        if timeout_ms is None or timeout_ms <= 0:
            return self.limits.wait_seconds
        return timeout_ms / 1000 * _OF_TIMEOUT


def index_routes(cluster: GatewayCluster, routes: Sequence[Route]) -> dict[str, Sequence[Route]]:
    """Return where each name leads that clients may call the gateway by (SNI): a broker, or any."""
    named = {cluster.sni.name(route.broker.id): [route] for route in routes} if cluster.sni else {}
    return {cluster.advertised_host.lower(): routes, **named}
