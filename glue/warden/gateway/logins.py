"""The frames of a login: read as they go by, answered here where they may not go by."""

from collections.abc import Mapping
from typing import Any

from warden.gateway import codec
from warden.gateway.frames import Head, ProtocolError
from warden.gateway.responses import response, response_body
from warden.gateway.sasl import MECHANISMS, Login, LoginRefused

__all__ = ["login_answered", "login_refusal"]


def login_refusal(login: Login | None, head: Head, raw: bytes) -> bytes | None:
    """Read a request of a login, and return the response to one that the gateway refuses; None where it may go on.

    Args:
        login: The state of the connection's logins; None where the cluster's clients do not log in.
        head: The head of a SaslHandshake or a SaslAuthenticate.
        raw: Its frame.

    Raises:
        Undecodable: It is none.
    """
    fields = _fields(head, "Request", raw[head.body :])
    if head.api.name == "SaslHandshake":
        if login is None:
            return response(head, {"errorCode": 34, "mechanisms": []})
        try:
            login.handshake(fields["mechanism"])
        except LoginRefused:
            return response(head, {"errorCode": 33, "mechanisms": list(MECHANISMS)})
        return None
    try:
        if login is None:
            raise LoginRefused("this listener takes no logins")
        login.authenticate(fields["authBytes"])
    except LoginRefused as refused:
        return response(head, {"errorCode": 58, "errorMessage": str(refused), "authBytes": b""})
    return None


def login_answered(login: Login, head: Head, raw: bytes) -> bytes:
    """Read the broker's answer to a request of a login, and return it.

    Raises:
        ProtocolError: The principal of a connection has changed.
        Undecodable: It is none.
    """
    fields = _fields(head, "Response", response_body(head, raw))
    if head.api.name == "SaslHandshake":
        login.handshake_answered(fields["errorCode"])
        return raw
    try:
        login.authenticated(fields["errorCode"], fields["authBytes"])
    except LoginRefused as refused:
        raise ProtocolError(str(refused)) from None
    return raw


def _fields(head: Head, kind: str, body: bytes) -> Mapping[str, Any]:
    return codec.decode(head.api.key, head.version, kind, body).fields
