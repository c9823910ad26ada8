"""A decision in lines for a person."""

from collections.abc import Iterator, Mapping
from typing import Any

from warden.expired import expired

__all__ = ["verdict_lines"]


def verdict_lines(decision: Mapping[str, Any]) -> Iterator[str]:
    """Yield the verdict, then what speaks against it, each with its way out.

    Args:
        decision: The contract's decision.
    """
    yield "allowed" if decision["allowed"] is True else f"denied: {decision['error']['name']}"
    for violation in decision["violations"]:
        mode, note = _standing(violation, decision)
        yield f"  {mode} {violation['rule']} {violation['severity']}: {violation['message']}{note}"
        yield f"    fix: {violation['fix']}"
    known = {f"{violation['rule']}: {violation['message']}" for violation in decision["violations"]}
    for mark, messages in (("", decision["errors"]), ("warn ", decision["warnings"])):
        for message in messages:
            if not any(message.startswith(line) for line in known):
                yield f"  {mark}{message}"


def _standing(violation: Mapping[str, Any], decision: Mapping[str, Any]) -> tuple[str, str]:
    """What a violation does, and what became of its waiver, as far as the decision tells."""
    mode, waiver = str(violation["mode"]), violation["waiver"]
    if waiver is None:
        return mode, ""
    if words := expired(violation, decision):
        return mode, words
    if mode == "dryrun" or violation["message"] in decision["errors"]:  # told by nothing, or by Kafka's own refusal
        return mode, f" (waiver {waiver['id']})"
    return "waived", f" (waiver {waiver['id']} until {waiver['expires']})"
