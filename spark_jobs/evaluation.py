"""The one place where Python touches rows: OPA is asked about inputs, in batches.

A UDF cannot do it: it must see rows in batches, hold a connection for as long as a partition lasts, and give each row
its own outcome, whatever happens to its neighbours.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.schemas import ITEM, OUTCOME
from warden.errors import ScanError
from warden.scan.batches import Row
from warden.scan.doors import Door
from warden.scan.evaluate import Job, judge

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["OWN", "judge_in_place", "judge_inputs"]

Count = Callable[[int, int], None]

# What `judge_in_place` adds to a row: the outcome of its own input, in the columns of OUTCOME that the row has not.
_ADDED = [field for field in OUTCOME.fields if field.name not in ITEM.names]
OWN = [f"own_{field.name}" for field in _ADDED]


def judge_inputs(items: DataFrame, job: Job, door: Door, count: Count | None = None) -> DataFrame:
    """Ask OPA about inputs.

    Args:
        items: Columns of `spark_jobs.schemas.ITEM`.
        job: What is the same for all tasks.
        door: Where the tasks find OPA.
        count: Called in the tasks with (rows, requests) when there are some more.

    Returns:
        One row for each, with the columns of `spark_jobs.schemas.OUTCOME`.
    """
    judged = judge_in_place(items.select(ITEM.names), job, door, count)
    item = F.when(F.col("own_status") == F.lit("ERROR"), F.col("item"))
    return judged.select(
        "hash", *[F.col(f"own_{field.name}").alias(field.name) for field in _ADDED], item.alias("item")
    )


def judge_in_place(rows: DataFrame, job: Job, door: Door, count: Count | None = None) -> DataFrame:
    """Ask OPA about rows and give each its outcome where it stands: nothing moves between tasks.

    Args:
        rows: Columns of `spark_jobs.schemas.ITEM` and any others.
        job, door, count: As in `judge_inputs`.

    Returns:
        The same rows with the columns `OWN`.
    """
    added = [T.StructField(name, field.dataType) for name, field in zip(OWN, _ADDED, strict=True)]
    schema = T.StructType([*rows.schema.fields, *added])
    return rows.mapInArrow(_arrow_judge(job, door, count, schema), schema)


def _arrow_judge(
    job: Job, door: Door, count: Count | None, columns: T.StructType
) -> Callable[[Iterator["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]:
    from pyspark.sql.pandas.types import to_arrow_schema

    schema = to_arrow_schema(columns)

    def evaluate(batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        from pyspark import TaskContext

        task = TaskContext.get()
        waiting: deque[tuple[pa.RecordBatch, list[int]]] = deque()
        found: list[dict[str, Any]] = []
        with door.open(job, task.partitionId() if task else 0) as post:
            for outcomes in judge(_rows(batches, waiting), job, post):
                if count:
                    count(len(outcomes), 1)
                found.extend(outcomes)
                while waiting and len(found) >= (size := waiting[0][0].num_rows):
                    batch, order = waiting.popleft()
                    in_place = sorted(zip(order, found[:size], strict=True), key=itemgetter(0))
                    yield _with_outcomes(batch, [outcome for _, outcome in in_place], schema)
                    del found[:size]
        if waiting or found:
            raise ScanError("not every input got an outcome: run the scan again")

    return evaluate


def _rows(batches: Iterator["pa.RecordBatch"], waiting: deque[tuple["pa.RecordBatch", list[int]]]) -> Iterator[Row]:
    """Yield the rows of batches, in each those that may travel together side by side.

    Each batch waits from then on, with the places of its rows, for its outcomes.
    """
    for batch in batches:
        rows = list(map(Row, *(batch.column(name).to_pylist() for name in ITEM.names)))
        order = sorted(range(len(rows)), key=lambda place: (rows[place].path, rows[place].common))
        if rows:
            waiting.append((batch, order))
            yield from (rows[place] for place in order)


def _with_outcomes(
    batch: "pa.RecordBatch", outcomes: Sequence[dict[str, Any]], schema: "pa.Schema"
) -> "pa.RecordBatch":
    import pyarrow as pa

    added = [
        pa.array([outcome[field.name] for outcome in outcomes], type=schema.field(name).type)
        for name, field in zip(OWN, _ADDED, strict=True)
    ]
    return pa.RecordBatch.from_arrays([*batch.columns, *added], schema=schema)
