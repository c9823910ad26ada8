"""The HTML report: whole, self-contained, and safe with any name."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from warden.report import page
from warden.report.page import page_data, script_json, write_page
from warden.report.summary import Summary

FINDING = {
    "severity": "critical", "rule": "KFK-DUR-001", "mode": "deny", "cluster": "prod",
    "topic": "</script><script>alert(1)", "owner": None, "message": "too few", "fix": "more", "waiver": None,
}  # fmt: skip
WAIVED = {**FINDING, "owner": "x", "fix": None, "waiver": {"id": "W"}}


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


def written(directory: Path, summary: Summary, findings: list[dict[str, Any]]) -> tuple[str, _Tags, dict[str, Any]]:
    """The page, its tags, and the findings in it."""
    (directory / "findings.jsonl").write_text("".join(json.dumps(found) + "\n" for found in findings))
    write_page(directory / "report.html", summary, directory / "findings.jsonl")
    text = (directory / "report.html").read_text()
    tags = _Tags()
    tags.feed(text)
    return text, tags, json.loads(text.partition('id="data">')[2].partition("</script>")[0])


def test_page(tmp_path: Path, summary: Summary) -> None:
    """It is well formed, asks for nothing from elsewhere, and no name in it is markup."""
    text, tags, data = written(tmp_path, summary, [FINDING, WAIVED])

    assert [] == tags.open
    assert 2 == sum(tag == "script" for tag, _ in tags.seen)
    assert not [attrs for _, attrs in tags.seen if {"src", "href", "action"} & attrs.keys()]
    assert not re.search(r"https?://|@import|url\(", text)
    for name in ("<b>estate</b>", "<i>", "<u>"):
        assert name not in text
    assert "&lt;b&gt;estate&lt;/b&gt;" in text
    assert "2 of 2,000 topics break the policy" in text
    assert "poison &amp; &lt;u&gt;" in text
    assert FINDING["topic"] in data["texts"]


def test_every_table_has_headings(tmp_path: Path, summary: Summary) -> None:
    """Columns are named for those who do not see the page."""
    _, tags, _ = written(tmp_path, summary, [])

    assert all(attrs.get("scope") == "col" for tag, attrs in tags.seen if tag == "th")
    assert sum(tag == "table" for tag, _ in tags.seen) == sum(tag == "thead" for tag, _ in tags.seen) == 6
    controls = [attrs for tag, attrs in tags.seen if tag in {"input", "select"}]
    assert 2 == len(controls)
    assert all(attrs["aria-label"] for attrs in controls)


def test_data_is_compact_and_complete() -> None:
    """Each text is there once; what is absent is -1; a waived violation says so."""
    assert {
        "texts": ["critical", "KFK-DUR-001", "deny", "prod", FINDING["topic"], "too few", "more", "waived", "x"],
        "rows": [[0, 1, 2, 3, 4, -1, 5, 6], [0, 1, 7, 3, 4, 8, 5, -1]],
    } == page_data(iter([FINDING, WAIVED]))


def test_what_is_left_out_is_said(tmp_path: Path, summary: Summary, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that cannot hold all findings says how many it holds and where all of them are."""
    monkeypatch.setattr(page, "EMBEDDED", 1)
    text, _, data = written(tmp_path, summary, [FINDING, WAIVED])

    assert 1 == len(data["rows"])
    assert "This page holds the gravest 1 of 2 findings; all of them are in findings.jsonl beside it." in text


@pytest.mark.parametrize("text", ["</script>", "<!--", "\u2028", "é"])
def test_script_json_round_trips(text: str) -> None:
    """No text can end the script element, and all come back as they were."""
    made = script_json({"a": text})

    assert "<" not in made
    assert {"a": text} == json.loads(made)


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [(0, 10, "0"), (10, 10, "100"), (1, 10_000, "<0.1"), (9_999, 10_000, "99.9"), (1, 3, "33.3"), (0, 0, "0")],
)
def test_percent_is_never_rounded_to_none_or_all(part: int, whole: int, expected: str) -> None:
    """0 % and 100 % mean exactly that."""
    assert expected == page._percent(part, whole)
