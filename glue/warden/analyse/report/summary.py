"""Summary of a scan, from the figures that Spark counted: summary.json, which the reports show. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

from warden.policy.contract.effect import EFFECTS
from warden.policy.contract.severities import SEVERITIES, rank_severity

__all__ = ["GroupCount", "RuleCount", "Summary", "has_failure", "parse_summary", "summarise"]


@dataclass(frozen=True)
class RuleCount:
    """How often one rule was violated, with one effect.

    Args:
        rule: Its id.
        title: Its title, empty where the catalogue has none.
        severity: One of `SEVERITIES`.
        effect: ``deny``, ``warn``, ``dryrun`` or ``waived``.
        findings: Number of violations.
        topics: Number of topics that violate it.
    """

    rule: str
    title: str
    severity: str
    effect: str
    findings: int
    topics: int


@dataclass(frozen=True)
class GroupCount:
    """The decisions on one cluster's, or one owner's, topics.

    Args:
        name: The cluster or owner; None for topics without an owner.
        topics: Number of topics evaluated.
        denied: Those with a rule that denies.
        errors: Those that could not be evaluated.
        severities: Findings by severity, in the order of `SEVERITIES`.
    """

    name: str | None
    topics: int
    denied: int
    errors: int
    severities: dict[str, int]


@dataclass(frozen=True)
class Summary:
    """One run in figures.

    Args:
        run_id: Name of the run.
        revision: The bundle revision that evaluated.
        evaluated_at: The time that was evaluated at (RFC 3339, UTC).
        source: What was evaluated.
        seconds: How long the scan took.
        topics, allowed, denied, errors: Number of topics by decision.
        findings: Findings by effect.
        severities: Findings by severity, in the order of `SEVERITIES`.
        rules: Most violated first within a severity.
        clusters, owners: Most denied first.
        worst: Resources with the most severe violations (cluster, topic, owner, status, rules, each once), at most 25.
        not_evaluated: Topics that could not be evaluated, with the reason (cluster, topic, owner, error), at most 100.
    """

    run_id: str
    revision: str
    evaluated_at: str
    source: str
    seconds: float
    topics: int
    allowed: int
    denied: int
    errors: int
    findings: dict[str, int]
    severities: dict[str, int]
    rules: list[RuleCount]
    clusters: list[GroupCount]
    owners: list[GroupCount]
    worst: list[dict[str, Any]]
    not_evaluated: list[dict[str, Any]]

    def to_document(self) -> dict[str, Any]:
        """Return the summary as JSON-ready values."""
        return asdict(self)


def summarise(
    figures: Mapping[str, Iterable[Mapping[str, Any]]],
    *,
    run_id: str,
    revision: str,
    evaluated_at: datetime,
    source: str = "",
    seconds: float = 0.0,
    titles: Mapping[str, str],
) -> Summary:
    """Put the figures of a run together.

    Args:
        figures: What `spark_jobs.scan.aggregate.count_figures` returns.
        run_id, revision, evaluated_at, source, seconds: As in `Summary`.
        titles: Rule id → title.
    """
    statuses, counted = list(figures["statuses"]), list(figures["findings"])
    clusters = _summarise_groups(
        "cluster", [r for r in statuses if r["by_cluster"]], [r for r in counted if r["by_cluster"]]
    )
    owners = _summarise_groups(
        "owner",
        [r for r in statuses if not r["by_cluster"]],
        [r for r in counted if not r["by_rule"] and not r["by_cluster"]],
    )
    rules = sorted(
        (
            RuleCount(r["rule"], titles.get(r["rule"], ""), r["severity"], r["effect"], r["findings"], r["topics"])
            for r in counted
            if r["by_rule"]
        ),
        key=lambda r: (rank_severity(r.severity), -r.findings, r.rule, r.effect),
    )
    topics, denied = sum(c.topics for c in clusters), sum(c.denied for c in clusters)
    errors = sum(c.errors for c in clusters)
    return Summary(
        run_id=run_id,
        revision=revision,
        evaluated_at=f"{evaluated_at:%Y-%m-%dT%H:%M:%SZ}",
        source=source,
        seconds=round(seconds, 2),
        topics=topics,
        allowed=topics - denied - errors,
        denied=denied,
        errors=errors,
        findings={e: sum(r.findings for r in rules if r.effect == e) for e in EFFECTS},
        severities=_sum_by_severity((r.severity, r.findings) for r in rules),
        rules=rules,
        clusters=clusters,
        owners=owners,
        worst=[dict(row) for row in figures["worst"]],
        not_evaluated=[dict(row) for row in figures["errors"]],
    )


def parse_summary(document: Mapping[str, Any]) -> Summary:
    """Return the summary that `Summary.to_document` was made of; fields that are not known here are left out.

    Raises:
        KeyError, TypeError: The document is no such summary.
    """
    values = {field.name: document[field.name] for field in fields(Summary) if field.name in document}
    lists = {"rules": RuleCount, "clusters": GroupCount, "owners": GroupCount}
    return Summary(**{**values, **{name: [kind(**row) for row in document[name]] for name, kind in lists.items()}})


def has_failure(summary: Summary, least: str) -> bool:
    """Say whether a rule that denies was violated with at least this severity, or a topic could not be evaluated."""
    grave = SEVERITIES[: rank_severity(least) + 1]
    return summary.errors > 0 or any(r.effect == "deny" and r.severity in grave for r in summary.rules)


def _summarise_groups(
    key: str, statuses: Iterable[Mapping[str, Any]], counted: Iterable[Mapping[str, Any]]
) -> list[GroupCount]:
    decisions: dict[str | None, Counter[str]] = {}
    for row in statuses:
        decisions.setdefault(row[key], Counter())[row["status"]] += row["topics"]
    severities: dict[str | None, list[tuple[str, int]]] = {}
    for row in counted:
        severities.setdefault(row[key], []).append((row["severity"], row["findings"]))
    groups = [
        GroupCount(name, count.total(), count["DENY"], count["ERROR"], _sum_by_severity(severities.get(name, [])))
        for name, count in decisions.items()
    ]
    return sorted(groups, key=lambda g: (-g.denied, -g.errors, -g.topics, g.name or ""))


def _sum_by_severity(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Sum by severity; all of `SEVERITIES` are there, and one that is not among them is kept at the end."""
    total = Counter(dict.fromkeys(SEVERITIES, 0))
    for severity, count in counts:
        total[severity] += count
    return dict(total)
