"""The HTML report as text: whole, self-contained, complete, and safe with any name."""

import re
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.analyse.report.conftest import DECISIONS, EXPIRED, FINDINGS, NAMES, WAIVER, written_run
from tests.analyse.report.pages import rows_in
from warden.analyse.report import page
from warden.analyse.report.embed import COLUMNS, build_columns, pack, unpack
from warden.analyse.report.finished_run import open_run
from warden.analyse.report.waivers import WaiverCounter, WaiverUse


class _Tags(HTMLParser):
    """Collects start tags and attributes, and checks that what is opened is closed."""

    VOID = frozenset({"meta", "input", "br", "link", "img"})

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def text(run_directory: Path) -> str:
    """The page."""
    return "".join(page.render_page(open_run(run_directory)))


@pytest.fixture(scope="module")
def tags(text: str) -> _Tags:
    """Its tags."""
    found = _Tags()
    found.feed(text)
    return found


def test_well_formed_and_alone(text: str, tags: _Tags) -> None:
    """It loads nothing from elsewhere, its links go to its own parts or to a rule's sources, no name is markup."""
    assert [] == tags.open
    assert 2 == sum(tag == "script" for tag, _ in tags.seen)
    assert not [attrs for _, attrs in tags.seen if {"src", "action", "style", "onclick"} & attrs.keys()]
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest", text)
    links = [str(attrs["href"]) for _, attrs in tags.seen if "href" in attrs]
    assert {"https://kafka.apache.org/"} == {link for link in links if not link.startswith("#")}
    ids = [str(attrs["id"]) for _, attrs in tags.seen if "id" in attrs]
    assert {link[1:] for link in links if link.startswith("#") and "=" not in link} <= {*ids}
    assert {"#effect=warn", "#rule=KFK-DUR-001&effect=deny", "#owner=-&effect=deny"} <= {*links}
    assert len(ids) == len({*ids})
    for name in ("<b>estate</b>", "<u>", NAMES["prod"][0]):
        assert name not in text
    assert "&lt;b&gt;estate&lt;/b&gt;" in text
    assert "1 of 5 topics breaks the policy" in text


def test_named_for_those_who_do_not_see_it(text: str, tags: _Tags) -> None:
    """Columns have headings, fields and regions have names."""
    assert all(attrs.get("scope") == "col" for tag, attrs in tags.seen if tag == "th")
    assert sum(tag == "table" for tag, _ in tags.seen) == sum(tag == "thead" for tag, _ in tags.seen) == 8
    fields = re.findall(r"<(?:input|select) ", text)
    assert len(fields) == len(re.findall(r"<label[^>]*>[^<]*<(?:input|select) ", text)) == 8
    ids = {attrs.get("id") for _, attrs in tags.seen}
    assert {attrs["aria-labelledby"] for tag, attrs in tags.seen if tag == "section"} <= ids


def test_every_finding_is_there(text: str) -> None:
    """What could not be evaluated, then every finding, in the order of the file."""
    rows = rows_in(text)

    assert ("not evaluated", "bad", "poison & <u>", None) == tuple(
        rows[0][name] for name in ("severity", "topic", "message", "rule")
    )
    expected = [
        {
            **{name: found[name] for name in COLUMNS if name in found},
            "topic": found["topic"] or "broker 1",
            "message": found["message"].replace("\x01", "\ufffd")
            + (" (waiver W-0 expired on 2026-11-20)" if found["rule"] == "KFK-B" else ""),
            "path": "/".join(found["path"]) or None,
            "waiver": found["waiver"]["id"] if found["waiver"] else None,
        }
        for found in FINDINGS
    ]
    assert expected == rows[1:]


def test_sections(text: str) -> None:
    """Waivers by their end, a rule's own page with its fix, and what was evaluated."""
    plain = " ".join(re.sub(r"<[^>]+>", " ", text).split())

    assert "2026-12-01 in 10 days W-1 KFK-DUR-001 legal hold risk GRC-1 1" in plain
    assert "KFK-DUR-001 Replicas critical · deny · 2 findings Why. It says too few The fix more" in plain
    assert "Evaluated Broken Passed KFK-DUR-001 Replicas 3 2 1 KFK-Y 3 0 3" in plain
    assert "KFK-OFF" in plain.partition("What each rule says")[2]
    assert re.search(r"SHA-256 of findings.jsonl [0-9a-f]{64} ", plain)


def test_what_denies_differs_from_what_warns(text: str) -> None:
    """In its words and its form, not by colour alone: in figures, by rule, and in the bars."""
    figures = text.partition('id="h-effect"')[2].partition("</section>")[0]
    rules = text.partition('id="h-rules"')[2].partition("</section>")[0]

    assert ["\u2715 denied", "! warned", "dry run", "waived"] == re.findall(
        r'<span class="effect \w+">([^<]*)<', figures
    )
    assert ["2", "1", "1", "1"] == re.findall(r"</a><b>(\d+)</b>", figures)
    assert ["bar", "bar weak", "bar weak", "bar weak"] == re.findall(r'<svg class="([^"]*)"', figures)
    assert ["deny", "waived", "dryrun", "warn", "deny"] == re.findall(r'<span class="effect (\w+)">', rules)


def test_what_to_do_first(text: str) -> None:
    """Rules that deny with the fix and whose they are, then owners with theirs; what is waived is nothing to do."""
    first = text.partition('id="h-first"')[2].partition("</section>")[0]
    plain = " ".join(re.sub(r"<[^>]+>", " ", first).split())

    assert plain.startswith(
        ">What to do first By rule KFK-DUR-001 Replicas critical \u2715 denied 1 do x 1 "
        "KFK-B low \u2715 denied 1 do no owner 1 KFK-X high ! warned 1 do x 1 All rules By owner x"
    )
    assert "x \u2715 denied 1 ! warned 1 KFK-DUR-001 Replicas 1 denied KFK-X 1 warned no owner" in plain
    assert "+team" not in plain


def test_nothing_is_cut(tmp_path: Path) -> None:
    """Twenty thousand findings are all in the page, which stays small."""
    found = [{**FINDINGS[0], "topic": f"topic-{n}", "message": f"{n} is too much"} for n in range(20_000)]
    made = "".join(page.render_page(open_run(written_run(tmp_path / "r", DECISIONS, found))))

    assert [each["topic"] for each in found] == [row["topic"] for row in rows_in(made)[1:]]
    assert len(made) < 600_000


def test_data_is_compact() -> None:
    """Each text is there once, and what is absent is -1."""
    finding = {"severity": "low", "rule": "R", "effect": "deny", "cluster": "c", "topic": "t", "message": "t"}
    columns = {name: [-1] for name in COLUMNS} | {
        "severity": [0], "rule": [1], "effect": [2], "cluster": [3], "topic": [4], "message": [4],
    }  # fmt: skip

    found = build_columns([finding], [])
    assert ["low", "R", "deny", "c", "t"] == found["texts"]
    assert columns == {name: column.tolist() for name, column in found["columns"].items()}


@pytest.mark.parametrize("value", ["</script>", "<!--", "\u2028", "é", "\x00"])
def test_packed_data_comes_back(value: str) -> None:
    """No text can end the script element, and all come back as they were."""
    made = pack({"a": value})

    assert re.fullmatch(r"[A-Za-z0-9+/=]+", made)
    assert {"a": value} == unpack(f'<script id="data">{made}</script>')


@pytest.mark.parametrize("value", [{}, [], {"a": {}, "b": [{"c": 1}, None]}, {'a"': {"b": {"c": [1, -1]}}}, 3])
def test_data_of_every_form(value: object) -> None:
    """It comes back as it was."""
    assert value == unpack(f'<script id="data">{pack(value)}</script>')


def waived(finding: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A waived finding with another waiver."""
    return {**finding, "effect": "waived", "waiver": {**WAIVER, **fields}}


def test_waivers_by_their_end() -> None:
    """Those that end first are first, those that have ended are left out; a date that is none is one to look at."""
    watcher = WaiverCounter()
    one, other = FINDINGS[0], {**FINDINGS[0], "rule": "KFK-X"}
    later, odd = waived(one, id="W-2", expires="2027-03-01"), waived(one, id="W-3", expires="soon")
    findings = [later, waived(one), waived(other), odd, {**one, "waiver": None}, {**one, "waiver": EXPIRED}]
    passed = list(watcher.iter_counted(findings))

    def use(id: str, expires: str, rules: tuple[str, ...], findings: int, days: int | None) -> WaiverUse:
        return WaiverUse(id, "risk", "legal hold", "GRC-1", expires, rules, findings, days)

    assert findings == passed
    expected = [
        use("W-1", "2026-12-01", ("KFK-DUR-001", "KFK-X"), 2, 10),
        use("W-2", "2027-03-01", ("KFK-DUR-001",), 1, 100),
        use("W-3", "soon", ("KFK-DUR-001",), 1, None),
    ]
    found = watcher.list_uses(date(2026, 11, 21))
    assert (expected, [True, False, True]) == (found, [each.is_ending_soon for each in found])


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [(0, 10, "0"), (10, 10, "100"), (1, 10_000, "<0.1"), (9_999, 10_000, "99.9"), (1, 3, "33.3"), (0, 0, "0")],
)
def test_percent_is_never_rounded_to_none_or_all(part: int, whole: int, expected: str) -> None:
    """0 % and 100 % mean exactly that."""
    assert expected == page._format_percent(part, whole)
