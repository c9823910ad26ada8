"""The login of a client, as it goes by: whose it is, and when the broker has believed it.

Names are believed after the broker's success only, and only those forms of login are let through whose name can be
read. A password is in the bytes that go by; nothing of it is kept.
"""

import base64
import binascii
import json
import re
from typing import Final

__all__ = ["MECHANISMS", "Login", "LoginRefused"]

MECHANISMS: Final = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER")
"""SASL mechanisms that show whose login it is."""

# As of Kafka 4.3's OAuthBearerClientInitialResponse.
_BEARER_MESSAGE: Final = re.compile(
    r"n,(?:a=(?:[^=,\x00\x80-\xff]|=2C|=3D)+)?,\x01(?P<pairs>(?:[A-Za-z]+=[\x21-\x7e \t\r\n]+\x01)*)\x01"
)
_BEARER_HEADER: Final = re.compile("(?i:bearer) +(?P<token>[-_.a-zA-Z0-9]+)")

_NO_TOKENS: Final = (
    "the gateway cannot tell whose delegation token this is: log in by password or OAuth token, "
    "or have the gateway be given an account that may see tokens"
)


class LoginRefused(Exception):
    """Raised for a login that the gateway does not let through; the text goes to the client."""


class Login:
    """The state of one connection's logins, the first and each re-authentication (KIP-368).

    Args:
        claim: The claim of an OAUTHBEARER token that has the name, as the broker's ``sasl.oauthbearer.sub.claim.name``.
        may_use_tokens: Whether logins by delegation token are let through: then somebody finds the owners of tokens.
    """

    def __init__(self, claim: str = "sub", *, may_use_tokens: bool = False) -> None:
        self.principal: str | None = None
        self.pending_token_id: str | None = None
        """The id of the delegation token that the broker has believed, until it is known whose it is."""
        self._claim = claim
        self._may_use_tokens = may_use_tokens
        self._by_token = False
        self._mechanism: str | None = None
        self._offered: str | None = None
        self._user: str | None = None
        self._requests = 0

    def note_mechanism(self, mechanism: str) -> None:
        """Take note of the mechanism that a client asks for.

        Raises:
            LoginRefused: It does not show a name, or no connection through a gateway can use it.
        """
        if mechanism not in MECHANISMS:
            raise LoginRefused(f"the gateway does not carry {mechanism[:40]}: use one of {', '.join(MECHANISMS)}")
        self._offered = mechanism

    def on_handshake_response(self, error_code: int) -> None:
        """Take note of the broker's answer to a handshake."""
        if error_code == 0:
            self._mechanism, self._user, self._requests, self._by_token = self._offered, None, 0, False

    def note_name(self, data: bytes) -> None:
        """Read the name from what a client sends.

        Args:
            data: The bytes of the mechanism.

        Raises:
            LoginRefused: No name can be read, or it is a delegation token's id and nobody finds the owners of tokens.
        """
        self._requests += 1
        try:
            match self._mechanism:
                case "PLAIN":
                    self._user = _parse_plain(data)
                case "OAUTHBEARER":
                    self._user = self._user if data == b"\x01" else _decode_bearer_claim(data, self._claim)
                case "SCRAM-SHA-256" | "SCRAM-SHA-512":
                    if self._requests == 1:
                        self._user, self._by_token = _decode_scram_name(data)
                case _:
                    raise LoginRefused("there was no SaslHandshake that the broker accepted: send one first")
        except (ValueError, LookupError, TypeError, AttributeError, StopIteration, binascii.Error, RecursionError):
            raise LoginRefused(f"the gateway cannot read whose {self._mechanism} login this is") from None
        if self._by_token and not self._may_use_tokens:
            raise LoginRefused(_NO_TOKENS)

    def on_authenticate_response(self, error_code: int, data: bytes) -> bool:
        """Take note of the broker's answer, and return whether it completes a login.

        The principal of a login by delegation token is known once `set_token_owner` has been called for it.

        Args:
            error_code: Its error.
            data: The bytes of the mechanism in it.

        Raises:
            LoginRefused: A re-authentication has changed the name, which no broker allows.
        """
        if error_code != 0 or self._user is None:
            return False
        if self._mechanism == "OAUTHBEARER" and data:  # an error, which the client has to acknowledge first
            return False
        if self._mechanism not in ("PLAIN", "OAUTHBEARER") and not (self._requests == 2 and data.startswith(b"v=")):
            return False
        if self._by_token:
            self.pending_token_id = self._user
        else:
            self._set_principal(f"User:{self._user}")
        return True

    def set_token_owner(self, principal: str) -> None:
        """Take the owner of the token that is `pending_token_id`, as Kafka writes principals.

        Raises:
            LoginRefused: As `on_authenticate_response`.
        """
        self.pending_token_id = None
        self._set_principal(principal)

    def _set_principal(self, principal: str) -> None:
        if self.principal not in (None, principal):
            raise LoginRefused("a re-authentication changed the principal: open a new connection for it")
        self.principal = principal


def _parse_plain(data: bytes) -> str:
    authorized, user, _password = data.decode().split("\0")
    if authorized not in ("", user) or not user:
        raise ValueError
    return user


def _decode_scram_name(data: bytes) -> tuple[str, bool]:
    """Read the name of a client-first message: ``n,,n=USER,r=NONCE,extensions`` (RFC 5802).

    Returns:
        The name, and whether it is a delegation token's id (``tokenauth``, KIP-48).
    """
    flag, _authorized, first, _nonce, *extensions = data.decode().split(",")
    if flag != "n" or not first.startswith("n=") or len(first) == 2:
        raise ValueError
    by_token = any(extension.lower().startswith("tokenauth=") for extension in extensions)
    return first[2:].replace("=2C", ",").replace("=3D", "="), by_token


def _decode_bearer_claim(data: bytes, claim: str) -> str:
    """Read a claim of the token of RFC 7628's ``n,a=ID,^Aauth=Bearer TOKEN^A^A``; the broker checks the signature.

    Of several ``auth`` Kafka takes the last, and passes over other spellings of it: what has either is refused.
    """
    match = _BEARER_MESSAGE.fullmatch(data.decode("ascii"))
    pairs = [pair.partition("=") for pair in match["pairs"].split("\x01")] if match else []
    headers = [(key, value) for key, _, value in pairs if key.lower() == "auth"]
    header = _BEARER_HEADER.fullmatch(headers[0][1]) if [key for key, _ in headers] == ["auth"] else None
    if header is None:
        raise ValueError
    payload = header["token"].split(".")[1]
    name = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))[claim]
    if not isinstance(name, str) or not name:
        raise ValueError
    return name
