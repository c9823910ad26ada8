"""From the outcomes of inputs to those of resources: an audit that was cut into parts is put together again."""

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from spark_jobs.evaluation import PART
from spark_jobs.schemas import OUTCOME

__all__ = ["outcomes"]


def outcomes(rows: DataFrame, judged: DataFrame) -> DataFrame:
    """Give each row its outcome, that of all its parts; one that lacks one is an ERROR, never a pass.

    Args:
        rows: Columns of `spark_jobs.schemas.ROW`.
        judged: Columns of `spark_jobs.schemas.OUTCOME`, no hash twice.
    """
    part = F.col("hash").startswith(PART)
    joined = _joined(rows, judged.where(~part), "hash", "_own")
    several = judged.where(part)
    for place, name in ((0, "_first"), (1, "_second")):
        joined = _joined(
            joined.withColumn(f"{name}_hash", F.get("parts", F.lit(place))["hash"]), several, f"{name}_hash", name
        )
    found = ("_own", "_first", "_second")
    states = F.array_compact(F.array(*[_status(name) for name in found]))
    lost = F.lit("the run has no verdict on this input")
    whole = F.when(F.size("parts") == F.lit(0), F.col("hash")).otherwise(
        F.sha2(F.concat_ws("\n", "hash", F.col("parts")["hash"]), 256)
    )
    return joined.select(
        *[name for name in rows.columns if name not in ("item", "id", "hash", "parts", "path")],
        whole.alias("hash"),
        F.when(F.array_contains(states, "ERROR"), F.lit("ERROR"))
        .when(F.array_contains(states, "DENY"), F.lit("DENY"))
        .otherwise(F.lit("ALLOW"))
        .alias("status"),
        F.array_sort(F.flatten(F.array(*[F.coalesce(F.col(name)["violations"], F.array()) for name in found]))).alias(
            "violations"
        ),
        F.when(
            F.array_contains(states, "ERROR"),
            F.coalesce(*[F.col(name)["error"] for name in found], "problem", lost),
        ).alias("error"),
        F.coalesce(*[F.col(name)["item"] for name in found], F.when(F.col("problem").isNotNull(), F.col("item"))).alias(
            "item"
        ),
    )


def _joined(rows: DataFrame, judged: DataFrame, hash: str, name: str) -> DataFrame:
    each = judged.select(
        F.col("hash").alias("_judged"), F.struct(*[F.col(field) for field in OUTCOME.names]).alias(name)
    )
    return rows.join(each, F.col(hash) == F.col("_judged"), "left").drop("_judged")


def _status(name: str) -> Any:
    """Null where the row has no such part; every row has an input of its own."""
    status = F.coalesce(F.col(name)["status"], F.lit("ERROR"))
    return status if name == "_own" else F.when(F.col(f"{name}_hash").isNotNull(), status)
