"""Files at an address, by Hadoop's own FileSystem: the one that Spark's tasks use, with the credentials that they use.

It is that of the driver's JVM, which a session of Spark Connect has elsewhere.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.sql import SparkSession

from spark_jobs.common.errors import find_cause
from warden.base.errors import InputError, WardenError
from warden.base.files.address import Address

__all__ = ["HadoopFiles"]

_HADOOP_MODULES: Mapping[str, str] = {
    "s3a": "hadoop-aws",
    "abfs": "hadoop-azure",
    "abfss": "hadoop-azure",
    "gs": "hadoop-gcp",
}


class HadoopFiles:
    """What there is at addresses. Each method raises `InputError` where the file system does not do it.

    Args:
        spark: A session with a JVM of its own.
    """

    def __init__(self, spark: SparkSession) -> None:
        context = spark.sparkContext
        self._jvm: Any = context._jvm  # noqa: SLF001 - PySpark has no other way to it
        self._configuration: Any = context._jsc.hadoopConfiguration()  # noqa: SLF001 - nor to this

    def has(self, address: Address) -> bool:
        """Whether there is a file or a directory."""
        with self._open(address) as (system, path):
            return bool(system.exists(path))

    def list_children(self, address: Address) -> dict[str, bool]:
        """Return the names in a directory, and whether each is a directory; none where there is no directory."""
        with self._open(address) as (system, path):
            if not system.exists(path):
                return {}
            return {status.getPath().getName(): bool(status.isDirectory()) for status in system.listStatus(path)}

    def list_files(self, address: Address) -> dict[str, int]:
        """Return the files below a directory, by their path from there, with their bytes; none where it is missing."""
        with self._open(address) as (system, path):
            if not system.exists(path):
                return {}
            base = system.makeQualified(path).toUri().getPath().rstrip("/") + "/"
            sizes, files = {}, system.listFiles(path, True)
            while files.hasNext():
                status = files.next()
                sizes[status.getPath().toUri().getPath().removeprefix(base)] = int(status.getLen())
            return dict(sorted(sizes.items()))

    def read_time(self, address: Address) -> int | None:
        """Return when a file was written, in milliseconds since 1970; None where there is no file."""
        with self._open(address) as (system, path):
            try:
                return int(system.getFileStatus(path).getModificationTime())
            except Py4JJavaError as error:
                if error.java_exception.getClass().getName() != "java.io.FileNotFoundException":
                    raise
                return None

    def fetch(self, address: Address, target: Path) -> None:
        """Copy a file to this machine."""
        target.parent.mkdir(parents=True, exist_ok=True)
        with self._open(address) as (system, path):
            copy = self._jvm.org.apache.hadoop.fs.Path(f"file://{target.absolute()}")
            system.copyToLocalFile(False, path, copy, True)

    def put(self, file: Path, address: Address) -> None:
        """Copy a file of this machine to an address; what was there is replaced."""
        with self._open(address) as (system, path):
            source = self._jvm.java.io.FileInputStream(str(file))
            try:
                target = system.create(path, True)
                self._jvm.org.apache.hadoop.io.IOUtils.copyBytes(source, target, self._configuration, True)
            finally:
                source.close()

    def move(self, address: Address, target: Address) -> None:
        """Move a file or a directory to where nothing is, in a directory that is there.

        An object store does it file by file: a directory may be half there meanwhile.
        """
        with self._open(address) as (system, path):
            if not system.rename(path, self._jvm.org.apache.hadoop.fs.Path(str(target))):
                raise InputError(f"{target}: cannot be put there from {address}: see whether you may write there")

    def make_directory(self, address: Address) -> None:
        """Make a directory with those above it."""
        with self._open(address) as (system, path):
            system.mkdirs(path)

    def delete(self, address: Address) -> None:
        """Delete a file, or a directory with all that is in it, if there is one."""
        with self._open(address) as (system, path):
            system.delete(path, True)

    @contextmanager
    def _open(self, address: Address) -> Iterator[tuple[Any, Any]]:
        try:
            path = self._jvm.org.apache.hadoop.fs.Path(str(address))
            yield path.getFileSystem(self._configuration), path
        except Py4JError as error:
            raise self._explain(address, find_cause(str(error).replace("\n: ", "\n"))) from error

    def _explain(self, address: Address, cause: str) -> WardenError:
        """Say what to write where Spark has no file system for an address."""
        version = self._jvm.org.apache.hadoop.util.VersionInfo.getVersion()
        if address.scheme in {"s3", "s3n"} and "UnsupportedFileSystem" in cause:
            return InputError(
                f"{address}: Hadoop has no {address.scheme}://: write s3a://{str(address).split('://')[1]}"
            )
        module = _HADOOP_MODULES.get(address.scheme)
        if module and any(name in cause for name in ("ClassNotFound", "NoClassDefFound")):
            package = f"org.apache.hadoop:{module}:{version}"
            return InputError(f"{address}: Spark lacks {module}: give --conf spark.jars.packages={package}")
        if "UnsupportedFileSystem" in cause:
            return InputError(
                f"{address}: Spark knows no file system {address.scheme}://: "
                f"give its jar (--conf spark.jars.packages=…) and fs.{address.scheme}.impl "
                f"(--conf spark.hadoop.fs.{address.scheme}.impl=…)"
            )
        return InputError(f"{address}: {cause}")
