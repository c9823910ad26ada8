"""Trend and drift as one page for a browser, with the history of every finding."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from warden.analyse.report.embed import build_columns, pack
from warden.analyse.report.page import build_environment
from warden.analyse.report.percent import format_percent
from warden.analyse.report.trend.documents import iter_histories
from warden.analyse.report.trend.plot import choose_scale_start, draw_sparks, plot
from warden.analyse.report.trend.show import KINDS, describe_drift
from warden.analyse.trend.drift import Drift
from warden.analyse.trend.summary import STATES, Series, Trend, compute_compliance
from warden.policy.contract.severities import SEVERITIES, rank_severity

__all__ = ["render_trend_page"]


def render_trend_page(trend: Trend | None, drift: Sequence[Drift] | None, out: Path) -> Iterator[str]:
    """Yield the text of the page.

    Args:
        trend: What became of findings; None where it was not requested.
        drift: What differs from declarations; None where it was not requested.
        out: The directory with the findings' histories.
    """
    context: dict[str, Any] = {"trend": None, "drift": None}
    if trend is not None:
        context |= _build_trend(trend, out)
    if drift is not None:
        counts = Counter(difference.kind for difference in drift)
        drifted = {KINDS[kind]: counts[kind] for kind in KINDS if counts[kind]}
        context |= {"drift": [(difference, describe_drift(difference)) for difference in drift], "drifted": drifted}
    yield from build_environment().get_template("trend.html.j2").generate(context)


def _build_trend(trend: Trend, out: Path) -> dict[str, Any]:
    days = [day.day for day in trend.days]
    rows = sorted(iter_histories(out), key=_build_sort_key)
    data = build_columns((_build_row(row) for row in rows), ())
    del data["columns"]["actual"]  # what it was on which day is not kept
    texts = {text: index for index, text in enumerate(data["texts"])}
    for name, values in (("state", [row["state"] for row in rows]), ("when", [_describe_history(row) for row in rows])):
        data["columns"][name] = [texts.setdefault(value, len(texts)) for value in values]
    data["texts"] = list(texts)
    return {
        "trend": trend,
        "single": len(days) == 1,
        "last": trend.days[-1],
        "first": trend.days[0],
        "standing": format_percent(compute_compliance(trend.days[-1])),
        "before": format_percent(compute_compliance(trend.days[0])),
        "overall": plot(days, [compute_compliance(day) for day in trend.days]),
        "groups": [
            (title, *_build_lines(lines, days))
            for title, lines in (("Clusters", trend.clusters), ("Owners", trend.owners), ("Rules", trend.rules))
        ],
        "states": STATES,
        "counts": {state: sum(counts.values()) for state, counts in trend.states.items()},
        "severities": SEVERITIES,
        "ids": sorted({str(line.name) for line in trend.rules} | {row["rule"] for row in rows}),
        "percent": format_percent,
        "share": compute_compliance,
        "data": pack(data),
    }


def _build_lines(lines: Sequence[Series], days: Sequence[str]) -> tuple[list[dict[str, Any]], str]:
    """The lines of a table, and the scale that their small plots share."""
    shares = [[compute_compliance(line.days.get(day)) for day in days] for line in lines]
    low = choose_scale_start(shares)
    return [_build_line(*row, days, low) for row in zip(lines, shares, strict=True)], f"{format_percent(low)} to 100 %"


def _build_line(line: Series, shares: Sequence[float | None], days: Sequence[str], low: float) -> dict[str, Any]:
    change = None if shares[0] is None or shares[-1] is None else round((shares[-1] - shares[0]) * 100, 1) or 0.0
    return {
        "name": line.name,
        "severity": line.severity,
        "first": format_percent(shares[0]),
        "last": format_percent(shares[-1]),
        "change": change,
        "spark": draw_sparks(shares, low),
        "label": ", ".join(f"{day} {format_percent(share)}" for day, share in zip(days, shares, strict=True)),
    }


def _build_row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "path": [row["path"]] if row["path"] else [], "waiver": None}


def _describe_history(row: Mapping[str, Any]) -> str:
    words = [row["state"], f"first seen {row['first_seen']}", f"last seen {row['last_seen']}"]
    if row["ended_on"]:
        words.append(f"{'gone' if row['state'] == 'gone' else 'fixed'} on {row['ended_on']}")
    words += ["came back"] if row["came_back"] else []
    words += ["ended under another policy"] if row["other_policy"] else []
    return " · ".join(words)


def _build_sort_key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return (
        list(STATES).index(row["state"]),
        rank_severity(row["severity"]),
        row["cluster"],
        row["topic"],
        row["rule"],
        row["path"],
    )
