"""Controls of frameworks in a scan: the shipped ones, and those of a site with a rule and a framework of its own."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spark_jobs.scan.run_scan import run_scan
from warden.analyse.scan.plan import ScanPlan
from warden.demo.estate import OBSERVED_AT
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.session import start_opa

pytestmark = [pytest.mark.spark, pytest.mark.opa]

_RULE = """package site.rules.acme

# METADATA
# title: Names say their domain
# custom:
#   id: ACME-1
#   severity: low
#   operations: [AuditTopic]
#   controls: [ACME K-1, SOC2 CC8.1]
deny contains violation if {
	input.operation == "AuditTopic"
	not startswith(input.topic, "o")
	violation := {"rule": "ACME-1", "severity": "low", "message": "no", "fix": "rename", "path": ["topic"], "patch": [],
		"effect": "warn"}
}
"""
_TABLE = """ACME:
  title: Our own
  form: ^K-[0-9]$
  controls:
    K-1: {title: Names}
    K-2: {title: Copies, rules: [KFK-DUR-001, ACME-1]}
    K-3: {title: On paper alone}
"""


@pytest.fixture(scope="module")
def run(
    spark: Any, opa_binary: Path, estate_directory: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The directory of a run with a site's rules."""
    directory = tmp_path_factory.mktemp("controls")
    (directory / "site" / "site" / "controls").mkdir(parents=True)
    (directory / "site" / "acme.rego").write_text(_RULE)
    (directory / "site" / "site" / "controls" / "data.yaml").write_text(_TABLE)
    bundle = build_bundle(directory / "b.tar.gz", site=[directory / "site"], opa=opa_binary)
    with start_opa(bundle.path, opa_binary) as opa:
        plan = ScanPlan(estate_directory, directory / "runs", now=OBSERVED_AT, run_id="r")
        yield run_scan(spark, plan, opa.ensure_running_remote()).directory


def _rows(run: Path) -> list[dict[str, str]]:
    with (run / "controls.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_counts_are_those_of_findings_and_passes(run: Path, spark: Any) -> None:
    """Each rule's, whichever control names it, as findings.jsonl and the table of passes have them."""
    lines = (run / "findings.jsonl").read_text(encoding="utf-8").splitlines()
    found = Counter((each["rule"], each["effect"] == "waived") for each in map(json.loads, lines))
    passes = {row.rule: row for row in spark.read.parquet(str(run / "passes")).groupBy("rule").sum().collect()}
    for row in _rows(run):
        rule = row["rule"]
        if not rule:
            continue
        seen = passes[rule].asDict() if rule in passes else Counter()
        assert [found[rule, False], found[rule, True]] == [int(row["findings"]), int(row["waived"])]
        for name in ("evaluated", "broken", "passed"):
            assert seen[f"sum({name})"] == int(row[name])
        owners = sum(int(each.rpartition(" ")[2]) for each in row["owners"].split("; ") if each)
        assert found[rule, False] == owners
    assert {"findings", "passes", "no evidence"} <= {row["evidence"] for row in _rows(run)}
    assert {"about changes alone", "disabled", "nothing to evaluate", "no rule", ""} == {
        row["reason"] for row in _rows(run)
    }


def test_a_site_s_rule_and_framework(run: Path) -> None:
    """Its rule is counted as one of the library's, under both frameworks; its table maps rules of the library."""
    rows = _rows(run)
    own = [row for row in rows if row["rule"] == "ACME-1"]
    assert {("ACME", "K-1"), ("ACME", "K-2"), ("SOC2", "CC8.1")} == {(row["framework"], row["control"]) for row in own}
    assert [True] * 3 == [int(row["passed"]) > 0 and int(row["broken"]) > 0 for row in own]
    assert {"Names say their domain"} == {row["title"] for row in own}
    [mapped] = [row for row in rows if row["rule"] == "KFK-DUR-001" and row["framework"] == "ACME"]
    [shipped] = [row for row in rows if row["rule"] == "KFK-DUR-001" and row["framework"] == "SOC2"]
    same = ("findings", "waived", "evaluated", "broken", "passed", "not_evaluated", "owners")
    assert [mapped[name] for name in same] == [shipped[name] for name in same]
    assert "Our own" in (run / "report.html").read_text(encoding="utf-8")


def test_the_table_of_spark(run: Path, spark: Any) -> None:
    """Format warden has the rows of the CSV."""
    read = spark.read.format("warden").option("run", str(run)).option("table", "controls").load().collect()
    names = ("framework", "control", "rule", "evidence", "reason", "findings", "passed", "not_evaluated")
    found = [["" if row[name] is None else str(row[name]) for name in names] for row in read]
    assert [[row[name] for name in names] for row in _rows(run)] == found
    assert any(row.owners and row.owners[0].findings for row in read)
