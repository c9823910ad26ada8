"""Rows that are the same on several days, each once, with the days that have it.

Two rows are the same where every column is: Spark compares them byte by byte, so that no two different rows are
ever taken for one. What is made of a row is then made once, however many days have it.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

__all__ = ["dedupe_days", "list_all_days"]

# Spark adds numbers without an object for each row, but collects no lists so: days are counted in the digits of a few
# numbers. A row that is there more often on one day than a digit tells is an error.
_BITS = 6
_DIGITS = 10
_TOO_OFTEN = "a topic is there more than 63 times in one cluster on one day: take the snapshot again"


def dedupe_days(rows: DataFrame, days: Iterable[date]) -> DataFrame:
    """Return one of all rows that are the same but for the day.

    Args:
        rows: A column ``day``, and others.
        days: All days that there are.

    Returns:
        The same columns, with the first ``day``, and ``other_days``, the others that have the row, as often as they
        have it; null where there are none.
    """
    in_order = sorted(days)
    numbers = [in_order[start : start + _DIGITS] for start in range(0, len(in_order), _DIGITS)]
    columns = [name for name in rows.columns if name != "day"]
    sums = [F.sum(_digit(some)).alias(f"_number{index}") for index, some in enumerate(numbers)]
    grouped = rows.groupBy(*columns).agg(*sums, F.count(F.lit(1)).alias("_times"))
    counted = [each for index, some in enumerate(numbers) for each in _days(f"_number{index}", some)]
    present = F.flatten(F.array(*counted))
    whole = F.when(F.size(present) == F.col("_times"), present).otherwise(F.raise_error(F.lit(_TOO_OFTEN)))
    counted_rows = grouped.withColumn("_days", whole)
    rest = F.slice("_days", F.lit(2), F.size("_days") - F.lit(1))
    return counted_rows.select(
        *columns, F.col("_days")[0].alias("day"), F.when(F.size("_days") > F.lit(1), rest).alias("other_days")
    )


def list_all_days() -> Column:
    """All days of a row: the first, and the others."""
    return F.concat(F.array("day"), F.coalesce("other_days", F.array().cast("array<date>")))


def _digit(days: Sequence[date]) -> Column:
    """One of a row's own day, in the place that its day has in a number; 0 where it has none there."""

    def otherwise(rest: Column, index: int) -> Column:
        return F.when(F.col("day") == F.lit(days[index]), F.lit(1 << _BITS * index).cast("long")).otherwise(rest)

    return reduce(otherwise, range(len(days)), F.lit(0).cast("long"))


def _days(number: str, days: Sequence[date]) -> list[Column]:
    """Each day as often as its digit says."""
    digits = [
        F.shiftrightunsigned(number, _BITS * index).bitwiseAND(F.lit((1 << _BITS) - 1)) for index in range(len(days))
    ]
    return [F.array_repeat(F.lit(day), digit.cast("int")) for day, digit in zip(days, digits, strict=True)]
