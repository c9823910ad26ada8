"""Inputs to evaluate: each distinct one once, unless its decision is cached."""

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from spark_jobs.common.schemas import ITEM, PARTS
from warden.analyse.scan.batches import DECISIONS

__all__ = [
    "hash_with_common",
    "select_by_ids",
    "select_distinct_parts",
    "select_one_row_per_hash",
    "select_unknown",
    "spread_over_tasks",
]

# How the hashes of parts begin.
_PART = "part-"
# So many ids are sent to all tasks; beyond that rows are moved to where the ids are.
_BROADCAST = 1_000_000
_ROWS_A_TASK = 1_000


def hash_with_common(*columns: str) -> Column:
    """Return the hash of the columns that are not null; the common part has its own in its id."""
    return F.sha2(F.concat_ws("\n", "common", *columns), 256)


def select_one_row_per_hash(rows: DataFrame, known: DataFrame | None) -> DataFrame:
    """Return the id of one row for each distinct input that is not among the known ones; only hashes move.

    Args:
        rows: Columns of `spark_jobs.common.schemas.ROW`.
        known: Column ``hash``, or None where nothing is cached.
    """
    first = rows.where(F.col("hash").isNotNull()).groupBy("hash").agg(F.min("id").alias("id"))
    return select_unknown(first, known).select("id")


def select_by_ids(rows: DataFrame, ids: DataFrame, count: int, *, without: bool = False) -> DataFrame:
    """Return the rows that have one of some ids, or those that have none of them.

    Args:
        rows, ids: Frames with a column ``id``.
        count: Number of ids.
        without: Whether the others are wanted.
    """
    how = "left_anti" if without else "left_semi"
    return rows.join(F.broadcast(ids) if count <= _BROADCAST else ids, "id", how=how)


def select_distinct_parts(rows: DataFrame) -> DataFrame:
    """Return each distinct part of some rows, with the columns of `ITEM`.

    Args:
        rows: Columns of `spark_jobs.common.schemas.ROW`.
    """
    frames = [rows.where(F.col(name).isNotNull()).select("common", F.col(name).alias("item")) for name in PARTS]
    distinct = reduce(DataFrame.unionByName, frames).distinct()
    hash = F.concat(F.lit(_PART), hash_with_common("item"))
    return distinct.withColumns({"hash": hash, "path": F.lit(DECISIONS)}).select(ITEM.names)


def select_unknown(items: DataFrame, known: DataFrame | None) -> DataFrame:
    """Return the items whose hash is not among the known ones.

    Args:
        items: Column ``hash``.
        known: The same, or None where nothing is cached.
    """
    return items if known is None else items.join(known.select("hash"), "hash", how="left_anti")


def spread_over_tasks(items: DataFrame, count: int, cores: int, by: str = "hash") -> DataFrame:
    """Spread items over tasks, in each those with the same common part and entry point together.

    Args:
        items: Columns ``common`` and ``path``, and that which they are spread by.
        count: Number of items.
        cores: Tasks at a time.
        by: The column of which all items with the same value go to one task.
    """
    tasks = max(1, min(max(4 * cores, count // 20_000), count // _ROWS_A_TASK))
    return items.repartition(tasks, by).sortWithinPartitions("common", "path")
