"""How much of a run each of its tasks reads and moves, by the size of all."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from spark_jobs.common.deployment import count_tasks

__all__ = ["restore_task_sizes", "set_file_split_size", "set_shuffle_partitions"]

_KIB = 1024
_FILE_SPLIT = "spark.sql.files.maxPartitionBytes"
_SHUFFLES = "spark.sql.shuffle.partitions"
_MOVED_BYTES = 16 * _KIB * _KIB


@contextmanager
def restore_task_sizes(spark: SparkSession) -> Iterator[None]:
    """Give a session its own sizes back after a block, in which all has to be computed: frames take them when they run.

    Args:
        spark: A session.
    """
    before = {name: spark.conf.get(name) for name in (_FILE_SPLIT, _SHUFFLES)}
    try:
        yield
    finally:
        with suppress(PySparkException, Py4JError):  # a session that has died hides nothing of what it died of
            for name, value in before.items():
                spark.conf.set(name, str(value))


def set_file_split_size(spark: SparkSession, size: int, *, each: int = 4, least: int = 256 * _KIB) -> None:
    """Have files read by so many tasks that all cores are busy to the end; each costs some 70 ms where Python runs.

    Args:
        spark: A session.
        size: Bytes of all that are read together.
        each: Tasks for each core, about; more even out the end, and show progress.
        least: Bytes of a task at the least.
    """
    tasks_bytes = size // (each * count_tasks(spark))
    spark.conf.set(_FILE_SPLIT, min(max(tasks_bytes, least), 64 * _KIB * _KIB))


def set_shuffle_partitions(spark: SparkSession, size: int) -> None:
    """Have rows that move between tasks cut so small that they fit; Spark puts together what turns out to be smaller.

    Args:
        spark: A session.
        size: Bytes of the files that they come from, which are compressed.
    """
    tasks_bytes = size // _MOVED_BYTES
    if tasks_bytes > int(spark.conf.get(_SHUFFLES) or 0):
        spark.conf.set(_SHUFFLES, tasks_bytes)
