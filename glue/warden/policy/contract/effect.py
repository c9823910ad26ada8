"""The effect of a violation and its waiver, as text. Pure."""

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["EFFECTS", "OPEN_EFFECTS", "format_cause", "format_message", "format_rule_and_effect", "format_waiver"]

OPEN_EFFECTS: Final = ("deny", "warn")
"""Effects of findings that somebody is to mend; of a dry run and of a waiver nobody is."""

EFFECTS: Final = {"deny": "denies", "warn": "only warned about", "dryrun": "in dry run", "waived": "waived"}
"""Effect of a violation → words, most severe first."""


def format_waiver(violation: Mapping[str, Any]) -> str:
    """Return ``" (waiver W-1 until 2027-03-31)"``, ``" (waiver W-1 expired on 2026-03-31)"``, or "" without a waiver.

    Args:
        violation: An element of a decision's ``violations``, or a finding.
    """
    waiver = violation.get("waiver")
    if not waiver:
        return ""
    return f" (waiver {waiver['id']} {'expired on' if waiver['expired'] else 'until'} {waiver['expires']})"


def format_cause(violation: Mapping[str, Any]) -> str:
    """Return ``" (so before the change)"``, that it is better than it was, or "" where it was not found there.

    Args:
        violation: An element of a decision's ``violations``, or a finding.
    """
    if violation.get("cause") != "found":
        return ""
    before = violation.get("before")
    same = before in (None, violation["message"])
    return " (so before the change)" if same else f" (better than before the change: {before})"


def format_rule_and_effect(violation: Mapping[str, Any]) -> str:
    """Return ``KFK-DUR-001 deny``, or ``KFK-DUR-001 warn found`` of what was there before the change."""
    cause = " found" if violation.get("cause") == "found" else ""
    return f"{violation.get('rule')} {violation.get('effect')}{cause}"


def format_message(violation: Mapping[str, Any]) -> str:
    """Return the message of a violation or finding, that it was there before, and that its waiver has expired."""
    waiver = violation.get("waiver")
    expired = format_waiver(violation) if waiver and waiver["expired"] else ""
    return f"{violation['message']}{format_cause(violation)}{expired}"
