"""The identity of a connection: from a login that passes, from a certificate, or nobody's in particular."""

from collections.abc import Generator, Mapping
from typing import Any, Final

from warden.enforce.gateway.login.sasl import MECHANISMS, Login, LoginRefused
from warden.enforce.gateway.login.upstream import Credentials, log_in
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import ProtocolError, Raw, RequestHeader
from warden.enforce.gateway.wire.responses import encode_response, extract_response_body

__all__ = ["ANONYMOUS", "LoginFlow"]

ANONYMOUS: Final = "User:ANONYMOUS"


class LoginFlow:
    """The principal of a connection, and the logins that prove it to the broker.

    Args:
        authentication: ``sasl``: clients log in; ``tls``: the gateway does, in the name of their certificate; ``none``.
        claim: As of `warden.enforce.gateway.login.sasl.Login`.
        may_use_tokens: As of `warden.enforce.gateway.login.sasl.Login`.
    """

    def __init__(self, authentication: str, claim: str, may_use_tokens: bool) -> None:
        self._login = Login(claim, may_use_tokens=may_use_tokens) if authentication == "sasl" else None
        self._withheld: tuple[RequestHeader, Raw] | None = None
        self._principal = None if authentication == "tls" else ANONYMOUS
        self._next: tuple[str, Credentials] | None = None
        self._logging_in: Generator[tuple[RequestHeader, bytes], Raw, float] | None = None
        self._named = ""
        self.session_seconds = 0.0

    @property
    def principal(self) -> str | None:
        """Whose connection it is, as Kafka writes it; None before a login has succeeded."""
        return self._principal if self._login is None else self._login.principal

    @property
    def is_login_due(self) -> bool:
        """Whether the gateway has to log in, before anything else reaches the broker."""
        return self._next is not None

    def schedule_login(self, principal: str, credentials: Credentials) -> None:
        """Have the gateway log in, for the first time or again."""
        if self._principal not in (None, principal):
            raise ProtocolError("a login for another principal than the connection's")
        self._next = (principal, credentials)

    def begin_login(self) -> tuple[RequestHeader, bytes]:
        """Return the first request of the login of `schedule_login`."""
        if self._next is None:
            raise ProtocolError("a login that nobody wants")
        (self._named, credentials), self._next = self._next, None
        self._logging_in = log_in(credentials)
        return next(self._logging_in)

    def advance_login(self, raw: Raw) -> tuple[RequestHeader, bytes] | None:
        """Take a response, and return the next request of the login; None once it has succeeded.

        Raises:
            ProtocolError: The broker refuses it.
            Undecodable: It is no such response.
        """
        if self._logging_in is None:
            raise ProtocolError("a login that nobody wants")
        try:
            return self._logging_in.send(raw)
        except StopIteration as done:
            self.session_seconds = done.value
        if not self.session_seconds:  # as brokers do to a token that has expired, before they close the connection
            raise ProtocolError("the broker takes the gateway's token for expired: compare the clocks")
        self._logging_in, self._principal = None, self._named
        return None

    def check_request(self, head: RequestHeader, raw: bytes) -> bytes | None:
        """Read a request of a client's login, and return the response where it may not go on; None where it may.

        Args:
            head: The head of a SaslHandshake or a SaslAuthenticate.
            raw: Its frame.

        Raises:
            Undecodable: It is none.
        """
        fields = _decode_fields(head, "Request", raw[head.body_start :])
        if head.api.name == "SaslHandshake":
            if self._login is None:
                return encode_response(head, {"errorCode": 34, "mechanisms": []})
            try:
                self._login.note_mechanism(fields["mechanism"])
            except LoginRefused:
                return encode_response(head, {"errorCode": 33, "mechanisms": list(MECHANISMS)})
            return None
        try:
            if self._login is None:
                raise LoginRefused("this listener takes no logins: connect without SASL")
            self._login.note_name(fields["authBytes"])
        except LoginRefused as refused:
            return _encode_login_failure(head, str(refused))
        return None

    @property
    def pending_token_id(self) -> str | None:
        """The id of the delegation token that the client has logged in with, until `set_token_owner` is called."""
        return self._login.pending_token_id if self._login is not None else None

    def set_token_owner(self, principal: str | None) -> tuple[RequestHeader, Raw]:
        """Take the owner of the client's token, and return the answer to the login, which was withheld until now.

        Args:
            principal: As Kafka writes it; None where it cannot be known, so that nobody is logged in.

        Raises:
            ProtocolError: As `read_login_response`.
        """
        if self._login is None or self._withheld is None:
            raise ProtocolError("the owner of a token that nobody logs in with")
        (head, raw), self._withheld = self._withheld, None
        if principal is None:
            self._login.pending_token_id = None
            return head, _encode_login_failure(head, "the gateway cannot find out whose delegation token this is")
        try:
            self._login.set_token_owner(principal)
        except LoginRefused as refused:
            raise ProtocolError(str(refused)) from None
        return head, raw

    def read_login_response(self, head: RequestHeader, raw: Raw) -> Raw | None:
        """Read the broker's answer to a request of a client's login, and return it; None where it is withheld.

        Raises:
            ProtocolError: The principal of a connection has changed.
            Undecodable: It is none.
        """
        fields = _decode_fields(head, "Response", extract_response_body(head, raw))
        if self._login is None:
            raise ProtocolError("an answer to a login that did not go on")
        if head.api.name == "SaslHandshake":
            self._login.on_handshake_response(fields["errorCode"])
            return raw
        try:
            self._login.on_authenticate_response(fields["errorCode"], fields["authBytes"])
        except LoginRefused as refused:
            raise ProtocolError(str(refused)) from None
        if self._login.pending_token_id is None:
            return raw
        self._withheld = (head, raw)
        return None


def _encode_login_failure(head: RequestHeader, text: str) -> bytes:
    return encode_response(head, {"errorCode": 58, "errorMessage": text, "authBytes": b""})


def _decode_fields(head: RequestHeader, kind: str, body: bytes) -> Mapping[str, Any]:
    return codec.decode(head.api.key, head.version, kind, body).fields
