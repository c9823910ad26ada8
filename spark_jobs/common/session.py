"""The Spark session of a command: spark-submit's, one of a Spark Connect server, or one of this process."""

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from spark_jobs.common.connect import connect_session
from spark_jobs.common.local import open_local_session
from warden.base.errors import ConfigurationError
from warden.base.process.progress import show_working
from warden.base.toolchain.java import find_java

__all__ = ["open_spark_session"]

_CONFIGS = {
    "spark.sql.session.timeZone": "UTC",
    # Opening a local file costs nothing, so many small clusters may share a task and a large one is cut.
    "spark.sql.files.openCostInBytes": "0",
    # Each cluster has a directory for each day: looking into it is less work than a task.
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "5000",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "4000",
}


@contextmanager
def open_spark_session(master: str | None = None, configs: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """Yield a Spark session, and stop it at the end unless it was there before.

    Args:
        master: Spark's master URL, or that of a Spark Connect server (``sc://host:port``); None for spark-submit's
            own, and for ``local[*]`` outside of spark-submit.
        configs: Spark's configuration; it overrides Warden's own.

    Raises:
        ToolchainError: There is no Java.
        ConfigurationError: Spark cannot start with this master, or spark-submit has chosen another.
    """
    own = _CONFIGS | dict(configs or {})
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL)  # prints each error that it raises, as JSON
    with ExitStack() as stack:
        if "PYSPARK_GATEWAY_PORT" in os.environ:  # set by spark-submit for the Python that it starts
            if master or configs:
                raise ConfigurationError(
                    "--master and --conf belong to spark-submit here: write them before the program"
                )
            yield stack.enter_context(_open_submitted_session())
        elif master and master.startswith("sc://"):
            yield stack.enter_context(connect_session(master, own))
        else:
            java = find_java()
            # What Spark says goes to a file that vanishes with it.
            scratch = stack.enter_context(TemporaryDirectory(prefix="warden-spark-", ignore_cleanup_errors=True))
            with show_working("starting Spark"):
                session = open_local_session(master or "local[*]", java, Path(scratch) / "spark.log", own)
                spark = stack.enter_context(session)
            yield spark


@contextmanager
def _open_submitted_session() -> Iterator[SparkSession]:
    """Spark-submit's session: its own configuration counts, but for the time zone, on which days depend."""
    spark = SparkSession.builder.appName("warden").getOrCreate()
    conf = spark.sparkContext.getConf()
    for name, value in _CONFIGS.items():
        if name == "spark.sql.session.timeZone" or not conf.contains(name):
            spark.conf.set(name, value)
    try:
        yield spark
    finally:
        spark.stop()
