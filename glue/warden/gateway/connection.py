"""One client's connection without its sockets: bytes in; bytes to the client, bytes to the broker, decisions wanted.

Every request has a slot in a queue, which is its place among the responses: one that the gateway answers itself waits
for those before it. While the policy, a login or a look-up is waited for, nothing more of the client is read, so that
requests reach the broker in their order.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from warden.adapter.evaluation import Evaluation
from warden.gateway import guard, metadata
from warden.gateway.addresses import Address
from warden.gateway.codec import Message
from warden.gateway.frames import FrameBuffer, Head, Limits, ProtocolError, Raw, next_head
from warden.gateway.guards import Guard, guard_of
from warden.gateway.logins import ANONYMOUS, Identity
from warden.gateway.output import Outcome, Output
from warden.gateway.passing import SASL, goes_by, mend, readdressed
from warden.gateway.response_queue import Mend, ResponseQueue
from warden.gateway.responses import refused_versions
from warden.gateway.upstream import Credentials

__all__ = ["Connection"]

_BEFORE_LOGIN: Final = frozenset({"ApiVersions", "SaslHandshake", "SaslAuthenticate"})
_LARGE: Final = 8192  # bytes of a request that takes some milliseconds to decode
_Finish = Callable[[Evaluation], None]


class Connection:
    """The state of one client's connection and of the broker's connection that belongs to it.

    A request that is decoded and is large is `deferred` first, and while it is `large` each call may take long.
    Whoever calls a method that takes bytes or decisions then takes `output`, has `wanted` decided, and reads no more of
    the client while the connection is `held`. Each of them raises `ProtocolError` or `Undecodable` for what cannot be
    carried: then both connections have to be closed.

    Args:
        locate: Returns where clients reach a broker, by its id.
        authentication: As of `warden.gateway.logins.Identity`; where nobody logs in, clients are ``User:ANONYMOUS``.
        claim: As of `warden.gateway.sasl.Login`.
        tokens: As of `warden.gateway.sasl.Login`.
        limits: Sizes of frames.
    """

    def __init__(
        self,
        locate: Callable[[int], Address],
        *,
        authentication: str = "none",
        claim: str = "sub",
        tokens: bool = False,
        limits: Limits | None = None,
    ) -> None:
        self._locate = locate
        self._identity = Identity(authentication, claim, tokens)
        self._refusal: tuple[int, str] | None = None
        self._limits = limits or Limits()
        self._requests = FrameBuffer(self._limits.frame)
        self._responses = ResponseQueue(self._limits.frame, self._send)
        self._request_rest = 0
        self._evaluated: tuple[Evaluation, _Finish] | None = None
        self._output = Output()
        self.wanted: Mapping[str, Mapping[str, Any]] = {}
        self.held = self.large = False
        self._deferred: tuple[Head, bytes] | None = None

    @property
    def principal(self) -> str | None:
        """Whose connection it is, as Kafka writes it; None before the login has succeeded."""
        return self._identity.principal

    @property
    def unowned(self) -> str | None:
        """The id of the delegation token with which the client has logged in, while it is waited for `owned`."""
        return self._identity.unowned

    def owned(self, principal: str | None) -> None:
        """Take the owner of the client's token; None where it cannot be known: then the client's login has failed."""
        self.held = False
        self._answer(*self._identity.owned(principal))
        self._read_requests()

    def take_session(self) -> float:
        """Return for how many seconds the last login of `speak_as` is good, once; 0 where there is no new one."""
        seconds, self._identity.session = self._identity.session, 0.0
        return seconds

    @property
    def idle(self) -> bool:
        """Whether nothing is under way: no request half sent, no response owed, no decision wanted."""
        return self._responses.empty and not (self._request_rest or self.held)

    @property
    def mid_request(self) -> bool:
        """Whether the broker has the beginning of a request, and waits for the rest."""
        return self._request_rest > 0

    def speak_as(self, principal: str, credentials: Credentials) -> None:
        """Log in at the broker in the client's name: before its first request, and again between two of them."""
        self._identity.speak_as(principal, credentials)
        self._read_requests()

    def refuse(self, code: int, text: str) -> None:
        """Answer the client's first request with an error, if that is ApiVersions, as all clients do; then fail."""
        self._refusal = (code, text)
        self._read_requests()

    def from_client(self, data: bytes) -> None:
        """Take bytes of the client."""
        self._requests.feed(data)
        self._read_requests()

    def from_broker(self, data: bytes) -> None:
        """Take bytes of the broker."""
        self._responses.feed(data)
        self._read_requests()

    def room(self) -> memoryview | None:
        """Return where the broker's next bytes may be put, before `filled`; None where they are for `from_broker`."""
        return self._responses.room()

    def filled(self, count: int) -> None:
        """Take so many bytes that are in `room` now."""
        self._responses.filled(count)
        self._read_requests()

    def decided(self, decisions: Mapping[str, Mapping[str, Any]]) -> None:
        """Take the decisions that were `wanted`; what has none is not allowed."""
        self._resume(lambda evaluation: evaluation.take(self.wanted, decisions))

    def undecided(self, message: str) -> None:
        """Deny what was `wanted`, because nothing can be decided now; the message goes to the client."""
        self._resume(lambda evaluation: evaluation.fail(44, "POLICY_VIOLATION", message))

    @property
    def deferred(self) -> bool:
        """Whether a `large` request waits for `take_deferred`."""
        return self._deferred is not None

    def take_deferred(self) -> None:
        """Take a request that is `large`."""
        if self._deferred is not None:
            (head, raw), self._deferred, self.held = self._deferred, None, False
            self._take(head, raw)
            self._read_requests()

    def output(self) -> Output:
        """Return what has to leave, and forget it."""
        self.large = self.large and not self.idle
        output, self._output = self._output, Output()
        return output

    def _send(self, raw: Raw) -> None:
        self._output.to_client.append(raw)

    def _resume(self, settle: Callable[[Evaluation], None]) -> None:
        if self._evaluated is None:
            raise ProtocolError("a decision that nobody waits for")
        evaluation, finish = self._evaluated
        settle(evaluation)
        self._go_on(evaluation, finish)
        self._read_requests()

    def _log_in_upstream(self) -> None:
        if self._identity.due and not (self.held or self._request_rest):
            self.held = True
            head, raw = self._identity.begin()
            self._forward(head, raw, self._logged_in_upstream)

    def _logged_in_upstream(self, answer: Raw) -> None:
        step = self._identity.go_on(answer)
        if step is None:
            self.held = False
        else:
            self._forward(*step, self._logged_in_upstream)

    def _read_requests(self) -> None:
        self._log_in_upstream()
        while not self.held and len(self._requests):
            if self._request_rest:
                piece = self._requests.take(self._request_rest)
                self._request_rest -= len(piece)
                self._output.to_broker.append(piece)
                self._log_in_upstream()
                continue
            size = self._requests.length()
            if size is None:
                return
            with self._requests.peek() as data:
                found = next_head(data)
            if found is None:
                return
            head, answered = found
            self._check(head)
            if goes_by(head):
                self._request_rest = size
                if answered:
                    self._responses.expect(head.correlation_id, mend(head, self._locate))
            elif size > self._limits.decoded:
                raise ProtocolError(f"{head.api.name} of {size} bytes: {self._limits.decoded} at most are decoded")
            elif len(self._requests) < size:
                return
            elif size > _LARGE:
                self._deferred, self.held, self.large = (head, self._requests.take(size)), True, True
            else:
                self._take(head, self._requests.take(size))

    def _check(self, head: Head) -> None:
        if self._refusal is not None:
            if head.api.name == "ApiVersions":
                self._answer(head, refused_versions(head, self._refusal[0]))
            raise ProtocolError(self._refusal[1])
        if self.principal is None and head.api.name not in _BEFORE_LOGIN:
            raise ProtocolError(f"{head.api.name} before the client has logged in")

    def _take(self, head: Head, raw: bytes) -> None:
        if head.api.name == "Metadata":
            quiet = metadata.without_creation(head, raw)
            self.held = quiet is not raw
            self._forward(head, quiet, partial(self._looked_for, head, raw) if self.held else mend(head, self._locate))
        elif head.api.name in SASL:
            self._log_in(head, raw)
        else:
            request, of = guard.read_request(head, raw), guard_of(head)
            lookup = of.topic_lookup(request)
            if lookup is None:
                self._go_on(of.evaluate(request, None), partial(self._finish, of, request))
            else:
                self.held = True
                self._forward(head, lookup, partial(self._looked_up, of, request))

    def _log_in(self, head: Head, raw: bytes) -> None:
        refusal = self._identity.refusal(head, raw)
        if refusal is not None:
            self._answer(head, refusal)
            return
        self.held = True
        self._forward(head, raw, partial(self._login_answered, head))

    def _login_answered(self, head: Head, raw: Raw) -> Raw | None:
        answer = self._identity.answered(head, raw)
        self.held = answer is None
        return answer

    def _forward(self, head: Head, raw: bytes, mend: Mend | None) -> None:
        self._output.to_broker.append(raw)
        self._responses.expect(head.correlation_id, mend)

    def _answer(self, head: Head, raw: Raw) -> None:
        self._responses.answer(head.correlation_id, raw)

    def _looked_up(self, of: Guard, request: guard.GuardedRequest, topics: Raw) -> None:
        self._go_on(of.evaluate(request, topics), partial(self._finish, of, request))

    def _looked_for(self, head: Head, raw: bytes, broker: Raw) -> Raw | None:
        """Have the topics decided that a request for metadata would create."""
        names = metadata.missing_topics(head, broker)
        if not names:
            self.held = False
            return readdressed(head, self._locate, broker)
        evaluation = Evaluation(metadata.parse_creations(names))
        self._go_on(evaluation, partial(self._create, head, raw, broker))
        return None

    def _create(self, head: Head, raw: bytes, broker: Raw, evaluation: Evaluation) -> None:
        by_name, names = metadata.creatable(evaluation)
        extent = "all" if len(names) == len(by_name) else "some" if names else "none"
        self._report(guard.GuardedRequest(head, raw, Message({}, exact=True)), evaluation, extent)

        def merge(created: Raw | None) -> Raw:
            return readdressed(head, self._locate, metadata.with_topics(head, broker, by_name, created))

        if names:
            self._forward(head, metadata.creating(head, raw, names), merge)
        else:
            self._answer(head, merge(None))

    def _go_on(self, evaluation: Evaluation, finish: _Finish) -> None:
        self.wanted = evaluation.missing()
        self.held = bool(self.wanted)
        self._evaluated = (evaluation, finish) if self.held else None
        if not self.held:
            finish(evaluation)

    def _report(self, request: guard.GuardedRequest, evaluation: Evaluation, extent: str) -> None:
        self._output.outcomes.append(Outcome(request, self.principal or ANONYMOUS, evaluation, extent))

    def _finish(self, of: Guard, request: guard.GuardedRequest, evaluation: Evaluation) -> None:
        decided, head = of.decide(request, evaluation), request.head
        if evaluation.parsed.items or of.reports_all:
            self._report(request, evaluation, decided.extent)
        if decided.forward is None:
            self._answer(head, of.answer(request, evaluation, decided.results, None))
        else:
            merge = None if decided.whole else partial(of.answer, request, evaluation, decided.results)
            self._forward(head, decided.forward, merge)
