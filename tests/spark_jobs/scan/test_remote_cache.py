"""Decisions that scans cache at an address, in a file system that no path leads to."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from spark_jobs.scan.remote.remote_cache import RemoteCache
from warden.analyse.scan.plan import ScanPlan
from warden.base.errors import InputError
from warden.base.files.address import Address, Place
from warden.demo.estate import OBSERVED_AT
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.snapshot.directory import write_snapshot

pytestmark = [pytest.mark.spark, pytest.mark.opa, pytest.mark.slow]

_DAY = date(2026, 1, 1)
_TOPIC = {"numPartitions": 3, "replicationFactor": 1, "replicasAssignments": {"0": [1]}, "internal": False}


def test_decisions_at_an_address(
    spark: Any, scan_opa: RemoteOpa, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a scan caches there others need not evaluate; what is there in part, or twice, changes no decision."""
    import pyarrow.parquet as pq

    from spark_jobs.scan.run_scan import run_scan

    topics = {f"{name}.orders.v1": {**_TOPIC, "labels": {"owner": name}} for name in ("a", "b", "c", "UPPER")}
    write_snapshot(tmp_path / "s", "c", {"clusterSize": 3, "topics": topics}, day=_DAY)
    cache = Address("viewfs://estate/store/decisions")
    plan = ScanPlan(tmp_path / "s", tmp_path / "runs", now=OBSERVED_AT, cache=cache)
    there = replace(plan, out_address=Address("viewfs://estate/store/runs"))

    def scan(name: str, plan: ScanPlan = plan) -> tuple[int, list[tuple[str, ...]]]:
        done = run_scan(spark, replace(plan, run_id=name), scan_opa)
        table = pq.read_table(done.directory / "findings")
        rows = table.select(["resource", "rule", "message", "input_hash"]).to_pylist()
        return done.metrics["evaluated"], sorted(tuple(map(str, row.values())) for row in rows)

    opened, add = Barrier(2, timeout=300), RemoteCache.add

    def add_once_both_have_looked(self: RemoteCache, written: Place) -> None:
        opened.wait()
        add(self, written)

    with monkeypatch.context() as patch, ThreadPoolExecutor(2) as pool:  # neither knows of the other
        patch.setattr(RemoteCache, "add", add_once_both_have_looked)
        (all_of_them, expected), other = pool.map(scan, ("first", "beside"), (there, plan))
    assert (all_of_them, expected) == other
    (parts,) = (list(context.iterdir()) for context in (store / "decisions").iterdir())
    assert len(parts) == 2
    assert ((0, expected), (0, expected)) == (scan("second"), scan("third", there))

    part, twice = parts
    shutil.rmtree(twice)
    *_, last = sorted(part.glob("*.parquet"), key=lambda file: file.stat().st_size)
    (part / "_temporary").mkdir()
    last.rename(part / "_temporary" / last.name)
    evaluated, found = scan("half")
    assert (expected, True) == (found, 0 < evaluated < all_of_them)
    assert (0, expected) == scan("fourth")
    assert (all_of_them, expected) == scan("without", replace(plan, remember=False))


def test_where_nothing_can_be_written(spark: Any, store: Path) -> None:
    """It is said when the cache is opened, before the scan."""
    (store / "file").write_text("")
    with pytest.raises(InputError, match=r"^viewfs://estate/store/file/context: "):
        RemoteCache.open(spark, Address("viewfs://estate/store/file"), "context")
