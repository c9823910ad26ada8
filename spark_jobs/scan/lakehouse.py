"""Tables of a lakehouse, Delta or Iceberg, to which runs are added: `warden scan --tables`.

A run is there once: its rows in a table are replaced, by their ``run_id``, in one commit of that table. No commit is
about several tables: a run is there as a whole once it has its row in ``runs``, which goes first and comes last. So a
driver may be killed at any time: what it leaves are rows of no run, which the next scan of that name replaces.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.deployment import is_connect
from spark_jobs.common.errors import find_cause
from spark_jobs.common.frames import make_frame
from spark_jobs.common.hadoop_files import HadoopFiles
from spark_jobs.common.place_files import escape_pattern
from spark_jobs.common.schemas import RUN_TABLES, RUNS, TABLES_VERSION
from warden.analyse.report.summary import Summary
from warden.analyse.scan.table_place import TablePlace
from warden.base.errors import ConfigurationError, InputError, ScanError
from warden.base.files.address import Address, Place, parse_place
from warden.base.version import __version__

__all__ = ["VERSION_PROPERTY", "add_run", "prepare_tables"]

VERSION_PROPERTY: Final = "warden.schema_version"
"""The property of a table that says which version its columns have."""

_RUNS: Final = "runs"
_TABLES: Final = {**RUN_TABLES, _RUNS: RUNS}

# A task writes the rows that it has: all are of one partition, so that Iceberg would send them to one task.
_PROPERTIES: Final = {"delta": {}, "iceberg": {"write.distribution-mode": "none"}}

# What Spark says where it lacks a format, a catalog, or has one that was built for another Spark.
_LACKS: Final = re.compile(
    r"CATALOG_NOT_FOUND|SCHEMA_NOT_FOUND|DATA_SOURCE_NOT_FOUND|SINGLE_PART_NAMESPACE|CONFIGURE_SPARK_SESSION"
    r"|EXTERNAL_METADATA_UNSUPPORTED|CATALOG_PLUGIN|Cannot find catalog plugin class"
    r"|ClassNotFound|NoClassDefFound|NoSuchMethodError|IncompatibleClassChange|AbstractMethodError"
)
_CONFIGS: Final = {
    "delta": (
        "spark.jars.packages=io.delta:delta-spark_{spark}_2.13:VERSION",
        "spark.sql.extensions=io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog=org.apache.spark.sql.delta.catalog.DeltaCatalog",
    ),
    "iceberg": (
        "spark.jars.packages=org.apache.iceberg:iceberg-spark-runtime-{spark}_2.13:VERSION",
        "spark.sql.catalog.{catalog}=org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.{catalog}.type=…",
    ),
}


def prepare_tables(spark: SparkSession, place: TablePlace) -> None:
    """Make the tables that are missing, and add the columns that older ones lack.

    Args:
        spark: A session.
        place: Where the tables are.

    Raises:
        ConfigurationError: The session lacks the format or the catalog.
        InputError: A table is none of Warden's or of a newer one, or the place cannot be used.
    """
    where = parse_place(place.place)
    if isinstance(where, Address) and not is_connect(spark):
        HadoopFiles(spark).has(where)  # which says what to write where Spark lacks the file system
    with _explain(spark, place):
        if place.namespace:
            spark.sql(f"CREATE NAMESPACE IF NOT EXISTS {place.namespace}")
        older = [name for name in _TABLES if _make_table(spark, place, name) < TABLES_VERSION]
        for name in older:
            _add_columns(spark, place.name_table(name), _TABLES[name])
        spark.table(place.name_table(_RUNS)).limit(1).collect()  # jars for another Spark may fail no sooner


def add_run(spark: SparkSession, place: TablePlace, summary: Summary, run: Place) -> None:
    """Add a finished run to tables that `prepare_tables` has seen; what they have of a run of its name is replaced.

    Args:
        spark: A session.
        place: Where the tables are.
        summary: The figures of the run.
        run: Where its own tables are, as Parquet.

    Raises:
        ScanError: A table cannot be written; the run is not in ``runs`` then.
    """
    of_run = F.col("run_id") == F.lit(summary.run_id)
    row = summary.run_id, summary.revision, summary.evaluated_at, summary.source, __version__
    try:
        # Spark binds no parameters in a DELETE, and a run id has no quotes (`warden.analyse.scan.plan`).
        spark.sql(f"DELETE FROM {place.name_table(_RUNS)} WHERE run_id = '{summary.run_id}'")  # noqa: S608 - checked by its form
        for name, schema in RUN_TABLES.items():
            frame = spark.read.schema(schema).parquet(escape_pattern(run / name))
            frame.writeTo(place.name_table(name)).overwrite(of_run)
        make_frame(spark, [row], RUNS).writeTo(place.name_table(_RUNS)).overwrite(of_run)
    except (PySparkException, Py4JError) as error:
        raise ScanError(
            f"the run is in {run}, but not in {place}: {find_cause(_read_text(error))}: "
            f"scan again with --run-id {summary.run_id}"
        ) from error


def _make_table(spark: SparkSession, place: TablePlace, name: str) -> int:
    """Make a table unless it is there, and return the version of its columns."""
    table, columns = place.name_table(name), ", ".join(_iter_missing(_TABLES[name], T.StructType()))
    properties = {VERSION_PROPERTY: f"{TABLES_VERSION}", **_PROPERTIES[place.format]}
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())
    spark.sql(
        f"CREATE TABLE IF NOT EXISTS {table} ({columns}) USING {place.format} "
        f"PARTITIONED BY (run_id) TBLPROPERTIES ({listed})"
    )
    there = {row["key"]: row["value"] for row in spark.sql(f"SHOW TBLPROPERTIES {table}").collect()}
    version = there.get(VERSION_PROPERTY, "")
    if not version.isdecimal():
        raise InputError(
            f"{place}: its table {name} is not Warden's, as it lacks {VERSION_PROPERTY}: name another place"
        )
    if int(version) > TABLES_VERSION:
        raise InputError(
            f"{place}: its table {name} has {VERSION_PROPERTY} {version}, "
            f"and Warden {__version__} writes {TABLES_VERSION}: "
            "take the Warden that others write there with, or name another place"
        )
    return int(version)


def _add_columns(spark: SparkSession, table: str, schema: T.StructType) -> None:
    for column in _iter_missing(schema, spark.table(table).schema):
        spark.sql(f"ALTER TABLE {table} ADD COLUMNS ({column})")
    spark.sql(f"ALTER TABLE {table} SET TBLPROPERTIES ('{VERSION_PROPERTY}' = '{TABLES_VERSION}')")


def _iter_missing(wanted: T.DataType, there: T.DataType, path: str = "") -> Iterator[str]:
    """Yield, as SQL, the columns that a table lacks, those inside structs too."""
    if isinstance(wanted, T.ArrayType) and isinstance(there, T.ArrayType):
        yield from _iter_missing(wanted.elementType, there.elementType, f"{path}element.")
    elif isinstance(wanted, T.StructType) and isinstance(there, T.StructType):
        types = {field.name: field.dataType for field in there}
        for field in wanted:
            if field.name in types:
                yield from _iter_missing(field.dataType, types[field.name], f"{path}`{field.name}`.")
            else:
                yield f"{path}`{field.name}` {field.dataType.simpleString()}"


@contextmanager
def _explain(spark: SparkSession, place: TablePlace) -> Iterator[None]:
    """Say what to write where the session cannot use such tables."""
    try:
        yield
    except (PySparkException, Py4JError) as error:
        text = _read_text(error)
        cause = find_cause(text)
        if not _LACKS.search(text):
            raise InputError(f"{place}: {cause}") from error
        minor = ".".join(spark.version.split(".")[:2])
        configs = (config.format(spark=minor, catalog=place.catalog) for config in _CONFIGS[place.format])
        raise ConfigurationError(
            f"--tables {place}: this Spark {minor} cannot use tables of {place.format.capitalize()} "
            f"({cause[:200]}): give {' '.join(f'--conf {config}' for config in configs)}"
        ) from error


def _read_text(error: Exception) -> str:
    """Return what an error says, with what Py4J has on a line of its own as other traces have it."""
    return str(error).replace("\n: ", "\n")
