"""A run as the reports see it that are about what is new since a baseline alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from warden.analyse.report.compare import NEW, Comparison
from warden.analyse.report.finished_run import ClusterCounts, Run
from warden.analyse.report.summary import GroupCount, RuleCount, Summary, summarise
from warden.analyse.scan.decision_rows import ALLOW, DENY, ERROR

__all__ = ["ComparedRun", "select_new"]

_WORST = 25


@dataclass(frozen=True, kw_only=True)
class ComparedRun(Run):
    """A run without the findings that its baseline has too.

    Args:
        whole: The run with all of them.
        comparison: What became of them.
    """

    whole: Run
    comparison: Comparison

    def iter_findings(self) -> Iterator[dict[str, Any]]:
        """Yield every new finding, most severe first."""
        return (finding for finding, state in self.iter_states() if state == NEW)

    def iter_states(self) -> Iterator[tuple[dict[str, Any], str | None]]:
        """Yield every finding, new or not, with its state."""
        for finding in self.whole.iter_findings():
            yield finding, self.comparison.find_state(finding)

    @property
    def whole_run(self) -> Run:
        """The run with all of its findings."""
        return self.whole

    def list_rule_counts(self) -> list[RuleCount]:
        """Return the counts by rule of the findings that `iter_states` yields."""
        return self.whole.summary.rules

    @property
    def baseline_summary(self) -> Summary | None:
        """The figures of the baseline."""
        return self.comparison.baseline.summary

    def read_clusters(self) -> list[ClusterCounts]:
        """Return each cluster's newest day, with the resources that something new denies."""
        denied = self._denials
        return [
            ClusterCounts(cluster.name, cluster.day, cluster.resources, denied.get(cluster.name, 0), cluster.errors)
            for cluster in self.whole.read_clusters()
        ]

    def iter_decisions(self, cluster: ClusterCounts, status: str | None = None) -> Iterator[dict[str, Any]]:
        """Yield the decision on every resource of a cluster with what is new of its violations."""
        for row in self.whole.iter_decisions(cluster, ERROR if status == ERROR else None):
            new = [entry for entry in row["violations"] or () if self.comparison.find_state({**row, **entry}) == NEW]
            denies = any(violation["effect"] == "deny" for violation in new)
            new_status = row["status"] if row["status"] == ERROR else DENY if denies else ALLOW
            if status in (None, new_status):
                yield {**row, "status": new_status, "violations": new}

    def to_document(self) -> dict[str, Any]:
        """Return the figures of the comparison as JSON-ready values.

        Raises:
            InputError: The run's decisions are missing or damaged.
        """
        baseline, ended = self.comparison.baseline.summary, self.comparison.count_ended()
        return {
            "runId": baseline.run_id,
            "revision": baseline.revision,
            "evaluatedAt": baseline.evaluated_at,
            **self.comparison.count_states(),
            **ended._asdict(),
            "severities": self.summary.severities,
            "effects": self.summary.findings,
        }

    @cached_property
    def _denials(self) -> dict[str | None, int]:
        return self.comparison.count_newly_denied("cluster")


def select_new(baseline: Run, run: Run) -> ComparedRun:
    """Return a run as it is about what is new since a baseline.

    Raises:
        InputError: Files of either are missing or damaged.
    """
    comparison = Comparison(baseline, run)
    summary = _summarise(run.summary, comparison)
    return ComparedRun(
        directory=run.directory,
        summary=summary,
        rules=run.rules,
        frameworks=run.frameworks,
        whole=run,
        comparison=comparison,
    )


def _summarise(summary: Summary, comparison: Comparison) -> Summary:
    clusters, owners = (comparison.count_newly_denied(by, "topic") for by in ("cluster", "owner"))
    figures = {
        "statuses": [
            *(row for group in summary.clusters for row in _iter_statuses("cluster", group, clusters)),
            *(row for group in summary.owners for row in _iter_statuses("owner", group, owners)),
        ],
        "findings": list(comparison.iter_new_counts()),
        "worst": comparison.select_worst(_WORST),
        "errors": summary.not_evaluated,
    }
    return summarise(
        figures,
        run_id=summary.run_id,
        revision=summary.revision,
        evaluated_at=datetime.fromisoformat(summary.evaluated_at),
        source=summary.source,
        seconds=summary.seconds,
        titles={rule.rule: rule.title for rule in summary.rules},
    )


def _iter_statuses(by: str, group: GroupCount, denied: dict[str | None, int]) -> Iterator[dict[str, Any]]:
    new = denied.get(group.name, 0)
    counts = {DENY: new, ERROR: group.errors, ALLOW: group.topics - new - group.errors}
    for status, count in counts.items():
        yield {by: group.name, "status": status, "topics": count, "by_cluster": by == "cluster"}
