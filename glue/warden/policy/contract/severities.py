"""Severities of rules, and their order."""

from typing import Final, Literal, get_args

__all__ = ["SEVERITIES", "Severity", "rank_severity"]

Severity = Literal["critical", "high", "medium", "low", "info"]
"""How much depends on a rule: ``critical``, ``high``, ``medium``, ``low`` or ``info``."""

SEVERITIES: Final[tuple[str, ...]] = get_args(Severity)
"""Every severity, the most severe first."""


def rank_severity(severity: str) -> int:
    """Return the place of a severity in `SEVERITIES`; one that is not among them comes last."""
    return SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)
