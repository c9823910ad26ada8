"""The HTML report: one file that needs nothing else, neither network nor server, and holds every finding."""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any

from warden.analyse.report.embed import NOT_EVALUATED, build_columns, pack
from warden.analyse.report.finished_run import Run
from warden.analyse.report.first_steps import FirstSteps
from warden.analyse.report.json_stream import escape_invisible
from warden.analyse.report.rule_text import describe_rule
from warden.analyse.report.summary import RuleCount
from warden.analyse.report.waivers import SOON_DAYS, WaiverCounter
from warden.base.toolchain.cache import hash_file
from warden.policy.contract.effect import EFFECTS
from warden.policy.contract.severities import SEVERITIES

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["build_environment", "render_page"]

# What a badge says of a finding: its words and its form differ, not its colour alone.
_MARKS = {"deny": "\u2715 denied", "warn": "! warned", "dryrun": "dry run", "waived": "waived"}


def render_page(run: Run) -> Iterator[str]:
    """Yield the text of a run's page.

    Raises:
        InputError: The run's files are missing or damaged.
    """
    waivers, steps = WaiverCounter(), FirstSteps()
    data = build_columns(steps.iter_counted(waivers.iter_counted(run.iter_findings())), run.iter_not_evaluated())
    counts = run.summary.rules
    template = build_environment().get_template("report.html.j2")
    yield from template.generate(
        s=run.summary,
        since=run.baseline_summary,
        severities=SEVERITIES,
        effects=EFFECTS,
        by_effect=_count_by_effect(counts),
        steps=steps,
        titles={count.rule: run.rules.get(count.rule, {}).get("title") or count.title for count in counts},
        kinds=sorted({data["texts"][index] for index in data["columns"]["kind"] if index >= 0}),
        not_evaluated=NOT_EVALUATED,
        total=sum(run.summary.findings.values()),
        owners=sorted({group.name for group in run.summary.owners if group.name is not None}),
        clusters=sorted(group.name or "" for group in run.summary.clusters),
        ids=sorted({count.rule for count in counts}),
        waivers=waivers.list_uses(date.fromisoformat(run.summary.evaluated_at[:10])),
        soon=SOON_DAYS,
        pages=[
            describe_rule(id, run.rules.get(id, {}), counts) for id in sorted({c.rule for c in counts} | {*run.rules})
        ],
        frameworks=[] if run.baseline_summary else run.evidence,
        evidence=list(_iter_rule_passes(run)),
        digest=hash_file(run.findings_path),
        data=pack(data),
    )


@cache
def build_environment() -> "Environment":
    """Return the templates' environment.

    Everything is escaped, control characters are replaced, and a name that is not there is an error.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    jinja = Environment(
        loader=PackageLoader("warden.analyse.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_escape_value,
    )
    jinja.filters["count"] = "{:,}".format
    jinja.filters["percent"] = _format_percent
    jinja.filters["breaking"] = _add_breaks
    jinja.globals["marks"] = _MARKS
    return jinja


def _escape_value(value: Any) -> Any:
    """What a template puts out, with replacements for control characters."""
    from markupsafe import Markup

    if isinstance(value, Markup):
        return Markup(escape_invisible(value))  # noqa: S704 - it was markup before
    return escape_invisible(value) if isinstance(value, str) else value


def _add_breaks(name: str | None) -> "Markup":
    """A name as HTML that may break behind its dots, hyphens and underscores, so that words of it stay whole."""
    from markupsafe import Markup, escape

    return Markup("<wbr>").join(escape(piece) for piece in re.split(r"(?<=[._-])", name or ""))


def _count_by_effect(counts: list[RuleCount]) -> dict[str, dict[str, int]]:
    """Findings by effect, and of each by severity; an effect that no finding has is left out."""
    table: dict[str, dict[str, int]] = {}
    for effect in EFFECTS:
        own = [count for count in counts if count.effect == effect]
        by_severity = {name: sum(count.findings for count in own if count.severity == name) for name in SEVERITIES}
        table |= {effect: by_severity} if own else {}
    return table


def _iter_rule_passes(run: Run) -> Iterator[dict[str, Any]]:
    titles = {count.rule: count.title for count in run.summary.rules}
    for id, passes in run.read_passes().items():
        yield {"id": id, "title": run.rules.get(id, {}).get("title") or titles.get(id, ""), **passes._asdict()}


def _format_percent(part: int, whole: int) -> str:
    """12 of 100 → 12 %; never rounded to none or all."""
    share = 100 * part / whole if whole else 0.0
    if 0 < share < 0.1:
        return "<0.1"
    return f"{min(share, 99.9):.1f}" if 0 < share < 100 else f"{share:.0f}"
