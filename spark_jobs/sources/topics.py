"""Topic rows of snapshots, whatever they are stored as. What cannot be read of them is a row too, with the reason.

Spark's reader of JSON lines guesses the encoding of each line, takes overlong UTF-8, makes rows of a list, and reads of
a line the first object alone. A file in which any of that may matter is read as text, line by line, and strictly.
"""

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.place_files import READ_ALL, escape_pattern
from spark_jobs.common.schemas import PARTITION, TOPIC
from warden.base.errors import ScanError
from warden.state.snapshot.layout import SnapshotPartition
from warden.state.snapshot.lines import NO_TEXT, is_plain

__all__ = ["DAMAGED", "check_topics", "read_topics", "sanitise_text"]

DAMAGED = T.StructType([T.StructField("problem", T.StringType()), T.StructField("text", T.StringType())])
"""What is wrong with a row, and what stands there."""

_CORRUPT, _DAMAGE = "_corrupt", "_damage"
# Behind each line as another object: where it is not the second one, the line is not one object.
_END = "an object of no line"
_UNREADABLE = "the line of the snapshot cannot be read"
_LINE = T.StructType([*TOPIC.fields, T.StructField(_CORRUPT, T.StringType())])
_TEXT_LINE = T.StructType([T.StructField("value", T.StringType()), *PARTITION.fields])
_WHOLE = T.StructType([*TOPIC.fields, *PARTITION.fields])


def read_topics(
    spark: SparkSession, partitions: Sequence[SnapshotPartition], *, damaged: str | None = None
) -> DataFrame:
    """Read the topic rows of some partitions of one snapshot directory.

    Args:
        spark: A session.
        partitions: At least one.
        damaged: Name of a further column, of type `DAMAGED`, null where a row is in order; without it a row that is
            not is an error of the job that reads it, which `spark_jobs.common.errors.translate_errors` makes an
            `InputError`.

    Returns:
        A frame with the columns of `TOPIC` and of `PARTITION`.

    Raises:
        InputError: A file is missing, or cannot be read.
    """
    options = {"basePath": partitions[0].format_path(partitions[0].directory / "topics"), **READ_ALL}
    lines: list[str] = []
    texts: list[str] = []
    for partition in partitions:
        partition.find_topics_file()
        if partition.format == "jsonl":
            plain = all(is_plain(file) for file in partition.list_files("topics"))
            path = escape_pattern(partition.format_path(partition.build_path("topics")))
            (lines if plain else texts).append(path)
    parquet = [
        escape_pattern(part.format_path(part.build_path("topics"))) for part in partitions if part.format == "parquet"
    ]
    column = damaged or _DAMAGE
    frames = []
    if lines:
        schema = T.StructType([*_LINE.fields, *PARTITION.fields])
        reader = spark.read.options(**options).option("columnNameOfCorruptRecord", _CORRUPT)
        rows = reader.schema(schema).json(lines)
        frames.append(rows.withColumn(column, _build_damage(F.col(_CORRUPT).isNotNull(), _UNREADABLE, F.col(_CORRUPT))))
    if texts:
        # Without a schema Spark takes a cluster's name for a number where it looks like one.
        frames.append(_parse_lines(spark.read.options(**options).schema(_TEXT_LINE).text(texts), column))
    if parquet:
        rows = spark.read.options(**options).schema(_WHOLE).parquet(*parquet)
        broken = ~F.is_valid_utf8(_join_texts())
        damage = _build_damage(broken, "a string of the row is not UTF-8", F.to_json(F.struct(*TOPIC.names)))
        frames.append(rows.withColumn(column, damage))
    names = [*_WHOLE.names, column]
    if not damaged:
        frames = [frame.where(_require_undamaged(F.col(column))) for frame in frames]
        names.remove(column)
    whole = frames[0].select(names)
    for frame in frames[1:]:
        whole = whole.unionByName(frame.select(names))
    return whole


def check_topics(partition: SnapshotPartition, expected: int | None, found: int, *, repeated: int = 0) -> None:
    """See whether all topics of a partition were read.

    Args:
        partition: The partition.
        expected: Number of topics that its state says; None where it does not say.
        found: Number of topics that were read by name, each once.
        repeated: Number of rows with the name of another one.

    Raises:
        ScanError: There are fewer than the state says.
    """
    if expected and found < expected:
        twice = f" (and {repeated} a second time)" if repeated else ""
        raise ScanError(
            f"{partition.format_path(partition.build_path('topics'))}: {found} topics are there by name{twice}, but "
            f"the cluster's meta.topics says {expected}: take the snapshot again"
        )


def sanitise_text(text: Column) -> Column:
    """A text of any bytes as `warden.state.snapshot.lines.decode_line` has it."""
    return F.regexp_replace(F.make_valid_utf8(F.translate(text, "\0", "\ufffd")), "\ufffd+", "\ufffd")


def _parse_lines(lines: DataFrame, damaged: str) -> DataFrame:
    """Parse lines of text: each has to be one object, in UTF-8."""
    line = F.col("value")
    foreign = ~F.is_valid_utf8(line) | F.contains(line, F.lit("\0"))
    options = {"columnNameOfCorruptRecord": _CORRUPT}
    bare = F.when(~foreign, F.ltrim(line, F.lit("\ufeff")))
    end = F.lit(f',{{"topic":"{_END}"}}]')
    listed = F.from_json(F.concat(F.lit("["), bare, end), T.ArrayType(TOPIC), {"mode": "PERMISSIVE"})
    is_one = (F.size(listed) == F.lit(2)) & (F.element_at(listed, 2)["topic"] == F.lit(_END))
    parsed = F.when(is_one, F.from_json(bare, _LINE, options))
    rows = lines.where(F.trim(line, F.lit(" \t")) != F.lit("")).withColumn("_row", parsed)
    corrupt = F.col("_row").isNull() | F.col("_row")[_CORRUPT].isNotNull()
    damage = F.coalesce(
        _build_damage(foreign, NO_TEXT, sanitise_text(line)), _build_damage(corrupt, _UNREADABLE, sanitise_text(line))
    )
    fields = [F.col("_row")[name].alias(name) for name in TOPIC.names]
    return rows.select(*fields, *PARTITION.names, damage.alias(damaged))


def _join_texts() -> Column:
    maps = ("configs", "labels")
    pieces = [function(name) for name in maps for function in (F.map_keys, F.map_values)]
    return F.concat_ws("", "topic", *pieces)


def _build_damage(when: Column, problem: str, text: Column) -> Column:
    fields = F.lit(problem).alias("problem"), text.cast("string").alias("text")
    return F.when(when, F.struct(*fields)).cast(DAMAGED)


def _require_undamaged(damage: Column) -> Column:
    """A condition that holds for every row that is in order, and fails with the file of one that is not."""
    advice = F.lit("`warden scan` says which lines are damaged")
    said = F.concat_ws(": ", F.input_file_name(), damage["problem"], advice)
    return F.when(damage.isNull(), F.lit(True)).otherwise(F.raise_error(said).cast("boolean"))
