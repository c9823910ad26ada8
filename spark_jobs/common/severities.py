"""The order of severities in Spark; `warden.policy.contract.severities` has it in Python."""

from pyspark.sql import Column
from pyspark.sql import functions as F

from warden.policy.contract.severities import SEVERITIES

__all__ = ["build_severity_rank"]


def build_severity_rank() -> Column:
    """Return the place of a row's ``severity`` in `SEVERITIES`; one that is not among them comes last."""
    place = F.array_position(F.array(*[F.lit(severity) for severity in SEVERITIES]), F.col("severity"))
    return F.when(place > F.lit(0), place.cast("int") - F.lit(1)).otherwise(F.lit(len(SEVERITIES)))
