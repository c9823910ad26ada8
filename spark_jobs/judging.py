"""From rows to the table of verdicts: what is not remembered is asked about, once, and remembered.

Of each distinct input one row is judged where it stands. Its parts, which many rows share, are judged before and sent
to all tasks. Its further days, and the other rows, such as those of earlier runs, get the outcomes that are there.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from spark_jobs.alike import every_day
from spark_jobs.distinct import distinct_parts, first_of_each, in_tasks, unknown, with_ids
from spark_jobs.evaluation import judge_inputs, own_outcome
from spark_jobs.outcomes import known_outcomes, unreadable, whole_outcomes
from spark_jobs.outputs import verdicts
from spark_jobs.progress import Counter, watched
from spark_jobs.reach import tasks_at_once
from spark_jobs.schemas import OUTCOME, VERDICT
from spark_jobs.verdict_cache import VerdictCache
from warden.scan.doors import Door
from warden.scan.plan import Prepared

__all__ = ["Judging"]


# What no two rows of a table have alike: looking for what repeats would take longer than writing it down.
_UNLIKE = {f"parquet.enable.dictionary#{name}": "false" for name in ("topic", "resource", "input_hash")}


@dataclass(frozen=True)
class Judging:
    """The judging of one run.

    Args:
        spark: A session.
        prepared: The run.
        door: Where the tasks find OPA.
        directory: Where the run writes: ``verdicts``, and for a while ``learned``.
        cache: What is remembered; None where nothing is.
        show: Called with (inputs judged, inputs to judge) while they are judged.
    """

    spark: SparkSession
    prepared: Prepared
    door: Door
    directory: Path
    cache: VerdictCache | None = None
    show: Callable[[int, int], None] | None = None

    def write(self, rows: DataFrame) -> dict[str, Any]:
        """Write ``verdicts``, one row for each of ``rows``, and remember what was asked.

        Args:
            rows: Columns of `spark_jobs.schemas.ROW`, read from files of this run.

        Returns:
            ``resources``, the number of rows; ``asked``, that of the inputs that OPA was asked about; and ``batches``,
            that of the requests, None where Spark does not tell.
        """
        cache, counter = self.cache, Counter.of(self.spark)
        known = cache.read(self.spark) if cache else None
        different = _different("hash") if known is None else F.lit(-1)  # with nothing known, it may be all of them
        further = F.coalesce(F.sum(F.when(F.col("further").isNotNull(), F.size("further"))), F.lit(0))
        numbers = rows.agg(F.count("*"), F.count("problem"), different, further).first()
        total, damaged, unlike, more = numbers or (0, 0, 0, 0)
        readable, count = rows.where(F.col("problem").isNull()), total - damaged
        with _kept(first_of_each(readable, known)) as ids:
            first = count if unlike == count else ids.count()
            chosen = readable if first == count else with_ids(readable, ids, first)
            asked = self._judge(chosen, first, count, known, counter) if first or not count else 0
            fresh = self._fresh() if first else None
            if (there := _both(known, fresh)) is not None:
                if more and first:
                    self._append(known_outcomes(chosen.withColumn("days", F.col("further")), there))
                if first < count:
                    others = with_ids(readable, ids, first, without=True)
                    self._append(known_outcomes(others.withColumn("days", every_day()), there))
        if damaged:
            self._append(unreadable(rows.where(F.col("problem").isNotNull())))
        if cache and fresh is not None:
            fresh.write.mode("append").parquet(str(self._learned))
            cache.add(self._learned)
        return {"resources": total + more, "asked": asked, "batches": counter.requests}

    def _judge(self, rows: DataFrame, count: int, of: int, known: DataFrame | None, counter: Counter) -> int:
        """Judge rows with distinct inputs where they stand, and return how many inputs OPA was asked about."""
        job, door = self.prepared.job, self.door
        cores = tasks_at_once(self.spark)
        with _kept(distinct_parts(rows)) as parts:
            shared = parts.count()
            new = unknown(parts, known)
            asked = shared if known is None else new.count()
            with watched(counter, count + asked, self.show) if self.show else nullcontext():
                if asked:
                    judged = judge_inputs(in_tasks(new, asked, cores), job, door, counter)
                    judged.write.parquet(str(self._learned))
                remembered = known.join(parts.select("hash"), "hash", "left_semi") if known is not None else None
                outcomes = _both(remembered, self._read_learned() if asked else None)
                if 2 * count < of:  # else nearly all rows stay where they are: by cluster, and evenly spread
                    rows = in_tasks(rows, count, cores)
                judged = rows.withColumn("own", own_outcome(job, door, counter))
                self._append(whole_outcomes(judged, _of_parts(parts, outcomes), shared))
        return count + asked

    @property
    def _learned(self) -> Path:
        return self.directory / "learned"

    def _read_learned(self) -> DataFrame:
        return self.spark.read.schema(OUTCOME).parquet(str(self._learned))

    def _fresh(self) -> DataFrame:
        """What has been written to ``verdicts`` until now, as outcomes of inputs."""
        table = self.spark.read.schema(VERDICT).parquet(str(self.directory / "verdicts"))
        return table.withColumnsRenamed({"input_hash": "hash", "input": "item"}).select(OUTCOME.names)

    def _append(self, outcomes: DataFrame) -> None:
        table = verdicts(outcomes, self.prepared.job)
        table.write.mode("append").options(**_UNLIKE).parquet(str(self.directory / "verdicts"))


def _different(name: str) -> Column:
    """A number of different texts that is never too high, and cheaper to have than the exact one."""
    return F.count_distinct(F.when(F.col(name).isNotNull(), F.xxhash64(name)))


def _of_parts(parts: DataFrame, outcomes: DataFrame | None) -> DataFrame | None:
    if outcomes is None:
        return None
    outcome = outcomes.select("hash", F.struct(*outcomes.columns).alias("outcome"))
    return parts.select("common", "hash", F.col("item").alias("text")).join(outcome, "hash")


def _both(one: DataFrame | None, other: DataFrame | None) -> DataFrame | None:
    return one.unionByName(other) if one is not None and other is not None else one if other is None else other


@contextmanager
def _kept(frame: DataFrame) -> Iterator[DataFrame]:
    """Compute a frame once for as long as the block lasts."""
    try:
        yield frame.persist(StorageLevel.MEMORY_AND_DISK)
    finally:
        frame.unpersist()
