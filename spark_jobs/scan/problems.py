"""Rows that are not evaluated, each with the place at which it stands in the snapshot's files."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date

from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.frames import make_frame
from spark_jobs.common.schemas import PARTITION, ROW, ROW_WITHOUT_ID, build_texts
from spark_jobs.scan.dedupe_days import list_all_days
from spark_jobs.scan.row_counts import NAME, RepeatedNames, RowCounts, select_repeated_names
from warden.analyse.scan.plan import PreparedScan
from warden.state.snapshot.layout import SnapshotPartition
from warden.state.snapshot.places import find_places

__all__ = ["mark_repeated_names"]

_Key = tuple[date, str]
# So many damaged rows, and so many repeated names, get their lines; if there are more it is a whole file, and the file
# is what to look at. Longer rows get their file alone: the driver holds the texts of those that it locates.
_MAX_LOCATED_ROWS = 10_000
_MAX_LOCATED_CHARACTERS = 4_000
_MAX_SHOWN_PLACES = 10
_BY_ID = T.StructType([T.StructField("id", T.LongType()), T.StructField("_place", T.StringType())])
_BY_PARTITION = T.StructType([*PARTITION.fields, *build_texts("_topics_file")])
_BY_KIND = T.StructType([*PARTITION.fields, *build_texts("kind", "_file")])
_BY_NAME = T.StructType([*PARTITION.fields, *build_texts("kind", "resource", "_place")])


def mark_repeated_names(spark: SparkSession, rows: DataFrame, counted: RowCounts, prepared: PreparedScan) -> DataFrame:
    """Make each row of a name that is there twice one that is not evaluated, and say where such rows are.

    Args:
        spark: A session.
        rows: Columns of `ROW`.
        counted: What `spark_jobs.scan.row_counts.count_rows` says of them.
        prepared: The run.

    Returns:
        The same columns but ``id``. Where names are there twice, every row is of one day.
    """
    parts = {(partition.day, partition.cluster): partition for partition in prepared.partitions}
    damaged = make_frame(spark, _iter_damaged(rows, parts), _BY_ID)
    files = make_frame(spark, ((*key, _format_file(part, "topic")) for key, part in parts.items()), _BY_PARTITION)
    place = F.when(F.col("kind") == F.lit("topic"), F.coalesce("_place", "_topics_file"))
    problem = F.when(F.col("problem").isNotNull(), F.concat_ws(": ", place, "problem"))
    placed = rows.join(F.broadcast(damaged), "id", how="left").join(F.broadcast(files), PARTITION.names, how="left")
    located = placed.withColumn("problem", problem).drop("_place", "_topics_file", "id")
    if not counted.repeated:
        return located.select(ROW_WITHOUT_ID)
    each_day = located.withColumn("day", F.explode(list_all_days())).withColumn(
        "other_days", _build_null_column("other_days")
    )
    marked = each_day.join(_explain_repeated_names(spark, rows, counted, parts), list(NAME), how="left")
    here = F.col("_repeated").isNotNull()
    problems = F.concat_ws("; ", "problem", "_repeated")
    hash = F.when(~here, F.col("hash"))
    return marked.withColumns({"hash": hash, "problem": F.when(here, problems).otherwise(F.col("problem"))}).select(
        ROW_WITHOUT_ID
    )


def _build_null_column(name: str) -> Column:
    return F.lit(None).cast(ROW[name].dataType)


def _iter_damaged(rows: DataFrame, parts: dict[_Key, SnapshotPartition]) -> Iterator[tuple[int, str]]:
    """Of each row with a problem the id and the place; rows with the same text in the order in which they come."""
    short = F.coalesce(F.length("item"), F.lit(0)) <= F.lit(_MAX_LOCATED_CHARACTERS)
    problems = rows.where(F.col("problem").isNotNull() & (F.col("kind") == F.lit("topic")) & short)
    by_part: dict[_Key, list[tuple[int, str | None]]] = defaultdict(list)
    for row in problems.select("id", "day", "cluster", "item").limit(_MAX_LOCATED_ROWS).collect():
        by_part[row["day"], row["cluster"]].append((row["id"], row["item"]))
    for key, those in by_part.items():
        texts = {text for _, text in those if text is not None}
        places = find_places(parts[key], texts=texts, names={""} if any(text is None for _, text in those) else ())
        for id, text in sorted(those):
            if left := places.get(text or "", []):
                yield id, left.pop(0)


def _explain_repeated_names(
    spark: SparkSession, rows: DataFrame, counted: RowCounts, parts: dict[_Key, SnapshotPartition]
) -> DataFrame:
    """Of each name that is there twice, in ``_repeated``, how often and where; the names stay in Spark."""
    repeated = select_repeated_names(rows)
    first = repeated.orderBy(*NAME).limit(_MAX_LOCATED_ROWS).collect()
    places = F.broadcast(make_frame(spark, _iter_places(first, parts), _BY_NAME))
    files = F.broadcast(make_frame(spark, _iter_files(counted.repeated, parts), _BY_KIND))
    named = repeated.join(files, [*PARTITION.names, "kind"], how="left").join(places, [*NAME], how="left")
    place = F.coalesce("_place", "_file")
    text = F.format_string("the %s is there %d times on one day: %s", "kind", "times", place)
    return named.select(*NAME, text.alias("_repeated"))


def _iter_places(
    repeated: Sequence[Row], parts: dict[_Key, SnapshotPartition]
) -> Iterator[tuple[date, str, str, str, str]]:
    by_part: dict[_Key, list[Row]] = defaultdict(list)
    for row in repeated:
        by_part[row["day"], row["cluster"]].append(row)
    for key, those in by_part.items():
        names = {row["resource"] for row in those if row["kind"] == "topic"}
        places = find_places(parts[key], names=names) if names else {}
        for row in those:
            listed = places.get(row["resource"], []) if row["kind"] == "topic" else []
            where = " and ".join(listed[:_MAX_SHOWN_PLACES]) or _format_file(parts[key], row["kind"])
            yield *key, row["kind"], row["resource"], where


def _iter_files(
    repeated: Sequence[RepeatedNames], parts: dict[_Key, SnapshotPartition]
) -> Iterator[tuple[date, str, str, str]]:
    """Of each kind the file for names that are not located, and how many names there are in all."""
    for each in repeated:
        file = _format_file(parts[each.day, each.cluster], each.kind)
        whole = f"{file}, where {each.names} names are there several times (places are given for {_MAX_LOCATED_ROWS})"
        yield each.day, each.cluster, each.kind, whole


def _format_file(part: SnapshotPartition, kind: str) -> str:
    return part.format_path(part.build_file_path("topics" if kind == "topic" else "clusters"))
