"""The sockets of one client's connection: its own, and one to the broker that belongs to it."""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from warden.errors import OpaError, OpaEvaluationError, OpaRefused, OpaUndefined
from warden.gateway.codec import Undecodable
from warden.gateway.config import Broker, GatewayCluster, LimitSettings
from warden.gateway.connection import Connection
from warden.gateway.decider import Decider
from warden.gateway.frames import Limits, ProtocolError
from warden.gateway.observer import Observer

__all__ = ["Relay", "Route"]

_REASONS: Final[Mapping[type[OpaError], str]] = {
    OpaUndefined: "it has no decision for this request",
    OpaRefused: "it refuses the gateway",
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
    """

    cluster: GatewayCluster
    broker: Broker
    limits: LimitSettings
    decider: Decider
    observer: Observer
    upstream_tls: ssl.SSLContext | None


class Relay(asyncio.Protocol):
    """The client's side of a connection, which opens the broker's side.

    Args:
        route: Where it leads.
        relays: The relays that are open; this one is among them for as long as it is.
    """

    def __init__(self, route: Route, relays: "set[Relay]") -> None:
        limits = Limits(route.limits.frame_bytes, route.limits.decoded_bytes)
        cluster = route.cluster
        self._core = Connection(
            cluster.advertised, sasl=cluster.authentication == "sasl", claim=cluster.name_claim, limits=limits
        )
        self._route = route
        self._relays = relays
        self._client: asyncio.Transport | None = None
        self._broker: asyncio.Transport | None = None
        self._host = ""
        self._early = b""
        self.ended = asyncio.Event()
        self._work: asyncio.Task[None] | None = None
        self._decision_ids: list[str] = []
        self._client_slow = self._broker_slow = self._draining = self._closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connect to the broker; until that is done nothing of the client is read."""
        self._client = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self._host = str(peer[0]) if peer else ""
        self._relays.add(self)
        self._route.observer.opened()
        self._client.pause_reading()
        self._work = asyncio.get_running_loop().create_task(self._connect())

    def data_received(self, data: bytes) -> None:
        """Take bytes of the client."""
        if self._broker is None:  # uvloop may have read some before it pauses
            self._early += data
        else:
            self._step(self._core.from_client, data)

    def pause_writing(self) -> None:
        """Read less: the client is slow."""
        self._client_slow = True
        self._regulate()

    def resume_writing(self) -> None:
        """Read again."""
        self._client_slow = False
        self._regulate()

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the broker's side: what it has not answered is nobody's any more."""
        self.close()
        self._relays.discard(self)
        self.ended.set()
        self._route.observer.ended()

    def drain(self) -> None:
        """Take no further requests, and close once those under way are answered."""
        self._draining = True
        self._regulate()

    def close(self) -> None:
        """Close both sides; what is written already still goes out."""
        self._closed = True
        if self._work is not None and self._work is not asyncio.current_task():
            self._work.cancel()
        for transport in (self._client, self._broker):
            if transport is not None:
                transport.close()

    def broker_connected(self, transport: asyncio.Transport) -> None:
        """Take the broker's side."""
        self._broker = transport

    def from_broker(self, data: bytes) -> None:
        """Take bytes of the broker."""
        self._step(self._core.from_broker, data)

    def broker_slow(self, slow: bool) -> None:
        """Read less, or more again, of the client."""
        self._broker_slow = slow
        self._regulate()

    async def _connect(self) -> None:
        host, port = self._route.broker.host_and_port
        context, source = self._route.upstream_tls, self._route.cluster.local_address
        try:
            async with asyncio.timeout(self._route.limits.connect_seconds):
                await asyncio.get_running_loop().create_connection(
                    lambda: _BrokerSide(self),
                    host,
                    port,
                    ssl=context,
                    server_hostname=host if context else None,
                    local_addr=(source, 0) if source else None,
                )
        except (OSError, TimeoutError) as error:  # ssl.SSLError is an OSError
            text = f"broker {self._route.broker.id} at {host}:{port} cannot be reached: {str(error) or 'too slow'}"
            self._refuse("broker", text)
            return
        self._work = None
        early, self._early = self._early, b""
        self._step(self._core.from_client, early)

    def _step(self, take: Callable[..., None], *arguments: Any) -> None:
        if self._closed:
            return
        try:
            take(*arguments)
        except (ProtocolError, Undecodable) as error:
            self._flush()
            self._refuse("protocol", str(error))
            return
        except Exception:  # a defect of ours: nothing more of this client may go on
            self._route.observer.failed(self._host)
            self.close()
            return
        self._flush()
        if self._core.wanted and self._core.held and self._work is None:
            self._work = asyncio.get_running_loop().create_task(self._decide())
        self._regulate()

    def _flush(self) -> None:
        output, observer = self._core.output(), self._route.observer
        for outcome in output.outcomes:
            observer.decided(outcome, self._host, self._decision_ids)
            self._decision_ids = []
        for transport, pieces, direction in (
            (self._broker, output.to_broker, "to_broker"),
            (self._client, output.to_client, "to_client"),
        ):
            if pieces and transport is not None:
                transport.writelines(pieces)
                observer.carried(direction, sum(map(len, pieces)))

    async def _decide(self) -> None:
        kind, _, name = (self._core.principal or "").partition(":")
        common = {
            "cluster": self._route.cluster.name,
            "enforcementPoint": "gateway",
            "principal": {"type": kind, "name": name, "host": self._host},
        }
        loop = asyncio.get_running_loop()
        began, failure = loop.time(), None
        try:
            answer = await self._route.decider.decide(self._core.wanted, common)
        except OpaError as error:
            failure = error
        except Exception:  # a defect of ours: the client shall not wait for ever
            self._route.observer.failed(self._host)
            self.close()
            return
        self._route.observer.answered(loop.time() - began, failure)
        self._work = None
        if failure is not None:
            reason = _REASONS.get(type(failure), "it cannot be reached, or is too slow")
            self._step(self._core.undecided, f"The policy engine did not decide: {reason}. Nothing was changed.")
            return
        if answer.decision_id is not None:
            self._decision_ids.append(answer.decision_id)
        self._step(self._core.decided, answer.decisions)

    def _regulate(self) -> None:
        if self._closed or self._client is None or self._broker is None:
            return
        if self._draining and self._core.idle:
            self.close()
            return
        stopping = self._draining and not self._core.mid_request
        _read(self._client, not (self._core.held or self._client_slow or self._broker_slow or stopping))
        _read(self._broker, not self._client_slow)

    def _refuse(self, reason: str, text: str) -> None:
        self._route.observer.closed(reason, text, self._host)
        self.close()


class _BrokerSide(asyncio.Protocol):
    """The broker's side of a connection."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._relay.broker_connected(cast("asyncio.Transport", transport))

    def data_received(self, data: bytes) -> None:
        self._relay.from_broker(data)

    def pause_writing(self) -> None:
        self._relay.broker_slow(True)

    def resume_writing(self) -> None:
        self._relay.broker_slow(False)

    def connection_lost(self, exc: Exception | None) -> None:
        self._relay.close()


def _read(transport: asyncio.Transport, wanted: bool) -> None:
    if transport.is_closing() or transport.is_reading() == wanted:
        return
    (transport.resume_reading if wanted else transport.pause_reading)()
