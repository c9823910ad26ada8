"""The policy's response from OPA over aiohttp: several attempts within one time limit."""

import asyncio
import json
import logging
import re
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from warden.errors import OpaRefused, OpaUndefined, OpaUnreachable
from warden.opa.answers import failure, parse
from warden.opa.retry import Retries, retry_after
from warden.opa.revision_floor import PROVENANCE
from warden.tls.followed_context import client_context
from warden.webhook.config import Config
from warden.webhook.without_decision import WithoutDecision

if TYPE_CHECKING:
    import aiohttp

__all__ = ["Engine"]

_LOG = logging.getLogger("warden.webhook")
_CONNECTIONS: Final = 64
_WITHOUT_DECISION: Final = "/v1/data/io/k8s/federation/without_decision"
_LOOK: Final = 2.0  # seconds for one look at the rule


class _Attempt(Exception):
    """Raised where an attempt failed that another may mend."""

    def __init__(self, error: OpaUnreachable, requested: float | None = None) -> None:
        self.error, self.requested = error, requested


class Engine:
    """Asks one document of one OPA. An asynchronous context manager.

    Args:
        config: Where it is, and how patiently it is called.
        rule: How often it is tried, where the configuration does not say so.

    Raises:
        ConfigurationError: Its certificates cannot be loaded.
    """

    def __init__(self, config: Config, rule: WithoutDecision | None = None) -> None:
        self._config, self._rule = config, rule or WithoutDecision()
        self._tls = client_context(config.ca_file, config.client_certificate, "opa", _LOG)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        import aiohttp

        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=_CONNECTIONS))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def evaluate(self, thing: Any, limit: float) -> Any:
        """Return the document's value with an object as the input.

        Args:
            thing: The object.
            limit: Seconds that the caller waits.

        Raises:
            OpaError: There is no value: OPA is out of reach, too slow, refuses, fails, or has no such document.
            ConfigurationError: The token cannot be read.
        """
        retries, loop = self._retries(), asyncio.get_running_loop()
        body = json.dumps({"input": thing}).encode()
        deadline = loop.time() + min(limit, self._config.timeout)
        attempt = 0
        while True:
            left = deadline - loop.time()
            try:
                return await self._try(self._config.url, body, left / (retries.attempts - attempt))
            except _Attempt as failed:
                attempt += 1
                pause = retries.pause(attempt, deadline - loop.time(), failed.requested)
                if pause is None:
                    raise failed.error from None
                await asyncio.sleep(pause)

    async def without_decision(self) -> Any:
        """Return what OPA has callers do without it, by one attempt.

        Raises:
            OpaError: There is no value; it may be another OPA than Warden's.
            ConfigurationError: The token cannot be read.
        """
        server = re.sub(r"/v[01]/data/.*", "", self._config.url)
        try:
            return await self._try(server + _WITHOUT_DECISION, b"{}", _LOOK)
        except _Attempt as failed:
            raise failed.error from None

    def _retries(self) -> Retries:
        retries = self._config.retries
        if self._config.own_attempts or self._rule.attempts is None:
            return retries
        return replace(retries, attempts=self._rule.attempts)

    async def _try(self, url: str, body: bytes, limit: float) -> Any:
        import aiohttp

        token, floor = self._config.token, self._config.floor
        headers = {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token()}"
        if self._session is None:
            raise OpaUnreachable("the webhook is closing")
        try:
            async with (
                asyncio.timeout(limit),
                self._session.post(
                    f"{url}?{PROVENANCE}" if floor else url,
                    data=body,
                    headers=headers,
                    allow_redirects=False,
                    ssl=self._tls.current(),
                ) as answer,
            ):
                status, content, header = answer.status, await answer.read(), answer.headers
        except TimeoutError:
            raise _Attempt(OpaUnreachable(f"{url} did not answer within {limit:.1f} s")) from None
        except aiohttp.ClientError as error:
            raise _Attempt(OpaUnreachable(f"{url} cannot be reached: {type(error).__name__}: {error}")) from None
        try:
            if status != 200:
                raise failure(status, content, url, header.get("Location"))
            document = parse(content, url)
        except OpaUnreachable as error:
            raise _Attempt(error, retry_after(header.get("Retry-After"))) from None
        except RecursionError:
            raise OpaRefused(f"{url} answered with JSON that is nested too deeply: check the policy") from None
        if floor:
            floor.check_answer(document)
        if "result" not in document:
            raise OpaUndefined(f"{url} is undefined: check that OPA has loaded Warden's bundle")
        return document["result"]
