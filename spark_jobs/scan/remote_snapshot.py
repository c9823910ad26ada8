"""The snapshot at an address: the driver gets a copy of what it reads itself, and Spark reads where it is."""

from pyspark.sql import SparkSession

from spark_jobs.common.hadoop_files import HadoopFiles
from warden.analyse.scan.plan import ScanPlan

__all__ = ["fetch_snapshot"]


def fetch_snapshot(spark: SparkSession, plan: ScanPlan) -> None:
    """Copy the partitions that a plan chooses to its directory; nothing where the snapshot is at no address.

    Args:
        spark: A session.
        plan: The plan. Its directory is missing yet, and gets an empty file for each partition that is not chosen.

    Raises:
        InputError: There is no snapshot, or nothing of what the plan chooses.
    """
    address, copy = plan.snapshot_address, plan.snapshot
    if address is None:
        return
    files = HadoopFiles(spark)
    listed = files.list_files(address / "clusters")
    if listed or files.exists(address):
        copy.mkdir(parents=True)
    for name in listed:
        path = copy / "clusters" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for part in plan.partitions():
        for directory in (part.path("clusters"), part.path("topics")):
            below = directory.relative_to(copy).as_posix()
            for name in files.list_files(address / below):
                files.fetch(address / below / name, directory / name)
