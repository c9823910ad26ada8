"""Scans whose runs go into real tables of Delta and of Iceberg, on a Spark for which both are built.

Run as `python -m tests.spark_jobs.scan.lakehouse_scan DIRECTORY OPA JAR…`, with OPA's token in the environment; prints
what it has seen, by format.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pyspark.sql import DataFrameWriterV2, SparkSession

from spark_jobs.common.schemas import FINDING, RUN_TABLES, TABLES_VERSION
from spark_jobs.common.session import open_spark_session
from spark_jobs.scan.lakehouse import VERSION_PROPERTY, add_run, prepare_tables
from spark_jobs.scan.run_scan import ScanResult, run_scan
from warden.analyse.scan.plan import ScanPlan
from warden.analyse.scan.table_place import TablePlace, parse_table_place
from warden.base.errors import WardenError
from warden.demo.estate import OBSERVED_AT
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.snapshot.directory import write_snapshot

_DAY = date(2026, 1, 1)
_TOPIC = {"numPartitions": 3, "replicationFactor": 1, "replicasAssignments": {"0": [1]}, "internal": False}
_TABLES = (*RUN_TABLES, "runs")


class Killed(BaseException):
    """Ends a driver; nothing that runs there catches it."""


def main(directory: Path, opa: str, *jars: str) -> None:
    """Scan a run into tables of each format, and do to them what may happen to them."""
    configs = {
        "spark.jars": ",".join(jars),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": str(directory / "iceberg"),
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.databricks.delta.snapshotPartitions": "1",
    }
    write_snapshot(directory / "snapshots", "c", {"clusterSize": 3, "topics": {"a": _TOPIC, "b": _TOPIC}}, day=_DAY)
    places = [parse_table_place(f"delta:{directory / 'delta'}"), parse_table_place("iceberg:lake.estate.warden")]
    with open_spark_session("local[1]", configs) as spark:
        done = []
        for place, name in zip(places, "rs", strict=True):
            make_older_table(spark, place)
            plan = ScanPlan(directory / "snapshots", directory / "runs", now=OBSERVED_AT, run_id=name, tables=place)
            done.append(run_scan(spark, plan, RemoteOpa(opa, os.environ["WARDEN_OPA_QUERY_TOKEN"])))
        print(json.dumps({place.format: observe(spark, place, done) for place in places}))


def observe(spark: SparkSession, place: TablePlace, done: list[ScanResult]) -> dict[str, Any]:
    """Return what there is after each step."""
    first, second = done
    scanned = list_visible(spark, place)
    for run in (second, first):
        add_run(spark, place, run.summary, run.directory)
    seen: dict[str, Any] = {"scanned": scanned, "twice": count_rows(spark, place), "killed": []}
    seen["older"] = is_as_new(spark, place)
    for writes in (0, 2, 4):
        with killed_after(writes):
            add_run(spark, place, first.summary, first.directory)
        seen["killed"].append(list_visible(spark, place))
    add_run(spark, place, first.summary, first.directory)
    seen["again"] = count_rows(spark, place)
    alter(spark, place, "passes", f"SET TBLPROPERTIES ('{VERSION_PROPERTY}' = '2')")
    seen["newer"] = refusal(spark, place)
    alter(spark, place, "passes", f"UNSET TBLPROPERTIES ('{VERSION_PROPERTY}')")
    seen["foreign"] = refusal(spark, place)
    return seen


def make_older_table(spark: SparkSession, place: TablePlace) -> None:
    """Make a table as an older Warden would have made it."""
    if place.namespace:
        spark.sql(f"CREATE NAMESPACE {place.namespace}")
    spark.sql(
        f"CREATE TABLE {place.name_table('findings')} (run_id string, waiver struct<id:string>) "
        f"USING {place.format} PARTITIONED BY (run_id) TBLPROPERTIES ('{VERSION_PROPERTY}' = '0')"
    )


def is_as_new(spark: SparkSession, place: TablePlace) -> bool:
    """Whether that table has the columns of today, and says so."""
    table = spark.table(place.name_table("findings")).schema
    types = {field.name: field.dataType.simpleString() for field in table}
    properties = spark.sql(f"SHOW TBLPROPERTIES {place.name_table('findings')}").collect()
    version = {row["key"]: row["value"] for row in properties}[VERSION_PROPERTY]
    return version == f"{TABLES_VERSION}" and types == {field.name: field.dataType.simpleString() for field in FINDING}


@contextmanager
def killed_after(writes: int) -> Iterator[None]:
    """End what writes tables after so many of them."""
    left, overwrite = iter(range(writes)), DataFrameWriterV2.overwrite

    def write(writer: DataFrameWriterV2, condition: Any) -> None:
        if next(left, None) is None:
            raise Killed
        overwrite(writer, condition)

    with patch.object(DataFrameWriterV2, "overwrite", write):
        try:
            yield
        except Killed:
            return
    raise AssertionError(f"there are no more than {writes} tables")


def list_visible(spark: SparkSession, place: TablePlace) -> list[str]:
    """The runs of whose findings readers see rows."""
    findings, runs = (place.name_table(name) for name in ("findings", "runs"))
    return [row[0] for row in spark.sql(f"SELECT DISTINCT run_id FROM {findings} JOIN {runs} USING (run_id)").collect()]


def count_rows(spark: SparkSession, place: TablePlace) -> dict[str, dict[str, int]]:
    """Rows by table and run."""
    return {
        name: {row[0]: row[1] for row in spark.table(place.name_table(name)).groupBy("run_id").count().collect()}
        for name in _TABLES
    }


def alter(spark: SparkSession, place: TablePlace, table: str, clause: str) -> None:
    """Change a table's properties."""
    spark.sql(f"ALTER TABLE {place.name_table(table)} {clause}")


def refusal(spark: SparkSession, place: TablePlace) -> str:
    """What is said before a scan about a table that it cannot write."""
    try:
        prepare_tables(spark, place)
    except WardenError as error:
        return str(error).removeprefix(f"{place}: ")
    return ""


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
