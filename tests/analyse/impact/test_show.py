"""An impact analysis for people and programs: every form says the same, and no name is markup."""

import io
import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from rich.console import Console

from warden.analyse.impact.settings import SettingChange
from warden.analyse.impact.summary import Impact, NotEvaluated, RuleImpact, Sample, SourceImpact, TeamImpact
from warden.analyse.report.impact.headline import format_headline, format_title
from warden.analyse.report.impact.page import render_impact_page
from warden.analyse.report.impact.show import format_json, format_markdown, show
from warden.analyse.report.impact.tables import format_sample_title

SAMPLE = Sample(
    rule="KFK-A",
    kind="newly denied",
    change="denies",
    id="d-1",
    operation="CreateTopic",
    cluster="c",
    resource="<b>|t",
    owner="[red]",
    before="",
    after="too *many*",
    input={"request": {"topic": "<b>|t"}},
)
PART = SourceImpact(
    source="decisions",
    evaluated=1000,
    denied=2,
    allowed=1,
    changed=3,
    unchanged=994,
    otherwise=5,
    rules=[RuleImpact("KFK-A", "high", 2, 0, 3, 0, found=4), RuleImpact("", "", 0, 1, 0, 0)],
    teams=[TeamImpact("[red]", 10, 2, 0, 0), TeamImpact(None, 990, 0, 1, 3), TeamImpact("calm", 5, 0, 0, 0)],
    samples=[SAMPLE],
)
IMPACT = Impact(
    "one",
    "two",
    [PART],
    [NotEvaluated("the log shows the input masked: /input", 1200, ["d-7#a", "d-8"])],
    [SettingChange("KFK-A", "max", "", 100, 50)],
    [("kafka/x.rego", "changed")],
    {"KFK-A": {"id": "KFK-A", "title": "Few <i>", "severity": "high", "description": "Why.", "message": "too many"}},
)
CALM = Impact("one", "two", [SourceImpact("snapshot", 5, 0, 0, 0, 5, 0, [], [TeamImpact("a", 5, 0, 0, 0)], [])], [])


def test_headlines() -> None:
    """What is denied comes first; what is not evaluated is never left unsaid; equal bundles change nothing."""
    assert (
        "one → two: 2 newly denied (0.2 %), 1 newly allowed (0.1 %), 3 changed in words (0.3 %) of "
        "1,000 recorded decisions; 1,200 not evaluated" == format_headline(IMPACT)
    )
    assert "one → two: nothing changes of 5 resources of the snapshot" == format_headline(CALM)
    assert "Both bundles have revision one: nothing can change" == format_headline(Impact("one", "one", CALM.parts, []))
    assert "2 of 1,000 recorded decisions are newly denied" == format_title(IMPACT)
    assert "Nothing becomes denied" == format_title(CALM)
    freed = [replace(CALM.parts[0], denied=0, allowed=288, evaluated=290)]
    assert "Nothing becomes denied, 288 of 290 resources of the snapshot are no longer denied" == format_title(
        replace(CALM, parts=freed)
    )
    worse = [replace(PART, denied=1), replace(CALM.parts[0], denied=1)]
    assert (
        "1 of 1,000 recorded decisions is newly denied, 1 of 5 resources of the snapshot turns non-compliant"
        == format_title(replace(CALM, parts=worse))
    )
    assert [(True, True), (False, False)] == [(each.has_denials, each.has_changes) for each in (IMPACT, CALM)]


def test_what_turns_non_compliant_is_not_closed() -> None:
    """How many of what turns non-compliant are closed to every change, and what is done about the others."""
    rules = [RuleImpact("KFK-A", "high", 3, 0, 1, 0, found=1, closed=2)]
    part = SourceImpact("snapshot", 100, 3, 1, 0, 96, 0, rules, [], [], closed=2)
    text = format_markdown(Impact("one", "two", [part], []))

    assert "3 turn non-compliant (3.0 %), 2 of them closed to every change, 1 no longer denied (1.0 %)" in text
    assert "turn non-compliant | of these closed | no longer denied | message changed | other |" in text
    assert "| KFK-A | high | 3 | 2 | 0 | 1 | 1 |" in text
    assert "What turns non-compliant is closed where every change of it is denied; else" in text


def test_on_a_terminal() -> None:
    """Tables by rule and owner, settings, samples, and what is left out."""
    console = Console(file=io.StringIO(), width=110)
    show(IMPACT, console)
    lines = [" ".join(line.split()) for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]  # a StringIO

    for expected in (
        "KFK-A high 2 0 3 4 0",
        "(no rule) 0 1 0 0 0",
        "What was so before a change and is no worse after it is found: it is warned of, and not denied.",
        "[red] 10 2 0 0",
        "(none) 990 0 1 3",
        "5 of 1,000 recorded decisions",
        "Few <i>",
        "KFK-A max 100 50",
        "Of a rule, `warden rules ID` says what it demands and why.",
        "kafka/x.rego changed",
        "1,200 the log shows the input masked: /input d-7#a d-8 and 1,198 more",
        "KFK-A, newly denied: CreateTopic c/<b>|t, owner [red]",
        "+ too *many*",
        'decision d-1, request {"topic": "<b>|t"}',
    ):
        assert expected in lines
    assert not any(line.startswith("calm") for line in lines)


def test_markdown() -> None:
    """GitHub's tables; what comes from inputs is escaped."""
    text = format_markdown(IMPACT)

    assert (
        "| rule | severity | newly denied | newly allowed | message changed | found | other |\n|---|---| ---: |" in text
    )
    assert "| KFK-A Few &lt;i> | high | 2 | 0 | 3 | 4 | 0 |" in text
    assert "| KFK-A Few &lt;i> | max | 100 | 50 |" in text
    assert "| \\[red\\] | 10 | 2 | 0 | 0 |" in text
    assert "<details><summary>KFK-A, newly denied: CreateTopic c/&lt;b>\\|t, owner \\[red\\]</summary>" in text
    assert "after: too \\*many\\*" in text
    assert "<b>" not in text.replace('"<b>|t"', "")


def test_a_comment_is_not_too_long() -> None:
    """GitHub refuses more than 65,536 characters: tables are cut, samples left out from the end, and counted."""
    samples = [replace(SAMPLE, input={"request": {"topic": "t" * 5000}})] * 30
    rules = [RuleImpact(f"KFK-{n}", "high", 1, 0, 0, 0) for n in range(300)]
    long = replace(IMPACT, parts=[replace(PART, samples=samples, rules=rules)])

    text = format_markdown(long)

    assert 50_000 < len(text) <= 65_536
    assert "| KFK-99 |" in text
    assert "| KFK-100 |" not in text
    assert "\nand 200 more" in text
    shown = text.count("<details>")
    assert text.endswith(f"\n{30 - shown} of 37 tables and samples are left out, this is too long for them.")
    assert text.count("</details>") == shown > 5


def test_json() -> None:
    """The whole analysis, as it is."""
    document = json.loads(format_json(IMPACT))

    assert json.loads(json.dumps(IMPACT.to_document())) == document
    named = [document["parts"][0]["rules"], document["parts"][0]["samples"], document["settings"]]
    assert [["Few <i>", ""], ["Few <i>"], ["Few <i>"]] == [[row["title"] for row in rows] for rows in named]
    assert "rules" not in document


def test_links_to_the_pages_of_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the documentation is served each form leads to the page of a rule; a site's own rule has none there."""
    monkeypatch.setenv("WARDEN_DOCS_URL", "https://docs.example.com/")
    own = replace(IMPACT, rules={**IMPACT.rules, "SITE-1": {"title": "Ours"}})
    own = replace(own, settings=[*own.settings, SettingChange("SITE-1", "mode", "ci", "warn", "deny")])
    page, document = "https://docs.example.com/reference/rules/KFK-A.html", own.to_document()

    assert f"| [KFK-A]({page}) Few &lt;i> | high |" in format_markdown(own)
    assert "| SITE-1 Ours | mode | ci | warn | deny |" in format_markdown(own)
    assert [page, None] == [row.get("page") for row in document["settings"]]
    assert page == document["parts"][0]["rules"][0]["page"]
    assert f'<a href="{page}"' in render_impact_page(own)


def test_what_a_snapshot_no_longer_asks_for_is_not_allowed_or_compliant() -> None:
    """A sample of it says that it is no longer denied; one of a recorded decision that it is newly allowed."""
    sample = replace(SAMPLE, kind="newly allowed", change="allows")
    said = [format_sample_title(sample, source).partition(":")[0] for source in ("snapshot", "decisions")]

    assert ["KFK-A, no longer denied", "KFK-A, newly allowed"] == said


def test_page() -> None:
    """Well formed, without a script, and no name is a tag."""
    seen: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            seen.append(tag)

    text = render_impact_page(IMPACT)
    Tags().feed(text)

    assert {"script", "b"}.isdisjoint(seen)
    assert 4 == seen.count("table")
    assert "<h1>2 of 1,000 recorded decisions are newly denied</h1>" in text
    assert '<a href="#rule-KFK-A"><code class="rule">KFK-A</code></a><br><span class="soft">Few &lt;i&gt;' in text
    assert 1 == text.count('id="rule-KFK-A"')
    assert '<td class="sev t-high"><i class="dot"></i><span>high</span></td>' in text
    assert text.index("Samples") < text.index("Settings that changed")
    assert "&lt;b&gt;|t" in text
    assert "Nothing becomes denied" in render_impact_page(CALM)
