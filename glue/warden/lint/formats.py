"""Findings for those who read them: people, scripts, code scanning, test reports, pull requests."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from warden.lint.check import Finding
from warden.report.pieces import xml_text
from warden.report.sarif import driver, sarif_log

__all__ = ["FORMATS", "github", "json_text", "junit", "sarif", "text"]

_RULE = "kafka-list"


def text(files: Sequence[Path], findings: Sequence[Finding]) -> str:
    """One line for each finding, ``file:line: level: message``, and a sum."""
    lines = [f"{_place(finding)}: {finding.level}: {_told(finding)}" for finding in findings]
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
    place: dict[str, Any] = {"artifactLocation": {"uri": Path(finding.file).as_posix()}}
    if finding.line is not None:
        place["region"] = {"startLine": finding.line}
    return {
        "ruleId": _RULE,
        "level": finding.level,
        "message": {"text": _told(finding)},
        "locations": [{"physicalLocation": place}],
    }


def junit(files: Sequence[Path], findings: Sequence[Finding]) -> str:
    """One test case for each file, which fails by its errors; warnings are in its output."""
    suite = ET.Element("testsuite", name="warden lint-config", tests=str(len(files)))
    failed = 0
    for file in files:
        case = ET.SubElement(suite, "testcase", classname="warden.lint-config", name=str(file), file=str(file))
        own = [finding for finding in findings if finding.file == str(file)]
        errors = [finding for finding in own if finding.level == "error"]
        if errors:
            failed += 1
            failure = ET.SubElement(case, "failure", message=f"{len(errors)} values that Kafka refuses", type=_RULE)
            failure.text = _xml_lines(errors)
        if len(own) > len(errors):
            ET.SubElement(case, "system-out").text = _xml_lines(f for f in own if f.level == "warning")
    suite.set("failures", str(failed))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True)


def _xml_lines(findings: Iterable[Finding]) -> str:
    return xml_text("\n".join(f"{_place(finding)}: {_told(finding)}" for finding in findings))


def github(_files: Sequence[Path], findings: Sequence[Finding]) -> str:
    """GitHub's workflow commands, which mark the lines of a pull request."""
    return "\n".join(_annotation(finding) for finding in findings)


def _annotation(finding: Finding) -> str:
    line = "" if finding.line is None else f",line={finding.line}"
    title = f",title={_property(finding.name)}"
    return f"::{finding.level} file={_property(finding.file)}{line}{title}::{_data(_told(finding))}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def _told(finding: Finding) -> str:
    """Kafka's words, with the key where they speak of another one: behind a prefix Kafka leaves the prefix out."""
    return finding.message if finding.name in finding.message else f"{finding.name}: {finding.message}"


def _place(finding: Finding) -> str:
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
