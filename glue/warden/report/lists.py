"""Findings of a configuration file: text, JSON, SARIF, JUnit, and GitHub's annotations."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from warden.analysis.lists.check import Finding
from warden.report.junit_xml import DECLARATION, Problem, case_element, counts, opening_tag
from warden.report.sarif import driver, sarif_log

__all__ = ["FORMATS", "annotation", "github", "json_text", "junit", "sarif", "text"]

_RULE = "kafka-list"


def text(files: Sequence[Path], findings: Sequence[Finding]) -> str:
    """One line for each finding, ``file:line: level: message``, and a sum."""
    lines = [f"{_position(finding)}: {finding.level}: {_message(finding)}" for finding in findings]
    errors = sum(finding.level == "error" for finding in findings)
    counted = f"{_count(len(files), 'file')}: {_count(errors, 'error')}, {_count(len(findings) - errors, 'warning')}"
    return "\n".join([*lines, counted])


def json_text(files: Sequence[Path], findings: Sequence[Finding]) -> str:
    """The findings as a JSON document."""
    document = {"files": [str(file) for file in files], "findings": [finding.document() for finding in findings]}
    return json.dumps(document, indent=2, ensure_ascii=False)


def sarif(files: Sequence[Path], findings: Sequence[Finding]) -> str:
    """SARIF 2.1.0, as code scanning takes it."""
    rule = {"id": _RULE, "shortDescription": {"text": "A list-typed configuration that Kafka refuses or changes"}}
    artifacts = [{"location": {"uri": file.as_posix()}} for file in files]
    results = (_result(finding) for finding in findings)
    return "".join(sarif_log(driver("warden lint-config", [rule]), results, artifacts=artifacts))


def _result(finding: Finding) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": Path(finding.file).as_posix()}}
    if finding.line is not None:
        location["region"] = {"startLine": finding.line}
    return {
        "ruleId": _RULE,
        "level": finding.level,
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": location}],
    }


def junit(files: Sequence[Path], findings: Sequence[Finding]) -> str:
    """One test case for each file, which fails by its errors; warnings are in its output."""
    cases = [_case(file, [finding for finding in findings if finding.file == str(file)]) for file in files]
    failed = len({finding.file for finding in findings if finding.level == "error"})
    opening = opening_tag("testsuite", {"name": "warden lint-config", **counts(len(files), failed)})
    return "".join([DECLARATION, opening, *cases, "</testsuite>"])


def _case(file: Path, findings: Sequence[Finding]) -> str:
    errors = [finding for finding in findings if finding.level == "error"]
    return case_element(
        {"classname": "warden.lint-config", "name": str(file), "file": str(file)},
        failure=Problem(f"{len(errors)} values that Kafka refuses", _RULE, _lines(errors)) if errors else None,
        output=_lines(finding for finding in findings if finding.level == "warning"),
    )


def _lines(findings: Iterable[Finding]) -> str:
    return "\n".join(f"{_position(finding)}: {_message(finding)}" for finding in findings)


def github(_files: Sequence[Path], findings: Sequence[Finding]) -> str:
    """GitHub's workflow commands, which mark the lines of a pull request."""
    return "\n".join(_annotation(finding) for finding in findings)


def _annotation(finding: Finding) -> str:
    return annotation(finding.level, finding.file, finding.line, finding.name, _message(finding))


def annotation(level: str, file: str, line: int | None, title: str, message: str) -> str:
    """Return one of GitHub's workflow commands, with whatever stands in a file's name or a message escaped.

    Args:
        level: ``error``, ``warning`` or ``notice``.
        file, line: What is marked; the file as a whole where the line is None.
        title, message: What is shown there.
    """
    where = "" if line is None else f",line={line}"
    return f"::{level} file={_property(file)}{where},title={_property(title)}::{_data(message)}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def _message(finding: Finding) -> str:
    """Kafka's words, with the key where they speak of another one: behind a prefix Kafka leaves the prefix out."""
    return finding.message if finding.name in finding.message else f"{finding.name}: {finding.message}"


def _position(finding: Finding) -> str:
    return finding.file if finding.line is None else f"{finding.file}:{finding.line}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


FORMATS: Mapping[str, Callable[[Sequence[Path], Sequence[Finding]], str]] = {
    "text": text,
    "json": json_text,
    "sarif": sarif,
    "junit": junit,
    "github": github,
}
"""What ``--output`` takes, and the function that writes it."""
