"""Files of tables as the driver handles them: on its own file systems, or at an address."""

import re
import shutil
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from spark_jobs.common.hadoop_files import HadoopFiles
from warden.base.errors import InputError
from warden.base.files.address import Address, Place

__all__ = [
    "READ_ALL",
    "check_replaceable",
    "escape_pattern",
    "keep_part",
    "measure_bytes",
    "remove",
    "replace_directory",
]

READ_ALL: Final = {"ignoreMissingFiles": "false", "ignoreCorruptFiles": "false"}
"""Options of a reader that leaves out no file that it cannot read, whatever the session's configuration says."""

# What Spark writes to the directory of a table: files, the last two of them those of Databricks, and a directory.
_FILE_OF_TABLE = re.compile(r"\.?part-\d{5,}-.+|_SUCCESS|\._SUCCESS\.crc|_(?:committed|started)_\d+")
_TEMPORARY = "_temporary"

_HOST = re.compile("(?:[^:/]+://[^/]*)?")  # of an address; in brackets where it is one of IPv6


def escape_pattern(place: Place | str) -> str:
    """Return a path or an address for Spark to read, which would take brackets, braces and stars in it for a pattern.

    Args:
        place: As it is; not to be escaped where Spark writes, or where it takes it for the base of what it reads.
    """
    host, text = _HOST.match(str(place)), str(place)
    start = host.end() if host else 0
    return text[:start] + re.sub(r"([][{}*?\\])", r"\\\1", text[start:])


def check_replaceable(spark: SparkSession, directory: Place) -> None:
    """See whether a directory holds a table of Spark's and nothing else, before Spark writes another one in its place.

    Args:
        spark: A session.
        directory: The directory; it need not be there.

    Raises:
        InputError: It holds anything else, which would be deleted, or it is a file.
    """
    if isinstance(directory, Address):
        children = HadoopFiles(spark).list_children(directory)
    elif directory.is_dir():
        children = {path.name: path.is_dir() for path in directory.iterdir()}
    else:
        children = {}
    others = sorted(name for name, is_directory in children.items() if not _is_of_table(name, is_directory))
    if isinstance(directory, Path) and directory.is_file():
        others = [directory.name]
    if others:
        raise InputError(
            f"{directory}: a table is to replace it, and {others[0]}, which is of no table, would be deleted: "
            "name another directory"
        )


def _is_of_table(name: str, is_directory: bool) -> bool:
    return name == _TEMPORARY if is_directory else _FILE_OF_TABLE.fullmatch(name) is not None


def measure_bytes(spark: SparkSession, directory: Place) -> int:
    """Return the bytes of the files in a directory."""
    if isinstance(directory, Address):
        return sum(HadoopFiles(spark).list_files(directory).values())
    return sum(path.stat().st_size for path in directory.iterdir())


def keep_part(spark: SparkSession, directory: Place, suffix: str, target: Place) -> None:
    """Make the one part that Spark wrote to a directory a file, and delete the directory.

    Args:
        spark: A session.
        directory: What Spark wrote.
        suffix: The end of the part's name.
        target: The file, where none is, beside the directory.
    """
    if isinstance(directory, Address) and isinstance(target, Address):
        files = HadoopFiles(spark)
        (name,) = (
            name for name in files.list_children(directory) if name.startswith("part-") and name.endswith(suffix)
        )
        files.move(directory / name, target)
    elif isinstance(directory, Path) and isinstance(target, Path):
        (part,) = directory.glob(f"part-*{suffix}")
        part.rename(target)
    remove(spark, directory)


def remove(spark: SparkSession, directory: Place) -> None:
    """Delete a directory with all that is in it, if there is one."""
    if isinstance(directory, Address):
        HadoopFiles(spark).delete(directory)
    else:
        shutil.rmtree(directory, ignore_errors=True)


def replace_directory(spark: SparkSession, new: Place, old: Place) -> None:
    """Put a directory in the place of another one, which is deleted."""
    remove(spark, old)
    if isinstance(new, Address) and isinstance(old, Address):
        HadoopFiles(spark).move(new, old)
    elif isinstance(new, Path):
        new.rename(str(old))
