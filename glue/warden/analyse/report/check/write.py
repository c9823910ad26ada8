"""The formats of ``warden check --output``."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import indent
from typing import Any
from urllib.parse import quote

from warden.analyse.check.decisions import CheckFinding, DecidedDeclaration
from warden.analyse.check.model import format_place
from warden.analyse.check.result import CheckResult, format_finding, iter_fingerprints
from warden.analyse.report.check.gitlab import format_gitlab
from warden.analyse.report.check.text import format_text
from warden.analyse.report.github import format_annotation
from warden.analyse.report.junit_xml import DECLARATION, Problem, format_case, format_counts, format_opening_tag
from warden.analyse.report.sarif import build_driver, choose_level, iter_sarif_log
from warden.base.files.redact import redact

__all__ = ["FORMATS"]


def _format_json(result: CheckResult) -> str:
    """The document; one declaration is made after the other, as all of them take ten times what is printed."""
    document = {
        "declarations": [],
        "errors": [
            {"file": each.file, "line": each.line or None, "message": redact(each.message)} for each in result.faults
        ],
        "skipped": [{"file": skip.file, "line": skip.line, "kind": skip.kind} for skip in result.skipped],
        "unchanged": result.unchanged,
        "remarks": [{"file": remark.file, "line": remark.line, "message": remark.message} for remark in result.remarks],
    }
    whole = json.dumps(document, indent=2, ensure_ascii=False)
    rows = (json.dumps(_encode_declaration(decided), indent=2, ensure_ascii=False) for decided in result.decided)
    filled = ",\n".join(indent(row, "    ") for row in rows)
    return whole.replace("[]", f"[\n{filled}\n  ]", 1) if filled else whole


def _encode_declaration(decided: DecidedDeclaration) -> dict[str, Any]:
    declared = decided.declared
    return {
        "file": declared.file,
        "line": declared.line,
        "format": declared.format,
        "address": declared.address or None,
        "cluster": decided.cluster,
        "operation": declared.operation or None,
        "component": declared.component or None,
        "name": declared.name,
        "unknown": list(declared.unknown),
        "decision": redact(decided.decision) or None,
        "lists": redact(decided.lists) or None,
    }


def _format_sarif(result: CheckResult) -> str:
    found = list(result.iter_findings())
    rules = [{"id": id, "shortDescription": {"text": id}} for id in sorted({finding.rule for finding in found})]
    invocation = {"executionSuccessful": not result.faults}
    results = (_build_sarif_result(finding, fingerprint) for finding, fingerprint in iter_fingerprints(found))
    log = iter_sarif_log(build_driver("warden check", rules), results, invocations=[invocation])
    return "".join(log).rstrip("\n")


def _build_sarif_result(finding: CheckFinding, fingerprint: str) -> dict[str, Any]:
    uri = quote(os.fsencode(Path(finding.file).as_posix()))
    place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    place |= {"region": {"startLine": finding.line}} if finding.line else {}
    return {
        "ruleId": finding.rule,
        "level": choose_level(finding.level, finding.cause),
        "message": {"text": format_finding(finding)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"primaryLocationLineHash": fingerprint},
        **({"properties": {"effect": finding.effect, "cause": finding.cause}} if finding.effect else {}),
    }


def _format_junit(result: CheckResult) -> str:
    cases = [_format_declaration_case(decided) for decided in result.decided]
    cases += [
        format_case(
            {"classname": fault.file, "name": f"line {fault.line}" if fault.line else fault.file, "file": fault.file},
            error=Problem(redact(fault.message), "not evaluated"),
        )
        for fault in result.faults
    ]
    totals = format_counts(len(cases), result.denied, len(result.faults))
    return "".join(
        [DECLARATION, format_opening_tag("testsuite", {"name": "warden check", **totals}), *cases, "</testsuite>"]
    )


def _format_declaration_case(decided: DecidedDeclaration) -> str:
    findings = list(decided.list_findings())
    errors = [finding for finding in findings if finding.level == "error"]
    declared = decided.declared
    place = f"{declared.file}:{declared.line}"
    return format_case(
        {"classname": declared.file, "name": f"{declared.operation} {declared.name} ({place})".lstrip()},
        failure=Problem(", ".join(sorted({error.rule for error in errors})), errors[0].rule, _format_findings(errors))
        if errors
        else None,
        output=_format_findings([finding for finding in findings if finding.level != "error"]),
    )


def _format_findings(findings: list[CheckFinding]) -> str:
    return "\n".join(
        f"{format_place(finding.file, finding.line)}: {finding.rule}: {format_finding(finding)}" for finding in findings
    )


def _format_github(result: CheckResult) -> str:
    levels = {"error": "error", "warning": "warning", "note": "notice"}
    order = list(levels)
    findings = sorted(result.iter_findings(), key=lambda finding: order.index(finding.level))
    return "\n".join(
        format_annotation(levels[entry.level], entry.file, entry.line or None, entry.rule, format_finding(entry))
        for entry in findings
    )


def _format_markdown(result: CheckResult) -> str:
    found = result.iter_findings()
    cells = ((entry.level, format_place(entry.file, entry.line), entry.rule, format_finding(entry)) for entry in found)
    rows = [f"| {level} | {' | '.join(map(_escape_cell, texts))} |" for level, *texts in cells]
    table = ["| | where | rule | what |", "|---|---|---|---|", *rows, ""] if rows else []
    missing = result.rules_without_state
    note = [f"Nothing is known of the cluster, so these were not evaluated: {', '.join(missing)}.", ""]
    return "\n".join([f"**warden check**: {result.summary}", "", *table, *(note if missing else [])]).rstrip()


def _escape_cell(text: str) -> str:
    for char in "\\`*_[]<>|#":
        text = text.replace(char, f"\\{char}")
    return " ".join(text.split())


FORMATS: Mapping[str, Callable[[CheckResult], str]] = {
    "text": format_text,
    "json": _format_json,
    "sarif": _format_sarif,
    "junit": _format_junit,
    "github": _format_github,
    "gitlab": format_gitlab,
    "markdown": _format_markdown,
}
"""What ``--output`` takes, and the function that writes it."""
