"""The pooled HTTP session to OPA: time limits, retries, and errors of Warden's tree.

Everything that goes to OPA passes through `Transport.request`, also what opa-python-client sends, so that no method of
that library can answer with its own errors, retries or time limits.
"""

import io
import time
from collections.abc import Callable
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3.exceptions

from warden.base.errors import (
    OpaError,
    OpaEvaluationError,
    OpaInputTooLarge,
    OpaTimeout,
    OpaUnreachable,
)
from warden.base.http.calls import describe_cause
from warden.base.telemetry.traces import inject_context
from warden.base.tls.reloading_context import ReloadingContext
from warden.policy.opa.bearer import Bearer
from warden.policy.opa.deadline_http import TimedAdapter, set_deadline
from warden.policy.opa.item_size import MAX_BODY_BYTES
from warden.policy.opa.response_errors import build_failure
from warden.policy.opa.retry import RetryPolicy, Timeout

__all__ = ["Transport"]

_BUSY = frozenset({429, 503})  # not taken on: as good as never sent
_LOST = frozenset({500, 502, 504})  # OPA or a proxy failed half way: OPA may have done the work
_PIECE = 65536
_EDGE = 64  # bytes at either end of an answer that show whether it is a JSON object
_LIMIT = "OPA reads no more than server.decoding.max_length of its configuration"


class Transport(requests.Session):
    """A session for one OPA, safe to share between threads.

    Decisions are pure, PUT and DELETE leave the same state however often they arrive: all these are sent again after
    a lost connection, a read that takes too long, or 429, 500, 502, 503 and 504. A PATCH may append, so it is sent
    again only where OPA cannot have seen it. A policy that fails would fail again, so an evaluation error is final.

    Args:
        timeout: Limits for each call.
        retries: When to ask again.
        pool_size: Connections kept open; a further caller waits for one of them.
        token: Bearer token, if OPA needs one; or a function that reads it, called again when OPA refuses the last.
        tls: Whom https trusts; None for an OPA at http.
        sleep: Waits between attempts; replaced in tests.
    """

    def __init__(
        self,
        timeout: Timeout,
        retries: RetryPolicy,
        pool_size: int,
        token: str | Callable[[], str] | None,
        tls: ReloadingContext | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__()
        # A .netrc entry for the host would replace the bearer token by Basic; HTTP_PROXY would catch loopback too.
        self.trust_env = False
        self._timeout, self._retries, self._sleep = timeout, retries, sleep
        self._bearer = Bearer(token)
        self._bearer.get_header()
        adapter = TimedAdapter(tls, pool_connections=1, pool_maxsize=pool_size, max_retries=0, pool_block=True)
        self.mount("http://", adapter)
        self.mount("https://", adapter)

    def request(
        self, method: str | bytes, url: str | bytes, *args: Any, total: float | None = None, **kwargs: Any
    ) -> requests.Response:
        """Send one request, again where that helps, and return an answer of 2xx whose body has been read.

        ``total`` are seconds in place of those of the session's limits, where they are less.

        Raises:
            OpaUnreachable: No usable answer within the limits.
            OpaRefused, OpaUndefined, OpaEvaluationError: What OPA said instead of a result.
        """
        verb, address = _decode(method).upper(), _decode(url)
        deadline = time.monotonic() + min(self._timeout.total, self._timeout.total if total is None else total)
        attempt = 0
        renewed = False
        while True:
            attempt += 1
            requested = None
            try:
                response = self._send_once(verb, address, deadline, *args, **kwargs)
            except (OSError, urllib3.exceptions.HTTPError) as lost:  # all errors of requests are OSErrors
                error, again = self._build_unreachable(address, lost), _may_resend(verb, lost)
                length = len(kwargs.get("data") or b"")
                if length > MAX_BODY_BYTES and _is_reset(lost):  # OPA answers before it has read all, which may be lost
                    error, again = (
                        OpaInputTooLarge(f"{address} broke off a request of {length:,} bytes: {_LIMIT}"),
                        False,
                    )
            else:
                if 200 <= response.status_code < 300 and not _is_foreign(verb, response):
                    return response
                status = response.status_code
                refused = response.request.headers.get("Authorization")
                if status == HTTPStatus.UNAUTHORIZED and not renewed and self._bearer.renew(refused):
                    renewed = True
                    continue
                error = build_failure(status, response.content, address, response.headers)
                again = status in _BUSY or status == HTTPStatus.OK or (status in _LOST and verb != "PATCH")
                again = again and not isinstance(error, OpaEvaluationError)
                requested = error.retry_after
            left = deadline - time.monotonic()
            pause = self._retries.compute_pause(attempt, left, requested) if again else None
            if pause is None:
                raise error
            self._sleep(pause)

    def _send_once(self, method: str, url: str, deadline: float, *args: Any, **kwargs: Any) -> requests.Response:
        left = max(0.001, deadline - time.monotonic())
        kwargs |= {
            "timeout": (min(self._timeout.connect, left), min(self._timeout.read, left)),
            "stream": True,
            "allow_redirects": False,
        }
        headers = dict(kwargs.get("headers") or {})
        if _is_loopback(url):  # compressing for the same machine only costs processor time
            headers.setdefault("Accept-Encoding", "identity")
        inject_context(headers)
        kwargs["headers"] = {"Authorization": self._bearer.get_header()} | headers
        set_deadline(deadline)
        response = super().request(method, url, *args, **kwargs)
        try:
            body = self._read(response, deadline)
        except BaseException:
            response.close()
            raise
        response.raw = io.BytesIO(body)
        return response

    def _read(self, response: requests.Response, deadline: float) -> bytes:
        """Read the body piece by piece: an answer that only trickles must not outlast the total time."""
        pieces = []
        while piece := response.raw.read1(_PIECE, decode_content=True):
            pieces.append(piece)
            if time.monotonic() > deadline:
                raise requests.ReadTimeout(f"no whole answer within {self._timeout.total:g} s")
        return b"".join(pieces)

    def _build_unreachable(self, url: str, lost: Exception) -> OpaError:
        if _is_about_trust(lost):
            return OpaUnreachable(
                f"{url} cannot be trusted: {describe_cause(lost)}: check the certificate and the CA file"
            )
        if isinstance(lost, (requests.ConnectTimeout, requests.ReadTimeout, urllib3.exceptions.TimeoutError)):
            limit = self._timeout
            kind = OpaUnreachable if isinstance(lost, requests.ConnectTimeout) else OpaTimeout
            return kind(
                f"{url} did not answer in time (limits: connect {limit.connect:g} s, read {limit.read:g} s, "
                f"total {limit.total:g} s): check that OPA is not overloaded, or raise the limits"
            )
        return OpaUnreachable(f"{url} cannot be reached: {describe_cause(lost)}: check that OPA runs there")


def _is_foreign(method: str, response: requests.Response) -> bool:
    """Whether a query gets what is not a JSON object, be it nothing, in place of OPA's answer."""
    if method != "POST" or response.status_code != HTTPStatus.OK:
        return False
    body = response.content
    return not (body[:_EDGE].lstrip().startswith(b"{") and body[-_EDGE:].rstrip().endswith(b"}"))


def _is_about_trust(lost: Exception) -> bool:
    """Whether TLS failed."""
    return isinstance(lost, requests.exceptions.SSLError)


def _may_resend(method: str, lost: Exception) -> bool:
    if _is_about_trust(lost):
        return False
    if method != "PATCH":
        return True
    reason = getattr(lost.args[0] if lost.args else None, "reason", None)
    return isinstance(lost, requests.ConnectTimeout) or isinstance(reason, urllib3.exceptions.NewConnectionError)


def _is_reset(lost: BaseException | None) -> bool:
    while lost and not isinstance(lost, (ConnectionResetError, BrokenPipeError)):
        lost = lost.__cause__ or lost.__context__
    return lost is not None


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _decode(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
