"""The console in a real browser: small and wide, light and dark, by keyboard, live, and with nothing of elsewhere."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.analyse.report.conftest import DECISIONS, FINDINGS, written_run
from tests.console.logged import build_event, build_violation
from tests.console.running import RunningConsole, write_config
from tests.fixtures.conditions import eventually
from tests.fixtures.pages.accessibility import find_obstacles
from tests.fixtures.pages.browser import Browser, Page

_HOSTILE = "</td><script>alert(1)</script>"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A decision log with a bit of everything."""
    waiver = {
        "id": "W-1",
        "owner": "risk",
        "reason": "hold",
        "ticket": "GRC-1",
        "expires": "2026-12-01",
        "expired": False,
    }
    path = tmp_path_factory.mktemp("log") / "opa.json"
    hostile = build_violation(message=_HOSTILE, fix=_HOSTILE)
    state = {"topics": {"payments.cards": {"configs": {"retention.ms": "1"}}}, "meta": {}}
    ops = [{"name": "retention.ms", "op": "SET", "value": "2"}]
    request = {"topic": "payments.cards", "configs": {"mode": "incremental", "ops": ops}}
    waived = build_violation("KFK-RET-001", "waived", waiver=waiver, cause="found", before="it was 1")
    events = [
        build_event("allowed"),
        build_event("warned", build_violation("KFK-NAM-001", "warn"), request={"topic": "a" * 200}),
        build_event("hostile", hostile, cluster=_HOSTILE, request={"topic": _HOSTILE}),
        build_event("denied", build_violation(), waived, clusterState=state, request=request),
    ]
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def console(log: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    """A console with that log, and a run."""
    directory = tmp_path_factory.mktemp("console")
    written_run(directory / "runs" / "r-1", DECISIONS, FINDINGS)
    config = write_config(
        directory, decisions={"files": [str(log)]}, runs=str(directory / "runs"), storage={"maxDays": 100_000}
    )
    with RunningConsole(config) as running:
        yield running


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "path", ["/decisions", "/decisions?status=denied", "/decisions/denied", "/decisions/hostile", "/estate"]
)
def test_small_and_wide_light_and_dark(
    browser: Browser, axe: Path, console: RunningConsole, path: str, width: int, dark: bool
) -> None:
    """Nothing is wider than the window, all can be read and named, nothing of elsewhere is loaded, nothing runs."""
    page = Page(browser, console.url + path, width=width, dark=dark)
    page.wait("!document.getElementById('live') || document.getElementById('live').textContent === 'live'")

    assert page.run("document.documentElement.scrollWidth") <= width
    assert dark is (page.run("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 27)")
    assert all(address.startswith(console.url) for address in page.requested())
    assert [] == page.complaints()
    assert [] == find_obstacles(page, axe)
    page.close()


def test_new_decisions_come_by_themselves(browser: Browser, console: RunningConsole, log: Path) -> None:
    """Those of the filter, at the top; a name with markup is text; held back while it is paused."""
    page = Page(browser, f"{console.url}/decisions?status=denied")
    page.wait("document.getElementById('live').textContent === 'live'")
    rows = page.run("document.getElementById('rows').rows.length")
    _append(
        log,
        build_event("live-1"),
        build_event("live-2", build_violation(message=_HOSTILE), request={"topic": _HOSTILE}),
    )
    page.wait(f"document.getElementById('rows').rows.length === {rows + 1}")

    assert _HOSTILE in page.run("document.getElementById('rows').rows[0].textContent")
    page.run("document.getElementById('pause').click()")
    _append(log, build_event("live-3", build_violation()), build_event("other"))
    eventually(lambda: console.get("/decisions/other").status_code == 200, "the last one is stored")
    assert page.run("document.getElementById('rows').rows.length") == rows + 1
    page.run("document.getElementById('pause').click()")
    page.wait(f"document.getElementById('rows').rows.length === {rows + 2}")
    page.close()


def test_by_keyboard(browser: Browser, console: RunningConsole) -> None:
    """To the content by the first key, by the search to a topic, and from a row to its decision."""
    page = Page(browser, f"{console.url}/decisions")
    page.press("Tab")
    assert page.run("document.activeElement.className") == "skip"
    page.press("Enter")
    page.wait("location.hash === '#content'")
    for _ in range(3):
        page.press("Tab")
        if page.run("document.activeElement.name") == "resource":
            break
    page.type("payments.*")
    page.press("Enter")
    _arrive(page, "location.search.includes('resource=payments.') && document.readyState === 'complete'")
    assert page.run("document.querySelector('input[name=resource]').value") == "payments.*"
    page.run("document.querySelector('#rows a').focus()")
    page.press("Enter")
    _arrive(page, "location.pathname.startsWith('/decisions/') && document.readyState === 'complete'")
    assert page.run("document.querySelector('h1').textContent") == "payments.cards"
    page.close()


def _arrive(page: Page, condition: str) -> None:
    """Wait for another page; until it is there the browser may refuse to say anything."""

    def holds() -> bool:
        with suppress(AssertionError):
            return bool(page.run(condition))
        return False

    eventually(holds, condition)


def _append(log: Path, *events: object) -> None:
    with log.open("a", encoding="utf-8") as lines:
        lines.writelines(json.dumps(event) + "\n" for event in events)
