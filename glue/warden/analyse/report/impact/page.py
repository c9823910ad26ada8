"""Impact analysis as one page for a browser."""

from warden.analyse.impact.summary import Impact
from warden.analyse.report.impact.headline import format_headline, format_title
from warden.analyse.report.impact.tables import RuleName, format_input, format_sample_title, iter_sections, list_rules
from warden.analyse.report.page import build_environment
from warden.analyse.report.rule_text import describe_rule
from warden.policy.contract.severities import SEVERITIES

__all__ = ["render_impact_page"]


def render_impact_page(impact: Impact) -> str:
    """Return the text of the page; it needs nothing else."""
    samples = [
        (format_sample_title(sample, part.source), sample, format_input(sample))
        for part in impact.parts
        for sample in part.samples
    ]
    sections = list(iter_sections(impact))
    counted = len([section for section in sections if section.title.startswith("By ")])
    rules = list_rules(impact)
    return (
        build_environment()
        .get_template("impact.html.j2")
        .render(
            impact=impact,
            title=format_title(impact),
            headline=format_headline(impact),
            counts=sections[:counted],
            others=sections[counted:],
            samples=samples,
            rules=rules,
            pages=[describe_rule(id, impact.rules[id]) for id in rules],
            severities=SEVERITIES,
            is_rule=lambda cell: isinstance(cell, RuleName),
        )
    )
