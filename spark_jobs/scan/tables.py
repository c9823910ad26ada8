"""Tables of a scan: written from its decisions, or copied from an earlier scan of the same inputs."""

from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Final

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.errors import extract_first_line, find_cause
from spark_jobs.common.frames import make_frame
from spark_jobs.common.place_files import escape_pattern, measure_bytes, remove, replace_directory
from spark_jobs.common.schemas import FINDING, NOT_EVALUATED, PASSES, RESOURCE_DECISION, RUN_TABLES
from spark_jobs.common.task_sizes import set_file_split_size
from spark_jobs.scan.table_rows import (
    count_passes,
    count_resources,
    select_not_evaluated,
    sort_findings,
    unfold_findings,
    write_lines,
    write_table,
)
from warden.analyse.scan.plan import PreparedScan
from warden.base.errors import ConfigurationError, ScanError
from warden.base.files.address import Place

__all__ = ["COUNTS", "LINES", "RESULTS", "Tables", "check_format", "convert_tables", "copy_tables", "write_tables"]

LINES: Final = "findings.jsonl"
"""The findings as JSON lines."""
# Reading a column or two of a megabyte takes less time than a task.
_LEAST_BYTES = 1 << 20
COUNTS: Final = "counts"
"""What `write_tables` leaves besides; scratch of the run, which nobody needs once it is summarised."""

RESULTS: Final = (*RUN_TABLES, LINES)
"""What `copy_tables` copies."""


@dataclass(frozen=True)
class Tables:
    """What a run has written.

    Args:
        decisions, findings, not_evaluated: Columns of `RESOURCE_DECISION`, `FINDING` and `NOT_EVALUATED`.
        counts: What `spark_jobs.scan.table_rows.count_resources` returns.
    """

    decisions: DataFrame
    counts: DataFrame
    findings: DataFrame
    not_evaluated: DataFrame

    def of_newest(self, prepared: PreparedScan) -> "Tables":
        """Return what is about each cluster's newest day."""
        if len(prepared.newest_partitions) == len(prepared.scanned):
            return self
        clusters: dict[date, list[str]] = {}
        for partition in prepared.newest_partitions:
            clusters.setdefault(partition.day, []).append(partition.cluster)
        of_day = [(F.col("day") == F.lit(day)) & F.col("cluster").isin(those) for day, those in clusters.items()]
        newest = reduce(or_, of_day)
        frames = self.decisions, self.counts, self.findings, self.not_evaluated
        return Tables(*[frame.where(newest) for frame in frames])


def write_tables(
    spark: SparkSession, prepared: PreparedScan, rules: list[tuple[str, bool, str, str]], directory: Place
) -> Tables:
    """Write the tables that the decisions make.

    Args:
        spark: A session.
        prepared: The run.
        rules: (cluster, whether labels are known, kind, rule) of every rule that applies.
        directory: Where the decisions are.
    """

    def save_table(frame: DataFrame, name: str, schema: T.StructType) -> DataFrame:
        frame.write.parquet(str(directory / name))
        return spark.read.schema(schema).parquet(escape_pattern(directory / name))

    set_file_split_size(spark, measure_bytes(spark, directory / "decisions"), each=2, least=_LEAST_BYTES)
    whole = spark.read.schema(RESOURCE_DECISION).parquet(escape_pattern(directory / "decisions"))
    counted = count_resources(whole)
    tables = Tables(
        whole,
        save_table(counted.coalesce(1), COUNTS, counted.schema),
        save_table(unfold_findings(whole), "findings", FINDING),
        save_table(select_not_evaluated(whole), "not_evaluated", NOT_EVALUATED),
    )
    save_table(count_passes(spark, tables.counts, tables.findings, rules, prepared).coalesce(1), "passes", PASSES)
    findings = tables.of_newest(prepared).findings
    write_lines(spark, sort_findings(findings).select(FINDING.names), directory, LINES)
    return tables


def copy_tables(spark: SparkSession, earlier: Path, directory: Path, *, old: str, new: str) -> None:
    """Write the tables of another run, and its findings as JSON lines, under the name of this one.

    Args:
        spark: A session.
        earlier: The directory of a run.
        directory: That of the new one.
        old, new: Their names.
    """
    for name, schema in RUN_TABLES.items():
        table = spark.read.schema(schema).parquet(escape_pattern(earlier / name))
        table.withColumn("run_id", F.lit(new)).write.parquet(str(directory / name))
    before, after = (f'{{"run_id":"{name}",' for name in (old, new))
    with (earlier / LINES).open(encoding="utf-8") as lines, (directory / LINES).open("w", encoding="utf-8") as file:
        for line in lines:
            if not line.startswith(before):
                raise ScanError(f"{earlier / LINES}: not as the run wrote it: remove the run, or give --no-cache")
            file.write(after + line[len(before) :])


def check_format(spark: SparkSession, directory: Place, format: str) -> None:
    """See whether the session can write the tables of a run in a format, before there is anything to lose.

    Args:
        spark: A session.
        directory: That of the run; nothing is left there.
        format: The format.

    Raises:
        ConfigurationError: It cannot.
    """
    if format == "parquet":
        return
    trial = directory / "format-trial"
    for schema in RUN_TABLES.values():
        try:
            write_table(make_frame(spark, [], schema), trial, format)
        except (PySparkException, Py4JError) as error:
            raise ConfigurationError(
                f"--format {format}: Spark cannot write the tables so: write parquet, json, csv or orc, "
                f"or give the format's jar (--conf spark.jars.packages=…): {find_cause(extract_first_line(error))}"
            ) from error
        finally:
            remove(spark, trial)


def convert_tables(spark: SparkSession, directory: Place, format: str) -> None:
    """Write the tables of a run, which are Parquet until then, in another format of the session."""
    if format == "parquet":
        return
    for name in RUN_TABLES:
        new = directory / f"{name}-new"
        write_table(spark.read.parquet(escape_pattern(directory / name)), new, format)
        replace_directory(spark, new, directory / name)
