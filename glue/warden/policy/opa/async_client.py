"""Calls of OPA's Data API over aiohttp, for servers: several attempts within one time limit."""

import asyncio
import os
import re
import socket
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from warden.base.errors import ConfigurationError, OpaTimeout, OpaUnauthorized, OpaUndefined, OpaUnreachable
from warden.base.process.closing import AsyncManagedProgram
from warden.base.telemetry.traces import inject_context
from warden.base.tls.reloading_context import ReloadingContext
from warden.policy.opa.bearer import Bearer
from warden.policy.opa.call_spans import DECISION_ID, begin_call
from warden.policy.opa.response_errors import build_failure, parse_answer
from warden.policy.opa.retry import RetryPolicy, parse_retry_after
from warden.policy.opa.revision_floor import PROVENANCE, RevisionFloor

if TYPE_CHECKING:
    import aiohttp

__all__ = ["AsyncOpaClient"]

_CONNECTIONS: Final = 64
_TO_CONNECT: Final = 0.8  # of an attempt's time: whoever connects and does not answer is slow, not away
_ONCE: Final = RetryPolicy(1)
# OPA would compress answers, which costs more time than it saves.
_HEADERS: Final = {"Content-Type": "application/json", "Accept-Encoding": "identity"}


class _Attempt(Exception):
    """Raised where an attempt failed that another may mend; ``late`` where nothing came in its time."""

    def __init__(self, error: OpaUnreachable, requested: float | None = None, *, late: bool = False) -> None:
        self.error, self.requested, self.late = error, requested, late


class AsyncOpaClient(AsyncManagedProgram):
    """An asynchronous context manager; safe to share between all tasks of a loop.

    Args:
        tls: Whom it trusts, and with what it logs in.
        token: Reads the token, again when OPA refuses the last one; None where OPA needs none.
        floor: What refuses the answers of older bundles; None where any bundle is believed.
    """

    def __init__(self, tls: ReloadingContext, token: Callable[[], str] | None, floor: RevisionFloor | None) -> None:
        self._tls, self._bearer, self._floor = tls, Bearer(token), floor
        self._session: aiohttp.ClientSession | None = None

    async def _start(self) -> None:
        import aiohttp

        connector, none = aiohttp.TCPConnector(limit=_CONNECTIONS), aiohttp.ClientTimeout()
        self._session = aiohttp.ClientSession(connector=connector, timeout=none)

    async def _stop(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def ask(self, url: str, body: bytes, limit: float, retries: RetryPolicy = _ONCE) -> dict[str, Any]:
        """Return OPA's answer, whose ``result`` is there.

        Args:
            url: Of a document in OPA.
            body: The request, as JSON.
            limit: Seconds for all attempts together.
            retries: How often and how patiently it is tried; a fault that another attempt does not mend is final.

        Raises:
            OpaUnreachable, OpaTimeout, OpaRefused, OpaUndefined, OpaEvaluationError: See `warden.base.errors`.
            OpaUnauthorized: The token is refused, also once it has been read again, or cannot be read.
        """
        with begin_call("POST", url) as span:
            document = await self._try_again(url, body, limit, retries)
            span.set_attributes({DECISION_ID: document.get("decision_id")})
            return document

    async def _try_again(self, url: str, body: bytes, limit: float, retries: RetryPolicy) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        started, attempt, renewed = loop.time(), 0, False
        deadline = started + limit
        while True:
            share = (deadline - loop.time()) / (retries.attempts - attempt)
            token = self._read_token(url)
            try:
                return await self._try(url, body, share, token)
            except OpaUnauthorized:
                if renewed or not self._bearer.renew(token):
                    raise
                renewed = True
            except _Attempt as failed:
                attempt += 1
                pause = retries.compute_pause(attempt, deadline - loop.time(), failed.requested)
                if pause is None and failed.late:
                    raise OpaTimeout(_describe_lateness(url, loop.time() - started, attempt)) from None
                if pause is None:
                    raise failed.error from None
                await asyncio.sleep(pause)

    def _read_token(self, url: str) -> str | None:
        try:
            return self._bearer.get_header()
        except ConfigurationError as error:
            raise OpaUnauthorized(f"{url} was sent no request, for want of its token: {error}") from None

    async def _try(self, url: str, body: bytes, limit: float, token: str | None) -> dict[str, Any]:
        status, content, header = await self._post(url, body, limit, token)
        try:
            if status != 200:
                raise build_failure(status, content, url, header)
            document = parse_answer(content, url)
        except OpaUnreachable as error:
            raise _Attempt(error, parse_retry_after(header.get("Retry-After"))) from None
        if self._floor:
            self._floor.check_answer(document)
        if "result" not in document:
            raise OpaUndefined(f"{url} is undefined: check that OPA has loaded Warden's bundle")
        return document

    async def _post(
        self, url: str, body: bytes, limit: float, token: str | None
    ) -> tuple[int, bytes, Mapping[str, str]]:
        import aiohttp

        headers = dict(_HEADERS) if token is None else {**_HEADERS, "Authorization": token}
        inject_context(headers)
        whole = f"{url}?{PROVENANCE}" if self._floor else url
        if self._session is None:
            raise OpaUnreachable(f"{url} is left: this server is ending")
        try:
            async with (
                asyncio.timeout(limit),
                self._session.post(
                    whole,
                    data=body,
                    headers=headers,
                    allow_redirects=False,
                    ssl=self._tls.get_context(),
                    timeout=aiohttp.ClientTimeout(sock_connect=limit * _TO_CONNECT),
                ) as answer,
            ):
                return answer.status, await answer.read(), answer.headers
        except aiohttp.ConnectionTimeoutError:
            raise _Attempt(
                OpaUnreachable(
                    f"{url} cannot be reached: no connection within {limit * _TO_CONNECT:g} s: check that it runs"
                )
            ) from None
        except TimeoutError:
            raise _Attempt(OpaTimeout(_describe_lateness(url, limit, 1)), late=True) from None
        except aiohttp.ClientSSLError as error:
            raise OpaUnreachable(
                f"{url} cannot be trusted: {_describe_cause(error)}: check its certificate and the CA file"
            ) from None
        except aiohttp.ClientError as error:
            raise _Attempt(
                OpaUnreachable(f"{url} cannot be reached: {_describe_cause(error)}: check that OPA runs there")
            ) from None


def _describe_lateness(url: str, seconds: float, attempts: int) -> str:
    return f"{url} did not answer within {seconds:.2g} s{f', in {attempts} attempts' if attempts > 1 else ''}"


def _describe_cause(error: Exception) -> str:
    """Return the words of the operating system, or of TLS, without addresses and the names of Python's classes."""
    cause = getattr(error, "os_error", None) or getattr(error, "certificate_error", None) or error
    if isinstance(cause, socket.gaierror):
        return cause.strerror or "its name is not known"
    if reason := getattr(cause, "verify_message", None) or getattr(cause, "reason", None):
        return str(reason)
    match = re.search(r"\[Errno (\d+)\]", str(cause))  # of several addresses the first
    number = getattr(cause, "errno", None) or (int(match[1]) if match else None)
    return os.strerror(number) if number else "the connection ended before the answer did"
