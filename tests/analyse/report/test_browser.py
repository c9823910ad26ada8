"""The pages in a real browser: small and wide, light and dark, by keyboard, without network, on paper."""

import struct
from pathlib import Path

import pytest

from tests.analyse.report.conftest import DECISIONS, FINDINGS, written_run
from tests.fixtures.pages.accessibility import find_obstacles
from tests.fixtures.pages.browser import Browser, Page
from warden.analyse.report.finished_run import open_run
from warden.analyse.report.write import write_report
from warden.policy.contract.effect import EFFECTS

MANY = 100_000
SEVERITIES = ("critical", "high", "medium", "low")


@pytest.fixture(scope="module")
def report(run_directory: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run with a bit of everything."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_report(open_run(run_directory), "html", path)
    return path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a run with a hundred thousand findings."""
    directory = tmp_path_factory.mktemp("large")
    found = [
        {**FINDINGS[0], "severity": SEVERITIES[n % 4], "topic": f"topic-{n}", "message": f"{n} is too much"}
        for n in range(MANY)
    ]
    write_report(open_run(written_run(directory / "r", DECISIONS, found)), "html", directory / "report.html")
    return directory / "report.html"


def topics(page: Page) -> list[str]:
    """The topics in view."""
    found: list[str] = page.run(
        "[...document.querySelectorAll('#findings td.name')].map(td => td.firstChild.textContent)"
    )
    return found


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [375, 1440])
def test_small_and_wide_light_and_dark(browser: Browser, axe: Path, report: Path, width: int, dark: bool) -> None:
    """Nothing is wider than the window, everything can be read, nothing is fetched, the console is silent."""
    page = Page(browser, report, width=width, dark=dark)
    picture = page.picture()

    assert page.run("document.documentElement.scrollWidth") <= width
    assert dark is (page.run("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 27)")
    assert width == struct.unpack(">I", picture[16:20])[0]
    assert len(picture) > 20_000
    assert [report.as_uri()] == page.requested()
    assert [] == page.complaints()
    assert [] == find_obstacles(page, axe)
    page.close()


def test_names_break_between_words(browser: Browser, tmp_path: Path) -> None:
    """Of a name that is longer than its cell each line ends behind a dot, a hyphen or an underscore."""
    name = ".".join(["orders-of_customers"] * 8)
    found = [{**FINDINGS[0], "topic": name}]
    write_report(open_run(written_run(tmp_path / "run", DECISIONS, found)), "html", tmp_path / "report.html")
    page = Page(browser, tmp_path / "report.html", width=390)
    lines = page.run("""(() => {
      const lines = new Map(), range = document.createRange();
      const names = [...document.querySelectorAll('#findings td.name span')];
      const name = names.find(one => one.textContent.startsWith('orders'));
      const texts = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) for (let at = 0; at < texts.currentNode.length; at++) {
        range.setStart(texts.currentNode, at); range.setEnd(texts.currentNode, at + 1);
        const top = range.getBoundingClientRect().top;
        lines.set(top, (lines.get(top) || "") + range.toString());
      }
      return [...lines.values()];
    })()""")
    page.close()

    assert name == "".join(lines)
    assert len(lines) > 2
    assert {".", "-", "_"} >= {line[-1] for line in lines[:-1]}


def test_keyboard(browser: Browser, report: Path) -> None:
    """Tab reaches every control in the order of the page, and each shows that it has the focus."""
    page = Page(browser, report)
    expected = page.run(
        "[...document.querySelectorAll('a[href], button, input, select, summary')]"
        ".filter(e => !e.disabled && e.checkVisibility() && !e.closest('details:not([open]) > div'))"
        ".map((e, place) => (e.dataset.place = place))"
    )
    reached, outlined = [], []
    for _ in expected:
        page.press("Tab")
        reached.append(int(page.run("document.activeElement.dataset.place")))
        outlined.append(page.run("getComputedStyle(document.activeElement).outlineStyle"))

    assert expected == reached
    assert len(expected) > 30
    assert {"solid"} == {*outlined}
    page.close()


def test_filter_and_sort_by_keyboard(browser: Browser, report: Path) -> None:
    """Typing filters; Enter on a heading sorts, again turns it round; the address remembers."""
    page = Page(browser, report)
    everything = topics(page)
    page.run("document.getElementById('q').focus()")
    page.type("KFK-DUR risk")
    page.wait("location.hash")
    filtered, status = topics(page), page.run("document.getElementById('shown').textContent")
    page.run("document.getElementById('clear').click(); document.querySelector('th[data-sort=topic] button').focus()")
    page.press("Enter")
    ascending, marked = topics(page), page.run("document.querySelector('th[data-sort=topic]').ariaSort")
    page.press("Enter")

    order = sorted(FINDINGS, key=lambda found: [*EFFECTS].index(found["effect"]))  # what denies comes first
    assert ["bad", *(found["topic"] or "broker 1" for found in order)] == everything
    assert ([], "No finding matches.") == (filtered, status)
    assert [*ascending[:3], "bad", "broker 1", "only"] == ascending
    assert sorted(everything) == sorted(ascending)
    assert ("ascending", "descending") == (marked, page.run("document.querySelector('th[data-sort=topic]').ariaSort"))
    assert ascending[::-1] == topics(page)
    assert "#sort=topic&desc=1" == page.run("location.hash")
    page.close()


@pytest.mark.parametrize(
    ("hash", "expected"),
    [
        ("#severity=not+evaluated", ["bad"]),
        ("#effect=waived", ["=cmd|'!A1"]),
        ("#kind=broker", ["broker 1"]),
        ("#kind=topic&q=topic", []),
        ("#cluster=dev%2F1&sort=topic", ["broker 1", "only"]),
        ("#owner=-&severity=low", ["broker 1"]),
        ("#q=KFK-X+prod", ["</script><script>alert(1)"]),
        ("#rule=KFK-UNKNOWN", []),
        ("#owner=nobody", []),
        ("#sort=nonsense&page=99&severity=low", ["broker 1"]),
    ],
)
def test_a_link_to_a_view(browser: Browser, report: Path, hash: str, expected: list[str]) -> None:
    """What the address says is what is shown; what it says wrong does no harm."""
    page = Page(browser, report, hash)

    assert expected == topics(page)
    assert [] == page.complaints()
    page.close()


def test_a_view_says_what_it_shows(browser: Browser, report: Path) -> None:
    """Filters are in the title and the heading, and what clears them is there only then; headings say how they sort."""
    page = Page(browser, report, "#kind=broker&owner=-")
    said = (
        "[document.title, document.getElementById('h-findings').textContent, document.getElementById('clear').hidden]"
    )
    filtered = page.run(said)
    page.run("document.getElementById('clear').click()")
    sorting = page.run("[...new Set([...document.querySelectorAll('th[data-sort]')].map(th => th.ariaSort))]")

    title = "Kafka policy report \u00b7 2026-11-21"
    words = "kind broker, owner no owner"
    assert [f"{words} \u00b7 {title}", f"Findings: {words}", False] == filtered
    assert [title, "Findings", True] == page.run(said)
    assert ["none"] == sorting
    page.close()


def test_effects_by_their_badge(browser: Browser, report: Path) -> None:
    """Each row says what its effect is; a figure of what to do first leads to its findings."""
    page = Page(browser, report)
    cells = page.run("[...document.querySelectorAll('#findings tbody tr')].map(tr => tr.firstChild.textContent)")
    page.run("document.querySelector('a[href=\"#effect=warn\"]').click()")
    page.wait("document.querySelectorAll('#findings tbody tr').length === 1")

    assert ["", "\u2715 denied", "\u2715 denied", "! warned", "dry run", "waived"] == cells
    assert ["</script><script>alert(1)"] == topics(page)
    page.close()


def test_a_rule_and_its_findings(browser: Browser, report: Path) -> None:
    """A link to a rule opens its page; its button shows its findings; evidence unfolds."""
    page = Page(browser, report, "#rule-KFK-DUR-001")
    opened = page.run("document.getElementById('rule-KFK-DUR-001').open")
    page.run("document.querySelector('#rule-KFK-DUR-001 button').click()")
    details = page.run("document.querySelector('#findings details').textContent")

    assert opened
    assert 2 == len(topics(page))
    assert 'evidenceconfigs/a.b is 1patch [{"op":"add"}]' == details
    assert ("KFK-DUR-001", "rule") == (
        page.run("document.getElementById('rule').value"),
        page.run("document.activeElement.id"),
    )
    page.close()


def test_a_hundred_thousand_findings(browser: Browser, large: Path) -> None:
    """All are there, a hundred at a time: first and last page, sorted, filtered down to one."""
    page = Page(browser, large)
    status = "document.getElementById('shown').textContent"
    first = (len(topics(page)), page.run(status))
    page.run("document.getElementById('last').click()")
    last, at_end = topics(page), page.run(status)
    page.run("location.hash = '#q=99876+too&severity=critical'")
    page.wait(f"{status}.includes('match')")
    one = (topics(page), page.run(status))
    page.run("location.hash = '#sort=topic&desc=1'")
    page.wait(f"!{status}.includes('match')")

    assert (100, "1 to 100 of 100,001") == first
    assert ([f"topic-{MANY - 1}"], "100,001 to 100,001 of 100,001") == (last, at_end)
    assert (["topic-99876"], "1 to 1 of 1 that match, 100,001 in all") == one
    assert [f"topic-{MANY - n}" for n in range(1, 101)] == topics(page)
    assert [large.as_uri()] == page.requested()
    assert [] == page.complaints()
    assert large.stat().st_size < 3_000_000
    page.close()


def test_on_paper(browser: Browser, report: Path) -> None:
    """Printing shows all that matches, opens what rules with findings say, and hides what is only for the screen."""
    page = Page(browser, report, "#severity=critical")
    page.media(kind="print")
    page.run("dispatchEvent(new Event('beforeprint'))")
    opened = page.run("[...document.querySelectorAll('.rules details[open]')].map(e => e.id)")
    hidden = page.run("['.tools', '.pages', 'nav'].map(n => getComputedStyle(document.querySelector(n)).display)")

    assert 2 == len(topics(page))
    assert ["rule-KFK-B", "rule-KFK-DUR-001", "rule-KFK-X"] == opened
    assert ["none"] * 3 == hidden
    assert page.ask("Page.printToPDF", printBackground=True)["data"].startswith("JVBERi")
    page.close()
