"""What GitHub's code scanning demands of SARIF ("SARIF support for code scanning"), and SARIF 2.1.0's schema.

The schema itself is not here: it is OASIS' text.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.analyse.report.conftest import DECISIONS, FINDINGS, RULE, written_run
from tests.analyse.report.demands import Demands, evaluate
from warden.analyse.report.finished_run import open_run
from warden.analyse.report.sarif import iter_sarif


def rules(log: Any) -> list[Any]:
    """The rules of a SARIF log."""
    found: list[Any] = log["runs"][0]["tool"]["driver"]["rules"]
    return found


def results(log: Any) -> list[Any]:
    """The results of a SARIF log."""
    found: list[Any] = log["runs"][0]["results"]
    return found


def physical(result: Any) -> Any:
    """Where a result is."""
    return result["locations"][0]["physicalLocation"]


def texts(rule: Any) -> list[str]:
    """The texts that GitHub shows of a rule."""
    return [rule[name]["text"] for name in ("shortDescription", "fullDescription", "help")]


# Only RFC 3986's unreserved characters and escapes: relative, and nothing that resolves to somewhere else.
_RELATIVE_URI = re.compile(r"(?!\.\.?/)(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+(?:/(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+)*")
_LEVELS = {"none", "note", "warning", "error"}

SARIF: Demands = {
    "the version": (lambda log: log["version"] == "2.1.0", lambda log: log.update(version="2.0.0")),
    "a tool with a name": (
        lambda log: all(run["tool"]["driver"]["name"] for run in log["runs"]),
        lambda log: log["runs"][0]["tool"]["driver"].update(name=""),
    ),
    "ids of rules once each": (
        lambda log: len(rules(log)) == len({rule["id"] for rule in rules(log)}),
        lambda log: rules(log).append(rules(log)[0]),
    ),
    "three texts of each rule, as long as they may be": (
        lambda log: all(0 < len(one) <= 1024 for rule in rules(log) for one in texts(rule)),
        lambda log: rules(log)[0]["fullDescription"].update(text=""),
    ),
    "levels of rules": (
        lambda log: {rule["defaultConfiguration"]["level"] for rule in rules(log)} <= _LEVELS,
        lambda log: rules(log)[0]["defaultConfiguration"].update(level="critical"),
    ),
    "scores above 0 and up to 10": (
        lambda log: all(0 < float(rule["properties"]["security-severity"]) <= 10 for rule in rules(log)),
        lambda log: rules(log)[0]["properties"].update({"security-severity": "0.0"}),
    ),
    "an index that leads to the rule": (
        lambda log: all(rules(log)[one["ruleIndex"]]["id"] == one["ruleId"] for one in results(log)),
        lambda log: results(log)[0].update(ruleIndex=(results(log)[0]["ruleIndex"] + 1) % 3),
    ),
    "levels of results": (
        lambda log: {one["level"] for one in results(log)} <= _LEVELS,
        lambda log: results(log)[0].update(level="high"),
    ),
    "a message": (
        lambda log: all(one["message"]["text"] for one in results(log)),
        lambda log: results(log)[0]["message"].update(text=""),
    ),
    "one place": (
        lambda log: all(len(one["locations"]) == 1 for one in results(log)),
        lambda log: results(log)[0].update(locations=[]),
    ),
    "a relative URI": (
        lambda log: all(_RELATIVE_URI.fullmatch(physical(one)["artifactLocation"]["uri"]) for one in results(log)),
        lambda log: physical(results(log)[0])["artifactLocation"].update(uri="prod/a topic"),
    ),
    "a region that begins at line 1 or later": (
        lambda log: all(min(physical(one)["region"].values()) >= 1 for one in results(log)),
        lambda log: physical(results(log)[0])["region"].update(startLine=0),
    ),
    "a fingerprint of its own, of GitHub's name": (
        lambda log: (
            len(results(log)) == len({one["partialFingerprints"]["primaryLocationLineHash"] for one in results(log)})
        ),
        lambda log: results(log)[0].update(partialFingerprints=results(log)[1]["partialFingerprints"]),
    ),
    "a category and a run": (
        lambda log: log["runs"][0]["automationDetails"]["id"].rpartition("/")[0] == "warden",
        lambda log: log["runs"][0]["automationDetails"].update(id="r-1"),
    ),
    "suppressions of a known kind": (
        lambda log: {each["kind"] for one in results(log) for each in one.get("suppressions", [])} == {"external"},
        lambda log: results(log)[0].update(suppressions=[{"kind": "waived"}]),
    ),
}


@pytest.mark.parametrize("demand", SARIF)
def test_what_readers_demand(run_directory: Path, demand: str) -> None:
    """A report fulfils it, and one that was spoilt in this one thing does not."""
    assert (True, False) == evaluate(SARIF, demand, run_directory, "sarif", json.loads)


@pytest.mark.parametrize(
    ("fix", "help"),
    [("use more", "Why.\n\nFix: use more"), ("use {limit}", "Why."), ("", "Why.")],
)
def test_help_shows_no_placeholder(tmp_path: Path, fix: str, help: str) -> None:
    """What is filled in for each result would be read as it stands in the help of a rule."""
    run = written_run(tmp_path / "r", DECISIONS, FINDINGS)
    (run / "rules.json").write_text(json.dumps({"KFK-DUR-001": {**RULE, "fix": fix}}))
    log = json.loads("".join(iter_sarif(open_run(run))))

    assert [help] == [rule["help"]["text"] for rule in rules(log) if rule["id"] == "KFK-DUR-001"]
