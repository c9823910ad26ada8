"""Fourth stage of a scan: the table of decisions, one row for each resource on each day.

The chosen rows get decisions of OPA; their other days, the rows with the same input, and those whose
decision is cached get the decisions that are there; what could not be read gets an error.
"""

from collections.abc import Sequence
from functools import partial, reduce
from operator import or_

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from spark_jobs.common.place_files import escape_pattern
from spark_jobs.common.schemas import INPUT_DECISION, PARTS, RESOURCE_DECISION
from spark_jobs.scan.dedupe_days import list_all_days
from spark_jobs.scan.stages.ask import OpaDecisions, unite_frames
from spark_jobs.scan.table_rows import build_decision_rows
from warden.analyse.scan.decision_rows import ALLOW, DENY, ERROR
from warden.analyse.scan.evaluate import ScanJob
from warden.base.files.address import Place
from warden.base.files.redact import STARS, build_secret_pattern

__all__ = ["join_decisions"]

_LOST = "the run has no decision on this input"
_VIOLATIONS = INPUT_DECISION["violations"].dataType
# So many decisions are sent to all tasks; beyond that rows are moved to where the decisions are.
_BROADCAST = 100_000
# No two rows have the same value there: a dictionary would take longer to build than the values to write.
_DISTINCT = {f"parquet.enable.dictionary#{name}": "false" for name in ("topic", "resource", "input_hash")}


def join_decisions(spark: SparkSession, job: ScanJob, answers: OpaDecisions, decisions: Place) -> DataFrame | None:
    """Write the decisions, and return those that OPA makes here on rows, to be cached; None where it makes none.

    Args:
        spark: A session.
        job: The scan.
        answers: What OPA has decided about parts, and will about rows.
        decisions: Directory of the table.
    """
    inputs, append, fresh = answers.inputs, partial(_append, job, decisions), None
    counted = inputs.rows.counted
    if answers.rows is not None:
        append(_join_parts(answers.rows, answers.parts, inputs.part_count))
    if inputs.count:  # before more is written there
        table = spark.read.schema(RESOURCE_DECISION).parquet(escape_pattern(decisions))
        fresh = table.withColumnsRenamed({"input_hash": "hash", "input": "item"}).select(INPUT_DECISION.names)
    if (available := unite_frames(inputs.known, fresh)) is not None:
        if inputs.count and counted.resources > counted.rows:
            append(_join_known(inputs.chosen.withColumn("days", F.col("other_days")), available))
        if inputs.others is not None:
            append(_join_known(inputs.others.withColumn("days", list_all_days()), available))
    if counted.damaged:
        append(_mark_not_evaluated(inputs.rows.frame.where(F.col("problem").isNotNull())))
    return fresh


def _append(job: ScanJob, directory: Place, decisions: DataFrame) -> None:
    build_decision_rows(decisions, job).write.mode("append").options(**_DISTINCT).parquet(str(directory))


def _join_parts(evaluated: DataFrame, parts: DataFrame | None, count: int) -> DataFrame:
    """Give each row the decision of all its parts; one that lacks one is an ERROR, never a pass.

    Args:
        evaluated: Columns of `spark_jobs.common.schemas.ROW`, and `own`, what `spark_jobs.scan.opa_udf.decide_own`
            returns.
        parts: ``common``, ``text`` of a part, and its ``decision``, no part twice; None where there are no parts.
        count: Number of distinct parts.
    """
    joined, states = evaluated, [_build_status("own")]
    if parts is not None:
        side = F.broadcast(parts) if count <= _BROADCAST else parts
        for name in PARTS:
            these = side.select(*[F.col(column).alias(f"{name}_{column}") for column in ("common", "text", "decision")])
            here = (F.col("common") == F.col(f"{name}_common")) & (F.col(name) == F.col(f"{name}_text"))
            joined = joined.join(these, here, how="left")
            states.append(F.when(F.col(name).isNotNull(), _build_status(f"{name}_decision")))
    return _build_decision(
        joined, states, ["own", *([f"{name}_decision" for name in PARTS] if parts is not None else [])]
    )


def _join_known(rows: DataFrame, evaluated: DataFrame) -> DataFrame:
    """Give each row the decision that its input has already, on each of some days.

    Args:
        rows: Columns of `spark_jobs.common.schemas.ROW`, and the ``days``.
        evaluated: Columns of `spark_jobs.common.schemas.INPUT_DECISION`, no hash twice.
    """
    own = F.struct(*INPUT_DECISION.names).alias("own")
    joined = rows.join(evaluated.select(own), F.col("hash") == F.col("own")["hash"], how="left")
    return (
        _build_decision(joined, [_build_status("own")], ["own"], "days")
        .withColumn("day", F.explode("days"))
        .drop("days")
    )


def _mark_not_evaluated(rows: DataFrame) -> DataFrame:
    """Give each row without an input its ERROR, with the text that could not be read where no secret may be in it."""
    shown = F.when(F.col("item").rlike(build_secret_pattern()), F.lit(STARS)).otherwise(F.col("item"))
    fields = {"status": F.lit(ERROR), "violations": F.array(), "error": F.col("problem"), "item": shown}
    own = F.struct(*[value.alias(name) for name, value in fields.items()])
    return _build_decision(rows.withColumn("own", own), [F.lit(ERROR)], ["own"])


def _build_decision(rows: DataFrame, states: Sequence[Column], structs: Sequence[str], days: str = "day") -> DataFrame:
    """Make one decision of the states of all parts, null where there is none, and of the structs that have the rest.

    What was not evaluated whole has no violations: they would count against rules that it is not counted for.
    """
    failed, denied = (reduce(or_, [F.equal_null(state, F.lit(status)) for state in states]) for status in (ERROR, DENY))
    none = F.array().cast(_VIOLATIONS)
    violations = [F.coalesce(F.col(name)["violations"].cast(_VIOLATIONS), none) for name in structs]
    return rows.select(
        *(days, "cluster", "kind", "resource", "owner", "hash"),
        F.when(failed, F.lit(ERROR)).when(denied, F.lit(DENY)).otherwise(F.lit(ALLOW)).alias("status"),
        F.when(~failed, F.sort_array(F.flatten(F.array(*violations))))
        .otherwise(F.array().cast(_VIOLATIONS))
        .alias("violations"),
        F.when(failed, F.coalesce(*[F.col(name)["error"] for name in structs], F.lit(_LOST))).alias("error"),
        F.coalesce(*[F.col(name)["item"] for name in structs]).alias("item"),
    )


def _build_status(name: str) -> Column:
    """What has no decision was not evaluated."""
    return F.coalesce(F.col(name)["status"], F.lit(ERROR))
