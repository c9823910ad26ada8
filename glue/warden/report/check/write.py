"""The formats of ``warden check --output``."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import indent
from typing import Any

from warden.check.decisions import Decided, Finding
from warden.files.shown import shown
from warden.report.annotation import annotation
from warden.report.check.gitlab import gitlab
from warden.report.check.result import Result, fingerprint, sentence
from warden.report.check.text import text
from warden.report.junit_xml import DECLARATION, Problem, case_element, counts, opening_tag
from warden.report.sarif import driver, sarif_log

__all__ = ["FORMATS"]


def _json(result: Result) -> str:
    """The document; one declaration is made after the other, as all of them take ten times what is printed."""
    document = {
        "declarations": [],
        "errors": [{"file": each.file, "line": each.line, "message": shown(each.message)} for each in result.faults],
        "skipped": [{"file": each.file, "line": each.line, "kind": each.kind} for each in result.skipped],
        "unchanged": result.unchanged,
        "remarks": [{"file": each.file, "line": each.line, "message": each.message} for each in result.remarks],
    }
    whole = json.dumps(document, indent=2, ensure_ascii=False)
    rows = (json.dumps(_declaration(one), indent=2, ensure_ascii=False) for one in result.decided)
    filled = ",\n".join(indent(row, "    ") for row in rows)
    return whole.replace("[]", f"[\n{filled}\n  ]", 1) if filled else whole


def _declaration(one: Decided) -> dict[str, Any]:
    declared = one.declared
    return {
        "file": declared.file,
        "line": declared.line,
        "format": declared.format,
        "address": declared.address or None,
        "cluster": one.cluster,
        "operation": declared.operation or None,
        "component": declared.component or None,
        "name": declared.name,
        "unknown": list(declared.unknown),
        "decision": shown(one.decision) or None,
        "lists": shown(one.lists) or None,
    }


def _sarif(result: Result) -> str:
    found = list(result.findings())
    rules = [{"id": id, "shortDescription": {"text": id}} for id in sorted({each.rule for each in found})]
    invocation = {"executionSuccessful": not result.faults}
    log = sarif_log(driver("warden check", rules), map(_sarif_result, found), invocations=[invocation])
    return "".join(log).rstrip("\n")


def _sarif_result(finding: Finding) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": Path(finding.file).as_posix()}, "region": {"startLine": finding.line}}
    return {
        "ruleId": finding.rule,
        "level": finding.level,
        "message": {"text": sentence(finding)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"primaryLocationLineHash": fingerprint(finding)},
    }


def _junit(result: Result) -> str:
    cases = [_case(one) for one in result.decided]
    cases += [
        case_element(
            {"classname": each.file, "name": f"line {each.line}", "file": each.file},
            error=Problem(shown(each.message), "not evaluated"),
        )
        for each in result.faults
    ]
    totals = counts(len(cases), result.denied, len(result.faults))
    return "".join([DECLARATION, opening_tag("testsuite", {"name": "warden check", **totals}), *cases, "</testsuite>"])


def _case(one: Decided) -> str:
    found = list(one.findings())
    errors = [each for each in found if each.level == "error"]
    place = f"{one.declared.file}:{one.declared.line}"
    return case_element(
        {"classname": one.declared.file, "name": f"{one.declared.operation} {one.declared.name} ({place})".lstrip()},
        failure=Problem(", ".join(sorted({each.rule for each in errors})), errors[0].rule, _lines(errors))
        if errors
        else None,
        output=_lines([each for each in found if each.level != "error"]),
    )


def _lines(findings: list[Finding]) -> str:
    return "\n".join(f"{each.file}:{each.line}: {each.rule}: {sentence(each)}" for each in findings)


def _github(result: Result) -> str:
    levels = {"error": "error", "warning": "warning", "note": "notice"}
    order = list(levels)
    found = sorted(result.findings(), key=lambda each: order.index(each.level))
    return "\n".join(annotation(levels[each.level], each.file, each.line, each.rule, sentence(each)) for each in found)


def _markdown(result: Result) -> str:
    rows = [
        f"| {each.level} | {_cell(f'{each.file}:{each.line}')} | {_cell(each.rule)} | {_cell(sentence(each))} |"
        for each in result.findings()
    ]
    table = ["| | where | rule | what |", "|---|---|---|---|", *rows, ""] if rows else []
    missing = result.not_evaluated
    note = [f"Nothing is known of the cluster, so these were not evaluated: {', '.join(missing)}.", ""]
    return "\n".join([f"**warden check**: {result.summary()}", "", *table, *(note if missing else [])]).rstrip()


def _cell(text: str) -> str:
    for char in "\\`*_[]<>|#":
        text = text.replace(char, f"\\{char}")
    return " ".join(text.split())


FORMATS: Mapping[str, Callable[[Result], str]] = {
    "text": text,
    "json": _json,
    "sarif": _sarif,
    "junit": _junit,
    "github": _github,
    "gitlab": gitlab,
    "markdown": _markdown,
}
"""What ``--output`` takes, and the function that writes it."""
