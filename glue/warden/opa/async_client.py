"""Calls of OPA's Data API over aiohttp, for servers: several attempts within one time limit."""

import asyncio
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from warden.errors import OpaRefused, OpaUndefined, OpaUnreachable
from warden.opa.answers import failure, parse
from warden.opa.retry import Retries, retry_after
from warden.opa.revision_floor import PROVENANCE, RevisionFloor
from warden.tls.followed_context import FollowedContext

if TYPE_CHECKING:
    import aiohttp

__all__ = ["AsyncOpaClient"]

_CONNECTIONS: Final = 64
_ONCE: Final = Retries(1)
# OPA would compress answers, which costs more time than it saves.
_HEADERS: Final = {"Content-Type": "application/json", "Accept-Encoding": "identity"}


class _Attempt(Exception):
    """Raised where an attempt failed that another may mend."""

    def __init__(self, error: OpaUnreachable, requested: float | None = None) -> None:
        self.error, self.requested = error, requested


class AsyncOpaClient:
    """An asynchronous context manager; safe to share between all tasks of a loop.

    Args:
        tls: Whom it trusts, and with what it logs in.
        token: Returns the token to send, called for each request; None where OPA needs none.
        floor: What refuses the answers of older bundles; None where any bundle is believed.
    """

    def __init__(self, tls: FollowedContext, token: Callable[[], str] | None, floor: RevisionFloor | None) -> None:
        self._tls, self._token, self._floor = tls, token, floor
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        import aiohttp

        connector, none = aiohttp.TCPConnector(limit=_CONNECTIONS), aiohttp.ClientTimeout()
        self._session = aiohttp.ClientSession(connector=connector, timeout=none)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def ask(self, url: str, body: bytes, limit: float, retries: Retries = _ONCE) -> dict[str, Any]:
        """Return OPA's answer, whose ``result`` is there.

        Args:
            url: Of a document in OPA.
            body: The request, as JSON.
            limit: Seconds for all attempts together.
            retries: How often and how patiently it is tried; a fault that another attempt does not mend is final.

        Raises:
            OpaUnreachable, OpaRefused, OpaUndefined, OpaEvaluationError: See `warden.errors`.
            ConfigurationError: The token cannot be read.
        """
        loop = asyncio.get_running_loop()
        deadline, attempt = loop.time() + limit, 0
        while True:
            left = deadline - loop.time()
            try:
                return await self._try(url, body, left / (retries.attempts - attempt))
            except _Attempt as failed:
                attempt += 1
                pause = retries.pause(attempt, deadline - loop.time(), failed.requested)
                if pause is None:
                    raise failed.error from None
                await asyncio.sleep(pause)

    async def _try(self, url: str, body: bytes, limit: float) -> dict[str, Any]:
        status, content, header = await self._post(url, body, limit)
        try:
            if status != 200:
                raise failure(status, content, url, header.get("Location"))
            document = parse(content, url)
        except OpaUnreachable as error:
            raise _Attempt(error, retry_after(header.get("Retry-After"))) from None
        except RecursionError:
            raise OpaRefused(f"{url} answered with JSON that is nested too deeply: check the policy") from None
        if self._floor:
            self._floor.check_answer(document)
        if "result" not in document:
            raise OpaUndefined(f"{url} is undefined: check that OPA has loaded Warden's bundle")
        return document

    async def _post(self, url: str, body: bytes, limit: float) -> tuple[int, bytes, Mapping[str, str]]:
        import aiohttp

        headers = _HEADERS if self._token is None else {**_HEADERS, "Authorization": f"Bearer {self._token()}"}
        whole = f"{url}?{PROVENANCE}" if self._floor else url
        if self._session is None:
            raise OpaUnreachable(f"{url} is left: this server is ending")
        try:
            async with (
                asyncio.timeout(limit),
                self._session.post(
                    whole, data=body, headers=headers, allow_redirects=False, ssl=self._tls.current()
                ) as answer,
            ):
                return answer.status, await answer.read(), answer.headers
        except TimeoutError:
            raise _Attempt(OpaUnreachable(f"{url} did not answer within {limit:.3g} s")) from None
        except aiohttp.ClientSSLError as error:
            raise OpaUnreachable(f"{url} cannot be trusted: {error}: check its certificate and the CA file") from None
        except aiohttp.ClientError as error:
            raise _Attempt(OpaUnreachable(f"{url} cannot be reached: {type(error).__name__}: {error}")) from None
