"""The summary on a terminal and off it."""

import io
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from warden.analyse.report.summary import Summary
from warden.analyse.report.terminal import show


def shown(summary: Summary, **options: object) -> str:
    """What is printed, 100 columns wide."""
    console = Console(file=io.StringIO(), width=100, **options)  # type: ignore[arg-type]  # of many types
    show(summary, Path("out/r-1"), console)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    return text


def test_plain(summary: Summary) -> None:
    """Off a terminal there is no escape sequence, and everything that counts is there."""
    text = shown(summary)

    assert "\x1b" not in text
    assert text.startswith("2,000 topics on 1 cluster evaluated in 1.2 s: 1,997 allowed, 2 denied, 1 not evaluated\n")
    lines = [" ".join(line.split()) for line in text.splitlines()]
    for expected in (
        "2 findings",
        "of these only warned about 1",
        "KFK-DUR-001 critical 1 1 ████████████ Replicas",
        "KFK-X (warn) high 1 1 ████████████ [bold]x",
        "prod 2,000 2 0.1 1 ████████████████████████",
        "(none) 1,000 2 0.2 1 ████████████████████████",
        "[red] 1,000 0 0.0 0",
        "<i> prod (none) KFK-DUR-001",
        "Not evaluated",
        "bad prod poison & <u>",
        "out/r-1/report.html (the report)",
    ):
        assert expected in lines


def test_control_characters_are_replaced(summary: Summary) -> None:
    """Whoever names a topic or an owner does not steer the terminal, nor turn its letters around."""
    bad = "a\0b\x1b[2Jc\u202ed"
    worst = [{**row, "topic": bad, "cluster": bad, "owner": bad} for row in summary.worst]
    lost = [{**row, "topic": bad, "error": bad} for row in summary.not_evaluated]
    owners = [replace(summary.owners[0], name=bad)]
    text = shown(replace(summary, worst=worst, not_evaluated=lost, owners=owners))

    assert 6 == text.count("a\ufffdb\ufffd[2Jc\ufffdd")
    assert set() == {"\0", "\x1b", "\u202e"} & set(text)


def test_colours_on_a_terminal_only(summary: Summary) -> None:
    """A terminal gets colours, unless NO_COLOR says otherwise."""
    assert "\x1b[" in shown(summary, force_terminal=True, color_system="truecolor")
    assert "\x1b[3" not in shown(summary, force_terminal=True, no_color=True)
