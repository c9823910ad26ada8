"""The setting KFK-PLC-003 for callers without OPA: read while OPA answers, and used once it does not."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from warden.base.errors import WardenError

__all__ = ["WithoutDecision", "follow_rule", "parse_rule"]

_LOG: Final = logging.getLogger("warden.enforce.webhook")
_INTERVAL: Final = 5.0  # seconds between two polls


@dataclass
class WithoutDecision:
    """What holds now; it is changed in place.

    Args:
        attempts: Requests for one decision; None where OPA has not said so.
        lets_pass: Whether an object passes as it is where OPA is not reached.
    """

    attempts: int | None = None
    lets_pass: bool = False


def parse_rule(document: Any) -> WithoutDecision | None:
    """Return what ``io/k8s/federation/without_decision`` says; None where it says nothing that can be carried out.

    Args:
        document: Any JSON value.
    """
    if not isinstance(document, Mapping) or document.get("onError") not in ("fail", "ignore"):
        return None
    attempts = document.get("attempts")
    is_valid = isinstance(attempts, int) and not isinstance(attempts, bool) and attempts >= 1
    return WithoutDecision(attempts if is_valid else None, document["onError"] == "ignore")


@asynccontextmanager
async def follow_rule(rule: WithoutDecision, read: Callable[[], Awaitable[Any]]) -> AsyncIterator[None]:
    """Keep a rule as OPA has it; what OPA said last holds while it says nothing.

    Args:
        rule: Is changed.
        read: Returns the document; it raises WardenError where OPA gives none.
    """
    task = asyncio.create_task(_follow(rule, read))
    try:
        yield
    finally:
        task.cancel()


async def _follow(rule: WithoutDecision, read: Callable[[], Awaitable[Any]]) -> None:
    while True:
        try:
            said = parse_rule(await read())
        except WardenError as error:
            said = None
            _LOG.debug("not known what holds without a decision", extra={"error": str(error)})
        if said is not None and said != rule:
            rule.attempts, rule.lets_pass = said.attempts, said.lets_pass
            extra = {"attempts": said.attempts, "onError": "ignore" if said.lets_pass else "fail"}
            _LOG.info("KFK-PLC-003 without a decision", extra=extra)
        await asyncio.sleep(_INTERVAL)
