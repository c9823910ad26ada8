"""Cached decisions at an address, which any number of scans may read and add to at the same time.

    <address>/<context>/part-<id>/*.parquet

A scan adds a part of its own. Nothing is locked or renamed: a file holds whole decisions and appears at once, so what
a killed driver left of its part may be read. Where several scans decided on one input, one of their decisions is read.
ERRORs are not cached: they are evaluated again. Nothing is deleted.
"""

import uuid
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession

from spark_jobs.common.hadoop_files import HadoopFiles
from spark_jobs.common.place_files import escape_pattern
from spark_jobs.common.schemas import INPUT_DECISION
from spark_jobs.scan.cache.decision_cache import read_parts
from warden.base.files.address import Address, Place

__all__ = ["RemoteCache"]

_PART = "part-"


@dataclass(frozen=True)
class RemoteCache:
    """The cached decisions of one context (`warden.analyse.scan.policy_version.PolicyVersion.context`).

    Args:
        spark: A session with a JVM of its own.
        directory: Those of the context.
        parts: What was there when it was opened.
    """

    spark: SparkSession
    directory: Address
    parts: tuple[Address, ...]

    @classmethod
    def open(cls, spark: SparkSession, root: Address, context: str) -> "RemoteCache":
        """Look what is cached.

        Raises:
            InputError: Nothing can be read there, or nothing can be written.
        """
        files, directory = HadoopFiles(spark), root / context
        files.make_directory(directory)  # said before the scan, not at its end
        names = sorted(files.list_children(directory))
        return cls(spark, directory, tuple(directory / name for name in names if name.startswith(_PART)))

    def read(self, spark: SparkSession) -> DataFrame | None:
        """Return cached decisions with the columns of `INPUT_DECISION`, no input twice; None if none are."""
        cached = read_parts(spark, self.parts)
        # Whichever row is kept is right: one context has one decision for an input.
        return cached.dropDuplicates(["hash"]) if cached is not None else None

    def add(self, written: Place) -> None:
        """Add a copy of a directory of decisions."""
        decisions = self.spark.read.schema(INPUT_DECISION).parquet(escape_pattern(written))
        decisions.write.parquet(str(self.directory / f"{_PART}{uuid.uuid4().hex}"))
