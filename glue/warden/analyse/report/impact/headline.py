"""An impact analysis in one line. Pure."""

from collections.abc import Mapping
from typing import Final

from warden.analyse.impact.summary import Impact, SourceImpact
from warden.analyse.report.percent import format_percent

__all__ = ["SOURCES", "format_headline", "format_title", "label_counts"]

SOURCES: Final[Mapping[str, str]] = {"decisions": "recorded decisions", "snapshot": "resources of the snapshot"}
"""Source of inputs → words."""

_TURNS = ("turn non-compliant", "no longer denied")


def format_headline(impact: Impact) -> str:
    """Say in one line what the candidate does."""
    if impact.baseline == impact.candidate:
        return f"Both bundles have revision {impact.baseline}: nothing can change"
    parts = []
    for part in impact.parts:
        named = [
            f"{count:,} {name.replace('turn ', 'turns ') if count == 1 else name} ({share})"
            for name, count in label_counts(part)
            if count and (share := format_percent(count / part.evaluated))
        ]
        if part.closed:  # which are of those that come first
            named[1:1] = [f"{part.closed:,} of them closed to every change"]
        changes = ", ".join(named) or "nothing changes"
        parts.append(f"{changes} of {part.evaluated:,} {SOURCES[part.source]}")
    lost = sum(gap.decisions for gap in impact.not_evaluated)
    parts += [f"{lost:,} not evaluated"] if lost else []
    return f"{impact.baseline} → {impact.candidate}: {'; '.join(parts)}"


def format_title(impact: Impact) -> str:
    """Say how many inputs become denied, and where none does, how many are denied no more."""
    for place, nothing in ((0, ""), (1, "Nothing becomes denied, ")):
        hit = [(*label_counts(part)[place], part) for part in impact.parts if label_counts(part)[place][1]]
        if hit:
            said = [_format_count(name, count, part) for name, count, part in hit]
            return nothing + ", ".join(said)
    return "Nothing becomes denied"


def _format_count(name: str, count: int, part: SourceImpact) -> str:
    of = f"{count:,} of {part.evaluated:,} {SOURCES[part.source]}"
    if name.startswith("turn "):
        return f"{of} {name.replace('turn ', 'turns ') if count == 1 else name}"
    return f"{of} {'is' if count == 1 else 'are'} {name}"


def label_counts(part: SourceImpact) -> tuple[tuple[str, int], ...]:
    """Return what becomes denied, what is denied no more and what changes in words, each with its name."""
    denied, allowed = ("newly denied", "newly allowed") if part.source == "decisions" else _TURNS
    return (denied, part.denied), (allowed, part.allowed), ("changed in words", part.changed)
