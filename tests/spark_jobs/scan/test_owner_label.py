"""Owners are who the label says that the site's settings name, in a scan and where recorded decisions are replayed."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from warden.analyse.scan.plan import ScanPlan
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.endpoints import RemoteOpa
from warden.policy.opa.local import LocalOpa
from warden.state.snapshot.directory import write_snapshot

pytestmark = [pytest.mark.spark, pytest.mark.opa]

_LABELS = {"owner": "nobody", "my.org/team": "shop"}
_TOPIC = {"numPartitions": 1, "replicationFactor": 1, "replicasAssignments": {"0": [1]}, "labels": _LABELS}


def test_a_scan(spark: Any, opa_binary: Path, tmp_path: Path) -> None:
    """A topic without that label has no owner."""
    import pyarrow.parquet as pq

    from spark_jobs.scan.run_scan import run_scan

    (tmp_path / "settings.yaml").write_text("rules: {KFK-GOV-001: {params: {labelKey: my.org/team}}}\n")
    topics = {"shop.orders.a": _TOPIC, "shop.orders.b": {**_TOPIC, "labels": {"owner": "nobody"}}}
    write_snapshot(tmp_path / "s", "c", {"clusterSize": 3, "topics": topics}, day=date(2026, 12, 1))
    bundle = build_bundle(tmp_path / "bundle.tar.gz", settings=tmp_path / "settings.yaml")
    with LocalOpa(bundle, opa=opa_binary) as opa:
        done = run_scan(spark, ScanPlan(tmp_path / "s", tmp_path / "out"), RemoteOpa(opa.url, opa.tokens.query))

    rows = pq.read_table(done.directory / "decisions").to_pylist()
    owners = {row["resource"]: row["owner"] for row in rows if row["kind"] == "topic"}
    assert {"shop.orders.a": "shop", "shop.orders.b": None} == owners


def test_recorded_decisions(spark: Any, tmp_path: Path) -> None:
    """It stands in the request, else in the state; without it the principal answers."""
    from spark_jobs.analyse.impact_inputs import from_decisions
    from spark_jobs.sources.decision_log import read_decisions

    state: dict[str, Any] = {"clusterState": {"topics": {"stored": {"labels": _LABELS}}}}
    requests: dict[str, Any] = {
        "labelled": {"request": {"topic": "labelled", "labels": _LABELS}},
        "stored": {"request": {"topic": "stored", "labels": {"owner": "nobody"}}, **state},
        "neither": {"request": {"topic": "neither", "labels": {"owner": "nobody"}}},
    }
    with (tmp_path / "log.jsonl").open("w", encoding="utf-8") as log:
        for name, fields in requests.items():
            document = {"operation": "CreateTopic", "principal": {"type": "User", "name": "ann"}, **fields}
            event = {"decision_id": name, "path": "kafka/decision", "timestamp": "2026-12-01T00:00:00Z"}
            print(json.dumps({**event, "input": document, "result": {"allowed": True}}), file=log)
    with from_decisions(read_decisions(spark, tmp_path / "log.jsonl"), (), "my.org/team") as recorded:
        owners = {row["resource"]: row["owner"] for row in recorded.inputs.select("resource", "owner").collect()}

    assert {"labelled": "shop", "stored": "shop", "neither": "User:ann"} == owners
