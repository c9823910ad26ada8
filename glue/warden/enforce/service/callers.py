"""Callers of the service, and how often each may call."""

import hashlib
import time
from collections.abc import Callable, Mapping

from warden.base.tls.principals import NoPrincipal, PrincipalMapper
from warden.base.tls.subjects import Unreadable, format_subject

__all__ = ["Callers", "Throttled", "Unauthorized"]


class Unauthorized(Exception):
    """Raised where it is not known who asks; its text says what to send."""


class Throttled(Exception):
    """Raised where a principal asks too often.

    Args:
        seconds: After which it may ask again.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(f"too many requests: ask again in {seconds:.3f} s")
        self.seconds = seconds


class Callers:
    """Those who may ask.

    Args:
        tokens: The principal of each token.
        mapper: Says which principals certificates are.
        per_second: How many requests a principal may make, a second of them at once.
        now: Seconds of a clock that only goes forward.
    """

    def __init__(
        self,
        tokens: Mapping[str, str],
        mapper: PrincipalMapper,
        per_second: float,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._principals = {_hash(token): principal for token, principal in tokens.items()}
        self._mapper, self._rate, self._now = mapper, per_second, now
        self._left: dict[str, tuple[float, float]] = {}

    def authenticate(self, authorization: str | None, certificate: bytes | None = None) -> str:
        """Return the principal of a request.

        Args:
            authorization: Its header.
            certificate: What its connection logged in with, in DER.

        Raises:
            Unauthorized: Nobody has this token or this certificate, or they are of two principals.
            Throttled: The principal has none of its requests left.
        """
        principal = None if certificate is None else self._find_certificate_principal(certificate)
        if authorization is not None or principal is None:
            of_token = self._find_token_principal(authorization or "")
            if principal not in (None, of_token):
                raise Unauthorized("the token and the certificate are of two principals: send one of them")
            principal = of_token
        self._count_request(principal)
        return principal

    def _find_certificate_principal(self, certificate: bytes) -> str:
        try:
            return f"User:{self._mapper.map_subject(format_subject(certificate))}"
        except (Unreadable, NoPrincipal) as error:
            raise Unauthorized(str(error)) from None

    def _find_token_principal(self, authorization: str) -> str:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Unauthorized("send a token: Authorization: Bearer …")
        principal = self._principals.get(_hash(token.strip()))
        if principal is None:
            raise Unauthorized("nobody has this token: send one that the configuration gives to a principal")
        return principal

    def _count_request(self, principal: str) -> None:
        now = self._now()
        most = max(1.0, self._rate)
        left, since = self._left.get(principal, (most, now))
        left = min(most, left + (now - since) * self._rate)
        if left < 1:
            self._left[principal] = left, now
            raise Throttled((1 - left) / self._rate)
        self._left[principal] = left - 1, now


def _hash(token: str) -> bytes:
    """What is compared in a token's place, so that the time tells nothing of how much of it was right."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
