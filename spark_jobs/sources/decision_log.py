"""OPA's decision log as a frame: one row for each decision that was recorded, batches unfolded.

OPA uploads gzipped chunks, each a JSON array with an event a line (`v1/plugins/logs/encoder.go`), and writes the same
events as JSON lines to its console among its other lines. Both are read, plain or with a name that ends in ``.gz``.
"""

from collections.abc import Sequence
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.schemas import LOGGED_DECISION
from spark_jobs.sources.topics import sanitise_text

__all__ = ["DECIDING", "read_decisions"]

DECIDING = ("kafka/decision", "kafka/decisions")
"""The contract's entry points for decisions about Kafka."""

_TEXT = T.StringType()
# A field of type string takes whatever JSON stands there, character by character (spark.sql.json
# .enableExactStringParsing): an input is evaluated again as it was, also 1.0 and numbers beyond 64 bits.
_EVENT = T.StructType(
    [
        *[
            T.StructField(name, _TEXT)
            for name in ("decision_id", "timestamp", "path", "requested_by", "input", "result")
        ],
        T.StructField("error", _TEXT),
        T.StructField("masked", T.ArrayType(_TEXT)),
        T.StructField("erased", T.ArrayType(_TEXT)),
        T.StructField("bundles", T.MapType(_TEXT, T.StructType([T.StructField("revision", _TEXT)]))),
        T.StructField("msg", _TEXT),
        T.StructField("_unread", _TEXT),
    ]
)
_MEMBERS = ("order", "requests", "changes")
_BATCH = T.StructType(
    [
        *[T.StructField(name, _TEXT) for name in ("common", *_MEMBERS)],
        T.StructField("items", T.MapType(_TEXT, _TEXT)),
    ]
)
_BRACKETS = r"^[\s,\[]+|[\s,\]]+$"
_BY_KEY = T.MapType(_TEXT, _TEXT)
_BUNDLE = "warden"


def read_decisions(
    spark: SparkSession, path: str | Path | Sequence[str | Path], *, paths: Sequence[str] = DECIDING
) -> DataFrame:
    """Read recorded decisions.

    Args:
        spark: A session.
        path: Files, directories (with all below them) or patterns, as seen from the executors.
        paths: Entry points whose decisions to read.

    Returns:
        A frame with the columns of `spark_jobs.common.schemas.LOGGED_DECISION`. Lines of OPA's console that are no
        decisions are left out, and so are those of a scan, which have totals alone; a line that cannot be read is a row
        with ``problem`` set and ``item``, the line, alone.
    """
    several = [path] if isinstance(path, str | Path) else path
    lines = spark.read.option("recursiveFileLookup", "true").text([str(place) for place in several])
    events = _parse_events(lines)
    unread, recorded = F.col("_unread").isNotNull(), F.col("path").isin(list(paths)) & F.col("decision_id").isNotNull()
    read = events.where(unread | (recorded & ~_is_scan())).withColumn("_batch", _of_batch(F.from_json("input", _BATCH)))
    entries = F.explode_outer(F.map_entries("_batch.items"))
    return read.select("*", entries.alias("_entry")).select(*_build_columns(unread)).select(LOGGED_DECISION.names)


def _parse_events(lines: DataFrame) -> DataFrame:
    """A chunk's brackets and commas stand at the ends of its lines, where an event, an object, has none."""
    plain = F.is_valid_utf8("value") & ~F.contains(F.col("value"), F.lit("\0"))
    bare = F.regexp_replace(F.when(plain, F.col("value")).otherwise(sanitise_text(F.col("value"))), _BRACKETS, "")
    options = {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": "_unread"}
    text = F.when(F.col("plain"), F.concat(F.lit("["), F.col("bare"), F.lit("]")))
    events = F.from_json(text, T.ArrayType(_EVENT), options)
    lines = lines.select(
        F.regexp_replace("_metadata.file_path", "^file:/+", "/").alias("file"), plain.alias("plain"), bare.alias("bare")
    )
    parsed = lines.where(F.col("bare") != F.lit("")).withColumn("events", events)
    # An array that cannot be read is null as a whole, and has no row for `_unread`.
    broken = F.array(F.from_json(F.to_json(F.struct(F.col("bare").alias("_unread"))), _EVENT))
    return parsed.select("file", F.explode(F.coalesce("events", broken)).alias("event")).select("file", "event.*")


def _is_scan() -> Column:
    """Whether the line has only the totals of a scan's batch (``policies/system/log/scan.rego``)."""
    items, totals = F.get_json_object("input", "$.items"), F.get_json_object("input", "$.scan.items")
    return F.col("input").isNotNull() & items.isNull() & totals.isNotNull()


def _of_batch(batch: Column) -> Column:
    return F.when(F.col("path") == F.lit("kafka/decisions"), batch)


def _build_columns(unread: Column) -> list[Column]:
    """One event is one row, but a batch is one for each of its items, with what they share beside it."""
    batched = F.col("path") == F.lit("kafka/decisions")
    key = F.col("_entry.key")
    result = F.when(batched, F.from_json("result", _BY_KEY)[key]).otherwise(F.col("result"))
    broken_batch = batched & key.isNull()
    not_read = F.concat(F.col("file"), F.lit(": the line is not JSON of a decision log, in UTF-8"))
    problem = F.when(unread, not_read).when(broken_batch, F.lit("the batch has no items"))
    return [
        F.col("decision_id"),
        F.col("timestamp"),
        F.col("path"),
        F.col("bundles").getItem(_BUNDLE).getField("revision").alias("revision"),
        F.col("requested_by"),
        key.alias("key"),
        F.col("_batch.common").alias("common"),
        F.when(unread, F.col("_unread")).when(batched, F.col("_entry.value")).otherwise(F.col("input")).alias("item"),
        result.alias("result"),
        F.col("error"),
        F.concat(F.coalesce("masked", F.array()), F.coalesce("erased", F.array())).alias("masked"),
        problem.alias("problem"),
        _join_members().alias("members"),
    ]


def _join_members() -> Column:
    """Texts of the log joined into one, since a type of Spark's would write another."""
    members = [F.concat(F.lit(f'"{name}":'), F.col("_batch")[name]) for name in _MEMBERS]
    whole = F.concat(F.lit("{"), F.concat_ws(",", *members), F.lit("}"))
    return F.when(F.coalesce(*[F.col("_batch")[name] for name in _MEMBERS]).isNotNull(), whole)
