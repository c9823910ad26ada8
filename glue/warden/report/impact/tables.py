"""Tables of an impact analysis, which the terminal, Markdown and the page share. Pure."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from warden.analysis.impact.compare import CHANGED
from warden.analysis.impact.summary import Impact, Part, Sample
from warden.report.shares import percent

__all__ = ["Section", "headline", "input_text", "sample_title", "sections"]

_SOURCES = {"decisions": "recorded decisions", "snapshot": "resources of the snapshot"}
_HEADS = {
    "decisions": ("newly denied", "newly allowed", "message changed", "other"),
    "snapshot": ("turn non-compliant", "turn compliant", "message changed", "other"),
}
_SHOWN = 60
# Of inputs whose answer stays the same.
_CHANGES = {
    "denies": "denies too",
    "allows": "denies no more, others do",
    "message": "other words",
    "notes": "other warnings",
}


@dataclass(frozen=True)
class Section:
    """One table, or lines where it has no head.

    Args:
        title: What it is about.
        head: Names of the columns.
        rows: Cells; ints are counts.
        note: A sentence about it, empty where there is nothing to say.
    """

    title: str
    head: tuple[str, ...]
    rows: list[tuple[str | int, ...]]
    note: str = ""


def headline(impact: Impact) -> str:
    """Say in one line what the candidate does."""
    if impact.baseline == impact.candidate:
        return f"Both bundles have revision {impact.baseline}: nothing can change"
    parts = []
    for part in impact.parts:
        names = _HEADS[part.source]
        counts = ((names[0], part.denied), (names[1], part.allowed), ("changed in words", part.changed))
        named = (
            f"{count:,} {name.replace('turn ', 'turns ') if count == 1 else name} ({percent(count / part.evaluated)})"
            for name, count in counts
            if count
        )
        changes = ", ".join(named) or "nothing changes"
        parts.append(f"{changes} of {part.evaluated:,} {_SOURCES[part.source]}")
    lost = sum(each.decisions for each in impact.not_evaluated)
    parts += [f"{lost:,} decisions cannot be replayed"] if lost else []
    return f"{impact.baseline} → {impact.candidate}: {'; '.join(parts)}"


def sections(impact: Impact, *, teams: int | None = None) -> Iterator[Section]:
    """Yield the tables.

    Args:
        impact: The analysis.
        teams: Most rows by owner; None for all.
    """
    for part in impact.parts:
        yield from _counts(part, teams)
    if impact.settings:
        yield Section("Settings that changed", (), [(change.words(),) for change in impact.settings])
    if impact.policies:
        yield Section("Policies that changed", (), [(f"{path} {what}",) for path, what in impact.policies])
    if impact.not_evaluated:
        yield Section(
            "Cannot be replayed",
            ("decisions", "reason", "ids"),
            [(each.decisions, each.reason, _some(each.ids, each.decisions)) for each in impact.not_evaluated],
            "They are not counted as unchanged: what they would be is not known.",
        )


def _counts(part: Part, teams: int | None) -> Iterator[Section]:
    what, names = _SOURCES[part.source], _HEADS[part.source]
    if part.rules:
        rows: list[tuple[str | int, ...]] = [
            (each.rule or "(no rule)", each.severity, each.denied, each.allowed, each.message, each.other)
            for each in part.rules
        ]
        yield Section(f"By rule: {what}", ("rule", "severity", *names), rows)
    hit = [each for each in part.teams if each.denied or each.allowed or each.changed]
    if hit:
        shown = hit[:teams]
        cut = f", the first {len(shown)} of {len(hit)}" if len(shown) < len(hit) else ""
        yield Section(
            f"By owner: {what}{cut}",
            ("owner", "evaluated", names[0], names[1], "changed"),
            [(each.owner or "(none)", each.evaluated, each.denied, each.allowed, each.changed) for each in shown],
        )
    if part.otherwise:
        yield Section(
            "Decided otherwise at the time",
            (),
            [(f"{part.otherwise:,} of {part.evaluated:,} {what}",)],
            "The baseline does not decide them as the log has it: another policy was in force, or another state.",
        )


def sample_title(sample: Sample) -> str:
    """Say which rule changes what about which input."""
    change = sample.kind if sample.kind != CHANGED else _CHANGES[sample.change]
    owner = f", owner {sample.owner}" if sample.owner else ""
    return f"{sample.rule or '(no rule)'}, {change}: {sample.operation} {sample.cluster}/{sample.resource}{owner}"


def _some(ids: list[str], count: int) -> str:
    text = ""
    for index, each in enumerate(ids):
        if len(text) + len(each) > _SHOWN:
            return f"{text}and {count - index:,} more"
        text += f"{each} "
    return text.rstrip() if len(ids) == count else f"{text}and {count - len(ids):,} more"


def input_text(sample: Sample) -> str:
    """Return a sample's input as JSON for a person."""
    return json.dumps(sample.input, indent=2, ensure_ascii=False, sort_keys=True)
