"""What goes wrong while a scan runs: no row is lost, none is doubled, none passes by mistake, nothing half is seen."""

import json
import resource
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest

from spark_jobs.common.job_opa import open_job_opa
from tests.fixtures.patience import PATIENCE
from tests.spark_jobs.scan.faulty import BundleChange, OpaKiller, proxied
from warden.analyse.scan.batches import BatchLimits
from warden.analyse.scan.plan import ScanPlan
from warden.base.errors import OpaUnreachable, ScanError
from warden.demo.estate import OBSERVED_AT
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.opa.client import RetryPolicy, Timeout
from warden.policy.opa.endpoints import RemoteOpa
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.per_host import HostOpa
from warden.policy.opa.session import OpaOptions
from warden.state.snapshot.directory import write_snapshot

pytestmark = [pytest.mark.spark, pytest.mark.opa, pytest.mark.slow]


def rows(directory: Path, table: str = "decisions") -> list[dict[str, Any]]:
    """The rows of a run's table, without what differs from run to run, in order."""
    import pyarrow.parquet as pq

    found = pq.read_table(directory / table).to_pylist()
    for row in found:
        del row["run_id"]
    return sorted(found, key=lambda row: (row["cluster"], row["kind"], row["resource"] or ""))


def visible(out: Path) -> list[str]:
    """What a person sees in the directory of runs."""
    return sorted(found.name for found in out.glob("*") if not found.name.startswith("."))


@pytest.fixture(scope="module")
def reference(spark: Any, scan_opa: RemoteOpa, estate_directory: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The decisions of a scan in which nothing goes wrong."""
    from spark_jobs.scan.run_scan import run_scan

    plan = ScanPlan(estate_directory, tmp_path_factory.mktemp("reference"), now=OBSERVED_AT, run_id="r", remember=False)
    return rows(run_scan(spark, plan, scan_opa).directory)


@pytest.fixture
def plan(estate_directory: Path, tmp_path: Path) -> ScanPlan:
    """Many small requests, and nothing cached."""
    limits = BatchLimits(rows=25)
    return ScanPlan(estate_directory, tmp_path / "out", now=OBSERVED_AT, run_id="r", remember=False, limits=limits)


def test_opa_killed(
    spark: Any, reference: Any, plan: ScanPlan, opa_binary: Path, shipped_bundle: Bundle, tmp_path: Path
) -> None:
    """An OPA that is killed in mid-scan is started again, and the decisions are those of a quiet day."""
    from spark_jobs.scan.run_scan import run_scan

    with open_job_opa(spark, OpaOptions(bundle=shipped_bundle.path, program=opa_binary)) as opa:
        endpoint = cast("HostOpa", opa.endpoint)
        endpoint.ensure_running()
        before = endpoint.read_launch_record()
        done = run_scan(spark, plan, OpaKiller(endpoint, tmp_path / "killed"), here=opa.driver)
        after = endpoint.read_launch_record()

    assert (tmp_path / "killed").exists()
    assert before is not None
    assert after is not None
    assert before["pid"] != after["pid"]
    assert reference == rows(done.directory)
    assert not endpoint.directory.exists()


class Sometimes:
    """A fault of the first few requests."""

    def __init__(self, *answers: tuple[int, bytes] | float | None) -> None:
        self._answers = iter(answers)

    def __call__(self, _: bytes) -> tuple[int, bytes] | None:
        answer = next(self._answers, None)
        if isinstance(answer, float):
            time.sleep(answer)
            return None
        return answer


INTERNAL = json.dumps({"code": "internal_error", "message": "out of luck"}).encode()


def test_opa_that_stumbles(spark: Any, scan_opa: RemoteOpa, reference: Any, plan: ScanPlan) -> None:
    """An OPA that answers 500, garbage, nothing, or too late is tried again; every row has its decision, once."""
    from spark_jobs.scan.run_scan import run_scan

    answers = (
        (500, INTERNAL),
        (503, b"busy"),
        None,
        30.0,
        (200, b"<html>hello</html>"),
        None,
        (200, b""),
        (500, INTERNAL),
    )
    with proxied(scan_opa.url, Sometimes(*answers)) as proxy:
        limit = Timeout(connect=PATIENCE, read=10, total=PATIENCE)
        done = run_scan(spark, plan, RemoteOpa(proxy.url, scan_opa.token, timeout=limit))

    assert reference == rows(done.directory)
    assert proxy.requests > 600 // 25


def test_one_of_several_opas_is_gone(spark: Any, scan_opa: RemoteOpa, reference: Any, plan: ScanPlan) -> None:
    """Tasks take turns, and go on to the next OPA where one cannot be reached."""
    from spark_jobs.scan.run_scan import run_scan

    with proxied(scan_opa.url, lambda _: (500, INTERNAL)) as proxy:
        done = run_scan(spark, plan, RemoteOpa(scan_opa.url, scan_opa.token, (proxy.url,)))

    assert reference == rows(done.directory)


@pytest.mark.parametrize("answer", [(500, INTERNAL), (200, b'{"result": ')], ids=["500", "cut off"])
def test_opa_that_never_answers(spark: Any, scan_opa: RemoteOpa, plan: ScanPlan, answer: tuple[int, bytes]) -> None:
    """Then the scan fails, says so, and leaves nothing."""
    from spark_jobs.scan.run_scan import run_scan

    failed = pytest.raises((OpaUnreachable, ScanError), match=r"cannot answer now \(500\)|which is not OPA's JSON")
    with proxied(scan_opa.url, lambda _: answer) as proxy, failed:
        run_scan(spark, plan, RemoteOpa(proxy.url, scan_opa.token, retries=RetryPolicy(2)))

    assert [] == list(plan.out.iterdir())


def test_poison_row(spark: Any, scan_opa: RemoteOpa, reference: Any, plan: ScanPlan) -> None:
    """A row on which the policy itself fails is not evaluated and keeps its input; others keep their decisions."""
    from spark_jobs.scan.run_scan import run_scan

    poison = reference[100]["resource"]
    said = {
        "code": "internal_error",
        "message": "m",
        "errors": [{"code": "eval_conflict_error", "message": "conflict"}],
    }

    def fault(body: bytes) -> tuple[int, bytes] | None:
        return (500, json.dumps(said).encode()) if f'"{poison}":'.encode() in body else None

    with proxied(scan_opa.url, fault) as proxy:
        done = run_scan(spark, plan, RemoteOpa(proxy.url, scan_opa.token))
    (letter,) = rows(done.directory, "not_evaluated")
    evaluated = rows(done.directory)

    assert ("topic", poison) == (letter["kind"], letter["resource"])
    assert "conflict" in letter["reason"]
    assert [poison] == list(json.loads(letter["input"]))
    assert [row for row in reference if row["resource"] != poison] == [r for r in evaluated if r["resource"] != poison]
    assert ["ERROR"] == [row["status"] for row in evaluated if row["resource"] == poison]
    assert 1 == done.metrics["notEvaluated"] == done.summary.errors
    passed = [row for row in rows_of_passes(done.directory) if row["cluster"] == letter["cluster"]]
    assert {sum(row["cluster"] == letter["cluster"] for row in reference) - 1} == {row["evaluated"] for row in passed}


def rows_of_passes(directory: Path) -> list[dict[str, Any]]:
    """The table of passes."""
    import pyarrow.parquet as pq

    found: list[dict[str, Any]] = pq.read_table(directory / "passes").to_pylist()
    return found


@pytest.mark.parametrize("stored", ["jsonl", "parquet"])
def test_huge_and_damaged_rows(spark: Any, scan_opa: RemoteOpa, tmp_path: Path, stored: Any) -> None:
    """A topic of 3 MB is evaluated, one of 5 MB is not sent; a line that is not JSON is not a topic that passes."""
    from spark_jobs.scan.run_scan import run_scan

    topic = {"numPartitions": 1, "replicationFactor": 3, "replicasAssignments": {"0": [1, 2, 3]}, "configs": {}}
    huge, larger = ({**topic, "configs": {f"a.vendors.{i}": "x" * 60_000 for i in range(n)}} for n in (50, 90))
    topics = {"shop.orders.small": topic, "shop.orders.huge": huge, "shop.orders.larger": larger}
    state = {"clusterSize": 3, "topics": topics}
    write_snapshot(tmp_path / "s", "c", state, day=date(2026, 1, 1), format=stored)
    if stored == "jsonl":
        with next((tmp_path / "s/topics").rglob("part-0.jsonl")).open("a") as lines:
            lines.write('{"topic": "cut-off", "numPart\n')
    done = run_scan(spark, ScanPlan(tmp_path / "s", tmp_path / "o", now=OBSERVED_AT), scan_opa)

    statuses = {row["resource"]: row["status"] for row in rows(done.directory)}
    letters = [(row["reason"], row["input"]) for row in rows(done.directory, "not_evaluated") if not row["resource"]]
    (too_large,) = [row for row in rows(done.directory, "not_evaluated") if row["resource"]]
    assert "shop.orders.larger" == too_large["resource"]
    assert "bytes of JSON, more than the 4,194,304 that are sent to OPA" in too_large["reason"]
    assert {"shop.orders.small", "shop.orders.huge"} <= statuses.keys()
    assert {"ALLOW", "DENY"} >= {statuses["shop.orders.small"], statuses["shop.orders.huge"]}
    (file,) = (tmp_path / "s/topics").rglob("part-0.*")
    damaged = [(f"{file}:4: the line of the snapshot cannot be read", '{"topic": "cut-off", "numPart')]
    assert (damaged if stored == "jsonl" else []) == letters


@pytest.fixture
def changing(opa_binary: Path, tmp_path: Path) -> Iterator[BundleChange]:
    """An OPA whose bundle is replaced in mid-scan."""
    settings = tmp_path / "settings.yaml"
    settings.write_text("rules: {KFK-SIZ-001: {params: {max: 7}}}")
    bundle = build_bundle(tmp_path / "bundle.tar.gz")
    other = build_bundle(tmp_path / "other.tar.gz", settings=settings)
    with LocalOpa(bundle) as opa:
        endpoint = RemoteOpa(opa.url, opa.tokens.query)
        yield BundleChange(endpoint, tmp_path / "changed", bundle.path, other.path)


def test_bundle_that_changes(spark: Any, changing: BundleChange, plan: ScanPlan) -> None:
    """One run is about one revision: where the policy changes meanwhile the scan refuses, and nothing is cached."""
    from dataclasses import replace

    from spark_jobs.scan.run_scan import run_scan

    with pytest.raises(ScanError, match=r"the policy changed during the scan, from revision .* to .*: run it again"):
        run_scan(spark, replace(plan, remember=True), changing)

    assert changing.marker.exists()
    assert [] == visible(plan.out)
    assert [] == list((plan.out / ".decisions").glob("*/part-*"))


@pytest.mark.skipif(sys.platform != "linux", reason="needs prlimit(2)")
def test_disk_full(spark: Any, scan_opa: RemoteOpa, reference: Any, plan: ScanPlan) -> None:
    """Where the tables cannot be written the scan fails and leaves nothing; with room again it does what it should."""
    from spark_jobs.scan.run_scan import run_scan

    jvm = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()
    before = resource.prlimit(jvm, resource.RLIMIT_FSIZE)
    resource.prlimit(jvm, resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(ScanError, match=r"^the Spark job failed: "):
            run_scan(spark, plan, scan_opa)
    finally:
        resource.prlimit(jvm, resource.RLIMIT_FSIZE, before)

    assert [] == list(plan.out.iterdir())
    assert reference == rows(run_scan(spark, plan, scan_opa).directory)
