"""Snapshot directories: what is written is what is read, and what does not fit is refused by name."""

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warden.base.errors import InputError
from warden.state.snapshot.directory import read_cluster, write_snapshot
from warden.state.snapshot.layout import FORMATS, Format, select_latest_partitions

DAY = date(2026, 11, 21)

_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_ints = st.lists(st.integers(-(2**31), 2**31 - 1), max_size=3)
_topics = st.fixed_dictionaries(
    {
        "numPartitions": st.integers(-1, 2**31 - 1),
        "replicationFactor": st.integers(-1, 32767),
        "replicasAssignments": st.dictionaries(_text, _ints, max_size=2),
        "configs": st.dictionaries(_text, st.none() | _text, max_size=3),
        "labels": st.dictionaries(_text, _text, max_size=2),
        "internal": st.booleans(),
        "markedForDeletion": st.booleans(),
        "reassigning": st.dictionaries(_text, st.fixed_dictionaries({"adding": _ints, "removing": _ints}), max_size=2),
    }
)
_states = st.fixed_dictionaries({
    "clusterSize": st.integers(0, 9),
    "defaults": st.dictionaries(_text, _text, max_size=2),
    "totals": st.dictionaries(_text, st.integers() | st.dictionaries(_text, st.integers(), max_size=2), max_size=2),
    "topics": st.dictionaries(_text, _topics, max_size=3),
})  # fmt: skip


def topic(**fields: Any) -> dict[str, Any]:
    """A complete topic with some fields replaced."""
    whole = {"numPartitions": 6, "replicationFactor": 3, "replicasAssignments": {}, "configs": {}, "labels": {},
             "internal": False, "markedForDeletion": False, "reassigning": {}}  # fmt: skip
    return {**whole, **fields}


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=40, deadline=None)
@given(state=_states, cluster=_text.filter(bool))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, format: Format, state: Any, cluster: str) -> None:
    """Any state, under any cluster name that a file system can hold, comes back as it was written."""
    directory = tmp_path_factory.mktemp("snapshot") / "s"
    write_snapshot(directory, cluster, state, day=DAY, format=format)

    assert state == read_cluster(directory, cluster)
    shutil.rmtree(directory)


@pytest.mark.parametrize("stored", FORMATS)
def test_left_out_fields_are_written_as_empty_or_not_known(tmp_path: Path, stored: Format) -> None:
    """Only the two numbers of a topic must be given; what a live source does not tell is not there, and not empty."""
    state = {"topics": {"t": {"numPartitions": 6, "replicationFactor": 3}}}
    write_snapshot(tmp_path, "c", state, day=DAY, format=stored)
    write_snapshot(tmp_path, "partial", state, day=DAY, format=stored, partial=True)
    known = {field: value for field, value in topic().items() if field not in ("configs", "reassigning")}

    assert {"topics": {"t": topic()}} == read_cluster(tmp_path, "c")
    assert {"topics": {"t": known}} == read_cluster(tmp_path, "partial")


def test_second_write_replaces_and_changes_format(tmp_path: Path) -> None:
    """A cluster's day is replaced as a whole, also by another format, and nothing of the writing is left behind."""
    write_snapshot(tmp_path, "c", {"topics": {"old": topic()}}, day=DAY, format="jsonl")
    write_snapshot(tmp_path, "c", {"topics": {"new": topic()}}, day=DAY, format="parquet")

    assert {"topics": {"new": topic()}} == read_cluster(tmp_path, "c")
    assert ["clusters", "topics"] == sorted(found.name for found in tmp_path.iterdir())


def test_newest_day_of_each_cluster(tmp_path: Path) -> None:
    """Without a day each cluster's newest one counts; with a day only the clusters of that day."""
    for cluster, day in (("a", 19), ("a", 20), ("b", 19)):
        write_snapshot(tmp_path, cluster, {"clusterSize": day}, day=date(2026, 11, day))

    assert [("a", 20), ("b", 19)] == [(p.cluster, p.day.day) for p in select_latest_partitions(tmp_path)]
    assert [("a", 20)] == [(p.cluster, p.day.day) for p in select_latest_partitions(tmp_path, date(2026, 11, 20))]
    assert {"clusterSize": 19, "topics": {}} == read_cluster(tmp_path, "a", date(2026, 11, 19))


def test_failed_write_keeps_the_old_state(tmp_path: Path) -> None:
    """A state that is refused leaves what was there."""
    write_snapshot(tmp_path, "c", {"topics": {"t": topic()}}, day=DAY)
    with pytest.raises(InputError):
        write_snapshot(tmp_path, "c", {"topics": {"t": {}}}, day=DAY)

    assert {"topics": {"t": topic()}} == read_cluster(tmp_path, "c")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("failing", [1, 2, 3, 4])
def test_a_write_that_fails_halfway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int, before: bool, format: Format
) -> None:
    """Whichever of its renames fails, the old state stays, and nothing of the new one."""
    if before:
        write_snapshot(tmp_path, "c", {"topics": {"old": topic()}}, day=DAY)
    kept = _list_tree(tmp_path)
    rename, count = Path.rename, 0

    def rename_or_fail(self: Path, target: Path) -> Path:
        nonlocal count
        count += 1
        if count == failing:
            raise OSError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", rename_or_fail)
    if failing > 2 and not before:
        write_snapshot(tmp_path, "c", {"topics": {"new": topic()}}, day=DAY, format=format)
    else:
        with pytest.raises(InputError, match="the snapshot cannot be written"):
            write_snapshot(tmp_path, "c", {"topics": {"new": topic()}}, day=DAY, format=format)
        assert kept == _list_tree(tmp_path)


@pytest.mark.parametrize("failing", [(2, 3), (3, 4), (3, 5), (4, 5), (4, 6)])
def test_a_write_that_cannot_be_undone_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: tuple[int, int]
) -> None:
    """A rename of the write fails, and one that would undo it: the next write, of another cluster, undoes the rest."""
    write_snapshot(tmp_path, "c", {"topics": {"old": topic()}}, day=DAY)
    kept = _list_tree(tmp_path)
    rename, count = Path.rename, 0

    def rename_or_fail(self: Path, target: Path) -> Path:
        nonlocal count
        count += 1
        if count in failing:
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", rename_or_fail)
    with pytest.raises(InputError, match="No space left on device"):
        write_snapshot(tmp_path, "c", {"topics": {"new": topic()}}, day=DAY)
    assert count == failing[1]
    write_snapshot(tmp_path, "d", {"topics": {}}, day=DAY)

    assert {"topics": {"old": topic()}} == read_cluster(tmp_path, "c")
    assert kept.items() <= _list_tree(tmp_path).items()
    assert ["clusters", "topics"] == sorted(found.name for found in tmp_path.iterdir())


@pytest.mark.process
@pytest.mark.parametrize("renames", range(5))
def test_a_write_that_was_killed(tmp_path: Path, renames: int) -> None:
    """The next write, of whichever cluster, brings the old state back where the new one is not whole, and clears up."""
    write_snapshot(tmp_path, "c", {"topics": {"old": topic()}}, day=DAY, format="jsonl")
    kill = f"""
import os, signal
from datetime import date
from pathlib import Path
rename, count = Path.rename, 0
def rename_or_die(self, target):
    global count
    if count == {renames}:
        os.kill(os.getpid(), signal.SIGKILL)
    count += 1
    return rename(self, target)
Path.rename = rename_or_die
from warden.state.snapshot import directory
directory._clear_staging = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
directory.write_snapshot(Path({str(tmp_path)!r}), "c", {{"topics": {{}}}}, day=date(2026, 11, 21), format="jsonl")
"""
    assert -9 == subprocess.run([sys.executable, "-c", kill], check=False).returncode
    assert 3 == len(list(tmp_path.iterdir()))
    write_snapshot(tmp_path, "d", {}, day=DAY, format="jsonl")

    assert {"topics": {} if renames == 4 else {"old": topic()}} == read_cluster(tmp_path, "c")
    assert ["clusters", "topics"] == sorted(found.name for found in tmp_path.iterdir())


def test_several_writes_at_once(tmp_path: Path) -> None:
    """Of the same cluster and day one after the other: what is there at the end is one of them, whole."""
    states = [{"clusterSize": size, "topics": {f"t{size}": topic()}} for size in range(1, 9)]
    with ThreadPoolExecutor(len(states)) as pool:
        for written in [pool.submit(write_snapshot, tmp_path, "c", state, day=DAY) for state in states]:
            written.result()

    assert read_cluster(tmp_path, "c") in states
    assert ["clusters", "topics"] == sorted(found.name for found in tmp_path.iterdir())


def _list_tree(directory: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"topics": []}, "topics is not an object"),
        ({"topics": {"t": 1}}, "topics.t is not an object"),
        ({"topics": {"t": {"numPartitions": 1}}}, "topics.t.replicationFactor is missing"),
        ({"topics": {"t": topic(numPartitions="6")}}, "topics.t.numPartitions is not a 32-bit integer"),
        ({"topics": {"t": topic(numPartitions=True)}}, "topics.t.numPartitions is not a 32-bit integer"),
        ({"topics": {"t": topic(configs={"a": 1})}}, "topics.t.configs is not an object of name to string or null"),
        ({"topics": {"t": topic(labels={"a": None})}}, "topics.t.labels is not an object of name to string"),
        ({"topics": {"t": topic(reassigning={"0": {"adding": [1]}})}}, "topics.t.reassigning is not"),
        ({"topics": {"t": topic(leader=1)}}, "topics.t: unknown field leader: write one of numPartitions, "),
        ({"meta": {1, 2}}, "not a JSON object"),
    ],
)
def test_bad_state_is_refused_by_field(tmp_path: Path, state: Any, said: str) -> None:
    """Each misfit names the cluster and the field, and nothing is written."""
    with pytest.raises(InputError, match="cluster c: ") as caught:
        write_snapshot(tmp_path / "s", "c", state, day=DAY)

    assert said in str(caught.value)
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("table", "text", "said"),
    [
        ("topics", "{", "part-0.jsonl:1: not a row of a snapshot (Expecting"),
        ("topics", "[]", "part-0.jsonl:1: not a row of a snapshot (the line is not a JSON object: take"),
        ("topics", '{"numPartitions": 1}', "no topic name in column topic"),
        ("topics", '{"topic": "t", "numPartitions": 1}', "topics.t.replicationFactor is missing"),
        ("clusters", "", "expected one row for the cluster, found 0"),
        ("clusters", '{"state": {}}', "column state is not the JSON text of an object"),
        ("clusters", '{"state": "["}', "column state is not JSON"),
    ],
)
def test_bad_file_is_refused_by_path(tmp_path: Path, table: Any, text: str, said: str) -> None:
    """A damaged file is named, with what is wrong in it."""
    write_snapshot(tmp_path, "c", {"topics": {"t": topic()}}, day=DAY, format="jsonl")
    (tmp_path / table / "day=2026-11-21" / "cluster=c" / "part-0.jsonl").write_text(text)
    with pytest.raises(InputError, match="cluster=c") as caught:
        read_cluster(tmp_path, "c")

    assert said in str(caught.value)


@pytest.mark.parametrize("start", [4, -30])
def test_a_damaged_parquet_file_is_named(tmp_path: Path, start: int) -> None:
    """Whether its damage is in its rows or in its footer."""
    write_snapshot(tmp_path, "c", {"topics": {}}, day=DAY)
    file = tmp_path / "clusters" / "day=2026-11-21" / "cluster=c" / "part-0.parquet"
    content = bytearray(file.read_bytes())
    content[start : start + 20] = b"\xff" * 20
    file.write_bytes(content)
    with pytest.raises(InputError, match=rf"^{file}: not a Parquet file with columns of a snapshot \("):
        read_cluster(tmp_path, "c")


def test_not_a_snapshot(tmp_path: Path) -> None:
    """A missing directory, another directory, an empty snapshot and an unknown cluster are kept apart."""
    (tmp_path / "empty" / "clusters").mkdir(parents=True)
    (tmp_path / "odd" / "clusters" / "day=soon" / "cluster=c").mkdir(parents=True)
    (tmp_path / "odd" / "clusters" / "day=soon" / "cluster=c" / "part-0.jsonl").write_text(json.dumps({"state": "{}"}))
    write_snapshot(tmp_path / "one", "c", {}, day=DAY)
    said = []
    for name in ("missing", ".", "empty", "odd", "one"):
        with pytest.raises(InputError) as caught:
            read_cluster(tmp_path / name, "d")
        said.append(str(caught.value).removeprefix(str(tmp_path)))

    write_snapshot(tmp_path / "one", "prod-eu", {}, day=DAY)
    with pytest.raises(InputError, match=r"no cluster prod-ue; the snapshot holds c, prod-eu: did you mean prod-eu\?$"):
        read_cluster(tmp_path / "one", "prod-ue")
    assert [
        "/missing: no such directory: `warden snapshot` makes one from a live cluster",
        ": no snapshot, which would have clusters/ in it: `warden snapshot` makes one",
        "/empty: the snapshot holds no cluster, there is nothing to scan",
        "/odd/clusters/day=soon: the part after day= is not a date such as 2026-11-21",
        "/one: no cluster d; the snapshot holds c",
    ] == said
