"""Resources to scan, as rows: the topics of snapshots, and the brokers, ACLs and client configs of their clusters."""

from collections.abc import Sequence

from pyspark.errors import AnalysisException, ParseException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.schemas import PARTITION, PARTS, ROW, TOPIC
from spark_jobs.scan.dedupe import digest
from spark_jobs.scan.namesakes import with_namesakes
from spark_jobs.scan.other_rows import other_rows
from spark_jobs.scan.topic_rows import topic_rows
from warden.errors import ConfigurationError
from warden.scan.plan import Prepared
from warden.snapshot.layout import Partition

__all__ = ["read_topics", "resource_rows"]

_DAMAGED = "_damaged"
_WITHOUT_ID = [name for name in ROW.names if name != "id"]
_KEYS = T.StructType(PARTITION.fields)
_MILLION = 1_000_000


def read_topics(spark: SparkSession, partitions: Sequence[Partition], *, damaged: str | None = None) -> DataFrame:
    """Read the topic rows of some partitions of one snapshot directory, whatever their formats.

    Args:
        spark: A session.
        partitions: At least one.
        damaged: Name of a further column, for the text of lines that cannot be read; without it they are an error.

    Returns:
        A frame with the columns of `TOPIC` and of `PARTITION`.
    """
    schema = T.StructType([*TOPIC.fields, *PARTITION.fields])
    lines = T.StructType([*TOPIC.fields, *([T.StructField(damaged, T.StringType())] if damaged else []), *_KEYS.fields])
    names = [*schema.names, *([damaged] if damaged else [])]
    frames = []
    for stored_as, source, columns in (("jsonl", "json", lines), ("parquet", "parquet", schema)):
        paths = [str(part.path("topics")) for part in partitions if part.format == stored_as]
        if not paths:
            continue
        reader = spark.read.format(source).schema(columns).option("basePath", str(partitions[0].directory / "topics"))
        if stored_as == "jsonl":
            reader = reader.option("mode", "PERMISSIVE" if damaged else "FAILFAST")
            reader = reader.option("columnNameOfCorruptRecord", damaged or "_corrupt_record")
        frame = reader.load(paths)
        if damaged and damaged not in frame.columns:
            frame = frame.withColumn(damaged, F.lit(None).cast("string"))
        frames.append(frame.select(names))
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.unionByName(frame)
    return whole


def resource_rows(spark: SparkSession, prepared: Prepared) -> DataFrame:
    """Return what a run evaluates, with the columns of `ROW` but its id.

    Raises:
        ConfigurationError: The plan's condition cannot be understood.
    """
    topics = all_topics = read_topics(spark, prepared.partitions, damaged=_DAMAGED)
    where = prepared.plan.where
    if where is not None:
        try:
            topics = topics.where(F.expr(where) | F.col(_DAMAGED).isNotNull())
        except (AnalysisException, ParseException) as error:
            said = str(error).partition("\n")[0]
            raise ConfigurationError(f"--where {where!r} is no condition on the columns of topics: {said}") from error
    topics = with_namesakes(spark, topics, all_topics.where(F.col(_DAMAGED).isNull()), prepared)
    rows = topic_rows(spark, topics, prepared, _DAMAGED)
    if where is None:
        rows = rows.unionByName(other_rows(spark, all_topics, prepared))
    if prepared.plan.sample < 1:
        bucket = F.pmod(F.xxhash64("cluster", "resource"), F.lit(_MILLION))
        rows = rows.where(bucket < F.lit(round(prepared.plan.sample * _MILLION)))
    hash = F.when(F.col("problem").isNull(), digest("item", *PARTS))
    return rows.withColumn("hash", hash).select(_WITHOUT_ID)
