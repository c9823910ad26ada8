"""A decision as lines of text."""

from collections.abc import Iterator, Mapping
from typing import Any

from warden.contract.effect import waiver_note

__all__ = ["decision_lines"]


def decision_lines(decision: Mapping[str, Any]) -> Iterator[str]:
    """Yield whether it is allowed, denied or not decided, then each violation with its fix.

    Args:
        decision: The contract's decision.
    """
    head = "not decided" if decision.get("invalidInput") else "denied"
    yield "allowed" if decision["allowed"] is True else f"{head}: {decision['error']['name']}"
    for violation in decision["violations"]:
        effect, note = violation["effect"], waiver_note(violation)
        yield f"  {effect} {violation['rule']} {violation['severity']}: {violation['message']}{note}"
        yield f"    fix: {violation['fix']}"
    shown = {f"{violation['rule']}: {violation['message']}" for violation in decision["violations"]}
    for mark, messages in (("", decision["errors"]), ("warn ", decision["warnings"])):
        for message in messages:
            if not any(message.startswith(line) for line in shown):
                yield f"  {mark}{message}"
