"""Session helpers that work with and without Spark Connect: parallelism, split sizes, sending modules."""

from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

__all__ = [
    "count_tasks",
    "is_connect",
    "is_local",
    "is_this_host",
    "send_modules",
    "set_file_split_size",
    "set_shuffle_partitions",
]

_MANY = 1 << 16
_KIB = 1024
_SHUFFLES = "spark.sql.shuffle.partitions"
_MOVED_BYTES = 16 * _KIB * _KIB


def is_connect(spark: SparkSession) -> bool:
    """Whether the session is one of Spark Connect."""
    return type(spark).__module__.startswith("pyspark.sql.connect.")


def is_local(spark: SparkSession) -> bool:
    """Whether the tasks run in this process's JVM."""
    master = "" if is_connect(spark) else spark.sparkContext.master or ""
    return master == "local" or master.startswith("local[")


def is_this_host(spark: SparkSession) -> bool:
    """Whether all tasks run on this host, so that they reach what listens on loopback."""
    return not is_connect(spark) and (spark.sparkContext.master or "").startswith("local")


def count_tasks(spark: SparkSession) -> int:
    """Return how many tasks run side by side, as Spark's default parallelism has it."""
    if not is_connect(spark):
        return spark.sparkContext.defaultParallelism
    return spark.range(_MANY).select(F.spark_partition_id()).distinct().count()


def set_file_split_size(spark: SparkSession, size: int, *, each: int = 4, least: int = 256 * _KIB) -> None:
    """Have files read by so many tasks that all cores are busy to the end; each costs some 70 ms where Python runs.

    Args:
        spark: A session.
        size: Bytes of all that are read together.
        each: Tasks for each core, about; more even out the end, and show progress.
        least: Bytes of a task at the least.
    """
    tasks_bytes = size // (each * count_tasks(spark))
    spark.conf.set("spark.sql.files.maxPartitionBytes", min(max(tasks_bytes, least), 64 * _KIB * _KIB))


def set_shuffle_partitions(spark: SparkSession, size: int) -> None:
    """Have rows that move between tasks cut so small that they fit; Spark puts together what turns out to be smaller.

    Args:
        spark: A session.
        size: Bytes of the files that they come from, which are compressed.
    """
    tasks_bytes = size // _MOVED_BYTES
    if tasks_bytes > int(spark.conf.get(_SHUFFLES) or 0):
        spark.conf.set(_SHUFFLES, tasks_bytes)


def send_modules(spark: SparkSession, archive: Path) -> None:
    """Give the tasks a zip file of modules."""
    if is_connect(spark):
        spark.addArtifacts(str(archive), pyfile=True)
    else:
        spark.sparkContext.addPyFile(str(archive))
