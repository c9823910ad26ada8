"""Figures of an impact analysis, from what Spark counted. Pure."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from warden.analyse.impact.compare import CHANGED, NEWLY_ALLOWED, NEWLY_DENIED, UNCHANGED
from warden.analyse.impact.settings import SettingChange
from warden.policy.bundle.metadata import find_rule_page
from warden.policy.contract.batch_items import merge_objects

__all__ = ["OTHER_REASONS", "Impact", "NotEvaluated", "RuleImpact", "Sample", "SourceImpact", "TeamImpact", "summarise"]

OTHER_REASONS = "other reasons, each of fewer inputs than those that are named"
"""The reason of those beyond the most frequent ones."""

_KINDS = (NEWLY_DENIED, NEWLY_ALLOWED, CHANGED)


@dataclass(frozen=True)
class RuleImpact:
    """What one rule changes.

    Args:
        rule: Its id; empty where no rule is named.
        severity: Its severity in the candidate, or in the baseline where it is no more.
        denied: Inputs newly denied that it denies and did not.
        allowed: Inputs newly allowed that it denied and does not.
        message: Inputs that it denies in other words.
        other: Inputs where only its warnings changed, or that another rule denies before and after.
        found: Inputs where it says now that something was so before the change, without denying it.
        closed: Of the resources newly denied those of which it denies every change, also one that leaves them alone.
    """

    rule: str
    severity: str
    denied: int = 0
    allowed: int = 0
    message: int = 0
    other: int = 0
    found: int = 0
    closed: int = 0


@dataclass(frozen=True)
class TeamImpact:
    """What changes for one owner, None for what has none: inputs by kind."""

    owner: str | None
    evaluated: int
    denied: int
    allowed: int
    changed: int


@dataclass(frozen=True)
class Sample:
    """One input whose decision changes, by one rule.

    Args:
        id: The decision's id, or the topic's name.
        change: As in `warden.analyse.impact.compare.RuleChange`.
        before, after: What the rule says under each bundle.
        input: The decision input; of a topic of a snapshot without what its cluster's topics share, of an item of a
            request without the others.
    """

    rule: str
    kind: str
    change: str
    id: str
    operation: str
    cluster: str
    resource: str
    owner: str | None
    before: str
    after: str
    input: Any


@dataclass(frozen=True)
class SourceImpact:
    """The inputs of one source.

    Args:
        source: ``decisions`` or ``snapshot``.
        evaluated: Their number.
        denied, allowed, changed, unchanged: By kind.
        otherwise: Decisions that the baseline does not decide as they were recorded: made under another policy, or
            with a state that is not there.
        rules: Those that change most denials first.
        teams: Those that are hit most first.
        samples: What is newly denied first, by rule.
        closed: Resources newly denied of which every change is denied.
    """

    source: str
    evaluated: int
    denied: int
    allowed: int
    changed: int
    unchanged: int
    otherwise: int
    rules: list[RuleImpact]
    teams: list[TeamImpact]
    samples: list[Sample]
    closed: int = 0


@dataclass(frozen=True)
class NotEvaluated:
    """Inputs that cannot be replayed as they were, or that neither policy evaluates.

    Args:
        reason: Why; `OTHER_REASONS` for those beyond the most frequent ones.
        decisions: How many.
        ids: Those of the first thousand, or of the first ten where twenty other reasons have more.
    """

    reason: str
    decisions: int
    ids: list[str]


@dataclass(frozen=True)
class Impact:
    """What a candidate changes.

    Args:
        baseline, candidate: The revisions of the two bundles.
        parts: One for each source that was given.
        not_evaluated: What was not evaluated, never counted as unchanged.
        settings: Settings that differ.
        policies: (path, what) of Rego files that differ.
        rules: Metadata of the rules by id, of the candidate where both have one; empty where it is not known.
    """

    baseline: str
    candidate: str
    parts: list[SourceImpact]
    not_evaluated: list[NotEvaluated]
    settings: list[SettingChange] = field(default_factory=list)
    policies: list[tuple[str, str]] = field(default_factory=list)
    rules: Mapping[str, Any] = field(default_factory=dict)

    @property
    def evaluated(self) -> int:
        """Inputs evaluated under both bundles."""
        return sum(part.evaluated for part in self.parts)

    @property
    def has_denials(self) -> bool:
        """Whether something that is allowed becomes denied."""
        return any(part.denied for part in self.parts)

    @property
    def has_changes(self) -> bool:
        """Whether anything changes."""
        return any(part.unchanged < part.evaluated for part in self.parts)

    def to_document(self) -> dict[str, Any]:
        """Return the impact as JSON-ready values; what names a rule has its ``title``, and its ``page`` if any."""
        document = asdict(replace(self, rules={}))
        del document["rules"]
        for part in document["parts"]:
            for name in ("rules", "samples"):
                part[name] = [{**row, **self._describe(row["rule"])} for row in part[name]]
        document["settings"] = [{**row, **self._describe(row["subject"])} for row in document["settings"]]
        return document

    def _describe(self, rule: str) -> dict[str, str]:
        title, page = self.rules.get(rule, {}).get("title", ""), find_rule_page(rule)
        return {"title": title} | ({"page": page} if page else {})


def summarise(figures: Mapping[str, Iterable[Mapping[str, Any]]], *, baseline: str, candidate: str) -> Impact:
    """Put the figures together.

    Args:
        figures: ``kinds``, ``rules``, ``owners``, ``samples`` and ``not_evaluated`` of `spark_jobs.analyse.impact`.
        baseline, candidate: The revisions.
    """
    sources = sorted({row["source"] for row in figures["kinds"]})
    not_evaluated = [NotEvaluated(row["reason"], row["count"], row["ids"]) for row in figures["not_evaluated"]]
    return Impact(
        baseline,
        candidate,
        [_summarise_source(source, figures) for source in sources],
        sorted(not_evaluated, key=lambda gap: (-gap.decisions, gap.reason)),
    )


def _summarise_source(source: str, figures: Mapping[str, Iterable[Mapping[str, Any]]]) -> SourceImpact:
    rows = {name: [row for row in rows if row.get("source") == source] for name, rows in figures.items()}
    kinds = Counter({row["kind"]: row["count"] for row in rows["kinds"]})
    return SourceImpact(
        source=source,
        evaluated=kinds.total(),
        denied=kinds[NEWLY_DENIED],
        allowed=kinds[NEWLY_ALLOWED],
        changed=kinds[CHANGED],
        unchanged=kinds[UNCHANGED],
        otherwise=sum(row["other"] or 0 for row in rows["kinds"]),
        rules=_summarise_rules(rows["rules"]),
        teams=_summarise_teams(rows["owners"]),
        samples=sorted(
            (_build_sample(row) for row in rows["samples"]),
            key=lambda sample: (_KINDS.index(sample.kind), sample.rule, sample.cluster, sample.resource),
        ),
        closed=sum(row["closed"] or 0 for row in rows["kinds"]),
    )


def _summarise_rules(rows: Iterable[Mapping[str, Any]]) -> list[RuleImpact]:
    counts: dict[str, Counter[str]] = {}
    severities: dict[str, str] = {}
    for row in rows:
        count = counts.setdefault(row["rule"], Counter())
        count[_choose_column(row["kind"], row["change"])] += row["count"]
        count["closed"] += row["count"] if row["later"] == "denies" else 0
        severities[row["rule"]] = row["severity"]
    impacts = [RuleImpact(rule, severities[rule], **count) for rule, count in counts.items()]
    return sorted(
        impacts, key=lambda rule: (-rule.denied, -rule.allowed, -rule.message, -rule.found, -rule.other, rule.rule)
    )


def _choose_column(kind: str, change: str) -> str:
    if (kind, change) == (NEWLY_DENIED, "denies"):
        return "denied"
    if (kind, change) == (NEWLY_ALLOWED, "allows"):
        return "allowed"
    return change if change in ("message", "found") else "other"


def _summarise_teams(rows: Iterable[Mapping[str, Any]]) -> list[TeamImpact]:
    counts: dict[str | None, Counter[str]] = {}
    for row in rows:
        counts.setdefault(row["owner"], Counter())[row["kind"]] += row["count"]
    impacts = [
        TeamImpact(owner, kinds.total(), kinds[NEWLY_DENIED], kinds[NEWLY_ALLOWED], kinds[CHANGED])
        for owner, kinds in counts.items()
    ]
    return sorted(impacts, key=lambda one: (-one.denied, -one.allowed, -one.changed, -one.evaluated, one.owner or ""))


def _build_sample(row: Mapping[str, Any]) -> Sample:
    names = ("rule", "kind", "change", "id", "operation", "cluster", "resource", "owner", "before", "after")
    item, shared = json.loads(row["item"]), json.loads(row["shared"] or "{}")
    return Sample(**{name: row[name] for name in names}, input=merge_objects(shared, item))
