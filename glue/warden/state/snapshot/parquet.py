"""Snapshot rows as Parquet files; a module of its own since pyarrow is slow to import and not always installed."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from warden.base.errors import InputError

__all__ = ["find_rows", "parse_parquet", "write_parquet"]

_INTS = pa.list_(pa.int32())
_TEXTS = pa.map_(pa.string(), pa.string())
_SCHEMAS = {
    "clusters": pa.schema([pa.field("state", pa.string(), nullable=False)]),
    "topics": pa.schema(
        [
            pa.field("topic", pa.string(), nullable=False),
            pa.field("numPartitions", pa.int32(), nullable=False),
            pa.field("replicationFactor", pa.int32(), nullable=False),
            pa.field("replicasAssignments", pa.map_(pa.string(), _INTS)),
            pa.field("configs", _TEXTS),
            pa.field("labels", _TEXTS),
            pa.field("internal", pa.bool_()),
            pa.field("markedForDeletion", pa.bool_()),
            pa.field("reassigning", pa.map_(pa.string(), pa.struct([("adding", _INTS), ("removing", _INTS)]))),
        ]
    ),
}


def write_parquet(path: Path, table: Literal["clusters", "topics"], rows: Sequence[Mapping[str, Any]]) -> None:
    """Write the rows of one partition; the columns are those of `warden.state.snapshot.rows`."""
    # A row group is the smallest piece that Spark gives to a task of its own.
    pq.write_table(pa.Table.from_pylist(rows, schema=_SCHEMAS[table]), path, row_group_size=2_000)


def parse_parquet(where: str, content: bytes) -> list[dict[str, Any]]:
    """Return the rows of one partition; maps come as dicts.

    Args:
        where: The file, for the message.
        content: Its bytes.

    Raises:
        InputError: They cannot be read as Parquet.
    """
    try:
        # ParquetFile, not read_table: that would add the partition columns of the path.
        rows: list[dict[str, Any]] = pq.ParquetFile(pa.BufferReader(content)).read().to_pylist(maps_as_pydicts="strict")
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise InputError(f"{where}: not a Parquet file with columns of a snapshot ({error})") from error
    return rows


def find_rows(path: Path, names: Collection[str]) -> dict[str, list[int]]:
    """Return the numbers, from 1, of the rows that have one of some values as ``topic``.

    Raises:
        InputError: The file cannot be read as Parquet.
    """
    wanted = {name.encode(): name for name in names}
    numbers: dict[str, list[int]] = {}
    try:
        topics = pq.ParquetFile(path).read(columns=["topic"])["topic"].cast(pa.binary())
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: not a Parquet file with columns of a snapshot ({error})") from error
    for number, topic in enumerate(topics.to_pylist(), 1):
        if topic in wanted:
            numbers.setdefault(wanted[topic], []).append(number)
    return numbers
