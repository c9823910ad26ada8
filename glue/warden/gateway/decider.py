"""Decisions from OPA: one call for all resources of a request, within a time limit."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from warden.contract.consistency import decision_fault
from warden.errors import ConfigurationError, OpaError, OpaInputTooLarge, OpaRefused, OpaUndefined
from warden.gateway.config import GatewayOpa
from warden.gateway.observer import LOG
from warden.opa.async_client import AsyncOpaClient
from warden.opa.item_size import items_too_large
from warden.tls.followed_context import client_context

__all__ = ["Answer", "Decider"]


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
        self._url = f"{settings.url.rstrip('/')}/v1/data/kafka/decisions"
        self._token = ""
        self._renew_token()
        tls = client_context(settings.ca_file, None, "opa", LOG)
        self._client = AsyncOpaClient(tls, (lambda: self._token) if settings.token else None, settings.floor())

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

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
            document = await self._client.ask(self._url, question, self._settings.timeout)
        except OpaRefused:
            if not self._renew_token():
                raise
            document = await self._client.ask(self._url, question, self._settings.timeout)
        result = document["result"]
        if not isinstance(result, dict):
            raise OpaUndefined(f"{self._url} has no decisions: check that OPA has loaded Warden's bundle")
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

    def _renew_token(self) -> bool:
        """Read the token, again once OPA refuses it, and return whether it is another one."""
        try:
            token = self._settings.token.read() if self._settings.token else ""
        except ConfigurationError:  # it is being replaced: a refusal is what is wrong then
            return False
        before, self._token = self._token, token
        return token != before
