"""Impact analysis for a terminal, a program, and a pull request."""

import json
from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from warden.analyse.impact.summary import Impact, Sample
from warden.analyse.report.impact.headline import format_headline
from warden.analyse.report.impact.tables import (
    Cell,
    RuleName,
    Section,
    format_input,
    format_sample_title,
    iter_sections,
)

__all__ = ["format_json", "format_markdown", "show"]

_TEAMS = 15
_COMMENTED = 100  # rows of a table in a comment
_RESERVE = 200
# Columns whose counts are bad news, and good.
_GRAVE, _FINE = ("newly denied", "turn non-compliant", "of these closed"), ("newly allowed", "no longer denied")


def show(impact: Impact, console: Console) -> None:
    """Print the analysis; colours where the console is a terminal."""
    style = "bold red" if impact.has_denials else "bold green"
    console.print(Text(format_headline(impact), style), soft_wrap=True)
    for section in iter_sections(impact, teams=_TEAMS):
        console.print()
        if section.head:
            console.print(_build_table(section))
        else:
            console.print(Text(section.title, "bold"))
            for row in section.rows:
                console.print(Text(f"  {row[0]}"), soft_wrap=True)
        if section.note:
            console.print(Text(section.note, "dim"), soft_wrap=True)
    if any(part.samples for part in impact.parts):
        console.print(Text("\nSamples", "bold"))
    for part in impact.parts:
        for sample in part.samples:
            _show_sample(sample, part.source, console)
    if impact.rules:
        console.print(Text("\nOf a rule, `warden rules ID` says what it demands and why.", "dim"), soft_wrap=True)


def _show_sample(sample: Sample, source: str, console: Console) -> None:
    console.print(Text(f"  {format_sample_title(sample, source)}"), soft_wrap=True)
    for mark, words, style in (("-", sample.before, "red"), ("+", sample.after, "green")):
        if words:
            console.print(Text(f"    {mark} {words}", style), soft_wrap=True)
    if sample.id != sample.resource:
        request = json.dumps(sample.input.get("request", {}), ensure_ascii=False)
        console.print(Text(f"    decision {sample.id}, request {request}", "dim"), soft_wrap=True)


def format_json(impact: Impact) -> str:
    """The whole analysis as a JSON document."""
    return json.dumps(impact.to_document(), indent=2, ensure_ascii=False)


def format_markdown(impact: Impact, limit: int = 65_000) -> str:
    """The analysis as Markdown (GitHub's), for a comment on a pull request; sample inputs are folded away.

    Args:
        impact: The analysis.
        limit: Most characters, of which GitHub takes 65,536 in a comment; a sentence at the end counts what is left
            out then, whole tables and samples from the end.
    """
    blocks = [*_iter_markdown_blocks(impact)]
    total = 0
    for shown, block in enumerate(blocks):
        total += len(block) + 1
        if total > limit - _RESERVE:
            left_out = (
                f"\n{len(blocks) - shown} of {len(blocks)} tables and samples are left out, this is too long for them."
            )
            return "\n".join([*blocks[:shown], left_out])
    return "\n".join(blocks)


def _iter_markdown_blocks(impact: Impact) -> Iterator[str]:
    yield f"### Impact of the policy change\n\n{_escape_markdown(format_headline(impact))}"
    for section in iter_sections(impact, teams=_COMMENTED):
        yield "\n".join(_iter_section_lines(section))
    for part in impact.parts:
        for sample in part.samples:
            said = "\n".join(f"{name}: {_escape_markdown(text)}\n" for name, text in _label_sides(sample) if text)
            title = format_sample_title(sample, part.source)
            yield (
                f"\n<details><summary>{_escape_markdown(title)}</summary>\n\n{said}\n"
                f"````json\n{format_input(sample)}\n````\n</details>"
            )


def _iter_section_lines(section: Section) -> Iterator[str]:
    yield f"\n#### {section.title}\n"
    rows = section.rows[:_COMMENTED]
    if section.head:
        yield f"| {' | '.join(section.head)} |"
        yield f"|{'|'.join(' ---: ' if name in _select_number_columns(section) else '---' for name in section.head)}|"
        yield from (f"| {' | '.join(_format_markdown_cell(cell) for cell in row)} |" for row in rows)
    else:
        yield from (f"- {_escape_markdown(str(row[0]))}" for row in rows)
    if len(rows) < len(section.rows):
        yield f"\nand {len(section.rows) - len(rows):,} more"
    if section.note:
        yield f"\n{section.note}"


def _label_sides(sample: Sample) -> tuple[tuple[str, str], ...]:
    return ("before", sample.before), ("after", sample.after)


def _build_table(section: Section) -> Table:
    table = Table(title=section.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    counted = _select_number_columns(section)
    for name in section.head:
        right, ids = name in counted, [len(row[0].id) for row in section.rows if isinstance(row[0], RuleName)]
        least = max(ids, default=None) if name == "rule" else None
        table.add_column(
            name, justify="right" if right else "left", no_wrap=name == "severity", min_width=least, overflow="fold"
        )
    for row in section.rows:
        table.add_row(*(_format_cell(cell, name) for cell, name in zip(row, section.head, strict=True)))
    return table


def _select_number_columns(section: Section) -> set[str]:
    return {
        name for column, name in enumerate(section.head) if section.rows and isinstance(section.rows[0][column], int)
    }


def _format_cell(cell: Cell, name: str) -> Text:
    if isinstance(cell, RuleName):
        text = Text(cell.id, f"link {cell.page}" if cell.page else "")
        return text.append(f"\n{cell.title}", "dim") if cell.title else text
    if not isinstance(cell, int):
        return Text(cell)
    style = "red" if name in _GRAVE else "green" if name in _FINE else ""
    return Text(f"{cell:,}", style if cell else "dim")


def _format_markdown_cell(cell: Cell) -> str:
    if isinstance(cell, RuleName):
        id = _escape_markdown(cell.id)
        linked = f"[{id}]({cell.page})" if cell.page else id
        return f"{linked} {_escape_markdown(cell.title)}" if cell.title else linked
    return f"{cell:,}" if isinstance(cell, int) else _escape_markdown(cell)


def _escape_markdown(text: str) -> str:
    """No text from an input or a policy is markup in the comment."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("\n", " ")
    return "".join(f"\\{char}" if char in "\\|`*_[]@#~" else char for char in escaped)
