"""Findings, what was not evaluated, and evidence of controls, for other programs: CSV (RFC 4180) and JSON lines."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from warden.analyse.report.evidence import iter_control_rows
from warden.analyse.report.finished_run import Run
from warden.analyse.report.json_stream import escape_invisible
from warden.policy.contract.effect import format_message

__all__ = ["COLUMNS", "CONTROL_COLUMNS", "iter_controls_csv", "iter_csv", "iter_json_lines"]

COLUMNS = (
    *("run_id", "revision", "evaluated_at", "day", "status", "cluster", "kind", "resource", "owner"),
    *("rule", "title", "severity", "effect", "cause", "message", "fix", "path", "actual", "patch"),
    *("waiver", "waiver_owner", "waiver_ticket", "waiver_expires", "waiver_expired", "input_hash"),
)
"""The columns of the CSV."""

CONTROL_COLUMNS = (
    *("run_id", "revision", "evaluated_at", "framework", "control", "control_title", "rule", "title", "severity"),
    *("mode", "evidence", "reason", "findings", "waived", "evaluated", "broken", "passed", "not_evaluated", "owners"),
)
"""The columns of the CSV about controls."""

# A cell that begins with one of these is a formula to a spreadsheet, and owners' labels are anybody's to write.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def iter_csv(run: Run) -> Iterator[str]:
    """Yield a line for each finding, and for each topic that could not be evaluated (status ERROR)."""
    titles = {rule.rule: rule.title for rule in run.summary.rules}
    yield _format_line(COLUMNS)
    for finding in run.iter_findings():
        waiver = finding.get("waiver") or {}
        row = {
            **finding,
            "status": "FINDING",
            "title": titles.get(finding["rule"], ""),
            "message": format_message(finding),
            "path": "/".join(finding.get("path") or []),
            "waiver": waiver.get("id"),
            **{f"waiver_{name}": waiver.get(name) for name in ("owner", "ticket", "expires", "expired")},
        }
        yield _format_csv_row(run, row)
    for decision in run.iter_not_evaluated():
        yield _format_csv_row(run, {**decision, "message": decision["error"]})


def iter_controls_csv(run: Run) -> Iterator[str]:
    """Yield a line for each framework, control and rule that names it; one without a rule where none does."""
    yield _format_line(CONTROL_COLUMNS)
    for row in iter_control_rows(run):
        owners = "; ".join(f"{owner['owner'] or 'no owner'} {owner['findings']}" for owner in row["owners"])
        yield _format_line(_format_cell({**row, "owners": owners}.get(name)) for name in CONTROL_COLUMNS)


def iter_json_lines(run: Run) -> Iterator[str]:
    """Yield a JSON object for each finding, and for each topic that could not be evaluated (status ERROR)."""
    for finding in run.iter_findings():
        yield json.dumps({"status": "FINDING", **finding}, ensure_ascii=False) + "\n"
    for decision in run.iter_not_evaluated():
        rest = {name: value for name, value in decision.items() if name != "violations"}
        yield json.dumps(rest, ensure_ascii=False, default=str) + "\n"


def _format_csv_row(run: Run, values: Mapping[str, Any]) -> str:
    cells = {"kind": "topic", "resource": values["topic"], **values, "evaluated_at": run.summary.evaluated_at}
    return _format_line(_format_cell(cells.get(name)) for name in COLUMNS)


def _format_cell(value: Any) -> str:
    text = "" if value is None else str(value).lower() if isinstance(value, bool) else escape_invisible(str(value))
    return f"'{text}" if text.startswith(_FORMULA) else text


def _format_line(cells: Any) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()
