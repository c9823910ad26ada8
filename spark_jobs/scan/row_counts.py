"""Count of a run's rows by name, before anything is evaluated: what is there, what is damaged, and what is there twice.

A name that several rows of one cluster have on one day stands for no resource: which of them is it? None is evaluated.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from spark_jobs.scan.dedupe_days import list_all_days

__all__ = ["NAME", "RepeatedNames", "RowCounts", "count_rows", "select_repeated_names", "sum_names"]

NAME = ("day", "cluster", "kind", "resource")
"""Columns that name one resource of a run."""


@dataclass(frozen=True)
class RepeatedNames:
    """Names of one kind that several rows of a cluster have on one day.

    Args:
        day, cluster, kind: Of what they are.
        names: How many names.
        surplus: How many rows have a name that another one has already.
    """

    day: date
    cluster: str
    kind: str
    names: int
    surplus: int


@dataclass(frozen=True)
class RowCounts:
    """The rows of a run.

    Args:
        rows: Number of rows; of those that are the same on several days there is one.
        resources: Number of resources, on each day.
        damaged: Number of rows that cannot be evaluated.
        inputs: Number of distinct inputs that is never too high.
        names: Sum of the names of all resources; see `sum_names`.
        repeated: Names that are there more than once, counted by day, cluster and kind; see `select_repeated_names`.
    """

    rows: int
    resources: int
    damaged: int
    inputs: int
    names: int
    repeated: tuple[RepeatedNames, ...] = field(default=())

    def count_surplus(self) -> Counter[tuple[date, str]]:
        """Return how many rows of topics have a name that another one has, by day and cluster."""
        return Counter({(each.day, each.cluster): each.surplus for each in self.repeated if each.kind == "topic"})


def count_rows(rows: DataFrame, *, days: int) -> RowCounts:
    """Count the rows of a run, its resources, inputs, and names that stand several times.

    Args:
        rows: Columns of `spark_jobs.common.schemas.ROW`.
        days: How many days they are of. Of one day, inputs differ where names do, and need not be counted.
    """
    name = F.xxhash64(*NAME[1:])
    several = F.coalesce(F.size("other_days"), F.lit(0)) + F.lit(1)
    named = F.when(F.col("resource").isNotNull(), name)
    distinct = named if days == 1 else F.when(F.col("hash").isNotNull(), F.xxhash64("hash"))
    counted = rows.agg(
        F.count("*").alias("rows"),
        F.coalesce(F.sum(several), F.lit(0)).alias("resources"),
        F.count("problem").alias("damaged"),
        F.count("resource").alias("named"),
        F.count_distinct(distinct).alias("distinct"),
        F.coalesce(F.sum(_shorten_hash(name) * several), F.lit(0)).alias("names"),
    ).collect()
    ((total, resources, damaged, with_name, different, names),) = counted
    repeated = () if days == 1 and different == with_name else _count_repeated(rows)
    inputs = different if days > 1 else (0 if repeated else total - damaged)
    return RowCounts(total, resources, damaged, inputs, names, repeated)


def sum_names() -> Column:
    """The sum of the names of rows, which is another where one is lost and another one doubled."""
    return F.coalesce(F.sum(_shorten_hash(F.xxhash64(*NAME[1:]))), F.lit(0))


def _shorten_hash(name: Column) -> Column:
    """32 bits of a hash: a sum of whole ones overflows a long, which is an error; 2^31 of these stay below 2^63."""
    return F.shiftrightunsigned(name, 32)


def select_repeated_names(rows: DataFrame) -> DataFrame:
    """Return the names that several rows have, with the columns of `NAME`, and ``times``, how many rows.

    First come the names of several rows, or of a row that is there twice on a day; then the days of these.

    Args:
        rows: Columns of `spark_jobs.common.schemas.ROW`.
    """
    days = list_all_days()
    twice = F.size(days) > F.size(F.array_distinct(days))
    named = rows.where(F.col("resource").isNotNull()).select(*NAME, "other_days")
    several = named.groupBy(*NAME[1:]).agg(F.count("*").alias("_rows"), F.max(twice).alias("_twice"))
    several = several.where((F.col("_rows") > F.lit(1)) | F.col("_twice"))
    daily = named.join(several, [*NAME[1:]], how="left_semi").withColumn("day", F.explode(days))
    return daily.groupBy(*NAME).agg(F.count("*").alias("times")).where(F.col("times") > F.lit(1))


def _count_repeated(rows: DataFrame) -> tuple[RepeatedNames, ...]:
    of_what = [name for name in NAME if name != "resource"]
    surplus = F.sum(F.col("times") - F.lit(1)).alias("surplus")
    counted = select_repeated_names(rows).groupBy(*of_what).agg(F.count("*").alias("names"), surplus)
    return tuple(RepeatedNames(*row) for row in counted.orderBy(*of_what).collect())
