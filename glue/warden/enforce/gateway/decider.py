"""Decisions from OPA: one call for a batch of items, within a time limit."""

import asyncio
import json
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from warden.base.errors import ConfigurationError, OpaInputTooLarge, OpaRefused, OpaUndefined
from warden.base.tls.reloading_context import client_context
from warden.enforce.gateway.config import GatewayOpa
from warden.enforce.gateway.observer import LOG
from warden.policy.contract.consistency import decision_fault
from warden.policy.opa.async_client import AsyncOpaClient
from warden.policy.opa.item_size import items_too_large, json_size

__all__ = ["Decider"]


class Decider:
    """Asks one OPA. An asynchronous context manager; safe to share between all connections of a loop.

    Args:
        settings: Where it is, and how long it may take.

    Attributes:
        decided_at: When it last decided, by the loop's clock.
    """

    def __init__(self, settings: GatewayOpa) -> None:
        self.settings = settings
        self.decided_at = float("-inf")
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

    def check_size(self, inputs: Mapping[str, Mapping[str, Any]]) -> None:
        """Look at the size of a request's decision inputs.

        Raises:
            OpaInputTooLarge: One of them is too large to be sent.
        """
        most = self.settings.max_item_bytes
        if json_size(dict(inputs)) > most and (problem := items_too_large(inputs, most)):
            raise OpaInputTooLarge(problem)

    async def decide(
        self, batch: Mapping[str, Any], limit: float | None = None
    ) -> tuple[dict[str, Mapping[str, Any]], str | None]:
        """Return the decisions by item, and OPA's id of them, which is None where it keeps none.

        Args:
            batch: The input of ``kafka/decisions``.
            limit: Seconds; None for those of the settings.

        Raises:
            OpaError: Nothing was decided: OPA is out of reach, too slow, refuses, fails, or has no such policy.
        """
        question, seconds = json.dumps({"input": batch}).encode(), limit or self.settings.timeout
        used = self._token
        try:
            document = await self._client.ask(self._url, question, seconds)
        except OpaRefused:
            if not self._renew_token(used):
                raise
            document = await self._client.ask(self._url, question, seconds)
        result = document["result"]
        if not isinstance(result, dict):
            raise OpaUndefined(f"{self._url} has no decisions: check that OPA has loaded Warden's bundle")
        for key in batch["items"]:
            if (fault := decision_fault(result.get(key))) is not None:
                raise OpaUndefined(f"{self._url} did not decide the item {key!r}: of the answer, {fault}")
        self.decided_at = asyncio.get_running_loop().time()
        return result, document.get("decision_id")

    def _renew_token(self, used: str = "") -> bool:
        """Read the token, again once OPA refuses the one that was used, and return whether it is another."""
        try:
            token = self.settings.token.read() if self.settings.token else ""
        except ConfigurationError:  # it is being replaced: a refusal is what is wrong then
            return False
        self._token = token
        return token != used
