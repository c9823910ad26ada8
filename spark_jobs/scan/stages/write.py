"""Fifth stage of a scan: tables and figures of its decisions, which have to be about all that was read.

The decisions are read in the files that `join` wrote: whatever is counted here is there.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from spark_jobs.scan.aggregate import count_figures
from spark_jobs.scan.row_counts import RowCounts
from spark_jobs.scan.tables import write_tables
from spark_jobs.sources.topics import check_topics
from warden.analyse.report.summary import Summary, summarise
from warden.analyse.scan.decision_rows import ERROR
from warden.analyse.scan.plan import PreparedScan
from warden.base.errors import InputError, ScanError
from warden.base.files.address import Place

__all__ = ["write_results"]


def write_results(
    spark: SparkSession,
    prepared: PreparedScan,
    counted: RowCounts,
    rules: Mapping[str, Mapping[str, Any]],
    applicable: list[tuple[str, bool, str, str]],
    directory: Place,
) -> tuple[Summary, int]:
    """Write the tables of a run, and return its figures, and how many resources were not evaluated.

    Args:
        spark: A session.
        prepared: The run.
        counted: What was read.
        rules: Metadata of the rules, by id.
        applicable: (cluster, whether labels are known, kind, rule) of every rule that applies.
        directory: Where the decisions are.

    Raises:
        ScanError: Something that was read has no decision, or the snapshot does not hold all that it says.
        InputError: The snapshot holds no topics.
    """
    tables = write_tables(spark, prepared, applicable, directory)
    not_evaluated = _check_complete(tables.counts, prepared, counted)
    summary = summarise(
        count_figures(tables.of_newest(prepared)),
        run_id=prepared.job.run_id,
        revision=prepared.job.revision,
        evaluated_at=prepared.now,
        titles={id: rule.get("title", "") for id, rule in rules.items()},
    )
    return summary, not_evaluated


def _check_complete(counts: DataFrame, prepared: PreparedScan, counted: RowCounts) -> int:
    """Compare by name what came out with what went in, and return how many were not evaluated."""
    sums = F.sum("resources").alias("evaluated"), F.sum("names").alias("names")
    by_status = counts.groupBy("day", "cluster", "kind", "status").agg(*sums).collect()
    totals = sum(row["evaluated"] for row in by_status), sum(row["names"] for row in by_status)
    if totals != (counted.resources, counted.names):
        raise ScanError(
            f"{counted.resources} resources were read, but not all of them have one decision: run the scan again"
        )
    not_evaluated: int = sum(row["evaluated"] for row in by_status if row["status"] == ERROR)
    if not prepared.plan.is_whole_estate:
        return not_evaluated
    evaluated: Counter[tuple[date, str]] = Counter()
    for row in by_status:
        if row["kind"] == "topic":
            evaluated[row["day"], row["cluster"]] += row["evaluated"]
    if not evaluated:
        raise InputError(f"{prepared.plan.source}: the snapshot holds no topics, there is nothing to evaluate")
    surplus = counted.count_surplus()
    for scanned in prepared.scanned:
        key = scanned.partition.day, scanned.partition.cluster
        topics = evaluated[key] - surplus[key]
        check_topics(scanned.partition, scanned.expected_topics, topics, repeated=surplus[key])
    return not_evaluated
