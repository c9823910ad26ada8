"""Impact analysis as one page for a browser."""

from warden.analysis.impact.summary import Impact
from warden.report.impact.tables import headline, input_text, sample_title, sections
from warden.report.page import environment

__all__ = ["impact_page"]


def impact_page(impact: Impact) -> str:
    """Return the text of the page; it needs nothing else."""
    samples = [(sample_title(sample), sample, input_text(sample)) for part in impact.parts for sample in part.samples]
    return (
        environment()
        .get_template("impact.html.j2")
        .render(impact=impact, headline=headline(impact), sections=list(sections(impact)), samples=samples)
    )
