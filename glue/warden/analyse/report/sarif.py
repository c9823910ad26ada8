"""SARIF 2.1.0 (OASIS), as GitHub's code scanning takes it; waived findings are there, with their suppression.

GitHub requires of a rule its three descriptions, and of a result a region; it tells findings of one run from those of
another by ``primaryLocationLineHash`` alone ("SARIF support for code scanning").
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from warden.analyse.report.finding import compute_fingerprint, format_subject
from warden.analyse.report.finished_run import Run
from warden.analyse.report.json_stream import iter_json_document
from warden.base.version import __version__
from warden.policy.bundle.metadata import find_rule_page, list_rule_texts
from warden.policy.contract.effect import format_message

__all__ = ["build_driver", "choose_level", "iter_sarif", "iter_sarif_log"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note", "info": "note"}
_FIRST = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}
# GitHub sorts by this number: more than 9 is critical, 7 high, 4 medium.
_SCORES = {"critical": "9.5", "high": "8.0", "medium": "5.0", "low": "2.0", "info": "0.5"}


def build_driver(name: str, rules: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the tool component of a SARIF log.

    Args:
        name: The tool's name.
        rules: Reporting descriptors; those of the library get their page as ``helpUri`` where the environment variable
            ``WARDEN_DOCS_URL`` says where the documentation is served.
    """
    return {"name": name, "version": __version__, "rules": [{**rule, **_build_help_uri(rule["id"])} for rule in rules]}


def _build_help_uri(rule: str) -> dict[str, str]:
    page = find_rule_page(rule)
    return {"helpUri": page} if page else {}


def iter_sarif_log(tool: Mapping[str, Any], results: Iterable[Mapping[str, Any]], **run: Any) -> Iterator[str]:
    """Yield the pieces of a SARIF log with one run.

    Args:
        tool: From `build_driver`.
        results: Result objects, an iterator of any length.
        run: Further properties of the run.
    """
    head = json.dumps({"$schema": _SCHEMA, "version": "2.1.0"})[:-1]
    yield f'{head}, "runs": [\n'
    yield from iter_json_document({"tool": {"driver": tool}, **run}, "results", results, "]}")


def choose_level(level: str, cause: str | None) -> str:
    """Return the level of a result; what was found before the change is no error, whatever is done about it."""
    return "warning" if (level, cause) == ("error", "found") else level


def iter_sarif(run: Run) -> Iterator[str]:
    """Yield the pieces of a run's SARIF log; what could not be evaluated is a notification of the tool."""
    ids = sorted({count.rule for count in run.list_rule_counts()})
    severities = {count.rule: count.severity for count in run.list_rule_counts()}
    titles = {count.rule: count.title for count in run.list_rule_counts()}
    rules = [_build_rule(id, titles[id], severities[id], run.rules.get(id, {})) for id in ids]
    positions = {id: position for position, id in enumerate(ids)}
    invocation = {
        "executionSuccessful": run.summary.errors == 0,
        "endTimeUtc": run.summary.evaluated_at,
        "toolExecutionNotifications": [_build_notification(decision) for decision in run.iter_not_evaluated()],
    }
    properties = {"runId": run.summary.run_id, "revision": run.summary.revision, "topics": run.summary.topics}
    properties |= {"baseline": run.baseline_summary.run_id} if run.baseline_summary else {}
    results = (_build_result(finding, state, positions) for finding, state in run.iter_states())
    yield from iter_sarif_log(
        build_driver("warden", rules),
        results,
        automationDetails={"id": f"warden/{run.summary.run_id}"},
        invocations=[invocation],
        properties=properties,
    )


def _build_rule(id: str, title: str, severity: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    short = title or id
    full = metadata.get("description", "").strip() or short
    # A text with a placeholder is of use in a result only, which has it filled in.
    fixes = [f"Fix: {text}" for text in list_rule_texts(metadata, "fix", "fixes") if "{" not in text]
    references = [reference for reference in metadata.get("references", []) if reference.startswith("https://")]
    return {
        "id": id,
        **({"helpUri": references[0]} if references else {}),
        "shortDescription": {"text": short},
        "fullDescription": {"text": full},
        "help": {"text": "\n\n".join([full, *fixes])},
        "defaultConfiguration": {"level": _LEVELS.get(severity, "warning")},
        "properties": {
            "severity": severity,
            "security-severity": _SCORES.get(severity, "5.0"),
            **({"tags": controls} if (controls := list(metadata.get("controls", ()))) else {}),
        },
    }


def _build_result(finding: Mapping[str, Any], state: str | None, places: Mapping[str, int]) -> dict[str, Any]:
    effect, cluster, name = finding["effect"], finding["cluster"], format_subject(finding)
    same = compute_fingerprint(finding)
    level = _LEVELS.get(finding["severity"], "warning")
    fix = f" Fix: {finding['fix']}" if finding.get("fix") else ""
    result: dict[str, Any] = {
        "ruleId": finding["rule"],
        "ruleIndex": places[finding["rule"]],
        **({"baselineState": state} if state else {}),
        "level": choose_level(_limit_level(effect, level), finding.get("cause")),
        "message": {"text": f"{name} on {cluster}: {format_message(finding)}.{fix}"},
        "locations": [_build_location(finding)],
        "partialFingerprints": {"primaryLocationLineHash": same, "warden/v1": same},
        "properties": {
            name: finding[name]
            for name in ("owner", "effect", "cause", "severity", "path", "actual", "patch")
            if finding.get(name)
        },
    }
    if effect == "waived":
        waiver = finding["waiver"]
        words = f"{waiver['id']}: {waiver['reason']} ({waiver['ticket']}), until {waiver['expires']}"
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": words}]
    return result


def _limit_level(effect: str, level: str) -> str:
    return {"warn": "warning" if level == "error" else level, "dryrun": "note"}.get(effect, level)


def _build_location(row: Mapping[str, Any]) -> dict[str, Any]:
    """A topic is in no file; viewers that need one show this path, and its first line."""
    cluster, kind, name = row["cluster"], row.get("kind") or "topic", row["topic"] or row.get("resource") or ""
    uri = "/".join(quote(piece, safe="") for piece in (cluster, f"{kind}s", name))
    logical = {
        "name": format_subject(row),
        "fullyQualifiedName": f"{cluster}/{format_subject(row)}",
        "kind": "resource",
    }
    physical = {"artifactLocation": {"uri": uri}, "region": _FIRST}
    return {"physicalLocation": physical, "logicalLocations": [logical]}


def _build_notification(decision: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "level": "error",
        "message": {
            "text": f"{format_subject(decision)} on {decision['cluster']} was not evaluated: {decision['error']}"
        },
        "locations": [_build_location(decision)],
    }
