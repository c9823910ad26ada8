"""An impact analysis for people and programs: every form says the same, and no name is markup."""

import io
import json
from dataclasses import replace
from html.parser import HTMLParser

from rich.console import Console

from warden.analysis.impact.settings import SettingChange
from warden.analysis.impact.summary import Impact, NotEvaluated, Part, RuleImpact, Sample, TeamImpact
from warden.report.impact.page import impact_page
from warden.report.impact.show import json_text, markdown, show
from warden.report.impact.tables import headline

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
PART = Part(
    source="decisions",
    evaluated=1000,
    denied=2,
    allowed=1,
    changed=3,
    unchanged=994,
    otherwise=5,
    rules=[RuleImpact("KFK-A", "high", 2, 0, 3, 0), RuleImpact("", "", 0, 1, 0, 0)],
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
)
CALM = Impact("one", "two", [Part("snapshot", 5, 0, 0, 0, 5, 0, [], [TeamImpact("a", 5, 0, 0, 0)], [])], [])


def test_headlines() -> None:
    """What is denied comes first; what cannot be replayed is never left unsaid; equal bundles change nothing."""
    assert (
        "one → two: 2 newly denied (0.2 %), 1 newly allowed (0.1 %), 3 changed in words (0.3 %) of "
        "1,000 recorded decisions; 1,200 decisions cannot be replayed" == headline(IMPACT)
    )
    assert "one → two: nothing changes of 5 resources of the snapshot" == headline(CALM)
    assert "Both bundles have revision one: nothing can change" == headline(Impact("one", "one", CALM.parts, []))
    assert [(True, True), (False, False)] == [(each.denies, each.changes) for each in (IMPACT, CALM)]


def test_on_a_terminal() -> None:
    """Tables by rule and owner, settings, samples, and what is left out."""
    console = Console(file=io.StringIO(), width=110)
    show(IMPACT, console)
    lines = [" ".join(line.split()) for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]  # a StringIO

    for expected in (
        "KFK-A high 2 0 3 0",
        "(no rule) 0 1 0 0",
        "[red] 10 2 0 0",
        "(none) 990 0 1 3",
        "5 of 1,000 recorded decisions",
        "KFK-A max 100 → 50",
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
    text = markdown(IMPACT)

    assert "| rule | severity | newly denied | newly allowed | message changed | other |\n|---|---| ---: |" in text
    assert "| KFK-A | high | 2 | 0 | 3 | 0 |" in text
    assert "| \\[red\\] | 10 | 2 | 0 | 0 |" in text
    assert "<details><summary>KFK-A, newly denied: CreateTopic c/&lt;b>\\|t, owner \\[red\\]</summary>" in text
    assert "after: too \\*many\\*" in text
    assert "<b>" not in text.replace('"<b>|t"', "")


def test_a_comment_is_not_too_long() -> None:
    """GitHub refuses more than 65,536 characters: tables are cut, samples left out from the end, and counted."""
    samples = [replace(SAMPLE, input={"request": {"topic": "t" * 5000}})] * 30
    rules = [RuleImpact(f"KFK-{n}", "high", 1, 0, 0, 0) for n in range(300)]
    long = replace(IMPACT, parts=[replace(PART, samples=samples, rules=rules)])

    text = markdown(long)

    assert 50_000 < len(text) <= 65_536
    assert "| KFK-99 |" in text
    assert "| KFK-100 |" not in text
    assert "\nand 200 more" in text
    shown = text.count("<details>")
    assert text.endswith(f"\n{30 - shown} of 37 tables and samples are left out, this is too long for them.")
    assert text.count("</details>") == shown > 5


def test_json() -> None:
    """The whole analysis, as it is."""
    assert json.loads(json.dumps(IMPACT.document())) == json.loads(json_text(IMPACT))


def test_page() -> None:
    """Well formed, without a script, and no name is a tag."""
    seen: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            seen.append(tag)

    text = impact_page(IMPACT)
    Tags().feed(text)

    assert {"script", "b"}.isdisjoint(seen)
    assert 3 == seen.count("table")
    assert "Something that is allowed becomes denied" in text
    assert "&lt;b&gt;|t" in text
    assert "Nothing becomes denied" in impact_page(CALM)
