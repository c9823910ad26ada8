"""Tables of an impact analysis, which the terminal, Markdown and the page share. Pure."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from warden.analyse.impact.compare import CHANGED, NEWLY_ALLOWED, NEWLY_DENIED
from warden.analyse.impact.settings import SettingChange, format_value
from warden.analyse.impact.summary import Impact, RuleImpact, Sample, SourceImpact
from warden.analyse.report.impact.headline import SOURCES, label_counts
from warden.policy.bundle.metadata import find_rule_page

__all__ = ["Cell", "RuleName", "Section", "format_input", "format_sample_title", "iter_sections", "list_rules"]

_HEADS = {
    "decisions": ("newly denied", "newly allowed", "message changed", "found", "other"),
    "snapshot": ("turn non-compliant", "of these closed", "no longer denied", "message changed", "other"),
}
_NOTES = {
    "decisions": "What was so before a change and is no worse after it is found: it is warned of, and not denied.",
    "snapshot": "What turns non-compliant is closed where every change of it is denied; else one that does not make it "
    "worse is allowed, and a worse one is denied, as is a new resource like it. What is no longer denied has not "
    "changed: the candidate demands less of it.",
}
_MAX_SHOWN_CHARACTERS = 60
# Of inputs whose answer stays the same.
_CHANGES = {
    "denies": "denies too",
    "allows": "denies no more, others do",
    "message": "other words",
    "found": "found there before",
    "notes": "other warnings",
}
# Of resources of a snapshot, which are no requests.
_TURNS = {NEWLY_DENIED: "turns non-compliant", NEWLY_ALLOWED: "no longer denied"}


@dataclass(frozen=True)
class RuleName:
    """A rule in a table.

    Args:
        id: Its id, or what stands in its place.
        title: Its title, empty where it is not known.
        page: The address of its page, empty where it is not known.
    """

    id: str
    title: str = ""
    page: str = ""


Cell = str | int | RuleName


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
    rows: list[tuple[Cell, ...]]
    note: str = ""


def iter_sections(impact: Impact, *, teams: int | None = None) -> Iterator[Section]:
    """Yield the tables.

    Args:
        impact: The analysis.
        teams: Most rows by owner; None for all.
    """
    for part in impact.parts:
        yield from _iter_count_sections(part, impact.rules, teams)
    if impact.settings:
        yield _build_settings_section(impact)
    if impact.policies:
        yield Section("Policies that changed", (), [(f"{path} {what}",) for path, what in impact.policies])
    if impact.not_evaluated:
        yield Section(
            "Not evaluated",
            ("inputs", "reason", "ids"),
            [(gap.decisions, gap.reason, _format_ids(gap.ids, gap.decisions)) for gap in impact.not_evaluated],
            "They are not counted as unchanged: what they would be is not known.",
        )


def list_rules(impact: Impact) -> list[str]:
    """Return the ids of the rules that the tables name and that have metadata, in order."""
    named = {rule.rule for part in impact.parts for rule in part.rules} | {change.subject for change in impact.settings}
    return sorted(named & impact.rules.keys())


def _iter_count_sections(part: SourceImpact, metadata: Mapping[str, Any], teams: int | None) -> Iterator[Section]:
    what, names = SOURCES[part.source], _HEADS[part.source]
    if part.rules:
        rows: list[tuple[Cell, ...]] = [
            (_name_rule(rule.rule or "(no rule)", metadata), rule.severity, *_build_count_cells(rule, part.source))
            for rule in part.rules
        ]
        says = part.denied or part.allowed if part.source == "snapshot" else any(rule.found for rule in part.rules)
        yield Section(f"By rule: {what}", ("rule", "severity", *names), rows, _NOTES[part.source] if says else "")
    hit = [team for team in part.teams if team.denied or team.allowed or team.changed]
    if hit:
        shown = hit[:teams]
        cut = f", the first {len(shown)} of {len(hit)}" if len(shown) < len(hit) else ""
        yield Section(
            f"By owner: {what}{cut}",
            ("owner", "evaluated", *(name for name, _ in label_counts(part)[:2]), "changed"),
            [(team.owner or "(none)", team.evaluated, team.denied, team.allowed, team.changed) for team in shown],
        )
    if part.otherwise:
        yield Section(
            "Decided otherwise at the time",
            (),
            [(f"{part.otherwise:,} of {part.evaluated:,} {what}",)],
            "The baseline does not decide them as the log has it: another policy was in force, or another state.",
        )


def _build_settings_section(impact: Impact) -> Section:
    """Equal changes stand together, modes first; where a setting holds is a column if one holds in a part only."""
    changes = sorted(
        impact.settings, key=lambda change: (change.name != "mode", change.name, _format_sides(change), change.subject)
    )
    scoped = any(change.scope for change in changes)
    rows: list[tuple[Cell, ...]] = [
        (
            _name_rule(change.subject, impact.rules),
            change.name,
            *((change.scope or "everywhere",) if scoped else ()),
            *_format_sides(change),
        )
        for change in changes
    ]
    head = ("rule", "setting", *(("where",) if scoped else ()), "before", "after")
    return Section("Settings that changed", head, rows)


def _format_sides(change: SettingChange) -> tuple[str, str]:
    if not change.name and True in (change.before, change.after):  # a rule that came or went
        return ("", "added") if change.before is None else ("", "removed")
    before, after = ("" if value is None else format_value(value) for value in (change.before, change.after))
    return before, after


def _name_rule(id: str, metadata: Mapping[str, Any]) -> RuleName:
    is_known = id in metadata
    return RuleName(id, metadata[id].get("title", "") if is_known else "", find_rule_page(id) if is_known else "")


def _build_count_cells(rule: RuleImpact, source: str) -> tuple[int, ...]:
    if source == "snapshot":
        return rule.denied, rule.closed, rule.allowed, rule.message, rule.found + rule.other
    return rule.denied, rule.allowed, rule.message, rule.found, rule.other


def format_sample_title(sample: Sample, source: str) -> str:
    """Say which rule changes what about which input of a source."""
    turns = _TURNS if source == "snapshot" else {}
    change = turns.get(sample.kind, sample.kind) if sample.kind != CHANGED else _CHANGES[sample.change]
    owner = f", owner {sample.owner}" if sample.owner else ""
    return f"{sample.rule or '(no rule)'}, {change}: {sample.operation} {sample.cluster}/{sample.resource}{owner}"


def _format_ids(ids: list[str], count: int) -> str:
    text = ""
    for index, decision_id in enumerate(ids):
        if len(text) + len(decision_id) > _MAX_SHOWN_CHARACTERS:
            return f"{text}and {count - index:,} more"
        text += f"{decision_id} "
    return text.rstrip() if len(ids) == count else f"{text}and {count - len(ids):,} more"


def format_input(sample: Sample) -> str:
    """Return a sample's input as JSON for a person."""
    return json.dumps(sample.input, indent=2, ensure_ascii=False, sort_keys=True)
