"""The scan as a whole: real Spark, real OPA, and the same decisions as one question at a time."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.analyse.report.pages import rows_in
from tests.fixtures.operations import dependencies
from warden.analyse.scan.batches import BatchLimits
from warden.analyse.scan.plan import ScanPlan
from warden.base.errors import InputError, OpaRefused, OpaUnreachable, ScanError
from warden.base.version import __version__
from warden.demo.estate import OBSERVED_AT
from warden.policy.opa.client import OpaClient
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.snapshot.directory import read_partition, write_snapshot
from warden.state.snapshot.layout import FORMATS, Format, select_latest_partitions

pytestmark = [pytest.mark.spark, pytest.mark.opa]

CONTENT = [
    "controls.csv", "decisions", "findings", "findings.jsonl", "frameworks.json", "metrics.json", "not_evaluated",
    "passes", "report.html", "rules.json", "summary.json",
]  # fmt: skip
NOW = f"{OBSERVED_AT:%Y-%m-%dT%H:%M:%SZ}"


def decisions(directory: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """(cluster, topic) → decision row, read without Spark."""
    import pyarrow.parquet as pq

    rows = pq.read_table(directory / "decisions").to_pylist()
    return {(row["cluster"], row["topic"]): row for row in rows}


def single_inputs(snapshot: Path) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    """(cluster, topic), decision input for each topic, as a caller without batches writes it: all there is."""
    for part in select_latest_partitions(snapshot):
        state = read_partition(part)
        for name, topic in state["topics"].items():
            yield (
                (part.cluster, name),
                {
                    "operation": "AuditTopic",
                    "cluster": part.cluster,
                    "enforcementPoint": "scan",
                    "now": NOW,
                    "request": {"topic": name},
                    "clusterState": {**state, "topics": {name: topic}},
                },
            )


@pytest.fixture(scope="module")
def done(spark: Any, scan_opa: RemoteOpa, estate_directory: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One finished run over the small estate, in small batches."""
    from spark_jobs.scan.run_scan import run_scan

    out = tmp_path_factory.mktemp("runs")
    plan = ScanPlan(estate_directory, out, now=OBSERVED_AT, run_id="first", limits=BatchLimits(rows=17))
    return run_scan(spark, plan, scan_opa)


def test_same_decisions_as_one_question_at_a_time(done: Any, scan_opa: RemoteOpa, estate_directory: Path) -> None:
    """Each topic's decision is, violation by violation, what `kafka/decision` answers about it alone."""
    found = decisions(done.directory)
    fields = ("rule", "effect", "severity", "message", "path", "fix")
    differing, evaluated = [], 0
    with OpaClient(scan_opa.url, token=scan_opa.token) as client:
        for key, document in single_inputs(estate_directory):
            decision, row = client.decide(document), found.pop(key)
            expected = ["ALLOW" if decision["allowed"] else "DENY", decision["revision"]]
            expected += [[[each[name] for name in fields] for each in decision["violations"]]]
            actual = [row["status"], row["revision"]]
            actual += [[[each[name] for name in fields] for each in row["violations"]]]
            evaluated += 1
            if expected != actual:
                differing.append((key, expected, actual))

    assert [] == differing
    assert ({}, 600) == (found, evaluated)


def test_same_decisions_of_whole_topics(
    done: Any, spark: Any, scan_opa: RemoteOpa, estate_directory: Path, tmp_path: Path
) -> None:
    """Evaluated whole, each by itself, topics have the decisions that they have by parts, which many share."""
    from spark_jobs.scan.run_scan import run_scan

    plan = ScanPlan(estate_directory, tmp_path, now=OBSERVED_AT, run_id="first", cut=False, remember=False)
    whole = run_scan(spark, plan, scan_opa)

    def reported(found: Any) -> dict[tuple[str, str], Any]:
        return {key: {**row, "input_hash": None} for key, row in decisions(found.directory).items()}

    assert reported(whole) == reported(done)
    assert whole.metrics["evaluated"] > whole.metrics["resources"] / 2
    assert __version__ == json.loads((whole.directory / "metrics.json").read_text(encoding="utf-8"))["version"]


def test_all_outputs_agree(done: Any) -> None:
    """Findings as Parquet, as JSON lines, in the summary and in the page are the violations of the decisions."""
    import pyarrow.parquet as pq

    rows = decisions(done.directory).values()
    expected = Counter((r["cluster"], r["topic"], v["rule"], v["message"]) for r in rows for v in r["violations"])
    lines = [json.loads(line) for line in (done.directory / "findings.jsonl").read_text().splitlines()]
    summary = json.loads((done.directory / "summary.json").read_text())
    page = (done.directory / "report.html").read_text()
    statuses = Counter(row["status"] for row in rows)

    assert expected.total() > 20
    for name, found in (
        ("parquet", pq.read_table(done.directory / "findings").to_pylist()),
        ("jsonl", lines),
    ):
        assert expected == Counter((f["cluster"], f["topic"], f["rule"], f["message"]) for f in found), name
    assert expected == Counter((r["cluster"], r["topic"], r["rule"], r["message"]) for r in rows_in(page))
    assert [600, statuses["ALLOW"], statuses["DENY"], 0] == [
        summary[key] for key in ("topics", "allowed", "denied", "errors")
    ]
    by_rule = Counter(rule for _, _, rule, _ in expected.elements())
    assert by_rule == Counter({rule["rule"]: rule["findings"] for rule in summary["rules"]})
    assert expected.total() == sum(summary["severities"].values())
    for groups in ("clusters", "owners"):
        assert (600, statuses["DENY"], expected.total()) == (
            sum(group["topics"] for group in summary[groups]),
            sum(group["denied"] for group in summary[groups]),
            sum(sum(group["severities"].values()) for group in summary[groups]),
        )
    grades = [line["severity"] for line in lines]
    assert grades == sorted(grades, key=["critical", "high", "medium", "low", "info"].index)
    assert all(rule["title"] for rule in summary["rules"])


def test_rerun_replaces(spark: Any, scan_opa: RemoteOpa, estate_directory: Path, done: Any) -> None:
    """The same run again leaves one result, equal but for the time it took, and `latest` leads to it."""
    from spark_jobs.scan.run_scan import run_scan

    before = decisions(done.directory)
    (done.directory / "stray").touch()
    again = run_scan(
        spark, ScanPlan(estate_directory, done.directory.parent, now=OBSERVED_AT, run_id="first"), scan_opa
    )

    assert before == decisions(again.directory)
    assert done.directory == again.directory
    assert CONTENT == sorted(found.name for found in again.directory.iterdir())
    assert (again.directory.parent / "latest").resolve() == again.directory.resolve()


@pytest.mark.parametrize("stored", FORMATS)
def test_odd_names_and_values_arrive_unchanged(spark: Any, scan_opa: RemoteOpa, tmp_path: Path, stored: Format) -> None:
    """Quotes, separators, other scripts, null configs: what OPA evaluates is what the snapshot holds."""
    from spark_jobs.scan.run_scan import run_scan

    cluster = 'c/1 "é" %2F=,'
    names = ['quote"d', "tab\tbed", "ünïcode", "back\\slash", "</script>", "a=b,c", "__internal", "1"]
    topics = {
        name: {"numPartitions": 1, "replicationFactor": 1, "configs": {"retention.ms": None, "x": name}}
        for name in names
    }
    write_snapshot(tmp_path / "s", cluster, {"clusterSize": 1, "topics": topics}, day=date(2026, 1, 1), format=stored)
    done = run_scan(spark, ScanPlan(tmp_path / "s", tmp_path / "o", now=OBSERVED_AT), scan_opa)

    assert sorted((cluster, name) for name in names) == sorted(decisions(done.directory))
    assert set(names) == {row["topic"] for row in rows_in((done.directory / "report.html").read_text())}


def test_formats_may_be_mixed_and_days_chosen(spark: Any, scan_opa: RemoteOpa, tmp_path: Path) -> None:
    """A snapshot may hold both formats; only the newest day of each cluster is evaluated."""
    from spark_jobs.scan.run_scan import run_scan

    topic = {"numPartitions": 1, "replicationFactor": 3}
    for cluster, day, name, stored in (
        ("a", 1, "old", "jsonl"),
        ("a", 2, "new", "parquet"),
        ("b", 1, "only", "jsonl"),
    ):
        state = {"clusterSize": 3, "topics": {name: topic}}
        write_snapshot(tmp_path / "s", cluster, state, day=date(2026, 1, day), format=stored)  # type: ignore[arg-type]  # a literal
    done = run_scan(spark, ScanPlan(tmp_path / "s", tmp_path / "o", now=OBSERVED_AT), scan_opa)

    assert {("a", "new"), ("b", "only")} == decisions(done.directory).keys()


def test_failures_leave_nothing(spark: Any, scan_opa: RemoteOpa, estate_directory: Path, tmp_path: Path) -> None:
    """A refused token, an OPA that is gone and an estate without topics: each its own error, and no results."""
    from spark_jobs.scan.run_scan import run_scan

    write_snapshot(tmp_path / "empty", "c", {"clusterSize": 1}, day=date(2026, 1, 1))
    out = tmp_path / "o"
    with pytest.raises(OpaRefused):
        run_scan(spark, ScanPlan(estate_directory, out), RemoteOpa(scan_opa.url, "wrong"))
    with pytest.raises(OpaUnreachable):
        run_scan(spark, ScanPlan(estate_directory, out), RemoteOpa("http://127.0.0.1:9", None))
    with pytest.raises(InputError, match="the snapshot holds no topics, there is nothing to evaluate"):
        run_scan(spark, ScanPlan(tmp_path / "empty", out), scan_opa)

    assert [] == [left for left in tmp_path.glob("o/*") if left.name != ".decisions"]


def test_error_of_a_task_comes_out_whole(spark: Any, scan_opa: RemoteOpa, estate_directory: Path) -> None:
    """What a task raises is raised here, as the same error with the same sentence."""
    from spark_jobs.common.errors import translate_errors
    from spark_jobs.scan.opa_udf import evaluate_inputs
    from spark_jobs.scan.stages.read import build_resource_rows
    from warden.analyse.scan.plan import prepare
    from warden.analyse.scan.policy_version import PolicyVersion

    policy = PolicyVersion("no such revision", dependencies=dependencies())
    prepared = prepare(ScanPlan(estate_directory, Path("unused"), now=OBSERVED_AT), policy)
    inputs = build_resource_rows(spark, prepared)
    sentence = "^the policy changed during the scan, from revision no such revision to .*: run it again$"
    with pytest.raises(ScanError, match=sentence), translate_errors():
        evaluate_inputs(inputs, prepared.job, scan_opa).collect()
    with pytest.raises(OpaRefused), translate_errors():
        evaluate_inputs(inputs, prepared.job, RemoteOpa(scan_opa.url, "wrong")).collect()
