"""Decisions from OPA over aiohttp: one call for all resources of a request, within a time limit."""

import json
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from warden.contract.consistency import decision_fault
from warden.errors import ConfigurationError, OpaError, OpaInputTooLarge, OpaRefused, OpaUndefined, OpaUnreachable
from warden.gateway.config import GatewayOpa
from warden.opa.answers import failure, parse
from warden.opa.item_size import items_too_large
from warden.opa.revision_floor import PROVENANCE

if TYPE_CHECKING:
    import aiohttp

__all__ = ["Answer", "Decider"]

_CONNECTIONS: Final = 64


@dataclass(frozen=True, slots=True)
class Answer:
    """OPA's answer.

    Args:
        decisions: The decisions by item.
        decision_id: Under which OPA's decision log has them; None where it keeps none.
    """

    decisions: Mapping[str, Mapping[str, Any]]
    decision_id: str | None


class Decider:
    """Asks one OPA. An asynchronous context manager; safe to share between all connections of a loop.

    Args:
        settings: Where it is, and how long it may take.
    """

    def __init__(self, settings: GatewayOpa) -> None:
        self._settings = settings
        self._floor = settings.floor()
        self._url = f"{settings.url.rstrip('/')}/v1/data/kafka/decisions"
        self._query = f"?{PROVENANCE}" if self._floor else ""
        self._session: aiohttp.ClientSession | None = None
        self._trust: ssl.SSLContext | None = None
        # OPA would compress answers, which costs more time than it saves.
        self._headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        self._renew_token()

    async def __aenter__(self) -> Self:
        import aiohttp

        ca_file = self._settings.ca_file
        self._trust = ssl.create_default_context(cafile=ca_file) if ca_file else None
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=_CONNECTIONS, ssl=self._trust or True),
            timeout=aiohttp.ClientTimeout(total=self._settings.timeout),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def decide(self, inputs: Mapping[str, Any], common: Mapping[str, Any]) -> Answer:
        """Return the decisions about several resources.

        Args:
            inputs: Decision inputs by item.
            common: What they have in common.

        Raises:
            OpaError: Nothing was decided: OPA is out of reach, too slow, refuses, fails, or has no such policy; or an
                input is too large to be sent.
        """
        question = json.dumps({"input": {"items": dict(inputs), "common": dict(common)}}).encode()
        most = self._settings.max_item_bytes
        if len(question) > most and (problem := items_too_large(inputs, most)):
            raise OpaInputTooLarge(problem)
        try:
            body = await self._post(question)
        except OpaRefused:
            if not self._renew_token():
                raise
            body = await self._post(question)
        document = parse(body, self._url)
        if self._floor:
            self._floor.check_answer(document)
        result = document.get("result")
        if not isinstance(result, dict):
            raise OpaUndefined(f"{self._url} is undefined: check that OPA has loaded Warden's bundle")
        for key in inputs:
            if (fault := decision_fault(result.get(key))) is not None:
                raise OpaUndefined(f"{self._url} did not decide the item {key!r}: of the answer, {fault}")
        return Answer(result, document.get("decision_id"))

    async def ready(self) -> str | None:
        """Return why no request could be decided now; None where it could."""
        try:
            await self.decide({}, {})
        except OpaError as error:
            return str(error)
        return None

    async def _post(self, body: bytes) -> bytes:
        import aiohttp

        if self._session is None:
            raise OpaUnreachable("the gateway is closing")
        try:
            async with self._session.post(
                self._url + self._query, data=body, headers=self._headers, allow_redirects=False
            ) as got:
                content = await got.read()
                if got.status != 200:
                    raise failure(got.status, content, self._url, got.headers.get("Location"))
                return content
        except TimeoutError:
            raise OpaUnreachable(f"{self._url} did not answer within {self._settings.timeout:g} s") from None
        except aiohttp.ClientSSLError:
            self._renew_trust()
            raise OpaUnreachable(f"{self._url} cannot be trusted: check its certificate and caFile") from None
        except aiohttp.ClientError as error:
            raise OpaUnreachable(f"{self._url} cannot be reached: {type(error).__name__}") from None

    def _renew_trust(self) -> None:
        """Trust what ``caFile`` has now as well, with the next request."""
        with suppress(OSError, ssl.SSLError):  # it is being replaced
            if self._trust is not None:
                self._trust.load_verify_locations(cafile=self._settings.ca_file)

    def _renew_token(self) -> bool:
        """Read the token, again once OPA refuses it, and return whether it is another one."""
        try:
            header = f"Bearer {self._settings.token.read()}" if self._settings.token is not None else ""
        except ConfigurationError:  # it is being replaced: a refusal is what is wrong then
            return False
        before = self._headers.get("Authorization", "")
        if header:
            self._headers = {**self._headers, "Authorization": header}
        return header != before
