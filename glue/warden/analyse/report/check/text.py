"""The report of ``warden check`` for people: aligned, and coloured where it goes to a terminal."""

import click

from warden.analyse.check.model import format_place
from warden.analyse.check.result import CheckResult
from warden.base.files.redact import redact

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
    found = [each for each in result.iter_findings() if dryrun or each.effect != "dryrun"]
    found.sort(key=lambda each: levels.index(each.level))
    skipped = result.skipped[:_NAMED]
    places = [format_place(each.file, each.line) for each in found]
    places += [format_place(each.file, each.line) for each in skipped]
    width = max(map(len, places), default=0)
    rules = max((len(each.rule) for each in found), default=0)
    lines = []
    for each in found:
        head = format_place(each.file, each.line).ljust(width)
        name = f"{each.name}: " if each.name else ""
        level = "error" if each.level == "error" and each.rule == "warden" and not each.name else _MARKS[each.level]
        mark = click.style(f"{level:<5}", fg=_COLOURS[each.level], bold=each.level == "error")
        lines.append(f"{head}  {mark}  {each.rule:<{rules}}  {name}{each.message}")
        if each.fix:
            lines.append(f"{' ' * width}         fix: {each.fix}")
    for one in skipped:
        mark = click.style("skip ", fg="bright_black")
        lines.append(f"{format_place(one.file, one.line).ljust(width)}  {mark}  {redact(one.kind)}: {one.reason}")
    if (more := len(result.skipped) - _NAMED) > 0:
        lines.append(f"… and {more} more: --output json names them all")
    if missing := result.rules_without_state:
        lines.append(f"nothing is known of the cluster, so these were not evaluated: {', '.join(missing)}")
    colour = {0: "green", 1: "red", 2: "red"}[result.status]
    return "\n".join([*lines, click.style(result.summary, fg=colour)])
