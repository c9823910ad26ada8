"""The summary of a run, from the figures that Spark counted. Pure; written as summary.json and shown by the reports."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

__all__ = ["SEVERITIES", "GroupCount", "RuleCount", "Summary", "has_severity", "summarise", "summary_of"]

# Gravest first.
SEVERITIES = ("critical", "high", "medium", "low", "info")


@dataclass(frozen=True)
class RuleCount:
    """How often one rule was violated, in one mode.

    Args:
        rule: Its id.
        title: Its title, empty where the catalogue has none.
        severity: One of `SEVERITIES`.
        mode: ``deny``, ``warn`` or ``dryrun``; ``waived`` where a waiver holds.
        findings: Number of violations.
        topics: Number of topics that violate it.
    """

    rule: str
    title: str
    severity: str
    mode: str
    findings: int
    topics: int


@dataclass(frozen=True)
class GroupCount:
    """The verdicts on one cluster's, or one owner's, topics.

    Args:
        name: The cluster or owner; None for topics without an owner.
        topics: Number of topics judged.
        denied: Those with a rule that denies.
        errors: Those that could not be judged.
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
        revision: The bundle revision that judged.
        judged_at: The time that was judged at (RFC 3339, UTC).
        source: What was judged.
        seconds: How long the scan took.
        topics, allowed, denied, errors: Number of topics by verdict.
        findings: Findings by mode, as `RuleCount.mode`.
        severities: Findings by severity, in the order of `SEVERITIES`.
        rules: Most violated first within a severity.
        clusters, owners: Most denied first.
        worst: Resources with the gravest violations (cluster, topic, owner, status, rules, each once), at most 25.
        unjudged: Topics that could not be judged, with the reason (cluster, topic, owner, error), at most 100.
    """

    run_id: str
    revision: str
    judged_at: str
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
    unjudged: list[dict[str, Any]]

    def document(self) -> dict[str, Any]:
        """Return the summary as JSON-ready values."""
        return asdict(self)


def summarise(
    figures: Mapping[str, Iterable[Mapping[str, Any]]],
    *,
    run_id: str,
    revision: str,
    judged_at: datetime,
    source: str = "",
    seconds: float = 0.0,
    titles: Mapping[str, str],
) -> Summary:
    """Put the figures of a run together.

    Args:
        figures: What `spark_jobs.aggregate.figures` returns.
        run_id, revision, judged_at, source, seconds: As in `Summary`.
        titles: Rule id → title.
    """
    statuses, counted = list(figures["statuses"]), list(figures["findings"])
    clusters = _groups("cluster", [r for r in statuses if r["by_cluster"]], [r for r in counted if r["by_cluster"]])
    owners = _groups(
        "owner",
        [r for r in statuses if not r["by_cluster"]],
        [r for r in counted if not r["by_rule"] and not r["by_cluster"]],
    )
    rules = sorted(
        (
            RuleCount(r["rule"], titles.get(r["rule"], ""), r["severity"], _mode(r), r["findings"], r["topics"])
            for r in counted
            if r["by_rule"]
        ),
        key=lambda r: (_rank(r.severity), -r.findings, r.rule, r.mode),
    )
    topics, denied = sum(c.topics for c in clusters), sum(c.denied for c in clusters)
    errors = sum(c.errors for c in clusters)
    return Summary(
        run_id=run_id,
        revision=revision,
        judged_at=f"{judged_at:%Y-%m-%dT%H:%M:%SZ}",
        source=source,
        seconds=round(seconds, 2),
        topics=topics,
        allowed=topics - denied - errors,
        denied=denied,
        errors=errors,
        findings={m: sum(r.findings for r in rules if r.mode == m) for m in ("deny", "warn", "dryrun", "waived")},
        severities=_by_severity((r.severity, r.findings) for r in rules),
        rules=rules,
        clusters=clusters,
        owners=owners,
        worst=[dict(row) for row in figures["worst"]],
        unjudged=[dict(row) for row in figures["errors"]],
    )


def summary_of(document: Mapping[str, Any]) -> Summary:
    """Return the summary that `Summary.document` was made of; fields that are not known here are left out.

    Raises:
        KeyError, TypeError: The document is no such summary.
    """
    known = {each.name: document[each.name] for each in fields(Summary) if each.name in document}
    lists = {"rules": RuleCount, "clusters": GroupCount, "owners": GroupCount}
    return Summary(**{**known, **{name: [kind(**each) for each in document[name]] for name, kind in lists.items()}})


def has_severity(summary: Summary, least: str) -> bool:
    """Say whether a rule that denies was violated with at least this severity, or a topic could not be judged."""
    grave = SEVERITIES[: _rank(least) + 1]
    return summary.errors > 0 or any(r.mode == "deny" and r.severity in grave for r in summary.rules)


def _groups(key: str, statuses: Iterable[Mapping[str, Any]], counted: Iterable[Mapping[str, Any]]) -> list[GroupCount]:
    verdicts: dict[str | None, Counter[str]] = {}
    for row in statuses:
        verdicts.setdefault(row[key], Counter())[row["status"]] += row["topics"]
    severities: dict[str | None, list[tuple[str, int]]] = {}
    for row in counted:
        severities.setdefault(row[key], []).append((row["severity"], row["findings"]))
    groups = [
        GroupCount(name, count.total(), count["DENY"], count["ERROR"], _by_severity(severities.get(name, [])))
        for name, count in verdicts.items()
    ]
    return sorted(groups, key=lambda g: (-g.denied, -g.errors, -g.topics, g.name or ""))


def _by_severity(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Sum by severity; all of `SEVERITIES` are there, and one that is not among them is kept at the end."""
    total = Counter(dict.fromkeys(SEVERITIES, 0))
    for severity, count in counts:
        total[severity] += count
    return dict(total)


def _mode(row: Mapping[str, Any]) -> str:
    return "waived" if row["waived"] else str(row["mode"])


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)
