"""Each page at the width of a phone and of a desk, light and dark: nothing is cut off, and there is a picture of it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.analyse.impact.test_show import IMPACT, PART, SAMPLE
from tests.analyse.trend.test_page import DRIFT, TREND, histories
from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.pages.browser import Browser, Page
from warden.analyse.report.finished_run import open_run
from warden.analyse.report.impact.page import render_impact_page
from warden.analyse.report.trend.page import render_trend_page
from warden.analyse.report.write import write_report

__all__ = ["histories"]

_LONG = "clickstream.checkout.payment-authorization.completed.by-customer-and-device-v12"
_PICTURES = CHECKOUT / "build/screenshots"
# What reaches beyond the window, or beyond what scrolls around it.
_CUT = """[...document.querySelectorAll('body *')].filter(e => e.getClientRects().length && !e.closest('svg'))
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1 ||
        (getComputedStyle(e).overflowX === 'auto' && e.scrollWidth > e.clientWidth + 1))
    .map(e => `${e.tagName}.${e.className}: ${e.textContent.trim().slice(0, 40)}`)"""


@pytest.fixture
def files(tmp_path: Path, run_directory: Path, histories: Path) -> dict[str, Path]:
    """The pages, with long names in them."""
    texts: dict[str, Callable[[], str]] = {
        "trend": lambda: "".join(render_trend_page(TREND, DRIFT, histories)),
        "impact": lambda: render_impact_page(
            replace(IMPACT, parts=[replace(PART, samples=[SAMPLE, replace(SAMPLE, resource=_LONG + "x" * 160)])])
        ),
    }
    made = {name: tmp_path / f"{name}.html" for name in ("report", *texts)}
    write_report(open_run(run_directory), "html", made["report"])
    for name, text in texts.items():
        made[name].write_text(text(), encoding="utf-8")
    return made


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["report", "trend", "impact"])
def test_nothing_is_cut_off(browser: Browser, files: dict[str, Path], name: str, width: int, dark: bool) -> None:
    """No element ends outside the window, none has to be scrolled sideways."""
    page = Page(browser, files[name], width=width, dark=dark)
    _PICTURES.mkdir(parents=True, exist_ok=True)
    picture = page.picture()
    (_PICTURES / f"{name}-{width}-{'dark' if dark else 'light'}.png").write_bytes(picture)

    assert [] == page.run(_CUT)
    assert page.run("document.documentElement.scrollWidth") <= width
    assert len(picture) > 10_000
    page.close()
