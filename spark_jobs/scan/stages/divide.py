"""Second stage of a scan: rows are divided into those that OPA decides about, and those that get their decisions.

Of each distinct input whose decision is not cached one row is chosen. Its audit parts, which many rows share, are
inputs of their own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from spark_jobs.common.frames import persist_frame
from spark_jobs.scan.dedupe import select_by_ids, select_distinct_parts, select_one_row_per_hash, select_unknown
from spark_jobs.scan.stages.read import Rows

__all__ = ["Inputs", "divide_rows"]


@dataclass(frozen=True)
class Inputs:
    """What is decided about by OPA, and what by its decisions.

    Args:
        rows: All rows.
        known: Cached decisions, columns of `spark_jobs.common.schemas.INPUT_DECISION`; None where there are none.
        chosen: The rows that OPA decides about; columns of `spark_jobs.common.schemas.ROW`.
        count: Their number.
        others: The rows whose input another row has, or whose decision is cached; None where there are none.
        parts: The distinct audit parts of ``chosen``; columns of `spark_jobs.common.schemas.ITEM`.
        part_count: Their number.
        new_parts: Those whose decision is not cached.
        new_part_count: Their number.
    """

    rows: Rows
    known: DataFrame | None
    chosen: DataFrame
    count: int
    others: DataFrame | None
    parts: DataFrame
    part_count: int
    new_parts: DataFrame
    new_part_count: int

    @property
    def asks(self) -> bool:
        """Whether there is a table of decisions to begin with: OPA decides, or there is nothing to decide."""
        return self.count > 0 or self.others is None

    @property
    def total(self) -> int:
        """How many inputs OPA decides about."""
        return self.count + self.new_part_count


@contextmanager
def divide_rows(rows: Rows, known: DataFrame | None) -> Iterator[Inputs]:
    """Yield the inputs of some rows; what is counted here stays in Spark's memory for as long as the block lasts.

    Args:
        rows: What was read.
        known: As of `Inputs`.
    """
    counted = rows.counted
    readable, total = rows.frame.where(F.col("problem").isNull()), counted.rows - counted.damaged
    with persist_frame(select_one_row_per_hash(readable, known)) as ids:
        all_differ = known is None and counted.inputs == total
        count = total if all_differ else ids.count()
        chosen = readable if count == total else select_by_ids(readable, ids, count)
        others = None if count == total else select_by_ids(readable, ids, count, without=True)
        with persist_frame(select_distinct_parts(chosen)) as parts:
            part_count = parts.count() if count or others is None else 0
            new = select_unknown(parts, known)
            new_count = part_count if known is None or not part_count else new.count()
            yield Inputs(rows, known, chosen, count, others, parts, part_count, new, new_count)
