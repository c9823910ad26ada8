"""Display name and fingerprint of a finding. Pure."""

from collections.abc import Mapping
from typing import Any

__all__ = ["compute_fingerprint", "format_subject"]


def format_subject(row: Mapping[str, Any]) -> str:
    """Return the name of what a finding or a decision is about: a topic's own, else the kind and the name."""
    if row.get("topic") is not None:
        return str(row["topic"])
    return f"{row.get('kind') or 'resource'} {row.get('resource') or '(default)'}"


def compute_fingerprint(finding: Mapping[str, Any]) -> str:
    """Return what stays the same about a finding from run to run: not its message, which has values in it."""
    import hashlib

    parts = (finding["cluster"], format_subject(finding), finding["rule"], *(finding.get("path") or ()))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
