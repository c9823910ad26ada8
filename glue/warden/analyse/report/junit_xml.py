"""Elements of JUnit XML that Jenkins' schema has (junit-10.xsd of its xUnit plugin), and GitLab reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from warden.analyse.report.json_stream import escape_invisible

__all__ = ["DECLARATION", "Problem", "format_case", "format_counts", "format_opening_tag"]

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass(frozen=True)
class Problem:
    """Why a test case fails, or could not be run.

    Args:
        message: In a line.
        type: Its kind.
        text: All about it.
    """

    message: str
    type: str
    text: str = ""


def format_opening_tag(name: str, attributes: Mapping[str, str]) -> str:
    """Return the tag that opens an element, and a line end."""
    return f"<{name}{_format_attributes(attributes)}>\n"


def format_counts(tests: int, failures: int, errors: int = 0) -> dict[str, str]:
    """Return the attributes with which suites count their test cases."""
    return {"tests": str(tests), "failures": str(failures), "errors": str(errors)}


def format_case(
    attributes: Mapping[str, str], *, error: Problem | None = None, failure: Problem | None = None, output: str = ""
) -> str:
    """Return a test case, and a line end.

    Args:
        attributes: ``classname``, ``name``, and others of the element.
        error: Why it could not be run.
        failure: Why it fails.
        output: What there is to say besides, empty for nothing.
    """
    parts = [_format_problem(name, problem) for name, problem in (("error", error), ("failure", failure)) if problem]
    parts += [f"<system-out>{escape(escape_invisible(output))}</system-out>\n"] if output else []
    if not parts:
        return f"<testcase{_format_attributes(attributes)}/>\n"
    return f"{format_opening_tag('testcase', attributes)}{''.join(parts)}</testcase>\n"


def _format_problem(name: str, problem: Problem) -> str:
    attributes = _format_attributes({"message": problem.message, "type": problem.type})
    return f"<{name}{attributes}>{escape(escape_invisible(problem.text))}</{name}>\n"


def _format_attributes(attributes: Mapping[str, str]) -> str:
    return "".join(f" {name}={_quote_attribute(value)}" for name, value in attributes.items())


def _quote_attribute(value: str) -> str:
    return quoteattr(escape_invisible(value), {"\n": "&#10;", "\t": "&#9;"})
