"""Layout of a snapshot directory: Hive partitions by day and cluster, which Spark discovers as columns.

    <directory>/clusters/day=2026-11-21/cluster=prod-eu/part-0.jsonl    one row: the cluster state without its topics
    <directory>/topics/day=2026-11-21/cluster=prod-eu/part-0.jsonl      one row for each topic

The row under ``clusters`` is renamed into place last: a partition without it is an unfinished write and is not listed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Literal, cast

from warden.base.errors import InputError
from warden.base.files.address import Address

__all__ = ["FORMATS", "Format", "SnapshotPartition", "list_partitions", "parse_day", "select_latest_partitions"]

Format = Literal["jsonl", "parquet"]
FORMATS: tuple[Format, ...] = ("jsonl", "parquet")


@dataclass(frozen=True, order=True)
class SnapshotPartition:
    """One cluster on one day.

    Args:
        directory: The snapshot directory.
        cluster: Name of the cluster, any non-empty text.
        day: The day of the observation, UTC.
        format: How its rows are stored.
        address: Where the snapshot is that ``directory`` has a copy of; None where it is that directory.
    """

    directory: Path
    cluster: str
    day: date
    format: Format
    address: Address | None = field(default=None, compare=False)

    def build_path(self, table: Literal["clusters", "topics"]) -> Path:
        """Return the directory that holds this partition's rows of ``table``."""
        return self.directory / table / f"day={self.day.isoformat()}" / f"cluster={_escape(self.cluster)}"

    def build_file_path(self, table: Literal["clusters", "topics"]) -> Path:
        """Return the file that holds this partition's rows of ``table``."""
        return self.build_path(table) / f"part-0.{self.format}"

    def format_path(self, path: Path) -> str:
        """Return where a path below the directory is in the snapshot itself, for messages and for Spark."""
        return f"{self.address}/{path.relative_to(self.directory).as_posix()}" if self.address else str(path)

    def find_topics_file(self) -> Path:
        """Return the file that holds this partition's topics.

        Raises:
            InputError: It is missing or, as Parquet never is, empty: Spark would leave it out without a word.
        """
        path = self.build_file_path("topics")
        if path.is_file() and (self.format == "jsonl" or path.stat().st_size):
            return path
        wrong = "empty" if path.is_file() else "missing"
        raise InputError(
            f"{self.format_path(path)} is {wrong}, although the snapshot lists the cluster: take the snapshot again"
        )

    def list_files(self, table: Literal["clusters", "topics"]) -> list[Path]:
        """Return what Spark reads of that directory: all files but hidden ones, by name."""
        return [
            path for path in sorted(self.build_path(table).iterdir()) if path.is_file() and path.name[0] not in "._"
        ]


def list_partitions(directory: Path) -> list[SnapshotPartition]:
    """Return every finished partition of a snapshot, ordered by cluster and day.

    Raises:
        InputError: ``directory`` is missing, or is not a snapshot directory.
    """
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory: `warden snapshot` makes one from a live cluster")
    if not (directory / "clusters").is_dir():
        raise InputError(f"{directory}: no snapshot, which would have clusters/ in it: `warden snapshot` makes one")
    return sorted(_iter_partitions(directory))


def select_latest_partitions(directory: Path, day: date | None = None) -> list[SnapshotPartition]:
    """Return one partition for each cluster: the one of ``day``, or each cluster's newest.

    Raises:
        InputError: As `list_partitions`; or the snapshot holds no cluster (of that day).
    """
    newest = {
        partition.cluster: partition for partition in list_partitions(directory) if day is None or partition.day == day
    }
    if not newest:
        when = "" if day is None else f" of {day.isoformat()}"
        raise InputError(f"{directory}: the snapshot holds no cluster{when}, there is nothing to scan")
    return list(newest.values())


def _iter_partitions(directory: Path) -> Iterator[SnapshotPartition]:
    for file in (directory / "clusters").glob("day=*/cluster=*/part-0.*"):
        if file.suffix[1:] in FORMATS:
            yield SnapshotPartition(
                directory=directory,
                cluster=_unescape(file.parent.name.partition("=")[2]),
                day=parse_day(file.parent.parent),
                format=cast("Format", file.suffix[1:]),
            )


def parse_day(path: Path) -> date:
    """Return the day that the name of a directory has.

    Raises:
        InputError: It has none.
    """
    try:
        return date.fromisoformat(path.name.partition("=")[2])
    except ValueError:
        raise InputError(f"{path}: the part after day= is not a date such as 2026-11-21") from None


def _escape(name: str) -> str:
    """Hive's escaping, which Spark undoes: %XX is a character, not a byte as in a URL, and only ASCII is escaped."""
    return re.sub(r"[^\w. \x80-\U0010ffff~-]", lambda match: f"%{ord(match[0]):02X}", name)


def _unescape(name: str) -> str:
    return re.sub("%([0-9A-Fa-f]{2})", lambda match: chr(int(match[1], 16)), name)
