"""Where the tasks of a session run, with Spark Connect and without: on which host, how many, with what modules."""

from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

__all__ = ["count_tasks", "is_connect", "is_local", "is_this_host", "send_modules"]

_MANY = 1 << 16


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


def send_modules(spark: SparkSession, archive: Path) -> None:
    """Give the tasks a zip file of modules."""
    if is_connect(spark):
        spark.addArtifacts(str(archive), pyfile=True)
    else:
        spark.sparkContext.addPyFile(str(archive))
