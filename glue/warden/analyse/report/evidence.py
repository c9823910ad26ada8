"""Evidence of a finished run about controls, counted in its tables, whatever their size."""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from warden.analyse.report.controls import ControlEvidence, FrameworkEvidence, count_by_rule, iter_frameworks
from warden.analyse.scan.decision_rows import ERROR

if TYPE_CHECKING:
    import pyarrow.dataset as ds

    from warden.analyse.report.finished_run import Run

__all__ = ["iter_control_rows", "read_evidence"]

_FINDING = ("rule", "effect", "owner")
_FIELDS = ("rule", "evidence", "reason", "findings", "waived", "evaluated", "broken", "passed", "not_evaluated")


def read_evidence(run: "Run") -> list[FrameworkEvidence]:
    """Return what a run shows about each framework that it knows, on each cluster's newest day.

    Of a run that is about what is new since a baseline it is what the whole run shows. Of one that an older Warden has
    written, which knows no frameworks, there is none.

    Raises:
        InputError: The run's tables are missing or damaged, or not Parquet.
    """
    run = run.whole_run
    if not run.frameworks:
        return []
    decisions = run.decision_counts
    newest = dict(sorted((cluster, day) for cluster, day, _, _ in decisions))
    errors = {
        (cluster, kind): count
        for (cluster, day, kind, status), count in decisions.items()
        if status == ERROR and day == newest[cluster]
    }
    passes = run.read_table("passes", ["cluster", "day", "kind", "rule", "evaluated", "broken", "passed"]).to_pylist()
    findings = run.count_rows("findings", [*_FINDING], _select_days(newest))
    shown = count_by_rule(
        run.rules,
        [row for row in passes if not newest or row["day"] == newest.get(row["cluster"])],
        [{**dict(zip(_FINDING, values, strict=True)), "count": count} for values, count in findings.items()],
        errors,
    )
    return list(iter_frameworks(run.frameworks, shown))


def iter_control_rows(run: "Run") -> Iterator[dict[str, Any]]:
    """Yield a row for each framework, control and rule that names it; one without a rule where none does.

    Its columns are those of `warden.analyse.report.lines.CONTROL_COLUMNS`; ``owners`` is a list of owner and findings.

    Raises:
        InputError: As of `read_evidence`.
    """
    about = {name: getattr(run.summary, name) for name in ("run_id", "revision", "evaluated_at")}
    for framework in run.evidence:
        for control in framework.controls:
            yield from ({**about, **row} for row in _iter_rule_rows(control))


def _iter_rule_rows(control: ControlEvidence) -> Iterator[dict[str, Any]]:
    named = {"framework": control.framework, "control": control.control, "control_title": control.title}
    if not control.rules:
        yield {**named, "evidence": control.evidence, "reason": "no rule", "owners": []}
    for rule in control.rules:
        texts = {name: rule.metadata.get(name) for name in ("title", "severity", "mode")}
        owners = [{"owner": name, "findings": count} for name, count in rule.ranked_owners]
        yield {**named, **texts, **{name: getattr(rule, name) for name in _FIELDS}, "owners": owners}


def _select_days(newest: Mapping[str, date]) -> "ds.Expression":
    """What selects each cluster's day."""
    import pyarrow.dataset as ds

    clusters: dict[date, list[str]] = {}
    for cluster, day in newest.items():
        clusters.setdefault(day, []).append(cluster)
    expressions = ((ds.field("day") == day) & ds.field("cluster").isin(names) for day, names in clusters.items())
    return reduce(or_, expressions, ds.scalar(False))
