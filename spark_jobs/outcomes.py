"""From the outcomes of inputs to those of resources: an audit that was cut into parts is put together again."""

from collections.abc import Sequence
from functools import reduce
from operator import or_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from spark_jobs.schemas import OUTCOME, PARTS

__all__ = ["known_outcomes", "unreadable", "whole_outcomes"]

_LOST = "the run has no verdict on this input"
_VIOLATIONS = OUTCOME["violations"].dataType
# So many outcomes are sent to all tasks; beyond that rows are moved to where the outcomes are.
_BROADCAST = 100_000


def whole_outcomes(judged: DataFrame, parts: DataFrame | None, count: int) -> DataFrame:
    """Give each row the outcome of all its parts; one that lacks one is an ERROR, never a pass.

    Args:
        judged: Columns of `spark_jobs.schemas.ROW`, and `own`, what `spark_jobs.evaluation.own_outcome` returns.
        parts: ``common``, ``text`` of a part, and its ``outcome``, no part twice; None where there are no parts.
        count: Number of distinct parts.
    """
    joined, states = judged, [_status("own")]
    if parts is not None:
        each = F.broadcast(parts) if count <= _BROADCAST else parts
        for name in PARTS:
            these = each.select(*[F.col(column).alias(f"{name}_{column}") for column in ("common", "text", "outcome")])
            here = (F.col("common") == F.col(f"{name}_common")) & (F.col(name) == F.col(f"{name}_text"))
            joined = joined.join(these, here, "left")
            states.append(F.when(F.col(name).isNotNull(), _status(f"{name}_outcome")))
    return _outcome(joined, states, ["own", *([f"{name}_outcome" for name in PARTS] if parts is not None else [])])


def known_outcomes(rows: DataFrame, judged: DataFrame) -> DataFrame:
    """Give each row the outcome that its input has already, on each of some days.

    Args:
        rows: Columns of `spark_jobs.schemas.ROW`, and the ``days``.
        judged: Columns of `spark_jobs.schemas.OUTCOME`, no hash twice.
    """
    own = F.struct(*OUTCOME.names).alias("own")
    joined = rows.join(judged.select(own), F.col("hash") == F.col("own")["hash"], "left")
    return _outcome(joined, [_status("own")], ["own"], "days").withColumn("day", F.explode("days")).drop("days")


def unreadable(rows: DataFrame) -> DataFrame:
    """Give each row without an input its ERROR."""
    fields = {"status": F.lit("ERROR"), "violations": F.array(), "error": F.col("problem"), "item": F.col("item")}
    own = F.struct(*[value.alias(name) for name, value in fields.items()])
    return _outcome(rows.withColumn("own", own), [F.lit("ERROR")], ["own"])


def _outcome(rows: DataFrame, states: Sequence[Column], found: Sequence[str], days: str = "day") -> DataFrame:
    """Make one outcome of the states of all parts, null where there is none, and of the structs that have the rest."""
    failed, denied = (reduce(or_, [F.equal_null(state, F.lit(said)) for state in states]) for said in ("ERROR", "DENY"))
    violations = [
        F.coalesce(F.col(name)["violations"].cast(_VIOLATIONS), F.array().cast(_VIOLATIONS)) for name in found
    ]
    return rows.select(
        *(days, "cluster", "kind", "resource", "owner", "hash"),
        F.when(failed, F.lit("ERROR")).when(denied, F.lit("DENY")).otherwise(F.lit("ALLOW")).alias("status"),
        F.sort_array(F.flatten(F.array(*violations))).alias("violations"),
        F.when(failed, F.coalesce(*[F.col(name)["error"] for name in found], F.lit(_LOST))).alias("error"),
        F.coalesce(*[F.col(name)["item"] for name in found]).alias("item"),
    )


def _status(name: str) -> Column:
    """What has no outcome was not judged."""
    return F.coalesce(F.col(name)["status"], F.lit("ERROR"))
