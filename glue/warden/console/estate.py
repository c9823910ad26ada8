"""The estate as its newest scan has it, over all scans, and as far as somebody may see it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from warden.analyse.notify.messages import group_by_owner
from warden.analyse.notify.run_notify import select_new_since_last
from warden.analyse.report.finished_run import open_run
from warden.analyse.report.summary import GroupCount, Summary
from warden.analyse.report.waivers import WaiverCounter
from warden.analyse.trend.runs import list_finished_scans
from warden.analyse.trend.summary import ComplianceCount, DayCompliance, Series
from warden.console.gate import Viewer

__all__ = ["Estate", "read_estate"]


@dataclass(frozen=True)
class Estate:
    """Runs of a directory.

    Args:
        summary: The figures of the newest run.
        directory: Where that is.
        days: Compliance by day, oldest first; of clusters and owners too, the least compliant first.
        clusters, owners: As above.
        new: Owner → findings that deny or warn and are new since the run before, by severity; "" for no owner.
        since: The run before; None where there is none.
        waivers: Waivers that hold in the newest run, those that end first at the top.
        rules: Titles and more of rules, by id.
    """

    summary: Summary
    directory: Path
    days: Sequence[DayCompliance]
    clusters: Sequence[Series]
    owners: Sequence[Series]
    new: Mapping[str, Mapping[str, int]]
    since: str | None
    waivers: Sequence[Mapping[str, Any]]
    rules: Mapping[str, Any]

    def to_document(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        summary = self.summary
        return {
            "run": {
                name: getattr(summary, name)
                for name in ("run_id", "revision", "evaluated_at", "source", "topics", "allowed", "denied", "errors")
            },
            "clusters": [asdict(group) for group in summary.clusters],
            "owners": [asdict(group) for group in summary.owners],
            "rules": [asdict(count) for count in summary.rules],
            "worst": summary.worst,
            "new": [{"owner": owner or None, "severities": counts} for owner, counts in self.new.items()],
            "since": self.since,
            "waivers": list(self.waivers),
            "days": [asdict(day) for day in self.days],
        }


def read_estate(directory: Path, viewer: Viewer, today: date) -> Estate:
    """Read the runs of a directory as far as somebody may see them.

    Who may see some owners or clusters has the figures of those alone, and who is limited in both those of the topics
    that have findings.

    Args:
        directory: Of runs of `warden scan`.
        viewer: Who looks.
        today: The day, UTC, from which waivers are counted.

    Raises:
        InputError: There is no run, or one is damaged.
    """
    runs = list_finished_scans(directory)
    newest = open_run(runs[-1].directory)
    summaries = [open_run(run.directory).summary for run in runs]
    waivers = WaiverCounter()
    for _ in waivers.iter_counted(_select_visible(newest.iter_findings(), viewer)):
        pass
    new = select_new_since_last(newest) if len(runs) > 1 else newest
    owners = group_by_owner(_select_visible(new.iter_findings(), viewer))
    shown = [_restrict(summary, viewer) for summary in summaries]
    return Estate(
        shown[-1],
        newest.directory,
        _list_days(shown),
        _build_series(shown, [summary.clusters for summary in shown]),
        _build_series(shown, [summary.owners for summary in shown]),
        {
            owner or "": own.counts
            for owner, own in sorted(owners.items(), key=lambda item: _build_severity_key(item[1].counts))
        },
        new.baseline_summary.run_id if new.baseline_summary else None,
        [{**asdict(use), "soon": use.is_ending_soon} for use in waivers.list_uses(today)],
        newest.rules,
    )


def _select_visible(findings: Iterable[dict[str, Any]], viewer: Viewer) -> Iterator[dict[str, Any]]:
    return (finding for finding in findings if viewer.may_see(finding["cluster"], finding.get("owner")))


def _restrict(summary: Summary, viewer: Viewer) -> Summary:
    """A summary with no more than somebody may see: figures of groups that are theirs as a whole."""
    if viewer.sees_all:
        return summary
    clusters = [group for group in summary.clusters if viewer.owners is None and viewer.may_see_cluster(group.name)]
    owners = [group for group in summary.owners if viewer.clusters is None and viewer.may_see("", group.name)]
    groups = clusters or owners
    topics, denied, errors = (sum(getattr(group, name) for group in groups) for name in ("topics", "denied", "errors"))
    return Summary(
        **{
            **vars(summary),
            "topics": topics,
            "denied": denied,
            "errors": errors,
            "allowed": topics - denied - errors,
            "findings": {},
            "severities": {},
            "rules": [],
            "clusters": clusters,
            "owners": owners,
            "worst": [row for row in summary.worst if viewer.may_see(row["cluster"], row["owner"])],
            "not_evaluated": [row for row in summary.not_evaluated if viewer.may_see(row["cluster"], row["owner"])],
        }
    )


def _list_days(summaries: Sequence[Summary]) -> list[DayCompliance]:
    """Each day's last run; what was not evaluated counts for neither side."""
    by_day = {summary.evaluated_at[:10]: summary for summary in summaries}
    return [
        DayCompliance(day, summary.topics - summary.errors, summary.allowed, summary.errors, [summary.revision])
        for day, summary in sorted(by_day.items())
    ]


def _build_series(summaries: Sequence[Summary], groups: Sequence[Sequence[GroupCount]]) -> list[Series]:
    by_name: dict[str | None, dict[str, ComplianceCount]] = {}
    for summary, of_run in zip(summaries, groups, strict=True):
        for group in of_run:
            evaluated = group.topics - group.errors
            day = by_name.setdefault(group.name, {})
            day[summary.evaluated_at[:10]] = ComplianceCount(evaluated, evaluated - group.denied)
    return [Series(group.name, "", by_name[group.name]) for group in sorted(groups[-1], key=_rank)]


def _rank(group: GroupCount) -> tuple[bool, float]:
    """The least compliant first, and those of which nothing was evaluated last."""
    evaluated = group.topics - group.errors
    return not evaluated, -group.denied / max(evaluated, 1)


def _build_severity_key(counts: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(-count for count in counts.values())
