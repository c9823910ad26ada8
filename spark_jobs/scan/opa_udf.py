"""Spark UDF that sends inputs to OPA in batches: the one place where Python touches rows.

A UDF of values cannot do it: it must see rows in batches, hold a connection for as long as a partition lasts, and give
each row its own decision, whatever happens to its neighbours. One over batches gets the inputs and returns the
decisions; all else that a row has stays in the JVM.
"""

from collections import deque
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql.pandas.functions import arrow_udf

from spark_jobs.common.schemas import INPUT_DECISION, ITEM
from warden.analyse.scan.batches import Row
from warden.analyse.scan.evaluate import ScanJob, evaluate
from warden.base.errors import ScanError
from warden.policy.opa.endpoints import OpaEndpoint

__all__ = ["decide_own", "evaluate_inputs"]

AddCounts = Callable[[int, int], None]


def evaluate_inputs(items: DataFrame, job: ScanJob, endpoint: OpaEndpoint, count: AddCounts | None = None) -> DataFrame:
    """Let OPA evaluate inputs.

    Args:
        items: Columns of `spark_jobs.common.schemas.ITEM`.
        job: What is the same for all tasks.
        endpoint: Where the tasks find OPA.
        count: Called in the tasks with (rows, requests) when there are some more.

    Returns:
        One row for each, with the columns of `spark_jobs.common.schemas.INPUT_DECISION`.
    """
    return items.select(decide_own(job, endpoint, count).alias("own")).select("own.*")


def decide_own(job: ScanJob, endpoint: OpaEndpoint, count: AddCounts | None = None) -> Column:
    """Return the decision of each row's own input, a struct of `spark_jobs.common.schemas.INPUT_DECISION`.

    Args:
        job, endpoint, count: As in `evaluate_inputs`. The rows have the columns of `spark_jobs.common.schemas.ITEM`.
    """
    evaluator = _build_evaluator(job, endpoint, count)
    udf = arrow_udf(evaluator, INPUT_DECISION)  # type: ignore[call-overload]  # its types have no structs
    decision: Column = udf.asNondeterministic()(*ITEM.names)  # else Spark might ask again for each column of it
    return decision


def _build_evaluator(
    job: ScanJob, endpoint: OpaEndpoint, count: AddCounts | None
) -> Callable[[Iterator[tuple[pa.Array, ...]]], Iterator[pa.Array]]:
    from pyspark.sql.pandas.types import to_arrow_type

    schema = to_arrow_type(INPUT_DECISION)

    def evaluate_batches(batches: Iterator[tuple[pa.Array, ...]]) -> Iterator[pa.Array]:
        from pyspark import TaskContext

        task = TaskContext.get()
        orders: deque[list[int]] = deque()
        decided: list[dict[str, Any]] = []
        with endpoint.open(job.in_flight, task.partitionId() if task else 0) as post:
            for decisions in evaluate(_iter_rows(batches, orders), job, post):
                if count:
                    count(len(decisions), 1)
                decided.extend(decisions)
                while orders and len(decided) >= (size := len(orders[0])):
                    in_place = sorted(zip(orders.popleft(), decided[:size], strict=True), key=itemgetter(0))
                    yield pa.array([decision for _, decision in in_place], type=schema)
                    del decided[:size]
        if orders or decided:
            raise ScanError("not every input got a decision: run the scan again")

    return evaluate_batches


def _iter_rows(batches: Iterator[tuple[pa.Array, ...]], orders: deque[list[int]]) -> Iterator[Row]:
    """Yield the rows of batches, in each those that may travel together side by side.

    The places of each batch's rows wait in ``orders`` from then on for its decisions.
    """
    for batch in batches:
        rows = list(map(Row, *(column.to_pylist() for column in batch)))
        order = sorted(range(len(rows)), key=lambda index: (rows[index].path, rows[index].common))
        orders.append(order)
        yield from (rows[index] for index in order)
