"""From the outcomes of inputs to those of resources: an audit that was cut into parts is put together again."""

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from spark_jobs.schemas import OUTCOME

__all__ = ["known_outcomes", "unreadable", "whole_outcomes"]

_LOST = "the run has no verdict on this input"
_PARTS = ("first", "second")
_VIOLATIONS = OUTCOME["violations"].dataType
# So many outcomes are sent to all tasks; beyond that rows are moved to where the outcomes are.
_BROADCAST = 100_000


def whole_outcomes(judged: DataFrame, parts: DataFrame | None, count: int) -> DataFrame:
    """Give each row the outcome of all its parts; one that lacks one is an ERROR, never a pass.

    Args:
        judged: Rows with their own outcome, from `spark_jobs.evaluation.judge_in_place`; `parts` has hashes.
        parts: Columns of `spark_jobs.schemas.OUTCOME`, no hash twice; None where there are no parts.
        count: Number of distinct parts.
    """
    failing = F.when(F.col("own_status") == F.lit("ERROR"), F.col("item")).alias("item")
    own = F.struct(*[F.col(f"own_{name}").alias(name) for name in ("status", "violations", "error")], failing)
    joined, found = judged.withColumn("own", own), ["own"]
    if parts is not None:
        each = F.broadcast(parts) if count <= _BROADCAST else parts
        for place, name in enumerate(_PARTS):
            part = F.struct(*OUTCOME.names).alias(name)
            joined = joined.join(each.select(part), F.get("parts", F.lit(place)) == F.col(name)["hash"], "left")
        found += _PARTS
    return _outcome(joined, F.array(*[_status(name) for name in found]), found)


def known_outcomes(rows: DataFrame, judged: DataFrame) -> DataFrame:
    """Give each row the outcome that its input has already.

    Args:
        rows: Columns of `spark_jobs.schemas.ROW`.
        judged: Columns of `spark_jobs.schemas.OUTCOME`, no hash twice.
    """
    own = F.struct(*OUTCOME.names).alias("own")
    joined = rows.join(judged.select(own), F.col("hash") == F.col("own")["hash"], "left")
    return _outcome(joined, F.array(_status("own")), ["own"])


def unreadable(rows: DataFrame) -> DataFrame:
    """Give each row without an input its ERROR."""
    fields = {"status": F.lit("ERROR"), "violations": F.array(), "error": F.col("problem"), "item": F.col("item")}
    own = F.struct(*[value.alias(name) for name, value in fields.items()])
    return _outcome(rows.withColumn("own", own), F.array(F.lit("ERROR")), ["own"])


def _outcome(rows: DataFrame, states: Column, found: Sequence[str]) -> DataFrame:
    """Make one outcome of the states of all parts and of the structs that have the rest."""
    failed = F.array_contains(states, "ERROR")
    violations = [
        F.coalesce(F.col(name)["violations"].cast(_VIOLATIONS), F.array().cast(_VIOLATIONS)) for name in found
    ]
    return rows.select(
        *("day", "cluster", "kind", "resource", "owner", "hash"),
        F.when(failed, F.lit("ERROR"))
        .when(F.array_contains(states, "DENY"), F.lit("DENY"))
        .otherwise(F.lit("ALLOW"))
        .alias("status"),
        F.sort_array(F.flatten(F.array(*violations))).alias("violations"),
        F.when(failed, F.coalesce(*[F.col(name)["error"] for name in found], F.lit(_LOST))).alias("error"),
        F.coalesce(*[F.col(name)["item"] for name in found]).alias("item"),
    )


def _status(name: str) -> Column:
    """Null where the row has no such part; every row has an input of its own."""
    status = F.coalesce(F.col(name)["status"], F.lit("ERROR"))
    return status if name == "own" else F.when(F.get("parts", F.lit(_PARTS.index(name))).isNotNull(), status)
