"""The snapshot at an address: the driver gets a copy of what it reads itself, and Spark reads where it is."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark.sql import SparkSession

from spark_jobs.common.hadoop_files import HadoopFiles
from warden.analyse.scan.plan import ScanPlan
from warden.base.files.address import Address, show_original_addresses
from warden.state.snapshot.layout import SnapshotPartition, list_partitions

__all__ = ["fetch_snapshot", "open_remote_snapshot", "open_snapshot_copy"]


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
    if listed or files.has(address):
        copy.mkdir(parents=True)
    for name in listed:
        path = copy / "clusters" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for partition in plan.select_partitions():
        for directory in (partition.build_path("clusters"), partition.build_path("topics")):
            below = directory.relative_to(copy).as_posix()
            for name in files.list_files(address / below):
                files.fetch(address / below / name, directory / name)


@contextmanager
def open_snapshot_copy(spark: SparkSession, address: Address, day: date | None = None) -> Iterator[Path]:
    """Yield a directory with a copy of a snapshot, of each cluster one day, for as long as the block lasts.

    Errors about what is in it name the address.

    Args:
        spark: A session.
        address: That of the snapshot.
        day: Which day; None for each cluster's newest.

    Raises:
        InputError: There is no snapshot, or nothing of that day.
    """
    with TemporaryDirectory(prefix="warden-snapshot-") as scratch:
        copy = Path(scratch) / "snapshot"
        with show_original_addresses({copy: address}):
            fetch_snapshot(spark, ScanPlan(copy, copy, day=day, snapshot_address=address))
            yield copy


@contextmanager
def open_remote_snapshot(spark: SparkSession, address: Address) -> Iterator[Path]:
    """Yield a directory to write a snapshot to, whose partitions are put at an address once the block has ended well.

    As in a directory, a partition of the same day and cluster is replaced, and is there once its row is, which comes
    last: whoever looks meanwhile, or after a driver was killed, sees the old one, or none, or the new one.

    Args:
        spark: A session.
        address: That of the snapshot; made where nothing is.

    Raises:
        InputError: Nothing can be written there.
    """
    files = HadoopFiles(spark)
    files.has(address)  # what Spark lacks is said before anything is read
    with TemporaryDirectory(prefix="warden-snapshot-") as scratch:
        copy = Path(scratch) / "snapshot"
        with show_original_addresses({copy: address}):
            yield copy
            for partition in list_partitions(copy) if (copy / "clusters").exists() else ():
                _put(files, partition, address)


def _put(files: HadoopFiles, partition: SnapshotPartition, address: Address) -> None:
    row, topics = (
        address / partition.build_path(table).relative_to(partition.directory).as_posix()
        for table in ("clusters", "topics")
    )
    staging = row.parent / f".writing-{uuid.uuid4().hex}"
    files.delete(row)
    files.delete(topics)
    for path in partition.list_files("topics"):
        files.put(path, topics / path.name)
    try:
        for path in partition.list_files("clusters"):
            files.put(path, staging / path.name)
        files.move(staging, row)  # on an object store one file, which is there as a whole
    finally:
        files.delete(staging)
