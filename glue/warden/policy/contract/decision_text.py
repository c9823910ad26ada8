"""A decision as lines of text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from warden.policy.contract.effect import EFFECTS, format_cause, format_waiver

__all__ = ["escape_line", "iter_decision_lines"]


def escape_line(text: str) -> str:
    """Return a text as one line: with replacements for line ends, tabs and what nobody sees.

    A request may name a topic anything: a line of its own would be a command to the programs that run builds.

    Args:
        text: Names, values and what a rule says of them.
    """
    return text if text.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in text)


def iter_decision_lines(decision: Mapping[str, Any], *, dryrun: bool = False) -> Iterator[str]:
    """Yield whether it is allowed, denied or not decided, then what denies, what is warned of, and what is waived.

    Args:
        decision: The contract's decision.
        dryrun: Whether violations of rules in dry run come after that.
    """
    yield from map(escape_line, _iter_lines(decision, dryrun=dryrun))


def _iter_lines(decision: Mapping[str, Any], *, dryrun: bool) -> Iterator[str]:
    head = "not decided" if decision.get("invalidInput") else "denied"
    yield "allowed" if decision["allowed"] is True else f"{head}: {decision['error']['name']}"
    shown = [f"{violation['rule']}: {violation['message']}" for violation in decision["violations"]]
    besides = {"deny": ("", decision["errors"]), "warn": ("warn ", decision["warnings"])}
    for effect in EFFECTS:
        if effect == "dryrun":
            continue
        yield from _iter_violation_lines(decision, effect)
        mark, messages = besides.get(effect, ("", ()))
        yield from (f"  {mark}{message}" for message in messages if not _is_said(message, shown))
    if dryrun:
        yield from _iter_violation_lines(decision, "dryrun")


def _iter_violation_lines(decision: Mapping[str, Any], effect: str) -> Iterator[str]:
    for violation in decision["violations"]:
        if violation["effect"] == effect:
            note = f"{format_cause(violation)}{format_waiver(violation)}"
            yield f"  {effect} {violation['rule']} {violation['severity']}: {violation['message']}{note}"
            yield f"    fix: {violation['fix']}"


def _is_said(message: str, shown: Sequence[str]) -> bool:
    return any(message.startswith(line) for line in shown)
