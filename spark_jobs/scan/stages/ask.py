"""Third stage of a scan: OPA decides about audit parts here, and about each row when `join` writes it.

A part's decision is for rows of all tasks, and has to be there before them; a row's own is for that row alone.
"""

from dataclasses import dataclass
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from spark_jobs.common.deployment import count_tasks
from spark_jobs.common.place_files import escape_pattern
from spark_jobs.common.progress import Counter
from spark_jobs.common.schemas import INPUT_DECISION
from spark_jobs.scan.dedupe import spread_over_tasks
from spark_jobs.scan.opa_udf import decide_own, evaluate_inputs
from spark_jobs.scan.stages.divide import Inputs
from warden.analyse.scan.evaluate import ScanJob
from warden.base.files.address import Place
from warden.policy.opa.endpoints import OpaEndpoint

__all__ = ["NEW_DECISIONS", "OpaDecisions", "ask_opa", "unite_frames"]

NEW_DECISIONS: Final = "new_decisions"
"""The directory for what OPA decides in a run, which the cache may take; scratch of the run."""


@dataclass(frozen=True)
class OpaDecisions:
    """Decisions of OPA.

    Args:
        inputs: What they are about.
        rows: The chosen rows with ``own``, the decision on each row's own input, which is made when they are read; None
            where OPA has nothing to decide.
        parts: ``common``, ``text`` of a part, and its ``decision``, no part twice; None where there are no parts.
    """

    inputs: Inputs
    rows: DataFrame | None
    parts: DataFrame | None


def ask_opa(
    spark: SparkSession, job: ScanJob, inputs: Inputs, endpoint: OpaEndpoint, counter: Counter, tables: Place
) -> OpaDecisions:
    """Have OPA decide about audit parts, and plan its decisions on rows, which it makes when these are read.

    Args:
        spark: A session.
        job: What is the same for all tasks.
        inputs: What was divided.
        endpoint: Where the tasks find OPA, also those that read the rows.
        counter: Counts inputs and requests.
        tables: Directory of the run, which gets `NEW_DECISIONS` where OPA decides about parts.
    """
    if not inputs.asks:
        return OpaDecisions(inputs, None, None)
    cores, known, fresh = count_tasks(spark), inputs.known, None
    if inputs.new_part_count:
        items = spread_over_tasks(inputs.new_parts, inputs.new_part_count, cores)
        evaluate_inputs(items, job, endpoint, counter).write.parquet(str(tables / NEW_DECISIONS))
        fresh = spark.read.schema(INPUT_DECISION).parquet(escape_pattern(tables / NEW_DECISIONS))
    cached = known.join(inputs.parts.select("hash"), "hash", how="left_semi") if known is not None else None
    rows, counted = inputs.chosen, inputs.rows.counted
    if 2 * inputs.count < counted.rows - counted.damaged:  # else nearly all stay where they are: evenly spread
        rows = spread_over_tasks(rows, inputs.count, cores)
    own = rows.withColumn("own", decide_own(job, endpoint, counter))
    return OpaDecisions(inputs, own, _of_parts(inputs.parts, unite_frames(cached, fresh)))


def unite_frames(left: DataFrame | None, right: DataFrame | None) -> DataFrame | None:
    """Return the rows of both frames; None where there is neither."""
    return left.unionByName(right) if left is not None and right is not None else left if right is None else right


def _of_parts(parts: DataFrame, decisions: DataFrame | None) -> DataFrame | None:
    if decisions is None:
        return None
    decision = decisions.select("hash", F.struct(*decisions.columns).alias("decision"))
    return parts.select("common", "hash", F.col("item").alias("text")).join(decision, "hash", how="inner")
