"""Trend and drift on a terminal."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from warden.analyse.report.percent import format_percent
from warden.analyse.report.trend.plot import choose_scale_start
from warden.analyse.trend.drift import Drift
from warden.analyse.trend.summary import STATES, Series, Trend, compute_compliance

__all__ = ["KINDS", "describe_drift", "show_drift", "show_trend"]

KINDS = {
    "missing": "declared, and not there",
    "undeclared": "there, and not declared",
    "partitions": "with other partitions",
    "replicas": "with another replication factor",
    "config": "configs that differ",
}
"""Kind of drift → words."""

_LEVELS = "▁▂▃▄▅▆▇█"
_LINES = 15
_MAX_SHOWN_DRIFT = 20


def show_trend(trend: Trend, console: Console) -> None:
    """Print compliance over days and what became of findings."""
    first, last = trend.days[0], trend.days[-1]
    days, runs = _format_count(len(trend.days), "day"), _format_count(len(trend.runs), "run")
    before = f", {format_percent(compute_compliance(first))} on {first.day}" if len(trend.days) > 1 else ""
    share = format_percent(compute_compliance(last))
    text = f"{days}, {runs}: {share} of {last.evaluated:,} topics comply on {last.day}{before}"
    console.print(Text(text, "bold"), soft_wrap=True)
    if len(trend.days) == 1:
        console.print("One day so far: trends begin with the second.")
    console.print()
    console.print(_build_days_table(trend))
    for title, lines in (("By rule", trend.rules), ("By cluster", trend.clusters), ("By owner", trend.owners)):
        if lines:
            console.print()
            console.print(_build_lines_table(title, lines, [day.day for day in trend.days]))
    console.print()
    for state, meaning in STATES.items():
        counts = trend.states[state]
        if counts:
            words = ", ".join(f"{count:,} {severity}" for severity, count in counts.items())
            console.print(Text(f"{_format_count(sum(counts.values()), 'finding')} {meaning} ({words})"), soft_wrap=True)
    if trend.fresh:
        console.print(Text("\nNew (+) and ended (-) on the last day, the most severe of each", "bold"))
    for row in trend.fresh:
        console.print(_format_change(row), soft_wrap=True)


def show_drift(drift: Sequence[Drift], console: Console) -> None:
    """Print how the estate differs from what was declared."""
    counts = Counter(difference.kind for difference in drift)
    words = ", ".join(f"{counts[kind]:,} {meaning}" for kind, meaning in KINDS.items() if counts[kind])
    console.print(Text(f"Drift: {words or 'none, the estate is as declared'}", "bold"), soft_wrap=True)
    # What is only not declared is the least of it, and often the most.
    for difference in sorted(drift, key=lambda entry: entry.kind == "undeclared")[:_MAX_SHOWN_DRIFT]:
        console.print(Text(f"  {describe_drift(difference)}"), soft_wrap=True)
    if len(drift) > _MAX_SHOWN_DRIFT:
        console.print(Text(f"  and {len(drift) - _MAX_SHOWN_DRIFT:,} more: --output json has all", "dim"))


def describe_drift(drift: Drift) -> str:
    """Say one difference in a line."""
    where, note = f"{drift.cluster}/{drift.topic}", f" ({drift.note})" if drift.note else ""
    if drift.kind == "missing":
        return f"{where}: missing, declared in {drift.declared}"
    if drift.kind == "undeclared":
        return f"{where}: not declared"
    what = drift.name or drift.kind
    declared = "not declared" if drift.declared is None else f"declared {drift.declared}"
    return f"{where}: {what} {declared}, is {'not set' if drift.actual is None else drift.actual}{note}"


def _format_count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _build_days_table(trend: Trend) -> Table:
    table = _build_table(
        "Topics that comply", "day", right=("evaluated", "comply", "%", "not evaluated"), rest=("policy",)
    )
    for day in trend.days:
        counts = f"{day.evaluated:,}", f"{day.complying:,}", format_percent(compute_compliance(day)), f"{day.errors:,}"
        table.add_row(day.day, *counts, ", ".join(day.revisions))
    return table


def _build_lines_table(title: str, lines: Sequence[Series], days: Sequence[str]) -> Table:
    cut = f", the first {_LINES} of {len(lines)}" if len(lines) > _LINES else ""
    every = [[compute_compliance(line.days.get(day)) for day in days] for line in lines]
    low = choose_scale_start(every)
    table = _build_table(
        f"{title}{cut}", "", right=(days[0], days[-1], "change"), rest=(f"{format_percent(low)} to 100 %",)
    )
    for line, shares in zip(lines[:_LINES], every, strict=False):
        name = " ".join(filter(None, [line.name or "(none)", line.severity]))
        table.add_row(
            Text(name),
            format_percent(shares[0]),
            format_percent(shares[-1]),
            _format_points(shares),
            _draw_sparkline(shares, low),
        )
    return table


def _format_points(shares: Sequence[float | None]) -> Text:
    if shares[0] is None or shares[-1] is None:
        return Text("-", "dim")
    points = round((shares[-1] - shares[0]) * 100, 1) or 0.0
    return Text(f"{points:+.1f}", "red" if points < 0 else "green" if points > 0 else "dim")


def _draw_sparkline(shares: Sequence[float | None], low: float) -> str:
    steps = len(_LEVELS) - 1
    return "".join(" " if share is None else _LEVELS[round(steps * (share - low) / (1 - low))] for share in shares)


def _format_change(row: dict[str, Any]) -> Text:
    sign, style = ("+", "red") if row["state"] == "new" else ("-", "green")
    why = " (under another policy)" if row["other_policy"] else ""
    where = f"{row['cluster']}/{row['topic']}"
    return Text(f"  {sign} {row['severity']} {row['rule']} {where}: {row['message']}{why}", style)


def _build_table(title: str, *left: str, right: tuple[str, ...], rest: tuple[str, ...]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in (*left, *right, *rest):
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    return table
