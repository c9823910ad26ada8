"""The trend of runs at an address, where Spark reads them; the driver gets copies of their summaries."""

from collections.abc import Sequence
from pathlib import Path

from pyspark.sql import SparkSession

from spark_jobs.common.hadoop_files import HadoopFiles
from spark_jobs.scan.remote.remote_run import fetch_summaries
from warden.analyse.trend.runs import FinishedScan, list_finished_scans
from warden.base.errors import InputError
from warden.base.files.address import Address

__all__ = ["fetch_histories", "list_remote_scans"]


def list_remote_scans(spark: SparkSession, address: Address, directory: Path) -> Sequence[FinishedScan]:
    """Return the runs at an address, oldest first, with copies of their summaries as their directories.

    Args:
        spark: A session.
        address: That of runs.
        directory: Where their summaries go.

    Raises:
        InputError: There is no run, or the summary of one is damaged.
    """
    fetch_summaries(spark, address, directory)
    if not directory.exists():
        raise InputError(f"{address}: no run in it: name the --out of `warden scan`")
    return list_finished_scans(directory, address)


def fetch_histories(spark: SparkSession, address: Address, directory: Path) -> None:
    """Copy the histories of findings that `follow_findings` left at an address to a directory, which has them then."""
    files = HadoopFiles(spark)
    for name in files.list_files(address / "history"):
        files.fetch(address / "history" / name, directory / "history" / name)
