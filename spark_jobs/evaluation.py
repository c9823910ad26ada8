"""The one place where Python touches rows: OPA is asked about inputs, in batches.

A UDF of values cannot do it: it must see rows in batches, hold a connection for as long as a partition lasts, and give
each row its own outcome, whatever happens to its neighbours. One over batches gets the inputs and returns the outcomes;
all else that a row has stays in the JVM.
"""

from collections import deque
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql.pandas.functions import arrow_udf

from spark_jobs.schemas import ITEM, OUTCOME
from warden.errors import ScanError
from warden.scan.batches import Row
from warden.scan.doors import Door
from warden.scan.evaluate import Job, judge

__all__ = ["judge_inputs", "own_outcome"]

Count = Callable[[int, int], None]


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
    return items.select(own_outcome(job, door, count).alias("own")).select("own.*")


def own_outcome(job: Job, door: Door, count: Count | None = None) -> Column:
    """Return the outcome of each row's own input, a struct of `spark_jobs.schemas.OUTCOME`.

    Args:
        job, door, count: As in `judge_inputs`. The rows have the columns of `spark_jobs.schemas.ITEM`.
    """
    judged = arrow_udf(_arrow_judge(job, door, count), OUTCOME)  # type: ignore[call-overload]  # it knows no structs
    outcome: Column = judged.asNondeterministic()(*ITEM.names)  # else Spark might ask again for each column of it
    return outcome


def _arrow_judge(
    job: Job, door: Door, count: Count | None
) -> Callable[[Iterator[tuple[pa.Array, ...]]], Iterator[pa.Array]]:
    from pyspark.sql.pandas.types import to_arrow_type

    schema = to_arrow_type(OUTCOME)

    def evaluate(batches: Iterator[tuple[pa.Array, ...]]) -> Iterator[pa.Array]:
        from pyspark import TaskContext

        task = TaskContext.get()
        orders: deque[list[int]] = deque()
        found: list[dict[str, Any]] = []
        with door.open(job, task.partitionId() if task else 0) as post:
            for outcomes in judge(_rows(batches, orders), job, post):
                if count:
                    count(len(outcomes), 1)
                found.extend(outcomes)
                while orders and len(found) >= (size := len(orders[0])):
                    in_place = sorted(zip(orders.popleft(), found[:size], strict=True), key=itemgetter(0))
                    yield pa.array([outcome for _, outcome in in_place], type=schema)
                    del found[:size]
        if orders or found:
            raise ScanError("not every input got an outcome: run the scan again")

    return evaluate


def _rows(batches: Iterator[tuple[pa.Array, ...]], orders: deque[list[int]]) -> Iterator[Row]:
    """Yield the rows of batches, in each those that may travel together side by side.

    The places of each batch's rows wait in ``orders`` from then on for its outcomes.
    """
    for batch in batches:
        rows = list(map(Row, *(column.to_pylist() for column in batch)))
        order = sorted(range(len(rows)), key=lambda place: (rows[place].path, rows[place].common))
        orders.append(order)
        yield from (rows[place] for place in order)
