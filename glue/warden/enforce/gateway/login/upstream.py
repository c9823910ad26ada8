"""The gateway's own logins at brokers, by SCRAM: with its account's password, or with a token in a client's name.

No input or output: requests come out, responses go in. What is here is secret, and nothing of it is ever logged.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from warden.enforce.gateway.config import Mechanism
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.apis import APIS
from warden.enforce.gateway.wire.frames import ProtocolError, Raw, RequestHeader, encode_frame
from warden.enforce.gateway.wire.responses import extract_response_body

__all__ = ["Credentials", "LoginFailed", "encode_request", "log_in", "read_response"]

_KEYS: Final = {api.name: key for key, api in APIS.items()}
_NOTHING_SUCH: Final = 33  # UNSUPPORTED_SASL_MECHANISM


class LoginFailed(ProtocolError):
    """Raised where a broker does not take a login of the gateway's.

    Args:
        code: Kafka's error.
        message: What to do about it.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a login needs.

    Args:
        user: The user, or the token's id.
        password: The password, or the token's HMAC in base64.
        mechanism: Of SASL.
        is_token: Whether it is a delegation token (KIP-48).
    """

    user: str
    password: str = field(repr=False)
    mechanism: Mechanism
    is_token: bool = False


def encode_request(
    name: str, version: int, correlation_id: int, fields: Mapping[str, Any]
) -> tuple[RequestHeader, bytes]:
    """Return a request of the gateway's own as a frame, with its head; fields that are missing have their defaults."""
    api = APIS[_KEYS[name]]
    body = codec.encode(api.key, version, "Request", fields)
    number = correlation_id.to_bytes(4, "big", signed=True)
    head = b"\xff\xff\0" if api.is_flexible(version) else b"\xff\xff"  # no client id
    whole = encode_frame(api.key.to_bytes(2, "big"), version.to_bytes(2, "big"), number, head, body)
    return RequestHeader(api, version, correlation_id, None, len(whole) - len(body)), whole


def read_response(head: RequestHeader, raw: Raw) -> Mapping[str, Any]:
    """Return the fields of the response to what `encode_request` made.

    Raises:
        Undecodable: It is none.
    """
    return codec.decode(head.api.key, head.version, "Response", extract_response_body(head, raw)).fields


def log_in(credentials: Credentials) -> Generator[tuple[RequestHeader, bytes], Raw, float]:
    """Yield the requests of a login; send in the response to each.

    Returns:
        Seconds after which the broker wants another login on this connection; 0 for never (KIP-368).

    Raises:
        LoginFailed: The broker refuses it.
        Undecodable: A response is none.
    """
    from kafka.net.sasl.scram import ScramClient

    head, raw = encode_request("SaslHandshake", 1, 0, {"mechanism": credentials.mechanism})
    answer = read_response(head, (yield head, raw))
    if answer["errorCode"]:
        offered = ", ".join(answer["mechanisms"]) or "none"
        raise LoginFailed(
            _NOTHING_SUCH,
            f"the broker's listener does not take {credentials.mechanism} (it takes {offered}), with which the gateway "
            "logs in: add it to sasl.enabled.mechanisms, or give account.mechanism another",
        )
    name = credentials.user.replace("=", "=3D").replace(",", "=2C")
    scram = ScramClient(name, credentials.password, credentials.mechanism)
    first = scram.first_message()
    if credentials.is_token:  # an extension, which the library has no place for (RFC 5802, KIP-48)
        first += b",tokenauth=true"
        scram.auth_message += b",tokenauth=true"
    answer = yield from _authenticate(first)
    try:
        scram.process_server_first_message(answer["authBytes"])
        answer = yield from _authenticate(scram.final_message())
        scram.process_server_final_message(answer["authBytes"])
    except (ValueError, KeyError) as error:
        raise LoginFailed(58, "the broker's SCRAM messages cannot be read, or it does not know the password") from error
    return float(answer["sessionLifetimeMs"]) / 1000


def _authenticate(data: bytes) -> Generator[tuple[RequestHeader, bytes], Raw, Mapping[str, Any]]:
    head, raw = encode_request("SaslAuthenticate", 2, 0, {"authBytes": data})
    answer = read_response(head, (yield head, raw))
    if answer["errorCode"]:
        raise LoginFailed(
            answer["errorCode"],
            f"the broker refuses the gateway's login ({answer['errorMessage'] or 'no reason given'}): "
            "correct account.user or its password in the gateway's file",
        )
    return answer
