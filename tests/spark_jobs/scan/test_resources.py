"""What is evaluated besides topics as they stand, which part of an estate, and the forms of the tables."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from warden.analyse.scan.plan import ScanPlan
from warden.base.errors import ConfigurationError
from warden.demo.estate import OBSERVED_AT
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.snapshot.directory import write_snapshot

pytestmark = [pytest.mark.spark, pytest.mark.opa]

TOPIC = {"numPartitions": 3, "replicationFactor": 3, "replicasAssignments": {"0": [1, 2, 3]}, "internal": False}
BROKER = {
    "rack": "a",
    "configs": {"auto.create.topics.enable": "true", "log.dirs": "/a,/a", "min.insync.replicas": "1"},
}
STATE: dict[str, Any] = {
    "clusterSize": 3,
    "brokers": {"": {"configs": {"min.insync.replicas": "1"}}, "1": BROKER, "2": {"rack": "b", "configs": {}}},
    "topics": dict.fromkeys(("shop.orders.a", "shop.orders_a", "shop.orders.b"), TOPIC),
    "namesByMetric": {"shop_orders_a": ["shop.orders.a", "shop.orders_a"], "shop_orders_b": ["shop.orders.b"]},
    "meta": {"topics": 3, "labels": False},
}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cluster with brokers, and two topics whose metrics have one name."""
    directory = tmp_path_factory.mktemp("resources") / "s"
    write_snapshot(directory, "c", STATE, day=date(2026, 1, 1))
    return directory


@pytest.fixture(scope="module")
def done(spark: Any, scan_opa: RemoteOpa, snapshot: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A run about it."""
    from spark_jobs.scan.run_scan import run_scan

    out = tmp_path_factory.mktemp("runs")
    return run_scan(spark, ScanPlan(snapshot, out, now=OBSERVED_AT, run_id="r"), scan_opa)


def table(directory: Path, name: str) -> list[dict[str, Any]]:
    """A table of a run."""
    import pyarrow.parquet as pq

    found: list[dict[str, Any]] = pq.read_table(directory / name).to_pylist()
    return found


def test_brokers(done: Any, scan_opa: RemoteOpa) -> None:
    """Brokers whose configs are known get the decision that they get alone, and the summary counts topics only."""
    decisions = {row["resource"]: row for row in table(done.directory, "decisions") if row["kind"] == "broker"}
    with scan_opa.build_client() as client:
        for broker, decision in decisions.items():
            document = {
                "operation": "AuditBroker",
                "cluster": "c",
                "enforcementPoint": "scan",
                "now": f"{OBSERVED_AT:%Y-%m-%dT%H:%M:%SZ}",
                "request": {"broker": broker},
                "clusterState": STATE,
            }
            expected = client.decide(document)
            assert expected["allowed"] is (decision["status"] == "ALLOW")
            assert [v["message"] for v in expected["violations"]] == [v["message"] for v in decision["violations"]]

    assert {"", "1"} == decisions.keys()
    assert {None} == {row["topic"] for row in decisions.values()}
    assert (3, 1, 5) == (done.summary.topics, done.metrics["brokersUnreadable"], done.metrics["resources"])
    found = [row for row in table(done.directory, "findings") if row["resource"] == "1"]
    actual = {row["path"][-1]: row["actual"] for row in found if row["path"]}
    assert '"true"' == actual["auto.create.topics.enable"]

    broken = [violation["rule"] for violation in decisions["1"]["violations"]]
    worst = {row["topic"]: row["rules"] for row in done.summary.worst}
    assert ["KFK-BRK-002"] == worst["broker (default)"]
    most_severe = worst["broker 1"]
    assert len(broken) > len(most_severe)
    assert set(broken) == set(most_severe)
    assert len(most_severe) == len(set(most_severe))


def test_names_that_clash(done: Any) -> None:
    """Topics whose metrics have one name each have a finding that names the others."""
    clashing = {
        row["topic"]: row["message"] for row in table(done.directory, "findings") if row["rule"] == "KFK-NAM-004"
    }

    assert {"shop.orders.a", "shop.orders_a"} == clashing.keys()
    assert "shop.orders_a" in clashing["shop.orders.a"]


def test_passes(done: Any) -> None:
    """What was evaluated and has no finding has passed; without labels their rules were not evaluated."""
    passes = {(row["kind"], row["rule"]): row for row in table(done.directory, "passes")}
    findings = table(done.directory, "findings")

    assert {"KFK-NAM-004", "KFK-SIZ-001"} < {rule for kind, rule in passes if kind == "topic"}
    assert "KFK-GOV-001" not in {rule for _, rule in passes}
    assert {3} == {row["evaluated"] for (kind, _), row in passes.items() if kind == "topic"}
    assert {2} == {row["evaluated"] for (kind, _), row in passes.items() if kind == "broker"}
    for (kind, rule), row in passes.items():
        broken = {found["resource"] for found in findings if (found["kind"], found["rule"]) == (kind, rule)}
        assert (len(broken), row["evaluated"] - len(broken)) == (row["broken"], row["passed"]), rule
    assert {(found["kind"], found["rule"]) for found in findings} <= passes.keys()


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"where": "topic like '%orders.%' and cluster = 'c'"}, {"shop.orders.a", "shop.orders.b"}),
        ({"where": "numPartitions > 3"}, set()),
        ({"where": "numPartitions = 3", "format": "json"}, {"shop.orders.a", "shop.orders_a", "shop.orders.b"}),
    ],
)
def test_some_topics(
    spark: Any, scan_opa: RemoteOpa, snapshot: Path, tmp_path: Path, chosen: dict[str, Any], expected: set[str]
) -> None:
    """A condition chooses topics, and leaves brokers out; the tables come in other forms."""
    from spark_jobs.scan.run_scan import run_scan

    done = run_scan(spark, ScanPlan(snapshot, tmp_path, now=OBSERVED_AT, **chosen), scan_opa)
    read = spark.read.format(chosen.get("format", "parquet")).load(str(done.directory / "decisions"))

    assert expected == {row["resource"] for row in read.collect()} if expected else read.count() == 0
    assert len(expected) == done.metrics["resources"]
    if chosen.get("format") == "json":
        lines = [
            json.loads(line) for path in (done.directory / "decisions").glob("part-*.json") for line in path.open()
        ]
        assert expected == {line["resource"] for line in lines}
        assert all(isinstance(line["violations"], list) for line in lines)


@pytest.mark.slow
def test_a_sample_is_the_same_each_time(
    spark: Any, scan_opa: RemoteOpa, estate_directory: Path, tmp_path: Path
) -> None:
    """About the share that was requested, always the same resources, also of another day; as CSV for a change."""
    from spark_jobs.scan.run_scan import run_scan

    found = []
    for run in ("a", "b"):
        plan = ScanPlan(estate_directory, tmp_path, now=OBSERVED_AT, sample=0.2, run_id=run, format="csv")
        done = run_scan(spark, plan, scan_opa)
        read = spark.read.option("header", "true").csv(str(done.directory / "decisions"))
        found.append({(row["cluster"], row["resource"]): row["violations"] for row in read.collect()})

    assert found[0] == found[1]
    assert 60 < len(found[0]) < 200
    assert all(isinstance(json.loads(text), list) for text in found[0].values())


@pytest.mark.parametrize(
    "where", ["no such column > 1", "numPartitions >", "nothing = 1", "numPartition > 5", "damaged > 1"]
)
def test_bad_conditions(
    spark: Any, scan_opa: RemoteOpa, snapshot: Path, tmp_path: Path, where: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """A condition that makes no sense is refused in one sentence, with columns that people know and nothing beside."""
    from spark_jobs.scan.run_scan import run_scan

    with pytest.raises(ConfigurationError, match=r"^--where .* is no condition on the columns of topics: ") as error:
        run_scan(spark, ScanPlan(snapshot, tmp_path, where=where), scan_opa)
    assert "_damaged" not in str(error.value)
    assert "{" not in capfd.readouterr().err
