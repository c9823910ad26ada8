"""Which states of a snapshot a partition is seen with."""

from datetime import date
from pathlib import Path

import pytest

from warden.analyse.scan.snapshot_states import SnapshotStates
from warden.state.snapshot.directory import write_snapshot
from warden.state.snapshot.layout import SnapshotPartition, list_partitions


def _snapshot(directory: Path) -> list[SnapshotPartition]:
    for cluster, day in (("a", 19), ("a", 21), ("b", 20), ("c", 21)):
        write_snapshot(directory, cluster, {"clusterSize": day, "topics": {}}, day=date(2026, 11, day))
    return list_partitions(directory)


def test_a_history(tmp_path: Path) -> None:
    """Of other clusters the state of the same day, else the newest before it; what came later is not known yet."""
    parts = _snapshot(tmp_path)
    states = SnapshotStates(parts, history=True, together=True)
    seen = {
        (part.cluster, part.day.day): {
            name: state["clusterSize"] for name, state in states.read_cluster_states(part, topics=False).items()
        }
        for part in parts
    }

    assert {
        ("a", 19): {"a": 19},
        ("b", 20): {"a": 19, "b": 20},
        ("a", 21): {"a": 21, "b": 20, "c": 21},
        ("c", 21): {"a": 21, "b": 20, "c": 21},
    } == seen


def test_the_newest_of_each(tmp_path: Path) -> None:
    """Clusters that were observed on different days are seen together where each is there once."""
    newest = [part for part in _snapshot(tmp_path) if part.day.day > 19]
    states = SnapshotStates(newest, history=False, together=False)

    assert [{"a", "b", "c"}] * 3 == [set(states.read_cluster_states(part, topics=True)) for part in newest]
    assert ["topics" in states.read_state(newest[0], topics=topics) for topics in (True, False)] == [True, False]


@pytest.mark.parametrize("together", [True, False])
def test_what_stays_in_memory(tmp_path: Path, together: bool) -> None:
    """Of a history as many states as there are clusters, and one, where they are read together, else one."""
    parts = _snapshot(tmp_path)
    states = SnapshotStates(parts, history=True, together=together)
    first = states.read_state(parts[0])

    assert first is states.read_state(parts[0])
    states.read_state(parts[1])
    assert together is (first is states.read_state(parts[0]))


def test_each_is_read_once(tmp_path: Path) -> None:
    """Also one that is seen with a later day, whichever cluster that is of."""
    for cluster, day in (("a", 19), ("b", 19), ("c", 19), ("b", 20), ("c", 21)):
        write_snapshot(tmp_path, cluster, {"clusterSize": day, "topics": {}}, day=date(2026, 11, day))
    parts = sorted(list_partitions(tmp_path), key=lambda part: part.day)
    states = SnapshotStates(parts, history=True, together=True)
    read = []
    for part in parts:
        read += [states.read_state(part), *states.read_cluster_states(part, topics=False).values()]

    assert len(parts) == len({id(state) for state in read})


def test_a_whole_state_is_of_what_was_read(tmp_path: Path) -> None:
    """One that is replaced meanwhile is not mixed with the one before."""
    part, *_ = _snapshot(tmp_path)
    states = SnapshotStates([part], history=False, together=False)
    before = states.read_state(part)
    write_snapshot(tmp_path, "a", {"clusterSize": 1, "topics": {}}, day=part.day)

    assert {**before, "topics": {}} == states.read_state(part, topics=True)
