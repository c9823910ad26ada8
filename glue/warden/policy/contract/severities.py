"""Severities of rules, and their order."""

__all__ = ["SEVERITIES", "rank_severity"]

SEVERITIES = ("critical", "high", "medium", "low", "info")
"""Every severity, the most severe first."""


def rank_severity(severity: str) -> int:
    """Return the place of a severity in `SEVERITIES`; one that is not among them comes last."""
    return SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)
