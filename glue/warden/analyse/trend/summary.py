"""An estate's compliance over days, from what Spark counted. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from warden.analyse.trend.runs import FinishedScan
from warden.policy.contract.severities import rank_severity

__all__ = ["STATES", "ComplianceCount", "DayCompliance", "Series", "Trend", "compute_compliance", "summarise"]

STATES = {
    "new": "new on the last day",
    "open": "still open",
    "fixed": "fixed",
    "gone": "gone with their topics",
    "unknown": "unknown: their topics were not evaluated since",
}
"""What may have become of a finding → words."""


@dataclass(frozen=True)
class ComplianceCount:
    """Of so many topics that were evaluated, so many comply."""

    evaluated: int
    complying: int


@dataclass(frozen=True)
class DayCompliance:
    """One day.

    Args:
        day: As 2026-11-21.
        evaluated: Topics evaluated.
        complying: Those that no rule denies.
        errors: Topics that could not be evaluated, not among the others.
        revisions: Bundle revisions that evaluated.
    """

    day: str
    evaluated: int
    complying: int
    errors: int
    revisions: list[str]


@dataclass(frozen=True)
class Series:
    """One rule's, cluster's or owner's days.

    Args:
        name: None for topics without an owner.
        severity: Of a rule; empty for the others.
        days: Day → count; a day on which nothing of it was evaluated is not there.
    """

    name: str | None
    severity: str
    days: dict[str, ComplianceCount]


@dataclass(frozen=True)
class Trend:
    """Compliance over days and what became of findings.

    Args:
        runs: Their ids, oldest first.
        days: Oldest first.
        rules: Share of resources without a violation in force, those with most at the last first.
        clusters, owners: Share of topics that no rule denies, least compliant at the last first.
        states: State → severity → findings; see `STATES`.
        fresh: The most severe findings that are new, or ended, on the last day.
    """

    runs: list[str]
    days: list[DayCompliance]
    rules: list[Series]
    clusters: list[Series]
    owners: list[Series]
    states: dict[str, dict[str, int]]
    fresh: list[dict[str, Any]] = field(default_factory=list)

    def to_document(self) -> dict[str, Any]:
        """Return the trend as JSON-ready values."""
        return asdict(self)


def compute_compliance(count: ComplianceCount | DayCompliance | None) -> float | None:
    """Return the share that complies, 0 to 1; None where nothing was evaluated, which is not full compliance."""
    return None if count is None or not count.evaluated else count.complying / count.evaluated


def summarise(figures: Mapping[str, Iterable[Mapping[str, Any]]], runs: Sequence[FinishedScan]) -> Trend:
    """Put the figures together.

    Args:
        figures: The tables of `spark_jobs.analyse.trend`, by name.
        runs: The runs that were read.
    """
    days = sorted((DayCompliance(**row) for row in figures["days"]), key=lambda compliance: compliance.day)
    states: dict[str, dict[str, int]] = {state: {} for state in STATES}
    for row in figures["states"]:
        states[row["state"]][row["severity"]] = row["count"]
    return Trend(
        [run.run_id for run in runs],
        days,
        _summarise_rules(figures["rules"], figures["kinds"], days),
        _summarise_groups(figures["clusters"], days[-1].day),
        _summarise_groups(figures["owners"], days[-1].day),
        {
            state: dict(sorted(counts.items(), key=lambda item: rank_severity(item[0])))
            for state, counts in states.items()
        },
        sorted(
            (dict(row) for row in figures["fresh"]),
            key=lambda finding: (
                finding["state"] != "new",
                rank_severity(finding["severity"]),
                finding["cluster"],
                finding["topic"],
                finding["rule"],
            ),
        ),
    )


def _summarise_rules(
    rows: Iterable[Mapping[str, Any]], evaluated: Iterable[Mapping[str, Any]], days: Sequence[DayCompliance]
) -> list[Series]:
    """Count, of the kinds of resources that a rule is about, those of each day that comply."""
    broken: dict[str, Counter[str]] = {}
    severities: dict[str, str] = {}
    kinds: dict[str, set[str]] = {}
    for row in rows:
        broken.setdefault(row["rule"], Counter())[row["day"]] += row["broken"]
        severities[row["rule"]] = row["severity"]
        kinds.setdefault(row["rule"], set()).add(row["kind"])
    whole = {(row["day"], row["kind"]): row["evaluated"] for row in evaluated}

    def count(rule: str, day: str) -> ComplianceCount:
        whole_count = sum(whole.get((day, kind), 0) for kind in kinds[rule])
        return ComplianceCount(whole_count, whole_count - broken[rule][day])

    lines = [Series(rule, severities[rule], {day.day: count(rule, day.day) for day in days}) for rule in broken]
    last = days[-1].day
    return sorted(lines, key=lambda line: (-broken[str(line.name)][last], rank_severity(line.severity), str(line.name)))


def _summarise_groups(rows: Iterable[Mapping[str, Any]], last: str) -> list[Series]:
    by_group: dict[str | None, dict[str, ComplianceCount]] = {}
    for row in sorted(rows, key=lambda entry: str(entry["day"])):
        by_group.setdefault(row["name"], {})[row["day"]] = ComplianceCount(row["evaluated"], row["complying"])
    lines = [Series(name, "", days) for name, days in by_group.items()]

    def rank(line: Series) -> tuple[bool, float, str]:
        at_last = compute_compliance(line.days.get(last))
        return at_last is None, 1.0 if at_last is None else at_last, line.name or ""

    return sorted(lines, key=rank)
