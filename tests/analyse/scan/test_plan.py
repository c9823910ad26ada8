"""Settling a run before Spark starts, and the directory in which its results appear."""

import pickle
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.operations import dependencies
from warden.analyse.scan.input_hash import hash_inputs
from warden.analyse.scan.plan import ScanPlan, prepare
from warden.analyse.scan.policy_version import PolicyVersion
from warden.base.errors import ConfigurationError, InputError
from warden.base.process.run_directory import open_run_directory
from warden.state.snapshot.directory import write_snapshot
from warden.state.snapshot.parquet import write_parquet
from warden.state.snapshot.rows import build_cluster_row

NOW = datetime(2026, 11, 21, 2, 0, tzinfo=UTC)


def _policy(revision: str) -> PolicyVersion:
    return PolicyVersion(revision, dependencies=dependencies())


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """Two clusters, one of them on two days."""
    for cluster, day in (("a", 20), ("a", 21), ("b", 20)):
        state = {
            "clusterSize": day,
            "meta": {"topics": 1},
            "topics": {"t": {"numPartitions": 1, "replicationFactor": 1}},
        }
        write_snapshot(tmp_path / "s", cluster, state, day=date(2026, 11, day))
    return tmp_path / "s"


@pytest.mark.process
def test_prepare(snapshot: Path) -> None:
    """Each cluster's newest day is evaluated against its own state, under a name of time, policy and clusters."""
    found = prepare(ScanPlan(snapshot, Path("out"), now=NOW), _policy("r1"))
    again = prepare(ScanPlan(snapshot, Path("out"), now=NOW), _policy("r1"))
    other = prepare(ScanPlan(snapshot, Path("out"), now=NOW), _policy("r2"))
    part = prepare(ScanPlan(snapshot, Path("out"), now=NOW, sample=0.5), _policy("r1"))

    assert [("a", 21), ("b", 20)] == [(part.cluster, part.day.day) for part in found.partitions]
    assert found.partitions == found.newest_partitions
    assert '"clusterSize":21' in found.job.shared_inputs[found.scanned[0].topic_input.id]
    assert [(NOW, 1, True), (NOW, 1, True)] == [(one.now, one.expected_topics, one.has_labels) for one in found.scanned]
    assert found.job.run_id.startswith("20261121T020000Z-")
    assert found.job.run_id == again.job.run_id
    assert 3 == len({found.job.run_id, other.job.run_id, part.job.run_id})


@pytest.mark.process
def test_what_grows_with_the_estate_is_not_prepared(tmp_path: Path) -> None:
    """The driver knows what kinds a cluster has, and what their inputs share; the tasks read the rest."""
    acl = {"resourceType": "TOPIC", "patternType": "LITERAL", "host": "*", "operation": "READ"}
    acl |= {"permissionType": "ALLOW", "principal": "User:alice", "resourceName": "needle"}
    state = {"acls": {"User:alice": [acl]}, "clientConfigs": {"needle": {"": {"acks": "1"}}}, "topics": {}}
    write_snapshot(tmp_path / "s", "c", state, day=date(2026, 11, 20))
    prepared = prepare(ScanPlan(tmp_path / "s", Path("out"), now=NOW), _policy("r1"))

    (scanned,) = prepared.scanned
    assert ["acl", "client"] == list(scanned.other_inputs)
    assert {scanned.topic_input.id, *(each.id for each in scanned.other_inputs.values())} == {
        *prepared.job.shared_inputs
    }
    assert b"needle" not in pickle.dumps(prepared)


@pytest.mark.process
def test_prepare_a_history(snapshot: Path) -> None:
    """Every day in between is evaluated as of the time at which it was observed, unless a time is given."""
    days = (date(2026, 11, 1), date(2026, 11, 21))
    found = prepare(ScanPlan(snapshot, Path("out"), days=days), _policy("r1"))
    fixed = prepare(ScanPlan(snapshot, Path("out"), days=days, now=NOW), _policy("r1"))
    short = prepare(ScanPlan(snapshot, Path("out"), days=(days[1], days[1])), _policy("r1"))

    end = datetime(2026, 11, 20, 23, 59, 59, tzinfo=UTC)
    expected = [("a", 20, end), ("a", 21, end.replace(day=21)), ("b", 20, end)]
    assert expected == [(one.partition.cluster, one.partition.day.day, one.now) for one in found.scanned]
    assert {NOW} == {one.now for one in fixed.scanned}
    assert [("a", 21), ("b", 20)] == [(part.cluster, part.day.day) for part in found.newest_partitions]
    assert [("a", 21)] == [(part.cluster, part.day.day) for part in short.partitions]
    with pytest.raises(InputError, match="holds no cluster from 2025-01-01 to 2025-01-02"):
        prepare(ScanPlan(snapshot, Path("out"), days=(date(2025, 1, 1), date(2025, 1, 2))), _policy("r1"))


@pytest.mark.process
@pytest.mark.parametrize(("content", "wrong"), [(None, "missing"), (b"", "empty")])
def test_prepare_needs_topics(snapshot: Path, content: bytes | None, wrong: str) -> None:
    """A cluster whose topics are gone is a damaged snapshot, not an empty cluster."""
    file = snapshot / "topics/day=2026-11-20/cluster=b/part-0.parquet"
    file.unlink() if content is None else file.write_bytes(content)
    with pytest.raises(InputError, match=rf"cluster=b/part-0\.parquet is {wrong}, although the snapshot lists"):
        prepare(ScanPlan(snapshot, Path("out"), now=NOW), _policy("r1"))


@pytest.mark.process
@pytest.mark.parametrize("meta", [{"topics": 2}, {"topics": 1, "labels": False}])
def test_the_hash_is_of_what_was_read(snapshot: Path, meta: dict[str, Any]) -> None:
    """Whatever of a state a run rests on, and not of the state that is there when the hash is made."""
    plan = ScanPlan(snapshot, Path("out"), day=date(2026, 11, 21), now=NOW)
    found = prepare(plan, _policy("r1"))
    before = hash_inputs(found)
    row = build_cluster_row("a", {"clusterSize": 21, "meta": meta})
    write_parquet(found.partitions[0].build_file_path("clusters"), "clusters", [row])

    assert before == hash_inputs(found)
    assert before != hash_inputs(prepare(plan, _policy("r1")))
    found.partitions[0].build_file_path("topics").write_bytes(b"others")
    assert before != hash_inputs(found)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"sample": 0.0}, "a sample of 0 is not a share"),
        ({"sample": 1.5}, "a sample of 1.5 is not a share"),
        ({"in_flight": 0}, "0 requests in flight"),
        ({"days": (date(2026, 1, 2), date(2026, 1, 1))}, "ends before it begins: give --from-day"),
    ],
)
def test_bad_plans(chosen: dict[str, Any], said: str) -> None:
    """What cannot be done is refused before anything starts."""
    with pytest.raises(ConfigurationError, match=said):
        ScanPlan(Path("s"), Path("out"), **chosen)


@pytest.mark.parametrize("name", ["", "..", "a/b", "-x", "latest", "x" * 101, "a b"])
def test_bad_run_ids(name: str) -> None:
    """A run id that is not a name of a directory is refused before anything starts."""
    with pytest.raises(ConfigurationError, match="run id"):
        ScanPlan(Path("s"), Path("out"), run_id=name)


def test_run_directory_replaces(tmp_path: Path) -> None:
    """A run of the same name is replaced as a whole, `latest` points to it, and nothing else is left."""
    for text in ("first", "second"):
        with open_run_directory(tmp_path, "r") as directory:
            (directory / text).write_text(text)

    assert ["second"] == [found.name for found in (tmp_path / "r").iterdir()]
    assert (tmp_path / "latest" / "second").exists()
    assert ["latest", "r"] == sorted(found.name for found in tmp_path.iterdir())


def test_failed_run_leaves_the_old_one(tmp_path: Path) -> None:
    """A run that fails is not seen, and takes nothing away."""
    with open_run_directory(tmp_path, "r") as directory:
        (directory / "old").touch()

    def fail() -> None:
        with open_run_directory(tmp_path, "r") as directory:
            (directory / "new").touch()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    assert ["old"] == [found.name for found in (tmp_path / "r").iterdir()]
    assert ["latest", "r"] == sorted(found.name for found in tmp_path.iterdir())


def test_out_that_is_a_file(tmp_path: Path) -> None:
    """Results cannot go where a file is."""
    (tmp_path / "out").touch()
    with pytest.raises(InputError, match="results cannot be written there"), open_run_directory(tmp_path / "out", "r"):
        pass
