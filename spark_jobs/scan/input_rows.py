"""Resources to scan, as rows: the topics of snapshots, and the brokers, ACLs and client configs of their clusters."""

from pyspark.errors import AnalysisException, ParseException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from spark_jobs.common.schemas import PARTS, ROW
from spark_jobs.scan.dedupe import digest
from spark_jobs.scan.namesakes import with_namesakes
from spark_jobs.scan.other_rows import other_rows
from spark_jobs.scan.topic_rows import topic_rows
from spark_jobs.sources.topics import read_topics
from warden.errors import ConfigurationError
from warden.scan.plan import Prepared

__all__ = ["resource_rows"]

_DAMAGED = "_damaged"
_WITHOUT_ID = [name for name in ROW.names if name != "id"]
_MILLION = 1_000_000


def resource_rows(spark: SparkSession, prepared: Prepared) -> DataFrame:
    """Return what a run evaluates, with the columns of `ROW` but its id.

    Raises:
        ConfigurationError: The plan's condition cannot be understood.
    """
    topics = all_topics = read_topics(spark, prepared.partitions, damaged=_DAMAGED)
    where = prepared.plan.where
    if where is not None:
        try:
            topics.drop(_DAMAGED).where(F.expr(where))  # a mistake names the columns that people know
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
