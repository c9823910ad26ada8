"""The report of ``warden check`` for people: aligned, and coloured where it goes to a terminal."""

import click

from warden.analyse.check.model import format_place
from warden.analyse.check.result import CheckResult
from warden.base.files.redact import redact
from warden.policy.contract.decision_text import escape_line

__all__ = ["format_text"]

_MARKS = {"error": "deny", "warning": "warn", "note": "note"}
_NAMED = 5  # documents that are skipped; of a chart there may be hundreds
_COLOURS = {"error": "red", "warning": "yellow", "note": "bright_black"}


def format_text(result: CheckResult, *, dryrun: bool = False) -> str:
    """Return a line for each finding, what to write below it, and the sum; with colours, which ``click.echo`` strips.

    What denies comes first, then warnings and notes; each by file and line.

    Args:
        result: What there is to report.
        dryrun: Whether findings of rules in dry run are among them.
    """
    levels = list(_MARKS)
    findings = [finding for finding in result.iter_findings() if dryrun or finding.effect != "dryrun"]
    findings.sort(key=lambda finding: levels.index(finding.level))
    skipped = result.skipped[:_NAMED]
    places = [_format_place(finding.file, finding.line) for finding in findings]
    places += [_format_place(skip.file, skip.line) for skip in skipped]
    width = max(map(len, places), default=0)
    rules = max((len(finding.rule) for finding in findings), default=0)
    lines = []
    for finding in findings:
        head = _format_place(finding.file, finding.line).ljust(width)
        name = f"{finding.name}: " if finding.name else ""
        is_fault = finding.level == "error" and finding.rule == "warden" and not finding.name
        level = "error" if is_fault else _MARKS[finding.level]
        mark = click.style(f"{level:<5}", fg=_COLOURS[finding.level], bold=finding.level == "error")
        lines.append(f"{head}  {mark}  {escape_line(f'{finding.rule:<{rules}}  {name}{finding.message}')}")
        if finding.fix:
            lines.append(f"{' ' * width}         fix: {escape_line(finding.fix)}")
    for skip in skipped:
        mark = click.style("skip ", fg="bright_black")
        kind = escape_line(redact(skip.kind))
        lines.append(f"{_format_place(skip.file, skip.line).ljust(width)}  {mark}  {kind}: {skip.reason}")
    if (more := len(result.skipped) - _NAMED) > 0:
        lines.append(f"… and {more} more: --output json names them all")
    if missing := result.rules_without_state:
        lines.append(f"nothing is known of the cluster, so these were not evaluated: {', '.join(missing)}")
    colour = {0: "green", 1: "red", 2: "red"}[result.status]
    return "\n".join([*lines, click.style(result.summary, fg=colour)])


def _format_place(file: str, line: int) -> str:
    return escape_line(format_place(file, line))
