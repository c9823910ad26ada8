"""Controls of frameworks in a run: findings, waivers and passes of the rules that name them. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from warden.analyse.scan.audits import OPERATIONS

__all__ = [
    "ControlEvidence",
    "FrameworkEvidence",
    "RuleEvidence",
    "count_by_rule",
    "iter_frameworks",
    "list_controls",
    "sort_controls",
]

_BROKEN, _WAIVED, _PARTIAL, _KEPT, _NONE = "findings", "waived", "passes in part", "passes", "no evidence"


@dataclass(frozen=True)
class RuleEvidence:
    """What a run shows about one rule, on each cluster's newest day; what is counted are resources, but for findings.

    Args:
        rule: Its id.
        findings: Violations that no waiver covers: of those that deny, warn and are in dry run.
        waived: Violations that a waiver covers.
        evaluated: Resources that the rule was evaluated on; `broken` and `passed` are all of them.
        broken: Those that break it, with whatever effect.
        passed: Those that keep it.
        not_evaluated: Those that it would have been evaluated on, and no decision could be made about.
        owners: Those who have to act, and how many of `findings` each has; None for resources without an owner.
        metadata: The rule's METADATA, as ``catalog/rules`` has it.
    """

    rule: str
    findings: int = 0
    waived: int = 0
    evaluated: int = 0
    broken: int = 0
    passed: int = 0
    not_evaluated: int = 0
    owners: Mapping[str | None, int] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def evidence(self) -> str:
        """In a word or three; a rule that saw nothing is ``no evidence``."""
        if self.findings or self.waived:
            return _BROKEN if self.findings else _WAIVED
        if not self.passed:
            return _NONE
        return _PARTIAL if self.not_evaluated else _KEPT

    @property
    def ranked_owners(self) -> list[tuple[str | None, int]]:
        """Its `owners`, those with most findings first."""
        return _sort_owners(self.owners)

    @property
    def reason(self) -> str:
        """Why there is no evidence; empty where there is some."""
        if self.evidence != _NONE:
            return ""
        if self.not_evaluated:
            return "not evaluated"
        if not {*OPERATIONS.values()} & {*self.metadata.get("operations", OPERATIONS.values())}:
            return "about changes alone"
        return "disabled" if self.metadata.get("mode") == "disabled" else "nothing to evaluate"


@dataclass(frozen=True)
class ControlEvidence:
    """What a run shows about one control: the sum of its rules.

    Args:
        framework: The framework's name.
        control: The control's id in it.
        title: What it is about.
        rules: What each rule shows that names it, by id.
    """

    framework: str
    control: str
    title: str
    rules: tuple[RuleEvidence, ...]

    @property
    def evidence(self) -> str:
        """As of its rules: the worst of them, ``passes`` only where each has been kept by all that there is."""
        states = {rule.evidence for rule in self.rules} or {_NONE}
        if states == {_NONE} or states & {_BROKEN, _WAIVED}:
            return next(state for state in (_BROKEN, _WAIVED, _NONE) if state in states)
        return _KEPT if states == {_KEPT} else _PARTIAL

    @property
    def owners(self) -> list[tuple[str | None, int]]:
        """Who has to act, and how many findings each has, most first."""
        counts: Counter[str | None] = Counter()
        for rule in self.rules:
            counts.update(rule.owners)
        return _sort_owners(counts)

    def compute_total(self, name: str) -> int:
        """Return a count of its rules together; a resource counts once for each rule."""
        return sum(getattr(rule, name) for rule in self.rules)


@dataclass(frozen=True)
class FrameworkEvidence:
    """What a run shows about a framework: each control of its table, by id."""

    name: str
    title: str
    controls: tuple[ControlEvidence, ...]

    def count(self, evidence: str) -> int:
        """Return how many controls have this evidence."""
        return sum(control.evidence == evidence for control in self.controls)


def count_by_rule(
    rules: Mapping[str, Mapping[str, Any]],
    passes: Iterable[Mapping[str, Any]],
    findings: Iterable[Mapping[str, Any]],
    errors: Mapping[tuple[str, str], int],
) -> dict[str, RuleEvidence]:
    """Return what rows of a run's tables show about each rule that they, or its METADATA, name.

    Args:
        rules: METADATA by id.
        passes: Rows with cluster, kind, rule, evaluated, broken and passed.
        findings: Rows with rule, effect, owner and count.
        errors: How many resources were not evaluated, by cluster and kind.
    """
    applied: dict[str, set[tuple[str, str]]] = {}
    counts: dict[str, Counter[str]] = {id: Counter() for id in rules}
    owners: dict[str, Counter[str | None]] = {}
    decided: set[tuple[str, str]] = set()
    for row in passes:
        place = row["cluster"], row["kind"]
        decided.add(place)
        applied.setdefault(row["rule"], set()).add(place)
        own = counts.setdefault(row["rule"], Counter())
        own.update({name: row[name] for name in ("evaluated", "broken", "passed")})
    for row in findings:
        own = counts.setdefault(row["rule"], Counter())
        own["waived" if row["effect"] == "waived" else "findings"] += row["count"]
        if row["effect"] != "waived":
            owners.setdefault(row["rule"], Counter())[row["owner"]] += row["count"]
    shown = {}
    for id, own in sorted(counts.items()):
        # Of a kind about which nothing at all was decided, no rule has a row that says whether it applies.
        without = {place for place in errors.keys() - decided if _is_about(rules.get(id, {}), place[1])}
        own["not_evaluated"] = sum(errors.get(place, 0) for place in applied.get(id, set()) | without)
        shown[id] = RuleEvidence(id, **own, owners=owners.get(id, {}), metadata=rules.get(id, {}))
    return shown


def iter_frameworks(
    frameworks: Mapping[str, Mapping[str, Any]], shown: Mapping[str, RuleEvidence]
) -> Iterator[FrameworkEvidence]:
    """Yield what the rules show about each framework, by name.

    Args:
        frameworks: In the form of ``bundle/catalog/controls``.
        shown: What `count_by_rule` returns.
    """
    for name, framework in sorted(frameworks.items()):
        yield FrameworkEvidence(
            name,
            framework.get("title", name),
            tuple(
                ControlEvidence(name, id, control.get("title", ""), _select(f"{name} {id}", control, shown))
                for id, control in sort_controls(framework)
            ),
        )


def list_controls(
    frameworks: Mapping[str, Mapping[str, Any]], id: str, metadata: Mapping[str, Any]
) -> list[dict[str, str]]:
    """Return the controls that a rule is about, by framework and id: those that it names, or whose row names it.

    Args:
        frameworks: In the form of ``bundle/catalog/controls``; what a rule names and they lack is left out.
        id: The rule's id.
        metadata: Its METADATA.

    Returns:
        Rows of ``framework``, ``control`` and ``title``.
    """
    return [
        {"framework": name, "control": control, "title": row.get("title", "")}
        for name, framework in sorted(frameworks.items())
        for control, row in sort_controls(framework)
        if _is_control_of(f"{name} {control}", row, id, metadata)
    ]


def sort_controls(framework: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the controls of a framework, in the order of the numbers in their ids."""
    return sorted(framework["controls"].items(), key=lambda item: _split_numbers(item[0]))


def _sort_owners(owners: Mapping[str | None, int]) -> list[tuple[str | None, int]]:
    return sorted(owners.items(), key=lambda item: (-item[1], item[0] or ""))


def _select(named: str, control: Mapping[str, Any], shown: Mapping[str, RuleEvidence]) -> tuple[RuleEvidence, ...]:
    return tuple(rule for id, rule in shown.items() if _is_control_of(named, control, id, rule.metadata))


def _is_control_of(named: str, control: Mapping[str, Any], id: str, metadata: Mapping[str, Any]) -> bool:
    """Whether a rule names a control, or the control's row names the rule."""
    return id in control.get("rules", ()) or named in metadata.get("controls", ())


def _is_about(metadata: Mapping[str, Any], kind: str) -> bool:
    return metadata.get("mode") != "disabled" and OPERATIONS.get(kind) in metadata.get("operations", ())


def _split_numbers(id: str) -> list[str | int]:
    """What to sort ids by: A.5.9 comes before A.5.12."""
    return [int(piece) if piece.isdecimal() else piece for piece in re.split(r"(\d+)", id)]
