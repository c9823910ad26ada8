"""Trend and drift for people: the page in a browser, the terminal, and how lines are drawn."""

import io
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.fixtures.pages.browser import Browser, Page
from warden.analyse.report.embed import unpack
from warden.analyse.report.percent import format_percent
from warden.analyse.report.trend.page import render_trend_page
from warden.analyse.report.trend.plot import Plot, choose_scale_start, draw_sparks, plot
from warden.analyse.report.trend.show import show_drift, show_trend
from warden.analyse.trend.drift import Drift
from warden.analyse.trend.summary import ComplianceCount, DayCompliance, Series, Trend

DAYS = ["2026-11-01", "2026-11-02", "2026-11-03"]
FRESH = {"state": "new", "severity": "high", "rule": "KFK-X", "cluster": "c", "topic": "<b>", "message": "[red]m"}
TREND = Trend(
    runs=["a", "b"],
    days=[DayCompliance(day, 100, 90 + place, place, ["rev"]) for place, day in enumerate(DAYS)],
    rules=[Series("KFK-X", "high", {day: ComplianceCount(100, 99 - place) for place, day in enumerate(DAYS)})],
    clusters=[Series("c", "", {DAYS[0]: ComplianceCount(100, 90), DAYS[2]: ComplianceCount(100, 92)})],
    owners=[
        Series("<i>", "", {DAYS[0]: ComplianceCount(10, 9)}),
        Series(None, "", {day: ComplianceCount(90, 90) for day in DAYS}),
    ],
    states={"new": {"high": 1}, "open": {"high": 2, "low": 1}, "fixed": {}, "gone": {}, "unknown": {}},
    fresh=[{**FRESH, "other_policy": False}],
)
DRIFT = [
    Drift("c", "a", "missing", "", "f.yaml", None),
    Drift("c", "b", "config", "retention.ms", None, "1"),
    Drift("c", "d", "partitions", "", "6", "3", "keys move"),
    Drift("c", "e", "undeclared", "", None, None),
]
HISTORY = {
    "cluster": "c", "topic": "</script>", "owner": None, "rule": "KFK-X", "severity": "high", "effect": "deny",
    "path": "configs/a", "message": "m", "first_seen": date(2026, 11, 1), "last_seen": date(2026, 11, 2),
    "ended_on": date(2026, 11, 3), "state": "fixed", "days": 2, "came_back": True, "other_policy": True,
}  # fmt: skip


@pytest.fixture(scope="module")
def histories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the histories of two findings."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark.sql.pandas.types import to_arrow_schema

    from spark_jobs.analyse.trend import HISTORY as SCHEMA

    out = tmp_path_factory.mktemp("histories")
    (out / "history").mkdir()
    rows = [
        HISTORY,
        {**HISTORY, "topic": "t", "state": "new", "ended_on": None, "came_back": False, "other_policy": False},
    ]
    pq.write_table(pa.Table.from_pylist(rows, to_arrow_schema(SCHEMA)), out / "history" / "part-0.parquet")
    return out


@pytest.mark.parametrize(("width", "dark"), [(375, True), (1440, False)])
def test_in_a_browser(browser: Browser, histories: Path, tmp_path: Path, width: int, dark: bool) -> None:
    """Nothing is wider than the window, names are no markup, findings can be filtered by what became of them."""
    path = tmp_path / "trend.html"
    path.write_text("".join(render_trend_page(TREND, DRIFT, histories)), encoding="utf-8")
    page = Page(browser, path, "#state=fixed", width=width, dark=dark)

    assert page.run("document.documentElement.scrollWidth") <= width
    assert "92.0 % of 100 topics comply" == page.run("document.querySelector('h1').textContent")
    rows = page.run("[...document.querySelectorAll('#findings tbody tr')].map(tr => tr.textContent)")
    (row,) = rows
    assert row.startswith("highKFK-X</script>c · no ownermfixed · first seen 2026-11-01 · last seen 2026-11-02 · ")
    assert row.endswith("fixed on 2026-11-03 · came back · ended under another policyevidenceconfigs/a")
    assert 3 == page.run("document.querySelectorAll('svg.plot circle').length")
    assert ("<i>", 4) == (
        page.run("document.querySelector('#h-owners + table td').textContent"),
        page.run("document.querySelectorAll('#h-drift ~ table tbody tr').length"),
    )
    assert ([path.as_uri()], []) == (page.requested(), page.complaints())
    page.close()


def test_either_alone(browser: Browser, histories: Path, tmp_path: Path) -> None:
    """Drift without runs, and runs without declarations, are pages too."""
    for name, trend, drift in (("drift", None, []), ("trend", TREND, None)):
        path = tmp_path / f"{name}.html"
        text = "".join(render_trend_page(trend, drift, histories))
        path.write_text(text, encoding="utf-8")
        page = Page(browser, path)

        assert ("None: the estate is as declared." in text) is (name == "drift")
        assert [] == page.complaints()
        page.close()
    assert {"new", "fixed"} <= {*unpack(text)["texts"]}


def shown(function: Any, value: Any) -> list[str]:
    """The lines that are printed, 100 columns wide."""
    console = Console(file=io.StringIO(), width=100)
    function(value, console)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_the_first_day(histories: Path) -> None:
    """One day is no trend: no plot of a lone dot, no change of nothing, and a sentence that says when there is one."""
    one = replace(TREND, runs=["a"], days=TREND.days[:1])
    page, said = "".join(render_trend_page(one, None, histories)), "One day so far: trends begin with the second."
    assert [said in page, said in shown(show_trend, one)] == [True, True]
    assert [text for text in ('svg class="plot', ">Change<", "new on the last day", "still open") if text in page] == []
    assert ">Change<" in "".join(render_trend_page(TREND, None, histories))


def test_trend_on_a_terminal() -> None:
    """The figures, the change in points, and what is new; nothing in a name is markup."""
    lines = shown(show_trend, TREND)

    assert "3 days, 2 runs: 92.0 % of 100 topics comply on 2026-11-03, 90.0 % on 2026-11-01" == lines[0]
    for expected in (
        "2026-11-02 100 91 91.0 % 1 rev",
        "KFK-X high 99.0 % 97.0 % -2.0 ▆▅▃",
        "c 90.0 % 92.0 % +2.0 ▅ ▅",
        "<i> 90.0 % - -",
        "(none) 100 % 100 % +0.0 ███",
        "1 finding new on the last day (1 high)",
        "3 findings still open (2 high, 1 low)",
        "+ high KFK-X c/<b>: [red]m",
    ):
        assert expected in [line.rstrip(" ▅") if line.startswith("<i>") else line for line in lines]


def test_drift_on_a_terminal() -> None:
    """One line for each difference, what is only not declared at the end."""
    assert [
        "Drift: 1 declared, and not there, 1 there, and not declared, 1 with other partitions, 1 configs that differ",
        "c/a: missing, declared in f.yaml",
        "c/b: retention.ms not declared, is 1",
        "c/d: partitions declared 6, is 3 (keys move)",
        "c/e: not declared",
    ] == shown(show_drift, DRIFT)
    assert ["Drift: none, the estate is as declared"] == shown(show_drift, [])
    assert "and 5 more: --output json has all" == shown(show_drift, DRIFT[:1] * 25)[-1]


@pytest.mark.parametrize(
    ("part", "expected"),
    [(None, "-"), (0.0, "0 %"), (1.0, "100 %"), (0.5, "50.0 %"), (0.99999, "99.9 %"), (1e-9, "0.1 %")],
)
def test_percent(part: float | None, expected: str) -> None:
    """Never rounded to all or none."""
    assert expected == format_percent(part)


def test_a_plot() -> None:
    """A day without a value breaks the line; the scale has round marks and holds the least value."""
    assert Plot(
        pieces=["52,102 52,102", "1064,12 1064,12"],
        points=[(52, 102.0, "a: 90.0%"), (1064, 12.0, "c: 100.0%")],
        marks=[(192.0, "80%"), (147.0, "85%"), (102.0, "90%"), (57.0, "95%"), (12.0, "100%")],
        days=[(52, "a", "start"), (558.0, "b", "middle"), (1064, "c", "end")],
    ) == plot(["a", "b", "c"], [0.9, None, 1.0])
    assert [(558.0, 12.0, "a: 100.0%")] == plot(["a"], [1.0]).points
    assert ["0%", "25%", "50%", "75%", "100%"] == [text for _, text in plot(["a"], [0.01]).marks]


def test_small_lines() -> None:
    """Those of a table have one scale, from a round share below the least of them; nothing known is not a line."""
    assert ["0,21 0,21", "100,12 100,12"] == draw_sparks([0.8, None, 0.9], 0.8)
    assert ["0,21 50,16.5 100,12"] == draw_sparks([0.8, 0.85, 0.9], 0.8)
    assert ["0,12 100,12"] == draw_sparks([0.5, 0.5], 0.0)
    assert [] == draw_sparks([None, None], 0.0)
    assert (0.8, 0.0, 0.0) == (
        choose_scale_start([[1.0, None], [0.85]]),
        choose_scale_start([[0.01]]),
        choose_scale_start([[None], []]),
    )
