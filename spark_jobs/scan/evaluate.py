"""Table of decisions from rows: each distinct input that is not remembered is evaluated once, and remembered.

Of each distinct input one row is evaluated where it stands. Its audit parts, which many rows share, are evaluated
before and sent to all tasks. Its other days, and the other rows, such as those of earlier runs, get the decisions that
are there.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from spark_jobs.common.compat import tasks_at_once
from spark_jobs.common.progress import Counter, watched
from spark_jobs.common.schemas import INPUT_DECISION, RESOURCE_DECISION
from spark_jobs.scan.decision_cache import DecisionCache
from spark_jobs.scan.dedupe import distinct_parts, first_of_each, in_tasks, unknown, with_ids
from spark_jobs.scan.dedupe_days import all_days
from spark_jobs.scan.join_results import join_known, join_parts, mark_not_evaluated
from spark_jobs.scan.opa_udf import evaluate_inputs, own_decision
from spark_jobs.scan.survey import Survey
from spark_jobs.scan.table_rows import decision_rows
from warden.opa.endpoints import OpaEndpoint
from warden.scan.plan import Prepared

__all__ = ["Evaluation"]


# No two rows have the same value there: a dictionary would take longer to build than the values to write.
_DISTINCT = {f"parquet.enable.dictionary#{name}": "false" for name in ("topic", "resource", "input_hash")}


@dataclass(frozen=True)
class Evaluation:
    """Evaluation of the rows of one scan.

    Args:
        spark: A session.
        prepared: The run.
        endpoint: Where the tasks find OPA.
        directory: Where the run writes: ``decisions``, and for a while ``learned``.
        cache: What is remembered; None where nothing is.
        show: Called with (inputs evaluated, inputs to evaluate) while they are evaluated.
        verify: Called before decisions are remembered; returns whether they may be.
    """

    spark: SparkSession
    prepared: Prepared
    endpoint: OpaEndpoint
    directory: Path
    cache: DecisionCache | None = None
    show: Callable[[int, int], None] | None = None
    verify: Callable[[], bool] = lambda: True

    def write(self, rows: DataFrame, counted: Survey) -> dict[str, Any]:
        """Write ``decisions``, one row for each of ``rows``, and remember the decisions.

        Args:
            rows: Columns of `spark_jobs.common.schemas.ROW`, read from files of this run.
            counted: What `spark_jobs.scan.survey.survey` says of them; no name is there twice.

        Returns:
            ``resources``, the number of rows; ``evaluated``, that of the inputs that OPA evaluated; and ``batches``,
            that of the requests, None where Spark does not count them.
        """
        cache, counter = self.cache, Counter.of(self.spark)
        known = cache.read(self.spark) if cache else None
        distinct_hashes = counted.inputs if known is None else -1  # with nothing known, it may be all of them
        more, damaged = counted.resources - counted.rows, counted.damaged
        readable, count = rows.where(F.col("problem").isNull()), counted.rows - damaged
        with _kept(first_of_each(readable, known)) as ids:
            first = count if distinct_hashes == count else ids.count()
            chosen = readable if first == count else with_ids(readable, ids, first)
            evaluated = self._evaluate(chosen, first, count, known, counter) if first or not count else 0
            fresh = self._fresh() if first else None
            if (available := _both(known, fresh)) is not None:
                if more and first:
                    self._append(join_known(chosen.withColumn("days", F.col("other_days")), available))
                if first < count:
                    others = with_ids(readable, ids, first, without=True)
                    self._append(join_known(others.withColumn("days", all_days()), available))
        if damaged:
            self._append(mark_not_evaluated(rows.where(F.col("problem").isNotNull())))
        if self.verify() and cache and fresh is not None:
            fresh.write.mode("append").parquet(str(self._learned))
            cache.add(self._learned)
        return {"resources": counted.resources, "evaluated": evaluated, "batches": counter.requests}

    def _evaluate(self, rows: DataFrame, count: int, of: int, known: DataFrame | None, counter: Counter) -> int:
        """Evaluate rows with distinct inputs where they stand, and return how many inputs OPA evaluated."""
        job, endpoint = self.prepared.job, self.endpoint
        cores = tasks_at_once(self.spark)
        with _kept(distinct_parts(rows)) as parts:
            shared = parts.count()
            new = unknown(parts, known)
            missing = shared if known is None else new.count()
            with watched(counter, count + missing, self.show) if self.show else nullcontext():
                if missing:
                    fresh = evaluate_inputs(in_tasks(new, missing, cores), job, endpoint, counter)
                    fresh.write.parquet(str(self._learned))
                remembered = known.join(parts.select("hash"), "hash", "left_semi") if known is not None else None
                decisions = _both(remembered, self._read_learned() if missing else None)
                if 2 * count < of:  # else nearly all rows stay where they are: by cluster, and evenly spread
                    rows = in_tasks(rows, count, cores)
                evaluated = rows.withColumn("own", own_decision(job, endpoint, counter))
                self._append(join_parts(evaluated, _of_parts(parts, decisions), shared))
        return count + missing

    @property
    def _learned(self) -> Path:
        return self.directory / "learned"

    def _read_learned(self) -> DataFrame:
        return self.spark.read.schema(INPUT_DECISION).parquet(str(self._learned))

    def _fresh(self) -> DataFrame:
        """What has been written to ``decisions`` until now, as decisions of inputs."""
        table = self.spark.read.schema(RESOURCE_DECISION).parquet(str(self.directory / "decisions"))
        return table.withColumnsRenamed({"input_hash": "hash", "input": "item"}).select(INPUT_DECISION.names)

    def _append(self, decisions: DataFrame) -> None:
        table = decision_rows(decisions, self.prepared.job)
        table.write.mode("append").options(**_DISTINCT).parquet(str(self.directory / "decisions"))


def _of_parts(parts: DataFrame, decisions: DataFrame | None) -> DataFrame | None:
    if decisions is None:
        return None
    decision = decisions.select("hash", F.struct(*decisions.columns).alias("decision"))
    return parts.select("common", "hash", F.col("item").alias("text")).join(decision, "hash")


def _both(one: DataFrame | None, other: DataFrame | None) -> DataFrame | None:
    return one.unionByName(other) if one is not None and other is not None else one if other is None else other


@contextmanager
def _kept(frame: DataFrame) -> Iterator[DataFrame]:
    """Compute a frame once for as long as the block lasts."""
    try:
        yield frame.persist(StorageLevel.MEMORY_AND_DISK)
    finally:
        frame.unpersist()
