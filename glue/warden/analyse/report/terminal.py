"""Summary of a scan on the terminal: tables with bars; plain text where the output is no terminal."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from warden.analyse.report.json_stream import escape_invisible
from warden.analyse.report.summary import GroupCount, Summary
from warden.base.files.address import Place
from warden.policy.contract.effect import EFFECTS
from warden.policy.contract.severities import SEVERITIES

__all__ = ["show", "show_since"]

_COLOURS = {"critical": "red", "high": "dark_orange", "medium": "yellow", "low": "blue", "info": "bright_black"}
_OWNERS = 10
_WORST = 5
_BAR_CELLS = 24


def show(summary: Summary, directory: Place, console: Console) -> None:
    """Print a run.

    Args:
        summary: Its figures.
        directory: Where its results are.
        console: Where to print; colours and bars are drawn where it is a terminal.
    """
    console.print(_format_headline(summary), highlight=False)
    console.print()
    for table in _build_tables(summary):
        console.print(table)
        console.print()
    for name, what in (
        ("report.html", "the report"),
        ("controls.csv", "evidence by control, for auditors"),
        ("findings.jsonl", "findings, one a line"),
        ("findings", "the same as Parquet"),
        ("decisions", "a decision on each resource, Parquet"),
        ("summary.json", "these figures"),
    ):
        console.print(f"{directory / name}  ({what})", highlight=False, soft_wrap=True, markup=False)


def show_since(compared: Mapping[str, Any], console: Console) -> None:
    """Print what became of findings since a baseline, in one line.

    Args:
        compared: From `warden.analyse.report.new_findings.ComparedRun.to_document`.
        console: Where to print.
    """
    new = ", ".join(f"{count:,} {name}" for name, count in compared["severities"].items() if count)
    unknown = f", {compared['unknown']:,} of what was not evaluated now" if compared["unknown"] else ""
    before = escape_invisible(compared["runId"])
    console.print(
        f"Since {before} of {compared['evaluatedAt'][:10]}: {compared['new']:,} new findings"
        f"{f' ({new})' if new else ''}, {compared['updated']:,} changed, {compared['unchanged']:,} as before, "
        f"{compared['fixed']:,} fixed{unknown}",
        highlight=False,
        soft_wrap=True,
        markup=False,
    )


def _format_headline(summary: Summary) -> Text:
    text = Text.assemble(
        (f"{summary.topics:,}", "bold"),
        f" topics on {len(summary.clusters)} cluster{'' if len(summary.clusters) == 1 else 's'} evaluated in "
        f"{summary.seconds:.1f} s: ",
        (f"{summary.allowed:,} allowed", "green"),
        ", ",
        (f"{summary.denied:,} denied", "bold red" if summary.denied else "green"),
    )
    if summary.errors:
        text.append(f", {summary.errors:,} not evaluated", "bold dark_orange")
    return text


def _build_tables(summary: Summary) -> list[Table]:
    tables = [
        _build_severities_table(summary),
        _build_rules_table(summary),
        _build_groups_table("cluster", summary.clusters, len(summary.clusters)),
    ]
    tables.append(_build_groups_table("owner", summary.owners, _OWNERS))
    if summary.worst:
        tables.append(_build_worst_table(summary))
    if summary.not_evaluated:
        tables.append(_build_not_evaluated_table(summary))
    return tables


def _build_severities_table(summary: Summary) -> Table:
    table = _build_table(f"{sum(summary.findings.values()):,} findings", "severity", right=("findings",), rest=("",))
    most = max(summary.severities.values(), default=0)
    for severity, count in summary.severities.items():
        table.add_row(_format_severity(severity), f"{count:,}", _draw_bar({severity: count}, most))
    for effect, what in EFFECTS.items():
        if effect != "deny" and summary.findings[effect]:
            table.add_row(Text(f"of these {what}", "dim"), f"{summary.findings[effect]:,}", "")
    return table


def _build_rules_table(summary: Summary) -> Table:
    table = _build_table("By rule", "rule", "severity", right=("findings", "topics"), rest=("", "title"))
    most = max((rule.findings for rule in summary.rules), default=0)
    for rule in summary.rules:
        name = rule.rule if rule.effect == "deny" else f"{rule.rule} ({rule.effect})"
        counts = f"{rule.findings:,}", f"{rule.topics:,}"
        bar = _draw_bar({rule.severity: rule.findings}, most, _BAR_CELLS // 2)
        table.add_row(_escape_text(name), _format_severity(rule.severity), *counts, bar, _escape_text(rule.title))
    return table


def _build_groups_table(what: str, groups: Sequence[GroupCount], limit: int) -> Table:
    cut = f", the first {limit} of {len(groups)}" if len(groups) > limit else ""
    errors = any(group.errors for group in groups)
    right = "topics", "denied", "%", *(["not evaluated"] if errors else [])
    table = _build_table(f"By {what}{cut}", what, right=right, rest=("findings",))
    most = max((sum(group.severities.values()) for group in groups), default=0)
    for group in groups[:limit]:
        table.add_row(
            Text("(none)", "dim") if group.name is None else _escape_text(group.name),
            f"{group.topics:,}",
            f"{group.denied:,}",
            f"{100 * group.denied / group.topics:.1f}",
            *([f"{group.errors:,}"] if errors else []),
            _draw_bar(group.severities, most),
        )
    return table


def _build_worst_table(summary: Summary) -> Table:
    table = _build_table("Most severe", "resource", "cluster", "owner", rest=("rules",))
    for row in islice(summary.worst, _WORST):
        where = _escape_text(row["topic"]), _escape_text(row["cluster"]), _escape_text(row["owner"] or "(none)")
        table.add_row(*where, _escape_text(", ".join(row["rules"])))
    return table


def _build_not_evaluated_table(summary: Summary) -> Table:
    cut = f", the first {_WORST} of {summary.errors}" if summary.errors > _WORST else ""
    table = _build_table(f"Not evaluated{cut}", "topic", "cluster", rest=("reason",))
    for row in islice(summary.not_evaluated, _WORST):
        table.add_row(_escape_text(row["topic"]), _escape_text(row["cluster"]), _escape_text(row["error"]))
    return table


def _build_table(title: str, *left: str, right: tuple[str, ...] = (), rest: tuple[str, ...]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in left:
        table.add_column(name, overflow="fold")
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    for name in rest:
        table.add_column(name, overflow="fold")
    return table


def _escape_text(text: str) -> Text:
    return Text(escape_invisible(text))


def _format_severity(severity: str) -> Text:
    return Text(severity, _COLOURS.get(severity, ""))


def _draw_bar(counts: Mapping[str, int], most: int, width: int = _BAR_CELLS) -> Text:
    """A bar of up to ``width`` cells, one colour for each severity; what is there is never drawn as nothing."""
    bar = Text(no_wrap=True)
    total, drawn, passed = sum(counts.values()), 0, 0
    cells = max(1, round(width * total / most)) if total and most else 0
    for severity in [*SEVERITIES, *(set(counts) - set(SEVERITIES))]:
        passed += counts.get(severity, 0)
        upto = round(cells * passed / total) if total else 0
        bar.append("█" * (upto - drawn), _COLOURS.get(severity, ""))
        drawn = upto
    return bar
