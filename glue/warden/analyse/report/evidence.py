"""What a finished run shows about controls, counted in its tables, whatever their size."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from warden.analyse.report.controls import ControlEvidence, FrameworkEvidence, count_by_rule, iter_frameworks
from warden.analyse.scan.decision_rows import ERROR

if TYPE_CHECKING:
    import pyarrow as pa

    from warden.analyse.report.finished_run import Run

__all__ = ["iter_control_rows", "read_evidence"]

_FIELDS = ("rule", "evidence", "reason", "findings", "waived", "evaluated", "broken", "passed", "not_evaluated")


def read_evidence(run: "Run") -> list[FrameworkEvidence]:
    """Return what a run shows about each framework that it knows, on each cluster's newest day.

    Of a run that is about what is new since a baseline it is what the whole run shows. Of one that an older Warden has
    written, which knows no frameworks, there is none.

    Raises:
        InputError: The run's tables are missing or damaged, or not Parquet.
    """
    run = run.complete
    if not run.frameworks:
        return []
    days = run.read_table("decisions", ["cluster", "day"]).group_by("cluster").aggregate([("day", "max")])
    newest = {row["cluster"]: row["day_max"] for row in days.to_pylist()}
    resources = _count(run, newest, "decisions", "cluster", "kind", "status")
    errors = {(row["cluster"], row["kind"]): row["count"] for row in resources if row["status"] == ERROR}
    passes = _read_newest(run, newest, "passes", ["cluster", "kind", "rule", "evaluated", "broken", "passed"])
    findings = _count(run, newest, "findings", "rule", "effect", "owner")
    shown = count_by_rule(run.rules, passes.to_pylist(), findings, errors)
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
            yield from ({**about, **row} for row in _rows(control))


def _rows(control: ControlEvidence) -> Iterator[dict[str, Any]]:
    named = {"framework": control.framework, "control": control.control, "control_title": control.title}
    if not control.rules:
        yield {**named, "evidence": control.evidence, "reason": "no rule", "owners": []}
    for rule in control.rules:
        texts = {name: rule.metadata.get(name) for name in ("title", "severity", "mode")}
        owners = [{"owner": name, "findings": count} for name, count in rule.most_findings]
        yield {**named, **texts, **{name: getattr(rule, name) for name in _FIELDS}, "owners": owners}


def _count(run: "Run", newest: Mapping[str, date], table: str, *columns: str) -> list[dict[str, Any]]:
    """How many rows of a table there are with each combination of values, on each cluster's newest day."""
    counted = _read_newest(run, newest, table, [*columns]).group_by([*columns]).aggregate([([], "count_all")])
    return [{**row, "count": row["count_all"]} for row in counted.to_pylist()]


def _read_newest(run: "Run", newest: Mapping[str, date], table: str, columns: list[str]) -> "pa.Table":
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = run.read_table(table, [*{"cluster", "day", *columns}])
    kept = pa.scalar(False)
    for day in {*newest.values()}:
        clusters = pa.array([cluster for cluster, last in newest.items() if last == day], pa.string())
        of_day = pc.and_(pc.equal(rows["day"], pa.scalar(day)), pc.is_in(rows["cluster"], value_set=clusters))
        kept = pc.or_(kept, of_day)
    return rows.filter(kept).select(columns) if newest else rows.select(columns)
