"""One client's connection without its sockets: bytes in; bytes to the client, bytes to the broker, what it waits for.

Every request has a slot in a queue, which is its place among the responses: one that the gateway answers itself waits
for those before it. Nothing more of the client is read while the connection waits, so that requests reach the broker in
their order; `connection_state` has what it can wait for.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from warden.enforce.gateway.connection import connection_state as states
from warden.enforce.gateway.connection.connection_options import ConnectionOptions
from warden.enforce.gateway.connection.output import AuditRecord, Output
from warden.enforce.gateway.connection.passthrough import SASL, build_response_rewrite
from warden.enforce.gateway.connection.request_preview import peek_request
from warden.enforce.gateway.decisions.decided_request import DecidedRequest
from warden.enforce.gateway.decisions.undecided_errors import choose_undecided_error
from warden.enforce.gateway.guards import guarded_request, metadata
from warden.enforce.gateway.guards.guard_registry import RequestGuard, find_guard
from warden.enforce.gateway.guards.ungoverned_changes import UngovernedChange
from warden.enforce.gateway.login.logins import ANONYMOUS, LoginFlow
from warden.enforce.gateway.login.upstream import Credentials
from warden.enforce.gateway.pending_changes.settlements import Settlement
from warden.enforce.gateway.wire import old_metadata
from warden.enforce.gateway.wire.addresses import HostPort
from warden.enforce.gateway.wire.frames import LENGTH, FrameBuffer, ProtocolError, Raw, RequestHeader
from warden.enforce.gateway.wire.response_queue import Mend, ResponseQueue
from warden.enforce.gateway.wire.responses import encode_versions_refusal
from warden.policy.adapter.evaluation import Evaluation

__all__ = ["ClientConnection"]

_BEFORE_LOGIN: Final = frozenset({"ApiVersions", "SaslHandshake", "SaslAuthenticate"})
_LOGIN_BYTES: Final = 512 * 1024  # of what anybody may send: brokers' sasl.server.max.receive.size (CVE-2022-34917)
_LARGE: Final = 8192  # bytes of a request that takes some milliseconds to decode
_Finish = Callable[[Evaluation], None]


class ClientConnection:
    """The state of one client's connection and of the broker's connection that belongs to it.

    A request that is decoded and is large is `Deferred` first, and while it is `large` each call may take long.
    Whoever calls a method that takes bytes or decisions then takes `output`, does what `state` waits for, and reads no
    more of the client while the connection `is_waiting`. Each of them raises `ProtocolError` or `Undecodable` for what
    cannot be carried: then both connections have to be closed.

    Args:
        locate: Returns where clients reach a broker, by its id.
        options: What its cluster's configuration says.
    """

    def __init__(self, locate: Callable[[int], HostPort], options: ConnectionOptions | None = None) -> None:
        self._options = options or ConnectionOptions()
        self._locate = locate
        self._identity = LoginFlow(self._options.authentication, self._options.claim, self._options.may_use_tokens)
        self._refusal: tuple[int, str] | None = None
        self._limits = self._options.limits
        self._requests, self._needed = FrameBuffer(self._limits.frame), 1
        self._responses = ResponseQueue(self._limits.frame, self._send)
        self._output = Output()
        self.state: states.ConnectionState = states.Idle()
        self.large = False

    @property
    def principal(self) -> str | None:
        """Whose connection it is, as Kafka writes it; None before the login has succeeded."""
        return self._identity.principal

    @property
    def is_waiting(self) -> bool:
        """Whether nothing more of the client may be read."""
        return not isinstance(self.state, states.Idle | states.PassingThrough)

    @property
    def pending_inputs(self) -> Mapping[str, Mapping[str, Any]]:
        """The decision inputs of the items that are to be decided, by key; none where nothing is."""
        return self.state.inputs if isinstance(self.state, states.AwaitingDecisions) else {}

    def set_token_owner(self, principal: str | None) -> None:
        """Take the owner of the client's token; None where it cannot be known: then the client's login has failed."""
        self.state = states.Idle()
        self._answer(*self._identity.set_token_owner(principal))
        self._read_requests()

    def take_session_seconds(self) -> float:
        """Return for how many seconds the last login of `log_in_as` is good, once; 0 where there is no new one."""
        seconds, self._identity.session_seconds = self._identity.session_seconds, 0.0
        return seconds

    @property
    def idle(self) -> bool:
        """Whether nothing is under way: no request half sent, no response owed, nothing waited for."""
        return self._responses.empty and isinstance(self.state, states.Idle)

    def log_in_as(self, principal: str, credentials: Credentials) -> None:
        """Log in at the broker in the client's name: before its first request, and again between two of them."""
        self._identity.schedule_login(principal, credentials)
        self._read_requests()

    def refuse(self, code: int, text: str) -> None:
        """Answer the client's first request with an error, if that is ApiVersions, as all clients do; then fail."""
        self._refusal = (code, text)
        self._read_requests()

    def receive_from_client(self, data: bytes) -> None:
        """Take bytes of the client."""
        self._requests.feed(data)
        self._read_requests()

    def receive_from_broker(self, data: bytes) -> None:
        """Take bytes of the broker."""
        self._responses.feed(data)
        self._read_requests()

    @property
    def receive_buffer(self) -> memoryview | None:
        """Where the broker's next bytes may be put, until `accept_bytes`; None for `receive_from_broker`."""
        return self._responses.receive_buffer

    def accept_bytes(self, count: int) -> None:
        """Take so many bytes that are in `receive_buffer` now."""
        self._responses.accept_bytes(count)
        self._read_requests()

    def apply_decisions(self, decisions: Mapping[str, Mapping[str, Any]]) -> None:
        """Take the decisions about `pending_inputs`, by key; what has none is not allowed."""
        inputs = self.pending_inputs
        self._resume(lambda evaluation: evaluation.add_decisions(inputs, decisions))

    def deny_pending(self, message: str, *, shed: bool = False) -> None:
        """Deny what waits for decisions, because nothing can be decided now; the message goes to the client.

        Args:
            message: Why.
            shed: As of `warden.enforce.gateway.decisions.undecided_errors.choose_undecided_error`.
        """
        if isinstance(self.state, states.AwaitingDecisions):
            error = choose_undecided_error(self.state.head, shed=shed)
            self._resume(lambda evaluation: evaluation.deny_remaining(*error, message))

    def handle_deferred(self) -> None:
        """Take the request that is `Deferred`."""
        if isinstance(self.state, states.Deferred):
            (head, raw), self.state = (self.state.head, self.state.raw), states.Idle()
            self._handle_request(head, raw)
            self._read_requests()

    def take_output(self) -> Output:
        """Return what has to leave, and forget it."""
        self.large = self.large and not self.idle
        output, self._output = self._output, Output()
        return output

    def _send(self, raw: Raw) -> None:
        self._output.to_client.append(raw)

    def _resume(self, settle: Callable[[Evaluation], None]) -> None:
        if not isinstance(state := self.state, states.AwaitingDecisions):
            raise ProtocolError("a decision arrived while no request waits for one")
        settle(state.evaluation)
        self._go_on(state.head, state.evaluation, state.finish)
        self._read_requests()

    def _log_in_upstream(self) -> None:
        if self._identity.is_login_due and isinstance(self.state, states.Idle):
            self.state = states.AwaitingBroker()
            head, raw = self._identity.begin_login()
            self._forward(head, raw, self._on_broker_login)

    def _on_broker_login(self, answer: Raw) -> None:
        step = self._identity.advance_login(answer)
        if step is None:
            self.state = states.Idle()
        else:
            self._forward(*step, self._on_broker_login)

    def _read_requests(self) -> None:
        self._log_in_upstream()
        while not self.is_waiting and len(self._requests) >= self._needed:
            if isinstance(self.state, states.PassingThrough):
                self._pass_through(self.state.remaining)
                self._log_in_upstream()
                continue
            size = self._requests.peek_length()
            self._needed = LENGTH if size is None else self._begin_request(size)

    def _begin_request(self, size: int) -> int:
        """Begin with the next request, and return how many bytes there have to be before the next look."""
        with self._requests.peek() as data:
            look = peek_request(data, self._options.actions)
        if look is None:  # twice as many, so that all looks together take no longer than the request is long
            return min(size, 2 * len(self._requests))
        head = look.head
        self._check(head)
        most = min(self._limits.decoded, _LOGIN_BYTES) if head.api.name in _BEFORE_LOGIN else self._limits.decoded
        if look.passes and not look.is_refused:
            self._report_ungoverned(look.change)
            self.state = states.PassingThrough(size)
            if look.answered:
                self._responses.expect(head.correlation_id, build_response_rewrite(head, self._locate))
        elif size > most:
            raise ProtocolError(f"{head.api.name} of {size} bytes: {most} at most: send less at once")
        elif len(self._requests) < size:
            return size
        elif look.is_refused:
            self._report_ungoverned(look.change)
            self._requests.take(size)
            self._answer(head, look.encode_refusal())
        elif size > _LARGE:
            self.state, self.large = states.Deferred(head, self._requests.take(size)), True
        else:
            self._handle_request(head, self._requests.take(size))
        return 1

    def _pass_through(self, remaining: int) -> None:
        piece = self._requests.take(remaining)
        self._output.to_broker.append(piece)
        self.state = states.PassingThrough(remaining - len(piece)) if len(piece) < remaining else states.Idle()

    def _check(self, head: RequestHeader) -> None:
        if self._refusal is not None:
            if head.api.name == "ApiVersions":
                self._answer(head, encode_versions_refusal(head, self._refusal[0]))
            raise ProtocolError(self._refusal[1])
        if self.principal is None and head.api.name not in _BEFORE_LOGIN:
            raise ProtocolError(f"{head.api.name} received before authentication")

    def _handle_request(self, head: RequestHeader, raw: bytes) -> None:
        if head.api.name in SASL:
            self._log_in(head, raw)
            return
        if old_metadata.is_old(head):
            head, raw = old_metadata.upgrade(head, raw)
        request, of = guarded_request.read_request(head, raw), find_guard(head)
        if head.api.name == "Metadata" and not metadata.may_create(request):
            self._forward(head, raw, build_response_rewrite(head, self._locate))
        elif (lookup := of.encode_topic_lookup(request)) is not None:
            self.state = states.AwaitingBroker()
            self._forward(head, lookup, partial(self._evaluate, of, request))
        else:
            self._evaluate(of, request, None)

    def _log_in(self, head: RequestHeader, raw: bytes) -> None:
        if (refusal := self._identity.check_request(head, raw)) is not None:
            self._answer(head, refusal)
            return
        self.state = states.AwaitingBroker()
        self._forward(head, raw, partial(self._on_client_login, head))

    def _on_client_login(self, head: RequestHeader, raw: Raw) -> Raw | None:
        answer, token_id = self._identity.read_login_response(head, raw), self._identity.pending_token_id
        self.state = states.Idle() if answer is not None or token_id is None else states.AwaitingTokenOwner(token_id)
        return answer

    def _forward(self, head: RequestHeader, raw: bytes, mend: Mend | None) -> None:
        self._output.to_broker.append(raw)
        self._responses.expect(head.correlation_id, old_metadata.build_downgrade(head, mend))

    def _answer(self, head: RequestHeader, raw: Raw) -> None:
        self._responses.answer(head.correlation_id, old_metadata.downgrade(head, raw))

    def _evaluate(self, of: RequestGuard, request: guarded_request.GuardedRequest, topics: Raw | None) -> None:
        evaluation = of.build_evaluation(request, topics)
        evaluation.as_kip = self._options.as_kip
        self._go_on(request.head, evaluation, partial(self._finish, of, request))

    def _go_on(self, head: RequestHeader, evaluation: Evaluation, finish: _Finish) -> None:
        inputs = evaluation.collect_missing()
        if inputs:
            self.state = states.AwaitingDecisions(head, inputs, evaluation, finish)
        else:
            self.state = states.Idle()
            finish(evaluation)

    def _report_ungoverned(self, change: UngovernedChange | None) -> None:
        if change is not None and change.action != "pass":
            self._output.ungoverned.append((change, self.principal or ANONYMOUS))

    def _report(self, request: guarded_request.GuardedRequest, evaluation: Evaluation, extent: str) -> None:
        self._output.audit_records.append(AuditRecord(request, self.principal or ANONYMOUS, evaluation, extent))

    def _finish(self, of: RequestGuard, request: guarded_request.GuardedRequest, evaluation: Evaluation) -> None:
        result, head = of.build_result(request, evaluation), request.head
        decided = DecidedRequest(of, request, evaluation, result)
        if evaluation.parsed.items or of.reports_all:
            self._report(request, evaluation, result.extent)
        changing = decided.changing
        self._output.settlements.append(Settlement(evaluation, under_way=changing))
        if result.forward is None:
            self._answer(head, decided.encode_answer(self._locate, None))
        elif changing or self._options.traced:
            self._forward(head, result.forward, partial(self._settle, decided))
        else:
            mend = None if result.is_passed_on_whole else partial(decided.encode_answer, self._locate)
            self._forward(head, result.forward, mend)

    def _settle(self, decided: DecidedRequest, broker: Raw) -> Raw:
        self._output.settlements.append(decided.read_settlement(broker))
        return decided.encode_answer(self._locate, broker)
