"""Read and write snapshot directories, as JSON lines or Parquet, in the layout of `warden.state.snapshot.layout`."""

import fcntl
import hashlib
import json
import os
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Any, Literal, NamedTuple

from warden.base.did_you_mean import describe_unknown, did_you_mean
from warden.base.errors import InputError
from warden.state.snapshot.layout import FORMATS, Format, SnapshotPartition, select_latest_partitions
from warden.state.snapshot.lines import iter_lines, parse_line
from warden.state.snapshot.rows import build_cluster_row, build_cluster_state, iter_topic_rows

__all__ = [
    "StoredState",
    "parse_state",
    "read_cluster",
    "read_partition",
    "read_stored_state",
    "read_without_topics",
    "write_snapshot",
]

_Table = Literal["clusters", "topics"]


class StoredState(NamedTuple):
    """A cluster's state as its file has it.

    Args:
        state: The contract's cluster state without its topics.
        sha256: Of the bytes of the file, in hexadecimal.
    """

    state: dict[str, Any]
    sha256: str

    @property
    def expected_topics(self) -> int | None:
        """Number of topics that the source counted; None where it does not say."""
        topics = (self.state.get("meta") or {}).get("topics")
        return topics if isinstance(topics, int) else None


def write_snapshot(
    directory: Path,
    cluster: str,
    state: Mapping[str, Any],
    *,
    day: date,
    format: Format = "parquet",
    partial: bool = False,
) -> None:
    """Write one cluster's state of one day; an earlier state of that cluster and day is replaced.

    Both tables are written beside their place and renamed into it, the cluster's row last, so that a reader
    sees the old state, or none, or the new one, and never a half-written one. A write that fails leaves the old state,
    as does the next write after one whose process was killed. Several at once wait for each other.

    Args:
        directory: The snapshot directory; made when it is missing.
        cluster: Name of the cluster.
        state: Exactly the contract's ``data.clusters[<cluster>]`` document.
        day: The day of the observation, UTC.
        format: ``jsonl`` or ``parquet``.
        partial: Whether ``configs`` and ``reassigning`` that topics lack are not known; else they are empty.

    Raises:
        InputError: The state does not fit the contract (the text names the field), or the directory cannot be written.
    """
    if format not in FORMATS:
        raise InputError(describe_unknown("snapshot format", format, FORMATS))
    if not cluster:
        raise InputError("the cluster has no name: give --cluster NAME")
    tables = {
        "clusters": [build_cluster_row(cluster, state)],
        "topics": list(iter_topic_rows(f"cluster {cluster}", state.get("topics", {}), partial=partial)),
    }
    target = SnapshotPartition(directory, cluster, day, format)
    staging = directory / f".writing-{uuid.uuid4().hex}"
    old, new = (SnapshotPartition(staging / name, cluster, day, format) for name in ("old", "new"))
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with _lock_directory(directory):
            try:
                for table in _ORDER:
                    new.build_path(table).mkdir(parents=True)
                    _write(new.build_file_path(table), table, tables[table], format)
                # Taking the old cluster row away first keeps old rows from being read together with new topics.
                for table in reversed(_ORDER):
                    if target.build_path(table).exists():
                        _move(target.build_path(table), old.build_path(table))
                for table in _ORDER:
                    _move(new.build_path(table), target.build_path(table))
            finally:
                _clear_staging(directory, staging)
    except OSError as error:
        raise InputError(
            f"{directory}: the snapshot cannot be written ({error}): make room, or name another directory"
        ) from error


def read_cluster(directory: Path, cluster: str, day: date | None = None) -> dict[str, Any]:
    """Return one cluster's whole contract state.

    Args:
        directory: The snapshot directory.
        cluster: Name of the cluster.
        day: The day wanted; None for the newest one.

    Raises:
        InputError: No snapshot, no such cluster or day, or a file that does not fit; the text names path and field.
    """
    partitions_by_cluster = {partition.cluster: partition for partition in select_latest_partitions(directory, day)}
    if cluster not in partitions_by_cluster:
        near = did_you_mean(cluster, partitions_by_cluster)
        raise InputError(
            f"{directory}: no cluster {cluster}; the snapshot holds {', '.join(sorted(partitions_by_cluster))}{near}"
        )
    return read_partition(partitions_by_cluster[cluster])


def read_partition(partition: SnapshotPartition) -> dict[str, Any]:
    """Return the whole contract state of one partition; see `read_cluster`."""
    topics, states = partition.find_topics_file(), partition.build_file_path("clusters")
    return build_cluster_state(str(topics.parent), _read_rows(states), _read_rows(topics))


def read_without_topics(partition: SnapshotPartition) -> dict[str, Any]:
    """Return the contract state of one partition without its topics, whose rows are not read; see `read_cluster`."""
    return read_stored_state(partition).state


def read_stored_state(partition: SnapshotPartition) -> StoredState:
    """Return the same with what tells its file from any other; see `read_cluster`."""
    path = partition.build_file_path("clusters")
    content = _read_bytes(path)
    return StoredState(parse_state(str(path), content), hashlib.sha256(content).hexdigest())


def parse_state(where: str, content: bytes) -> dict[str, Any]:
    """Return the contract state without topics that a file of table ``clusters`` holds.

    Args:
        where: The file, for the message; its name has the format.
        content: Its bytes.

    Raises:
        InputError: They are no row of a snapshot.
    """
    state = build_cluster_state(where, _parse_rows(where, content), [])
    del state["topics"]
    return state


# In this order they appear; a partition is listed by its row under clusters.
_ORDER: tuple[_Table, ...] = ("topics", "clusters")


@contextmanager
def _lock_directory(directory: Path) -> Iterator[None]:
    """Keep others from writing there meanwhile, where the file system has locks, and clear up after those killed."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            for staging in directory.glob(".writing-*"):
                _clear_staging(directory, staging)
        yield
    finally:
        os.close(descriptor)


def _clear_staging(directory: Path, staging: Path) -> None:
    """Remove what a write has left; where it did its moves by halves, they are undone first.

    Where they cannot be undone it stays, with the old state in it, until the next write.
    """
    unmoved = next(staging.glob("*/*/day=*/cluster=*"), None)
    if unmoved is not None:
        place = Path(*unmoved.parts[-2:])
        if not (directory / "clusters" / place).exists():
            has_old = (staging / "old" / "clusters" / place).exists()
            for table in _ORDER:
                old, new = (staging / name / table / place for name in ("old", "new"))
                if not new.exists() and (old.exists() or not has_old):  # else it is the old one, back already
                    shutil.rmtree(directory / table / place, ignore_errors=True)
                if old.exists():
                    _move(old, directory / table / place)
    shutil.rmtree(staging, ignore_errors=True)


def _move(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    source.rename(target)


def _write(path: Path, table: _Table, rows: Sequence[Mapping[str, Any]], format: Format) -> None:
    if format == "jsonl":
        with path.open("w", encoding="utf-8", newline="\n") as lines:
            lines.writelines(json.dumps(row, separators=(",", ":"), sort_keys=True) + "\n" for row in rows)
        return
    from warden.state.snapshot.parquet import write_parquet

    write_parquet(path, table, rows)


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}): take the snapshot again") from error


def _read_rows(path: Path) -> list[dict[str, Any]]:
    return _parse_rows(str(path), _read_bytes(path))


def _parse_rows(where: str, content: bytes) -> list[dict[str, Any]]:
    if where.endswith(".parquet"):
        from warden.state.snapshot.parquet import parse_parquet

        return parse_parquet(where, content)
    rows = []
    for number, line in iter_lines(content):
        try:
            rows.append(dict(parse_line(line)))
        except ValueError as error:
            raise InputError(f"{where}:{number}: not a row of a snapshot ({error})") from error
    return rows
