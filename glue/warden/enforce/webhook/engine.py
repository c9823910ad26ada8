"""The policy's response from OPA, as patiently as the configuration or KFK-PLC-003 says."""

import asyncio
import json
import logging
import re
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, Final

from warden.base.errors import InputError, OpaInputTooLarge
from warden.base.process.closing import AsyncManagedProgram
from warden.base.tls.reloading_context import load_client_context
from warden.enforce.webhook.config import DOCUMENT, WebhookConfig
from warden.enforce.webhook.without_decision import WithoutDecision
from warden.policy.failover.async_failover import AsyncFailover
from warden.policy.failover.checks import build_placement_check
from warden.policy.failover.failover_reasons import FailoverReason
from warden.policy.failover.ranking import OpaRanking
from warden.policy.opa.async_client import AsyncOpaClient
from warden.policy.opa.item_size import check_item_size
from warden.policy.opa.retry import RetryPolicy

__all__ = ["Engine", "redact_opa_addresses"]

_LOG = logging.getLogger("warden.enforce.webhook")
_WITHOUT_DECISION: Final = "/v1/data/io/k8s/federation/without_decision"
_RULE_SECONDS: Final = 2.0  # for reading the rule
_STATELESS: Final = " stateless"  # no field of OPA's
_ADDRESS: Final = re.compile(r"https?://[^\s,;]*[^\s,;:.]")


class Engine(AsyncManagedProgram):
    """Asks one document of one OPA, or of several. An asynchronous context manager.

    Args:
        config: Where it is, and how patiently it is called.
        rule: How often it is tried, where the configuration does not say so.
        ranking: What is known of several OPAs; None for one.

    Raises:
        ConfigurationError: Its certificates cannot be loaded.
    """

    def __init__(
        self, config: WebhookConfig, rule: WithoutDecision | None = None, ranking: OpaRanking | None = None
    ) -> None:
        self._config, self._rule = config, rule or WithoutDecision()
        tls = load_client_context(config.ca_file, config.client_certificate, "opa", _LOG)
        self._client = AsyncOpaClient(tls, config.token, config.floor)
        self._stack = AsyncExitStack()
        self._failover: AsyncFailover | None = None
        self._check = build_placement_check(self._ask)
        if ranking is not None:
            self._failover = AsyncFailover(ranking, self._check, config.timeout)

    async def _start(self) -> None:
        await self._stack.enter_async_context(self._client)
        if self._failover is not None:
            await self._stack.enter_async_context(self._failover)

    async def _stop(self) -> None:
        await self._stack.aclose()

    async def evaluate(self, obj: Any, limit: float) -> Any:
        """Return the document's value with an object as the input.

        Args:
            obj: The object.
            limit: Seconds that the caller waits.

        Raises:
            OpaError: There is no value: OPA is out of reach, too slow, refuses, fails, or has no such document; or the
                object is too large to be sent.
            InputError: The object has a number that not all readers share.
            ConfigurationError: The token cannot be read.
        """
        config = self._config
        try:
            content = json.dumps(obj, allow_nan=False)
        except ValueError:
            raise InputError("the object has a number beyond those of a double: write a smaller one") from None
        if problem := check_item_size("the object", len(content), config.max_item_bytes):
            raise OpaInputTooLarge(problem)
        body = f'{{"input":{content}}}'.encode()
        seconds, client = min(limit, config.timeout), self._client
        if self._failover is None:
            document = await client.ask(config.url, body, seconds, self._retries)
        else:
            document = await self._failover.ask(
                lambda url, share: self._ask_with_state(url, body, share),
                "",
                seconds,
                inspect=_find_failover_reason,
                retries=self._retries,
            )
        return document["result"]

    async def read_without_decision(self) -> Any:
        """Return what OPA has callers do without it, by one attempt.

        Raises:
            OpaError: There is no value; it may be another OPA than Warden's.
            ConfigurationError: The token cannot be read.
        """
        if self._failover is not None:
            document = await self._failover.ask(
                lambda url, share: self._client.ask(url + _WITHOUT_DECISION, b"{}", share), "", _RULE_SECONDS
            )
            return document["result"]
        server = re.sub(r"/v[01]/data/.*", "", self._config.url)
        return (await self._client.ask(server + _WITHOUT_DECISION, b"{}", _RULE_SECONDS))["result"]

    async def _ask_with_state(self, url: str, body: bytes, limit: float) -> dict[str, Any]:
        """Return OPA's answer, and where it refuses the object whether OPA has a state at all: it may have lost it."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + limit
        document = await self._client.ask(url + DOCUMENT, body, limit)
        if _is_refusal(document["result"]):
            findings = await self._check(url, deadline - loop.time())
            document[_STATELESS] = findings.problem is None and findings.ages[""] is None
        return document

    async def _ask(self, url: str, path: str, document: dict[str, Any], limit: float) -> dict[str, Any]:
        return await self._client.ask(f"{url}/v1/data/{path}", json.dumps({"input": document}).encode(), limit)

    @property
    def _retries(self) -> RetryPolicy:
        retries = self._config.retries
        if self._config.own_attempts or self._rule.attempts is None:
            return retries
        return replace(retries, attempts=self._rule.attempts)


def _is_refusal(response: Any) -> bool:
    return isinstance(response, dict) and bool(response.get("errors") or response.get("warnings"))


def _find_failover_reason(url: str, answer: Any) -> FailoverReason | None:
    return FailoverReason(f"{url} has no state of clusters", needs_state=True) if answer.get(_STATELESS) else None


def redact_opa_addresses(text: str) -> str:
    """Return the reason why there is no decision as whoever sent the object reads it: addresses are the log's."""
    return _ADDRESS.sub("OPA", text)
