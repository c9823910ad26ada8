"""Frames of rows that the driver has, and frames that are computed once for a while."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.errors import PySparkTypeError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as T
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import _make_type_verifier  # what `createDataFrame` itself checks the rows of a list with

__all__ = ["make_frame", "persist_frame"]


def make_frame(
    spark: SparkSession, rows: Iterable[Sequence[Any] | Mapping[str, Any]], schema: T.StructType
) -> DataFrame:
    """Make a frame of rows that is computed in the JVM alone.

    Spark pickles the rows of a list, and starts a Python daemon that unpickles them in each job.

    Args:
        spark: A session.
        rows: Sequences in the order of the fields, or mappings, in which a missing field is null; structs are mappings.
        schema: Names and types of the fields; no timestamps, which rows of the driver have as text.

    Raises:
        PySparkTypeError: A value is not of its field's type; the text names the field.
        pyspark.errors.PySparkValueError: A field is null that must not be, and the text names it; or a number is too
            large, and the text has it; or a row has more or fewer values than there are fields.
    """
    verify, fields = _make_type_verifier(schema), to_arrow_schema(schema)
    columns: list[list[Any]] = [[] for _ in schema.names]
    for row in rows:
        verify(row)
        values = map(row.get, schema.names) if isinstance(row, Mapping) else row
        for column, value in zip(columns, values, strict=True):
            column.append(value)
    arrays = [_make_array(field, column) for field, column in zip(fields, columns, strict=True)]
    return spark.createDataFrame(pa.Table.from_arrays(arrays, schema=fields), schema)


@contextmanager
def persist_frame(frame: DataFrame) -> Iterator[DataFrame]:
    """Compute a frame once for as long as the block lasts.

    Args:
        frame: The frame; its rows are in memory, and on disk where they do not fit, until the block ends.
    """
    try:
        yield frame.persist(StorageLevel.MEMORY_AND_DISK)
    finally:
        frame.unpersist()


def _make_array(field: pa.Field, values: Sequence[Any]) -> pa.Array:
    try:
        return pa.array(values, type=field.type)
    except pa.ArrowException as error:  # Spark would take any value for text
        raise PySparkTypeError(f"field {field.name}: {error}") from error
