"""What a finding weighs: denied, only warned about, in dry run, or waived. Pure."""

from collections.abc import Mapping
from typing import Any

__all__ = ["MODES", "fingerprint", "mode_of"]

MODES = {"deny": "denies", "warn": "only warned about", "dryrun": "in dry run", "waived": "waived"}
"""Mode → words, gravest first."""


def mode_of(finding: Mapping[str, Any]) -> str:
    """Return one of `MODES`: ``waived`` where a waiver holds, whatever the rule's mode."""
    return "waived" if finding.get("waiver") else str(finding["mode"])


def fingerprint(cluster: str, topic: str, finding: Mapping[str, Any]) -> str:
    """Return what stays the same about a finding from run to run: not its message, which has values in it."""
    import hashlib

    parts = (cluster, topic, finding["rule"], *(finding.get("path") or ()))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
