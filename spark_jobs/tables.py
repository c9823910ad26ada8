"""Writing the tables of a run: from its verdicts, or from the tables of an earlier run that judged the same."""

import shutil
from pathlib import Path
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from spark_jobs.outputs import dead_letters, findings, in_order, passes, write_lines, write_table
from spark_jobs.schemas import FINDING, PARTITION, PASSES, UNJUDGED, VERDICT
from warden.errors import ScanError
from warden.scan.plan import Prepared

__all__ = ["RESULTS", "convert_tables", "copy_tables", "write_tables"]

_TABLES: Final = {"verdicts": VERDICT, "findings": FINDING, "passes": PASSES, "unjudged": UNJUDGED}
_LINES = "findings.jsonl"
RESULTS: Final = (*_TABLES, _LINES)
"""What `copy_tables` copies."""


def write_tables(
    spark: SparkSession, prepared: Prepared, asked: list[tuple[str, str, str]], directory: Path
) -> tuple[DataFrame, DataFrame]:
    """Write the tables that the verdicts make, and return what the summary is about: verdicts and findings.

    Args:
        spark: A session.
        prepared: The run.
        asked: (cluster, kind, rule) of every rule that is asked.
        directory: Where the verdicts are.
    """
    whole = spark.read.schema(VERDICT).parquet(str(directory / "verdicts"))
    dead_letters(whole).write.parquet(str(directory / "unjudged"))
    findings(whole).write.parquet(str(directory / "findings"))
    found = spark.read.schema(FINDING).parquet(str(directory / "findings"))
    passes(spark, whole, found, asked, prepared.job).coalesce(1).write.parquet(str(directory / "passes"))
    if len(prepared.newest) < len(prepared.scanned):
        newest = spark.createDataFrame([(part.day, part.cluster) for part in prepared.newest], PARTITION)
        whole, found = (frame.join(F.broadcast(newest), PARTITION.names, "left_semi") for frame in (whole, found))
    write_lines(in_order(found).select(FINDING.names), directory / _LINES)
    return whole, found


def copy_tables(spark: SparkSession, earlier: Path, directory: Path, *, old: str, new: str) -> None:
    """Write the tables of another run, and its findings as JSON lines, under the name of this one.

    Args:
        spark: A session.
        earlier: The directory of a run.
        directory: That of the new one.
        old, new: Their names.
    """
    for name, schema in _TABLES.items():
        table = spark.read.schema(schema).parquet(str(earlier / name))
        table.withColumn("run_id", F.lit(new)).write.parquet(str(directory / name))
    before, after = (f'{{"run_id":"{name}",' for name in (old, new))
    with (earlier / _LINES).open(encoding="utf-8") as lines, (directory / _LINES).open("w", encoding="utf-8") as file:
        for line in lines:
            if not line.startswith(before):
                raise ScanError(f"{earlier / _LINES}: not as the run wrote it: remove the run, or give --no-cache")
            file.write(after + line[len(before) :])


def convert_tables(spark: SparkSession, directory: Path, format: str) -> None:
    """Write the tables of a run, which are Parquet until then, in another format of the session."""
    if format == "parquet":
        return
    for name in _TABLES:
        new = directory / f"{name}-new"
        write_table(spark.read.parquet(str(directory / name)), new, format)
        shutil.rmtree(directory / name)
        new.rename(directory / name)
