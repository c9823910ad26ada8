"""First stage of a scan: Spark reads the sources into rows of the run that have an id, and are counted by name.

The states of clusters are those that `warden.analyse.scan.plan.prepare` has read. From here on nothing that happens to
the sources matters, and a row has one id for good.
"""

from dataclasses import dataclass, replace
from typing import Final

from pyspark.errors import AnalysisException, ParseException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from spark_jobs.common.place_files import escape_pattern, measure_bytes
from spark_jobs.common.schemas import PARTS, ROW, ROW_WITHOUT_ID
from spark_jobs.common.task_sizes import set_file_split_size, set_shuffle_partitions
from spark_jobs.scan.dedupe import hash_with_common
from spark_jobs.scan.other_rows import build_other_rows
from spark_jobs.scan.problems import mark_repeated_names
from spark_jobs.scan.row_counts import RowCounts, count_rows
from spark_jobs.scan.same_topic_elsewhere import add_same_topic_elsewhere
from spark_jobs.scan.topic_rows import build_topic_rows
from spark_jobs.sources.topics import read_topics
from warden.analyse.scan.plan import PreparedScan
from warden.base.errors import ConfigurationError
from warden.base.files.address import Place

__all__ = ["MARKED", "ROWS", "Rows", "build_resource_rows", "read_rows"]

ROWS: Final = "rows"
"""The directory that `read_rows` writes; scratch of the run."""

MARKED: Final = "marked"
"""That of the same rows once more, where some are marked as not to be evaluated; scratch of the run."""

_DAMAGED = "_damaged"
_MILLION = 1_000_000
# Nearly every row says something of its own: looking for what repeats would take longer than writing it down.
_READ_SOON = {"parquet.enable.dictionary": "false", "parquet.column.statistics.enabled": "false"}


@dataclass(frozen=True)
class Rows:
    """The rows of a run.

    Args:
        frame: Columns of `spark_jobs.common.schemas.ROW`, in files of the run.
        counted: How many there are.
    """

    frame: DataFrame
    counted: RowCounts


def read_rows(spark: SparkSession, prepared: PreparedScan, directory: Place) -> Rows:
    """Read what a run is about.

    Args:
        spark: A session.
        prepared: The run.
        directory: That of the run, which gets `ROWS` and, where rows are damaged or names there twice, `MARKED`.
    """
    set_file_split_size(spark, prepared.size)
    set_shuffle_partitions(spark, prepared.size)
    rows = _write_with_ids(spark, build_resource_rows(spark, prepared), directory / ROWS)
    first = count_rows(rows, days=prepared.days)
    if not first.damaged and not first.repeated:
        return Rows(rows, first)
    rows = _write_with_ids(spark, mark_repeated_names(spark, rows, first, prepared), directory / MARKED)
    return Rows(rows, replace(count_rows(rows, days=prepared.days), inputs=0, repeated=first.repeated))


def build_resource_rows(spark: SparkSession, prepared: PreparedScan) -> DataFrame:
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
    topics = add_same_topic_elsewhere(spark, topics, all_topics.where(F.col(_DAMAGED).isNull()), prepared)
    rows = build_topic_rows(spark, topics, prepared, _DAMAGED)
    if where is None and any(scan.other_inputs for scan in prepared.scanned):
        rows = rows.unionByName(build_other_rows(spark, all_topics, prepared))
    if prepared.plan.sample < 1:
        bucket = F.pmod(F.xxhash64("cluster", "resource"), F.lit(_MILLION))
        rows = rows.where(bucket < F.lit(round(prepared.plan.sample * _MILLION)))
    hash = F.when(F.col("problem").isNull(), hash_with_common("item", *PARTS))
    return rows.withColumn("hash", hash).select(ROW_WITHOUT_ID)


def _write_with_ids(spark: SparkSession, rows: DataFrame, directory: Place) -> DataFrame:
    identified = rows.withColumn("id", F.monotonically_increasing_id())
    identified.select(ROW.names).write.options(**_READ_SOON).parquet(str(directory))
    set_file_split_size(spark, measure_bytes(spark, directory))
    return spark.read.schema(ROW).parquet(escape_pattern(directory))
