"""A run in every form but the page: each complete, well formed, and safe with any name."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.analyse.report.conftest import DECISIONS, FINDINGS, NAMES, RULE, decision, violation, written_run
from warden.analyse.report import openreports, page, sarif, terminal
from warden.analyse.report.embed import unpack
from warden.analyse.report.finished_run import open_run
from warden.analyse.report.write import FORMATS, iter_report, write_report
from warden.base.errors import ConfigurationError, InputError
from warden.commands.report import command
from warden.policy.contract.effect import EFFECTS
from warden.policy.contract.schemas import read_schema
from warden.policy.contract.severities import SEVERITIES

CASES = {**NAMES, "dev/1": ["only", "broker 1"]}
HOSTILE, FORMULA = NAMES["prod"][0], NAMES["prod"][2]


def text(run: Path, format: str) -> str:
    """A report as text."""
    return "".join(iter_report(open_run(run), format))


def test_every_severity_and_effect_has_its_form() -> None:
    """Those of the contract, in its order: none falls back to what stands for an unknown one."""
    fields = read_schema("decision")["properties"]["violations"]["items"]["properties"]
    severities, effects = (fields[name]["enum"] for name in ("severity", "effect"))

    assert [severities] * 4 == [[*SEVERITIES], [*sarif._LEVELS], [*sarif._SCORES], [*terminal._COLOURS]]
    assert [effects] * 3 == [[*EFFECTS], [*openreports._KINDS], [*page._MARKS]]


def test_sarif(run_directory: Path) -> None:
    """The shape of SARIF 2.1.0: a rule for each id, a result for each finding, a waiver as a suppression."""
    log = json.loads(text(run_directory, "sarif"))
    (run,) = log["runs"]
    driver, results = run["tool"]["driver"], run["results"]

    assert ("2.1.0", "https://json.schemastore.org/sarif-2.1.0.json") == (log["version"], log["$schema"])
    assert ["KFK-B", "KFK-DUR-001", "KFK-X"] == [rule["id"] for rule in driver["rules"]]
    assert {"text": "Why.\n\nFix: more"} == driver["rules"][1]["help"]
    assert "9.5" == driver["rules"][1]["properties"]["security-severity"]
    assert [None, ["SOC2 A1.2"], None] == [rule["properties"].get("tags") for rule in driver["rules"]]
    assert len(FINDINGS) == len(results)
    for result in results:
        assert result["ruleId"] == driver["rules"][result["ruleIndex"]]["id"]
    assert Counter(["error", "error", "warning", "note", "note"]) == Counter(result["level"] for result in results)
    assert {
        "physicalLocation": {
            "artifactLocation": {"uri": "prod/topics/%3C%2Fscript%3E%3Cscript%3Ealert%281%29"},
            "region": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1},
        },
        "logicalLocations": [{"name": HOSTILE, "fullyQualifiedName": f"prod/{HOSTILE}", "kind": "resource"}],
    } == results[0]["locations"][0]
    broker = next(result for result in results if result["ruleId"] == "KFK-B")
    assert "dev%2F1/brokers/1" == broker["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert [{"name": "broker 1", "fullyQualifiedName": "dev/1/broker 1", "kind": "resource"}] == broker["locations"][0][
        "logicalLocations"
    ]
    suppressed = [result["suppressions"] for result in results if "suppressions" in result]
    words = "W-1: legal hold (GRC-1), until 2026-12-01"
    assert [[{"kind": "external", "status": "accepted", "justification": words}]] == suppressed
    (invocation,) = run["invocations"]
    assert False is invocation["executionSuccessful"]
    (said,) = invocation["toolExecutionNotifications"]
    assert "bad on prod was not evaluated: poison & <u>" == said["message"]["text"]
    assert len(FINDINGS) == len({result["partialFingerprints"]["warden/v1"] for result in results})


FOUND = {"cause": "found", "before": "fewer"}


def found_run(directory: Path) -> Path:
    """A run in which one rule has what the change caused, and what was found before it, which denies too."""
    row = decision("prod", "t", violation("KFK-DUR-001", "critical"), violation("KFK-DUR-001", "critical", **FOUND))
    findings = [{**row, **each, "day": "2026-11-21"} for each in row["violations"]]
    return written_run(directory, [row], findings)


def test_what_was_found_and_what_is_caused(tmp_path: Path) -> None:
    """Each form says which of the two it is; in SARIF what was found is no error."""
    run = found_run(tmp_path)
    results = json.loads(text(run, "sarif"))["runs"][0]["results"]
    rows = csv.DictReader(io.StringIO(text(run, "csv"), newline=""))
    (report,) = json.loads(text(run, "openreports"))["items"]

    assert [("error", "caused"), ("warning", "found")] == [
        (result["level"], result["properties"]["cause"]) for result in results
    ]
    assert ["caused", "found"] == [row["cause"] for row in rows]
    assert ["caused", "found"] == [json.loads(line)["cause"] for line in text(run, "json").splitlines()]
    assert ["caused", "found"] == [result["properties"]["cause"] for result in report["results"]]
    assert 1 == text(run, "junit").count("(better than before the change: fewer)")


def test_sarif_has_the_fixes_of_a_rule_by_case(tmp_path: Path) -> None:
    """Each that is of use without a request."""
    run = found_run(tmp_path)
    rule = {**RULE, "fixes": {"few": "add replicas", "many": "use {limit}", "none": "name brokers"}}
    (run / "rules.json").write_text(json.dumps({"KFK-DUR-001": rule}))

    (shown,) = json.loads(text(run, "sarif"))["runs"][0]["tool"]["driver"]["rules"]
    assert "Why.\n\nFix: add replicas\n\nFix: name brokers" == shown["help"]["text"]


def test_sarif_leads_to_pages(run_directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule leads to what its METADATA refers to; those of the library to their pages where these are served."""

    def pages() -> list[str | None]:
        rules = json.loads(text(run_directory, "sarif"))["runs"][0]["tool"]["driver"]["rules"]
        return [rule.get("helpUri") for rule in rules]

    assert [None, "https://kafka.apache.org/", None] == pages()
    monkeypatch.setenv("WARDEN_DOCS_URL", "https://docs.example/warden/")
    site = "https://docs.example/warden/reference/rules"
    assert [f"{site}/{id}.html" for id in ("KFK-B", "KFK-DUR-001", "KFK-X")] == pages()


def test_junit(run_directory: Path) -> None:
    """Suites by cluster whose counts are those of their cases; failures deny, errors were not evaluated."""
    root = ET.fromstring(text(run_directory, "junit"))
    suites = {suite.get("name"): suite for suite in root}

    assert {"prod": ("4", "1", "1", "0"), "dev/1": ("2", "1", "0", "0")} == {
        name: tuple(suite.get(each) for each in ("tests", "failures", "errors", "skipped"))
        for name, suite in suites.items()
    }
    assert ("testsuites", "6", "2", "1") == (root.tag, root.get("tests"), root.get("failures"), root.get("errors"))
    for name, suite in suites.items():
        assert CASES[str(name)] == [case.get("name") for case in suite]
        assert suite.get("tests") == str(len(suite))
        assert suite.get("failures") == str(len(suite.findall("*/failure")))
        assert {name} == {case.get("classname") for case in suite}
    first, bad, waived, fine = suites["prod"]
    assert ["failure", "system-out"] == [part.tag for part in first]
    assert ("KFK-DUR-001", "critical KFK-DUR-001: KFK-DUR-001 says & \ufffd\n  fix: do") == (
        first[0].get("type"),
        first[0].text,
    )
    assert "high KFK-X (warn): KFK-X says & \ufffd\n  fix: do" == first[1].text
    assert {"message": "poison & <u>", "type": "not evaluated"} == bad[0].attrib
    assert "critical KFK-DUR-001 (waived by W-1): KFK-DUR-001 says & \ufffd\n  fix: do" == waived[0].text
    assert 0 == len(fine)


def test_csv(run_directory: Path) -> None:
    """A row for each finding and each topic without a decision; what a spreadsheet would run is text."""
    rows = list(csv.DictReader(io.StringIO(text(run_directory, "csv"), newline="")))

    assert [*(["FINDING"] * len(FINDINGS)), "ERROR"] == [row["status"] for row in rows]
    waived = next(row for row in rows if row["waiver"])
    assert {
        "run_id": "r-1", "revision": "rev", "evaluated_at": "2026-11-21T02:00:00Z", "day": "2026-11-21",
        "status": "FINDING", "cluster": "prod", "kind": "topic", "resource": f"'{FORMULA}", "owner": "'+team",
        "rule": "KFK-DUR-001", "title": "Replicas", "severity": "critical", "effect": "waived",
        "cause": "caused",
        "message": "KFK-DUR-001 says & \ufffd", "fix": "do", "path": "configs/a.b", "actual": "1",
        "patch": '[{"op":"add"}]', "waiver": "W-1", "waiver_owner": "risk", "waiver_ticket": "GRC-1",
        "waiver_expires": "2026-12-01", "waiver_expired": "false", "input_hash": "h",
    } == waived  # fmt: skip
    assert ("bad", "poison & <u>", "") == (rows[-1]["resource"], rows[-1]["message"], rows[-1]["rule"])


@pytest.mark.parametrize("format", ["csv", "html"])
def test_control_characters_are_replaced(tmp_path: Path, format: str) -> None:
    """What an owner, a name or a message has of NUL, ESC and U+202E does not get to who reads the report."""
    bad = "a\0b\x1b[2Jc\u202ed"
    row = decision(bad, bad, violation("KFK-X", "high", message=bad, actual=bad), owner=bad)
    lost = decision(bad, "lost", status="ERROR", error=bad, owner=bad)
    finding = {**row, **row["violations"][0], "day": "2026-11-21"}
    made = text(written_run(tmp_path, [row, lost], [finding]), format)
    if format == "html":
        made += json.dumps(unpack(made), ensure_ascii=False)

    assert "a\ufffdb\ufffd[2Jc\ufffdd" in made
    assert set() == {"\0", "\x1b", "\u202e"} & set(made)
    assert "\\u0000" not in made
    assert "\\u001b" not in made


def test_json_lines(run_directory: Path) -> None:
    """The findings as they are, and what could not be evaluated."""
    lines = [json.loads(line) for line in text(run_directory, "json").splitlines()]

    assert [{"status": "FINDING", **found} for found in FINDINGS] == lines[:-1]
    not_evaluated = {name: value for name, value in DECISIONS[1].items() if name != "violations"}
    assert {**not_evaluated, "day": "2026-11-21"} == lines[-1]


def test_open_reports(run_directory: Path) -> None:
    """One report for each cluster, whose counts are those of its results; names are ones that Kubernetes takes."""
    document = json.loads(text(run_directory, "openreports"))
    reports = {report["metadata"]["annotations"]["warden/cluster"]: report for report in document["items"]}

    assert ("v1", "List") == (document["apiVersion"], document["kind"])
    assert {"prod": "warden-prod", "dev/1": "warden-dev-1"} == {
        cluster: report["metadata"]["name"] for cluster, report in reports.items()
    }
    assert {("openreports.io/v1alpha1", "Report", "warden")} == {
        (r["apiVersion"], r["kind"], r["source"]) for r in reports.values()
    }
    assert {"kind": "KafkaCluster", "name": "dev/1"} == reports["dev/1"]["scope"]
    assert {"pass": 2, "fail": 1, "warn": 1, "error": 1, "skip": 1} == reports["prod"]["summary"]
    assert {"pass": 1, "fail": 1, "warn": 1, "error": 0, "skip": 0} == reports["dev/1"]["summary"]
    assert [{"kind": "KafkaBroker", "name": "1"}] == reports["dev/1"]["results"][1]["resources"]
    assert {
        "policy": "kafka", "rule": "KFK-DUR-001", "severity": "critical", "category": "DUR",
        "resources": [{"kind": "KafkaTopic", "name": FORMULA}], "timestamp": {"seconds": 1795226400, "nanos": 0},
        "message": "KFK-DUR-001 says & \x01", "result": "skip", "scored": False,
        "properties": {
            "cluster": "prod", "owner": "+team", "effect": "waived", "cause": "caused", "fix": "do",
            "path": "configs/a.b", "waiver": "W-1",
        },
    } == reports["prod"]["results"][3]  # fmt: skip
    allowed = {"pass", "fail", "warn", "error", "skip"}
    assert all(
        each["result"] in allowed and each["policy"] for report in reports.values() for each in report["results"]
    )


def test_a_large_cluster_has_several_reports(tmp_path: Path) -> None:
    """No object is too large for Kubernetes, and no result is left out."""
    decisions = [decision("c", f"t{n}", violation("KFK-X", "high", message=f"m{n}")) for n in range(2001)]
    run = written_run(tmp_path / "r", decisions, [])
    items = json.loads(text(run, "openreports"))["items"]

    assert ["warden-c", "warden-c.2", "warden-c.3"] == [item["metadata"]["name"] for item in items]
    assert [1000, 1000, 1] == [len(item["results"]) for item in items]
    assert 2001 == sum(item["summary"]["fail"] for item in items)
    assert {f"m{n}" for n in range(2001)} == {each["message"] for item in items for each in item["results"]}


@pytest.mark.parametrize("format", FORMATS)
def test_a_run_without_topics_at_fault(tmp_path: Path, format: str) -> None:
    """Every form of a clean run is well formed."""
    run = written_run(tmp_path / "r", [decision("c", "t")], [])
    write_report(open_run(run), format, tmp_path / "out")
    made = (tmp_path / "out").read_text(encoding="utf-8")

    empty: dict[str, Any] = {
        "sarif": lambda: [] == json.loads(made)["runs"][0]["results"],
        "junit": lambda: "1" == ET.fromstring(made).get("tests"),
        "csv": lambda: 1 == len(made.splitlines()),
        "controls": lambda: 5 == len(made.splitlines()),
        "openreports": lambda: [1] == [item["summary"]["pass"] for item in json.loads(made)["items"]],
        "json": lambda: "" == made,
        "html": lambda: "0 of 1 topics break the policy" in made,
    }
    assert empty[format]()
    assert ["out", "r"] == sorted(path.name for path in tmp_path.iterdir())


def test_command(run_directory: Path, tmp_path: Path) -> None:
    """The latest of several runs is found, standard output can be requested, and what is written is named."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "latest").symlink_to(run_directory)
    piped = CliRunner().invoke(command, [str(tmp_path / "runs"), "--output", "csv", "--out", "-"])
    filed = CliRunner().invoke(command, [str(run_directory), "--output", "csv", "--out", str(tmp_path / "f.csv")])

    assert text(run_directory, "csv").replace("\r\n", "\n") == piped.stdout.replace("\r\n", "\n")
    assert text(run_directory, "csv") == (tmp_path / "f.csv").read_bytes().decode()
    assert f"{tmp_path / 'f.csv'}\n" == filed.stdout


def test_what_cannot_be_reported(run_directory: Path, tmp_path: Path) -> None:
    """No run, a damaged one, an unknown format: each is one sentence, and no half report is left."""
    with pytest.raises(InputError, match=r"not a run, it has no summary\.json: `warden scan` makes runs"):
        write_report(open_run(tmp_path), "csv", tmp_path / "out")
    with pytest.raises(ConfigurationError, match="unknown report format pdf: write one of html, sarif"):
        write_report(open_run(run_directory), "pdf", tmp_path / "out")
    broken = written_run(tmp_path / "broken", DECISIONS, FINDINGS)
    with (broken / "findings.jsonl").open("a") as lines:
        lines.write("{cut")
    with pytest.raises(InputError, match=r"findings\.jsonl: not JSON lines"):
        write_report(open_run(broken), "csv", tmp_path / "out")
    for part in (broken / "decisions").iterdir():
        part.rename(part.with_suffix(".json"))
    with pytest.raises(InputError, match="not Parquet: a report needs a run of `warden scan` without --format"):
        write_report(open_run(broken), "junit", tmp_path / "out")
    (broken / "summary.json").write_text("{}")
    with pytest.raises(InputError, match="not the summary of a run"):
        write_report(open_run(broken), "csv", tmp_path / "out")
    assert ["broken"] == [path.name for path in tmp_path.iterdir()]
