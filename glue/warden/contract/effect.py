"""The effect of a violation and its waiver, as text. Pure."""

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["EFFECTS", "message_of", "waiver_note"]

EFFECTS: Final = {"deny": "denies", "warn": "only warned about", "dryrun": "in dry run", "waived": "waived"}
"""Effect of a violation → words, most severe first."""


def waiver_note(violation: Mapping[str, Any]) -> str:
    """Return ``" (waiver W-1 until 2027-03-31)"``, ``" (waiver W-1 expired on 2026-03-31)"``, or "" without a waiver.

    Args:
        violation: An element of a decision's ``violations``, or a finding.
    """
    waiver = violation.get("waiver")
    if not waiver:
        return ""
    return f" (waiver {waiver['id']} {'expired on' if waiver['expired'] else 'until'} {waiver['expires']})"


def message_of(violation: Mapping[str, Any]) -> str:
    """Return the message of a violation or finding, and that its waiver has expired where it has."""
    waiver = violation.get("waiver")
    return f"{violation['message']}{waiver_note(violation) if waiver and waiver['expired'] else ''}"
