"""The sockets of one client's connection: its own, and one to the broker that belongs to it."""

import asyncio
import random
from collections.abc import Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, cast

from warden.base.tls.listener import read_server_name
from warden.enforce.gateway.connection.broker_side import BrokerSide, set_reading
from warden.enforce.gateway.connection.connection import ClientConnection
from warden.enforce.gateway.connection.connection_state import (
    AwaitingDecisions,
    AwaitingTokenOwner,
    Deferred,
    PassingThrough,
)
from warden.enforce.gateway.connection.ordered_executor import OrderedExecutor
from warden.enforce.gateway.connection.output import AuditRecord, Output
from warden.enforce.gateway.log.request_traces import RequestTraces
from warden.enforce.gateway.login.impersonation import Impersonation
from warden.enforce.gateway.login.tokens import NoToken
from warden.enforce.gateway.login.upstream import Credentials, LoginFailed
from warden.enforce.gateway.pending_changes.claims import ConnectionClaims
from warden.enforce.gateway.route import Route, UndecidedAnswer
from warden.enforce.gateway.wire.codec import Undecodable
from warden.enforce.gateway.wire.frames import ProtocolError

__all__ = ["Relay"]


class Relay(asyncio.Protocol):
    """The client's side of a connection, which opens the broker's side.

    Args:
        routes: Where it leads; to any of these.
        relays: The relays that are open; this one is among them for as long as it is.
        names: Where it leads by the name that the client calls the gateway by (SNI); None where all names are one.
    """

    def __init__(
        self, routes: Sequence[Route], relays: "set[Relay]", names: Mapping[str, Sequence[Route]] | None = None
    ) -> None:
        route, self._names = routes[0], names
        self._core = ClientConnection(route.locate, route.build_options())
        self._impersonation: Impersonation | None = None
        self._route, self._relays = route, relays
        self._client: asyncio.Transport | None = None
        self._broker: asyncio.Transport | None = None
        self._host, self._early = "", b""
        self.ended = asyncio.Event()
        self._work: asyncio.Task[None] | None = None
        self._decision_ids: list[tuple[str, str]] = []
        self._claims, self._traces = ConnectionClaims(), RequestTraces(route.cluster.name)
        self._repeated = False  # what is being decided was a moment ago
        self._steps = OrderedExecutor(self._core, self._report, self._settle, self._regulate)
        self._renewal: asyncio.Task[None] | None = None
        self._limit: asyncio.TimerHandle | None = None
        self._reading = (False, True)  # of the client, and of the broker
        self._client_slow = self._broker_slow = self._draining = self._closed = self._turned_away = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connect to the broker; until that is done nothing of the client is read."""
        self._client = cast("asyncio.Transport", transport)
        if self._names is not None:
            routes = self._names[read_server_name(transport.get_extra_info("ssl_object"))]
            self._route = random.choice(routes)  # noqa: S311 - no secret
        if self._route.impersonation is not None:
            self._impersonation = Impersonation(self._route.impersonation, self._route.broker, self._renew)
        peer = transport.get_extra_info("peername")
        self._host = str(peer[0]) if peer else ""
        self._relays.add(self)
        self._route.observer.add_connection()
        self._client.pause_reading()
        self._work = self._start(self._connect())

    def data_received(self, data: bytes) -> None:
        """Take bytes of the client."""
        if self._broker is None and not self._turned_away:  # uvloop may have read some before it pauses
            self._early += data
        else:
            self._steps.run(self._core.receive_from_client, data)

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
        self._route.observer.remove_connection()

    def drain(self) -> None:
        """Take no further requests, and close once those under way are answered."""
        self._draining = True
        self._regulate()

    def close(self) -> None:
        """Close both sides; what is written already still goes out."""
        self._closed = True
        self._steps.close()
        self._claims.close()
        self._traces.close()
        for task in (self._work, self._renewal):
            if task is not None and task is not asyncio.current_task():
                task.cancel()
        if self._limit is not None:
            self._limit.cancel()
        if self._impersonation is not None:
            self._impersonation.close()
        for transport in (self._client, self._broker):
            if transport is not None:
                transport.close()

    def attach_broker(self, transport: asyncio.Transport) -> None:
        """Take the broker's side."""
        self._broker = transport

    def receive_from_broker(self, data: bytes) -> None:
        """Take bytes of the broker."""
        self._steps.run(self._core.receive_from_broker, data)

    def set_broker_slow(self, slow: bool) -> None:
        """Read less, or more again, of the client."""
        self._broker_slow = slow
        self._regulate()

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(self._on_end)
        return task

    def _on_end(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and isinstance(error := task.exception(), Exception):  # the client shall not wait
            self._end(error)

    async def _connect(self) -> None:
        route, speaking = self._route, None
        try:
            async with asyncio.timeout(route.limits.connect_seconds):
                if self._impersonation is not None:
                    speaking = await self._obtain_credentials(self._impersonation)
                await route.connect(lambda: BrokerSide(self))
        except NoToken as error:
            self._turn_away(error.code, str(error))
            return
        except (OSError, TimeoutError) as error:  # ssl.SSLError is an OSError
            where = f"broker {route.broker.id} at {route.broker.address}"
            self._close_with_reason("broker", f"{where} cannot be reached: {str(error) or 'too slow'}")
            return
        self._work = None
        if speaking is not None:
            self._steps.run(self._core.log_in_as, *speaking)
        self._take_early()

    async def _obtain_credentials(self, impersonation: Impersonation) -> tuple[str, Credentials]:
        if self._client is None:
            raise NoToken(58, "the client has gone")
        return await impersonation.obtain_credentials(self._client.get_extra_info("ssl_object"))

    def _turn_away(self, code: int, text: str) -> None:
        """Tell a client as far as its protocol goes that nobody can speak for it; the reason is in the log."""
        self._work, self._turned_away = None, True
        self._steps.run(self._core.refuse, code, text)
        self._take_early()
        if self._client is not None and not self._closed:
            self._client.resume_reading()
            seconds = self._route.limits.connect_seconds
            self._limit = asyncio.get_running_loop().call_later(seconds, self._close_with_reason, "identity", text)

    def _take_early(self) -> None:
        early, self._early = self._early, b""
        self._steps.run(self._core.receive_from_client, early)

    def _renew(self) -> None:
        self._renewal = self._start(self._log_in_again())

    async def _log_in_again(self) -> None:
        if self._impersonation is None:
            return
        try:
            async with asyncio.timeout(self._route.limits.connect_seconds):
                speaking = await self._obtain_credentials(self._impersonation)
        except (NoToken, TimeoutError) as error:
            text = f"the login cannot be renewed: {str(error) or 'too slow'}"
            self._route.observer.report_close("identity", text, self._host)
            self.drain()
            return
        self._steps.run(self._core.log_in_as, *speaking)

    @property
    def receive_buffer(self) -> memoryview | None:
        """Where the broker's next bytes have their place; None where they have none yet."""
        return None if self._steps.busy else self._core.receive_buffer

    def accept_broker_bytes(self, count: int) -> None:
        """Take note that so many bytes of the broker are in `receive_buffer`."""
        self._steps.run(self._core.accept_bytes, count)

    def _report(self, record: AuditRecord) -> None:
        trace = self._traces.report(record, self._decision_ids)
        self._route.observer.report_request(
            record, self._host, self._decision_ids, logs=not self._repeated, trace_id=trace
        )
        self._decision_ids, self._repeated = [], False

    def _settle(self, output: Output, error: Exception | None) -> None:
        """Send what leaves the core, and do what it waits for."""
        if self._closed:
            return
        for settlement in output.settlements:  # before the client can know of it, and ask for more
            self._claims.settle(settlement)
            self._traces.settle(settlement)
        for change, principal in output.ungoverned:
            self._route.observer.report_ungoverned_change(change, principal, self._host)
        self._send(output)
        if error is not None:
            self._end(error)
            return
        if self._impersonation is not None and (seconds := self._core.take_session_seconds()):
            self._impersonation.schedule_renewal(seconds)
            self._route.observer.record_impersonation()
        match self._core.state:
            case Deferred():
                self._steps.run_later(self._core.handle_deferred)
            case AwaitingDecisions() as state if self._work is None:
                self._work = self._start(self._decide(state))
            case AwaitingTokenOwner(token_id) if self._work is None:
                self._work = self._start(self._resolve_token_owner(token_id))
        self._regulate()

    def _end(self, error: Exception) -> None:
        if isinstance(error, ProtocolError | Undecodable):
            if isinstance(error, LoginFailed) and self._impersonation is not None:
                self._impersonation.drop_token()
            login = self._turned_away or isinstance(error, LoginFailed)
            self._close_with_reason("identity" if login else "protocol", str(error))
        else:  # a defect of ours: nothing more of this client may go on
            self._route.observer.report_defect(self._host, error)
            self.close()

    def _send(self, output: Output) -> None:
        if output.to_broker and self._broker is not None:
            self._broker.writelines(output.to_broker)
            self._route.observer.record_bytes("to_broker", sum(map(len, output.to_broker)))
        if output.to_client and self._client is not None:
            self._client.writelines(output.to_client)
            self._route.observer.record_bytes("to_client", sum(map(len, output.to_client)))

    async def _resolve_token_owner(self, token: str) -> None:
        principal = await self._route.find_owner(token, self._host)
        self._work = None
        self._steps.run(self._core.set_token_owner, principal)
        if principal is None:
            self.close()

    async def _decide(self, state: AwaitingDecisions) -> None:
        timeout_ms = state.evaluation.parsed.request.get("timeoutMs")
        self._claims.release(state.evaluation, state.inputs)
        principal = self._core.principal or ""
        span = self._traces.begin(state, principal, self._host)
        with span.use():
            answer = await self._route.decide(state.inputs, principal, self._host, timeout_ms)
        self._work = None
        if isinstance(answer, UndecidedAnswer):
            span.fail("undecided")
            self._steps.run(partial(self._core.deny_pending, shed=answer.shed), answer.message)
            return
        self._decision_ids += answer.decision_ids
        self._repeated = answer.remembered
        self._claims.add(state.evaluation, answer.claim)
        self._steps.run(self._core.apply_decisions, answer.decisions)

    def _regulate(self) -> None:
        if self._closed or self._client is None or self._broker is None:
            return
        aside, stopping = self._steps.in_thread, False
        if self._draining and not aside:
            if self._core.idle:
                self.close()
                return
            stopping = not isinstance(self._core.state, PassingThrough)
        waiting = aside or self._core.is_waiting or self._client_slow or self._broker_slow or stopping
        wanted = (not waiting, not (aside or self._client_slow))
        if wanted != self._reading:
            self._reading = wanted
            set_reading(self._client, wanted[0])
            set_reading(self._broker, wanted[1])

    def _close_with_reason(self, reason: str, text: str) -> None:
        self._route.observer.report_close(reason, text, self._host)
        self.close()
