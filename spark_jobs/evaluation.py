"""The one place where Python touches rows: each distinct input that is not remembered is asked about once.

A UDF cannot do it: it must see rows in batches, hold a connection for as long as a partition lasts, and give each row
its own outcome, whatever happens to its neighbours.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from spark_jobs.schemas import ITEM, OUTCOME
from warden.scan.batches import DECISIONS, Row
from warden.scan.doors import Door
from warden.scan.evaluate import Job, judge

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["PART", "first_of_each", "in_tasks", "judge_inputs", "parts_of_all", "to_ask"]

# How the hashes of parts begin.
PART = "part-"
# So many ids are sent to all tasks; beyond that rows are moved to where the ids are.
_BROADCAST = 1_000_000
_ROWS_A_TASK = 1_000


def first_of_each(rows: DataFrame, known: DataFrame | None) -> DataFrame:
    """Return hash and id of one row for each distinct input that is not among the known ones; only hashes move.

    Args:
        rows: Columns of `spark_jobs.schemas.ROW`.
        known: Column ``hash``, or None where nothing is remembered.
    """
    first = rows.where(F.col("hash").isNotNull()).groupBy("hash").agg(F.min("id").alias("id"))
    return first if known is None else first.join(known.select("hash"), "hash", "left_anti")


def parts_of_all(rows: DataFrame, known: DataFrame | None) -> DataFrame:
    """Return each distinct part that is not among the known ones, with the columns of `ITEM`.

    Args:
        rows: Columns of `spark_jobs.schemas.ROW`.
        known: Column ``hash``, or None where nothing is remembered.
    """
    each = rows.select("common", F.explode("parts").alias("part")).select("common", "part.*")
    first = each.groupBy("hash").agg(F.first("common").alias("common"), F.first("item").alias("item"))
    found = first.withColumn("path", F.lit(DECISIONS)).select(ITEM.names)
    return found if known is None else found.join(known.select("hash"), "hash", "left_anti").select(ITEM.names)


def to_ask(rows: DataFrame, chosen: DataFrame, count: int, total: int, cores: int) -> DataFrame:
    """Return the inputs of the chosen rows, those with the same common part together; columns of `ITEM`.

    Args:
        rows: Columns of `spark_jobs.schemas.ROW`.
        chosen: Their ids, from `first_of_each`.
        count, total: Number of chosen rows and of all.
        cores: Tasks at a time.
    """
    ids = chosen.select("id")
    found = rows.join(F.broadcast(ids) if count <= _BROADCAST else ids, "id", "left_semi").select(ITEM.names)
    if 2 * count >= total and count <= _BROADCAST:
        return found  # nearly all rows stay where they are: cluster by cluster, and evenly spread
    return in_tasks(found, count, cores)


def in_tasks(items: DataFrame, count: int, cores: int) -> DataFrame:
    """Spread items over tasks, in each those with the same common part and entry point together.

    Args:
        items: Columns of `ITEM`.
        count: Number of items.
        cores: Tasks at a time.
    """
    tasks = max(1, min(max(4 * cores, count // 20_000), count // _ROWS_A_TASK))
    return items.repartition(tasks, "hash").sortWithinPartitions("common", "path")


def judge_inputs(items: DataFrame, job: Job, door: Door, count: Callable[[int, int], None] | None = None) -> DataFrame:
    """Ask OPA about inputs.

    Args:
        items: Columns of `spark_jobs.schemas.ITEM`, no hash twice.
        job: What is the same for all tasks.
        door: Where the tasks find OPA.
        count: Called in the tasks with (rows, requests) when there are some more.

    Returns:
        One row for each, with the columns of `spark_jobs.schemas.OUTCOME`.
    """
    return items.select(ITEM.names).mapInArrow(_arrow_judge(job, door, count), OUTCOME).select(OUTCOME.names)


def _arrow_judge(
    job: Job, door: Door, count: Callable[[int, int], None] | None
) -> Callable[[Iterator["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]:
    from pyspark.sql.pandas.types import to_arrow_schema

    schema = to_arrow_schema(OUTCOME)

    def evaluate(batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa
        from pyspark import TaskContext

        task = TaskContext.get()
        rows = (
            Row(*values) for batch in batches for values in zip(*(c.to_pylist() for c in batch.columns), strict=True)
        )
        with door.open(job, task.partitionId() if task else 0) as post:
            for found in judge(rows, job, post):
                if count:
                    count(len(found), 1)
                yield pa.RecordBatch.from_pylist(found, schema=schema)

    return evaluate
