"""Distinct inputs are evaluated once, and cached: the same decisions with and without."""

import copy
import json
import shutil
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from warden.analyse.scan.plan import ScanPlan
from warden.demo.estate import OBSERVED_AT, iter_estate
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.endpoints import RemoteOpa
from warden.policy.opa.local import LocalOpa
from warden.state.snapshot.directory import write_snapshot

pytestmark = [pytest.mark.spark, pytest.mark.opa, pytest.mark.slow]

TOPIC = {"numPartitions": 1, "replicationFactor": 1, "replicasAssignments": {"0": [1]}, "labels": {"owner": "team"}}
DAYS, TOPICS = 3, 200


def rows(directory: Path, table: str = "decisions") -> list[dict[str, Any]]:
    """The rows of a table without the run's name, in order."""
    import pyarrow.parquet as pq

    found: list[dict[str, Any]] = pq.read_table(directory / table).to_pylist()
    for row in found:
        del row["run_id"]
    return sorted(found, key=lambda row: (row["day"], row["cluster"], row["kind"], row.get("resource") or row["rule"]))


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some days of a small estate, of which each day changes two topics and adds one."""
    directory = tmp_path_factory.mktemp("history")
    clusters = dict(iter_estate(TOPICS, seed=3))
    for back in range(DAYS):
        at = OBSERVED_AT + timedelta(days=back)
        for name, state in clusters.items():
            if back:
                changed = list(state["topics"])[2 + back]
                state["topics"][changed] = {**state["topics"][changed], "numPartitions": 1000}
                state["topics"][f"team.added.on.day-{back}"] = dict(state["topics"][changed])
            state["totals"] = {**state["totals"], "topics": len(state["topics"])}
            state["meta"] = {"observedAt": f"{at:%Y-%m-%dT%H:%M:%SZ}", "topics": len(state["topics"])}
            write_snapshot(directory, name, state, day=at.date(), format="parquet")
    return directory


def test_history(spark: Any, scan_opa: RemoteOpa, history: Path, tmp_path: Path) -> None:
    """Of days that are the same only what differs is evaluated, each day gets the decisions that it gets alone."""
    from spark_jobs.scan.run_scan import run_scan

    first, last = OBSERVED_AT.date(), OBSERVED_AT.date() + timedelta(days=DAYS - 1)
    plan = ScanPlan(history, tmp_path / "out", days=(first, last), run_id="all")
    whole = run_scan(spark, plan, scan_opa)
    (tmp_path / "out/all").rename(kept := tmp_path / "all")
    again = run_scan(spark, replace(plan, run_id="again"), scan_opa)
    without = run_scan(spark, replace(plan, run_id="without", remember=False), scan_opa)
    alone = run_scan(spark, replace(plan, run_id="alone", days=None, day=last, remember=False), scan_opa)

    changed = 2 * 12 * (DAYS - 1)
    assert DAYS == whole.metrics["days"]
    # A topic is evaluated in three parts at the most.
    assert alone.metrics["evaluated"] <= whole.metrics["evaluated"] <= alone.metrics["evaluated"] + 3 * changed
    assert DAYS * TOPICS + 12 * sum(range(DAYS)) == whole.metrics["resources"]
    assert 0 == again.metrics["evaluated"] == again.metrics["batches"]
    assert "evaluating" in again.metrics["seconds"]
    assert rows(kept) == rows(again.directory) == rows(without.directory)
    assert rows(alone.directory) == [row for row in rows(kept) if row["day"] == last]
    assert rows(alone.directory, "passes") == [row for row in rows(kept, "passes") if row["day"] == last]
    assert (TOPICS + 12 * (DAYS - 1), alone.summary.severities) == (whole.summary.topics, whole.summary.severities)


def test_the_same_again(spark: Any, scan_opa: RemoteOpa, tmp_path: Path) -> None:
    """A run about what an earlier one evaluated, by the same policy, has the same results under its own name."""
    from spark_jobs.scan.run_scan import run_scan

    state = {"clusterSize": 3, "topics": {"shop.orders.a": TOPIC, "Bad.b": TOPIC}, "meta": {"topics": 2}}
    write_snapshot(tmp_path / "s", "c", state, day=date(2026, 12, 1))
    plan = ScanPlan(tmp_path / "s", tmp_path / "out", now=OBSERVED_AT, run_id="one")
    one = run_scan(spark, plan, scan_opa)
    later = replace(plan, run_id="two", now=OBSERVED_AT + timedelta(seconds=5))
    two = run_scan(spark, later, scan_opa, source="elsewhere")
    tables = [
        [rows(run.directory, name) for name in ("decisions", "findings", "passes", "not_evaluated")]
        for run in (one, two)
    ]
    lines = [(run.directory / "findings.jsonl").read_text(encoding="utf-8") for run in (one, two)]

    assert ({"tables", "total"}, 0, 2) == (
        two.metrics["seconds"].keys(),
        two.metrics["evaluated"],
        two.metrics["resources"],
    )
    assert tables[0] == tables[1]
    assert {"two"} == {json.loads(line)["run_id"] for line in lines[1].splitlines()}
    assert lines[1] == lines[0].replace('{"run_id":"one"', '{"run_id":"two"')
    changed: dict[str, Any] = {"run_id": "two", "source": "elsewhere", "seconds": two.summary.seconds}
    assert replace(one.summary, **changed, evaluated_at=f"{later.now:%Y-%m-%dT%H:%M:%SZ}") == two.summary
    assert "two" in (two.directory / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A snapshot of one cluster with one topic, and its state."""
    topic = {**TOPIC, "configs": {"retention.ms": "1000"}}
    state: dict[str, Any] = {"clusterSize": 3, "topics": {"shop.orders.a": topic}, "meta": {"topics": 1}}
    directory = tmp_path_factory.mktemp("small") / "s"
    write_snapshot(directory, "c", state, day=date(2026, 12, 1))
    return directory, state


@pytest.fixture(scope="module")
def earlier(
    spark: Any, scan_opa: RemoteOpa, small: tuple[Path, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> ScanPlan:
    """The plan of a run about `small` that was done."""
    from spark_jobs.scan.run_scan import run_scan

    plan = ScanPlan(small[0], tmp_path_factory.mktemp("out"), now=OBSERVED_AT, run_id="one")
    run_scan(spark, plan, scan_opa)
    return plan


@pytest.mark.parametrize("changed", ["nothing", "topic", "state", "condition", "sample", "whole"])
def test_not_the_same_again(
    spark: Any,
    scan_opa: RemoteOpa,
    small: tuple[Path, dict[str, Any]],
    earlier: ScanPlan,
    tmp_path: Path,
    changed: str,
) -> None:
    """Another topic, state or choice is another run; a copy of the snapshot is none."""
    from spark_jobs.scan.run_scan import run_scan

    directory, state = tmp_path / "s", copy.deepcopy(small[1])
    if changed == "topic":
        state["topics"]["shop.orders.a"]["configs"]["retention.ms"] = "1001"
    elif changed == "state":
        state["clusterSize"] = 4
    write_snapshot(directory, "c", state, day=date(2026, 12, 1))
    chosen: dict[str, Any] = {"condition": {"where": "true"}, "sample": {"sample": 0.999999}, "whole": {"cut": False}}
    plan = replace(earlier, snapshot=directory, run_id=changed, **chosen.get(changed, {}))
    two = run_scan(spark, plan, scan_opa)

    assert (changed != "nothing") is ("reading" in two.metrics["seconds"])


def test_results_that_are_gone(
    spark: Any, scan_opa: RemoteOpa, small: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    """A run of which something is missing, or whose results have become another's, is done again."""
    from spark_jobs.scan.run_scan import run_scan

    plan = ScanPlan(small[0], tmp_path / "out", now=OBSERVED_AT, run_id="one")
    run_scan(spark, plan, scan_opa)
    (tmp_path / "out/one/findings.jsonl").unlink()
    two = run_scan(spark, replace(plan, run_id="two"), scan_opa)
    run_scan(spark, replace(plan, run_id="two", where="numPartitions = 1"), scan_opa)
    three = run_scan(spark, replace(plan, run_id="three"), scan_opa)

    assert ("reading" in two.metrics["seconds"], "reading" in three.metrics["seconds"]) == (True, True)


def test_a_snapshot_that_is_written_to_meanwhile(
    spark: Any, scan_opa: RemoteOpa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows what was read: no later run has the results of this one."""
    from spark_jobs.scan import run_scan as module
    from spark_jobs.scan.stages import read as stage

    def write(topic: str) -> None:
        state = {"clusterSize": 3, "topics": {topic: TOPIC}, "meta": {"topics": 1}}
        write_snapshot(tmp_path / "s", "c", state, day=date(2026, 12, 1))

    def read(*arguments: Any) -> Any:
        write("shop.orders.after")
        return reading(*arguments)

    write("shop.orders.before")
    reading = stage.read_rows
    monkeypatch.setattr(module, "read_rows", read)
    done = module.run_scan(spark, ScanPlan(tmp_path / "s", tmp_path / "out", now=OBSERVED_AT, run_id="r"), scan_opa)

    assert {"shop.orders.after"} == {row["resource"] for row in rows(done.directory)}
    assert done.metrics["inputs"] is None
    assert [] == list((tmp_path / "out/.decisions").glob("*/run-*"))


def test_what_is_sent_again(spark: Any, opa_binary: Path, tmp_path: Path) -> None:
    """Another policy, or a day on which a waiver ends or a denial begins, is evaluated; another timer alone is not."""
    from spark_jobs.scan.run_scan import run_scan

    settings = tmp_path / "settings.yaml"
    settings.write_text(
        "rules: {KFK-DUR-001: {mode: deny, enforceFrom: 2027-01-01}, KFK-DUR-003: {mode: disabled}}\n"
        "waivers: [{id: W, rule: KFK-SIZ-001, owner: o, reason: r, ticket: t, expires: 2027-03-31}]\n"
    )
    state = {"clusterSize": 3, "topics": {"shop.orders.a": TOPIC, "shop.orders.b": TOPIC}, "meta": {"topics": 2}}
    write_snapshot(tmp_path / "s", "c", state, day=date(2026, 12, 1))
    bundle = build_bundle(tmp_path / "bundle.tar.gz", settings=settings)
    evaluated: list[int] = []
    statuses: list[set[str]] = []
    with LocalOpa(bundle) as opa:
        for now in ("2026-12-01", "2026-12-31", "2027-01-01", "2027-03-31", "2027-04-01", "2028-01-01", "2026-12-15"):
            at = datetime.fromisoformat(now).replace(hour=23, tzinfo=UTC)
            plan = ScanPlan(tmp_path / "s", tmp_path / "out", now=at, run_id="r")
            done = run_scan(spark, plan, RemoteOpa(opa.url, opa.tokens.query))
            evaluated.append(done.metrics["evaluated"])
            statuses.append({row["status"] for row in rows(done.directory)})

    assert [True, False, True, False, True, False, False] == [count > 0 for count in evaluated], evaluated
    assert [{"ALLOW"}, {"ALLOW"}, {"DENY"}, {"DENY"}, {"DENY"}, {"DENY"}, {"ALLOW"}] == statuses


def test_two_runs_at_a_time(spark: Any, scan_opa: RemoteOpa, history: Path, tmp_path: Path) -> None:
    """Of two runs that add at a time one is cached, so that no input is there twice."""
    from spark_jobs.scan.cache.decision_cache import DecisionCache

    one, other = DecisionCache.open(tmp_path / "c", "x"), DecisionCache.open(tmp_path / "c", "x")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "part.parquet").touch()

    assert tmp_path / "c/x/part-0" == one.add(tmp_path / "a")
    assert other.add(tmp_path / "b") is None
    assert (tmp_path / "b").exists()
    assert [tmp_path / "c/x/part-0"] == list(DecisionCache.open(tmp_path / "c", "x").parts)
    shutil.rmtree(tmp_path / "c")
    assert () == DecisionCache.open(tmp_path / "c", "x").parts
