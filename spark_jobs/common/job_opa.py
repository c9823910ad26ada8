"""The OPA of a Spark job: one at an address, or one on each host that runs tasks."""

import os
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark import SparkFiles, TaskContext
from pyspark.sql import SparkSession

from spark_jobs.common.deployment import is_local
from spark_jobs.common.shipping import ship_modules
from warden.base.process.pids import read_name_and_parent
from warden.base.process.progress import show_working
from warden.policy.bundle.build import Bundle
from warden.policy.opa.per_host import HostOpa
from warden.policy.opa.session import OpaOptions, OpaSession, open_session

__all__ = ["SparkHost", "open_job_opa"]


@contextmanager
def open_job_opa(
    spark: SparkSession, options: OpaOptions = OpaOptions(), built: Future[Bundle] | None = None
) -> Iterator[OpaSession]:
    """Yield the OPA that a job uses, and give executors elsewhere Warden's modules; OPAs that are started end with it.

    Args:
        spark: A session.
        options: OPAs that run, or what those decide by that are started on each host.
        built: The bundle, of `warden.policy.opa.session.build_in_background`; it is built here where None.

    Raises:
        BundleError, ToolchainError, OpaError: The bundle cannot be built or trusted, or OPA not be had.
    """
    with TemporaryDirectory(prefix="warden-") as directory:
        ship_modules(spark, Path(directory))
        with open_session(options, partial(_on_each_host, spark), show=show_working, built=built) as session:
            yield session


@dataclass(frozen=True)
class SparkHost:
    """A `warden.policy.opa.per_host.LaunchHost` where Spark's tasks run.

    Args:
        shipped: Whether files are those that Spark has brought (SparkFiles), by name; else they are where they are.
    """

    shipped: bool = False

    def locate(self, path: str) -> Path:
        """As `LaunchHost.locate`."""
        return Path(SparkFiles.get(path)) if self.shipped else Path(path)

    def find_owner(self) -> int:
        """Return the executor's JVM, which is above pyspark.daemon; on the driver this process."""
        if TaskContext.get() is None:
            return os.getpid()
        pid = os.getppid()
        name, parent = read_name_and_parent(pid)
        while parent > 1 and not name.startswith("java"):
            pid = parent
            name, parent = read_name_and_parent(pid)
        return pid


def _on_each_host(spark: SparkSession, driver: HostOpa) -> HostOpa:
    """Return the endpoint of an OPA on each host that runs tasks; the driver's own where Spark is local.

    Args:
        spark: A session.
        driver: The driver's OPA, whose bundle and program are sent to the other hosts.
    """
    if is_local(spark):
        return replace(driver, host=SparkHost())
    bundle, program = Path(driver.bundle), Path(driver.program)
    for path in (bundle, program):
        spark.sparkContext.addFile(str(path))
    name = f"{spark.sparkContext.applicationId}-{driver.name}"
    return replace(driver, name=name, bundle=bundle.name, program=program.name, host=SparkHost(shipped=True))
