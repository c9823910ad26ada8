"""Compliance over days and the history of each finding, from the runs that scans have left.

`warden trend` calls `history` in its own process; with spark-submit:

    spark-submit spark_jobs/trend.py --runs DIR --out DIR
"""

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.schemas import VERDICT
from warden.scan.verdicts import ALLOW, ERROR
from warden.trend.runs import RunOf, finished_runs
from warden.trend.summary import Trend, summarise

__all__ = ["HISTORY", "history", "main", "read_runs"]

_TEXT, _DAY = T.StringType(), T.DateType()

HISTORY = T.StructType(
    [
        *[T.StructField(name, _TEXT) for name in ("cluster", "topic", "owner", "rule", "severity", "mode")],
        *[T.StructField(name, _TEXT) for name in ("path", "message")],
        *[T.StructField(name, _DAY) for name in ("first_seen", "last_seen", "ended_on")],
        T.StructField("state", _TEXT),
        T.StructField("days", T.IntegerType()),
        T.StructField("came_back", T.BooleanType()),
        T.StructField("other_policy", T.BooleanType()),
    ]
)
"""One row for each finding there ever was. `state`: new, open, fixed, gone (its topic is no more), unknown (its topic
could not be judged since). `ended_on` is the first day without it. `other_policy`: it ended when the bundle changed."""


def read_runs(spark: SparkSession, runs: Sequence[RunOf]) -> DataFrame:
    """Read the verdicts of runs; of several runs on one day, each cluster's latest counts.

    Returns:
        A frame with the columns of `VERDICT`; ``topic`` names whatever it is about, and ``day`` is never null.
    """
    known = spark.createDataFrame(
        [(run.run_id, run.day, run.judged_at) for run in runs], "run_id string, _day date, _judged_at string"
    )
    read = spark.read.schema(VERDICT).parquet(*[str(run.directory / "verdicts") for run in runs])
    kind = F.coalesce("kind", F.lit("topic"))
    verdicts = (
        read.join(F.broadcast(known), "run_id")
        .withColumn("day", F.coalesce("day", "_day"))
        .withColumn("kind", kind)
        .withColumn("topic", F.coalesce("topic", F.concat_ws(" ", kind, "resource")))
    )
    order = Window.partitionBy("cluster", "day").orderBy(F.desc("_judged_at"), F.desc("run_id"))
    kept = (
        verdicts.select("cluster", "day", "run_id", "_judged_at")
        .distinct()
        .withColumn("_number", F.row_number().over(order))
        .where(F.col("_number") == F.lit(1))
        .select("cluster", "day", "run_id")
    )
    return verdicts.join(F.broadcast(kept), ["cluster", "day", "run_id"]).select(VERDICT.names)


def history(spark: SparkSession, runs: Sequence[RunOf], out: Path) -> Trend:
    """Follow every finding through the days, and count what complied.

    Args:
        spark: A session.
        runs: From `warden.trend.runs.finished_runs`.
        out: Where the findings' histories go as Parquet (`HISTORY`), as ``history``; replaced.

    Raises:
        ScanError: The job failed.
    """
    from spark_jobs.failures import readable_failures

    with readable_failures():
        verdicts = read_runs(spark, runs).persist()
        try:
            _histories(verdicts).write.mode("overwrite").parquet(str(out / "history"))
            figures = _figures(verdicts)
        finally:
            verdicts.unpersist()
        told = spark.read.schema(HISTORY).parquet(str(out / "history"))
        states = told.groupBy("state", "severity").agg(F.count(F.lit(1)).alias("count"))
        last = max(row["day"] for row in figures["days"])
        fresh = told.where((F.col("state") == F.lit("new")) | (F.col("ended_on") == F.lit(last)))
        figures["states"] = _rows(states)
        figures["fresh"] = _rows(_gravest(fresh))
    return summarise(figures, runs)


def _histories(verdicts: DataFrame) -> DataFrame:
    key = ["cluster", "topic", "rule", "path"]
    seen = (
        _findings(verdicts)
        .groupBy(*key)
        .agg(
            F.min("day").alias("first_seen"),
            F.max("day").alias("last_seen"),
            F.count_distinct("day").cast("int").alias("days"),
            *[F.max_by(name, "day").alias(name) for name in ("owner", "severity", "mode", "message")],
        )
    )
    judged = F.struct("day", (F.col("status") != F.lit(ERROR)).alias("judged"))
    topics = verdicts.groupBy("cluster", "topic").agg(F.collect_list(judged).alias("_judged"))
    clusters = (
        verdicts.groupBy("cluster", "day")
        .agg(F.max("revision").alias("revision"))
        .groupBy("cluster")
        .agg(
            F.sort_array(F.collect_list("day")).alias("_days"),
            F.map_from_entries(F.collect_list(F.struct("day", "revision"))).alias("_revisions"),
        )
    )
    whole = seen.join(topics, ["cluster", "topic"]).join(F.broadcast(clusters), "cluster")
    return whole.select("*", _fixed_on().alias("_fixed_on")).select(*_columns()).select(HISTORY.names)


def _findings(verdicts: DataFrame) -> DataFrame:
    found = verdicts.select("cluster", "kind", "topic", "owner", "day", F.explode("violations").alias("_found"))
    waived = F.col("_found.waiver").isNotNull()
    return found.select(
        *("cluster", "kind", "topic", "owner", "day", "_found.rule", "_found.severity", "_found.message"),
        F.when(waived, F.lit("waived")).otherwise(F.col("_found.mode")).alias("mode"),
        F.array_join("_found.path", "/").alias("path"),
    )


def _later(judged: bool) -> Column:
    """The days after the last sighting on which the topic was there, and was (or was not) judged."""
    days = F.filter("_judged", lambda at: (at["day"] > F.col("last_seen")) & (at["judged"] == F.lit(judged)))
    return F.transform(days, lambda at: at["day"])


def _fixed_on() -> Column:
    return F.array_min(_later(True))


def _columns() -> list[Column]:
    next_day = F.array_min(F.filter("_days", lambda day: day > F.col("last_seen")))
    gone = next_day.isNotNull() & F.col("_fixed_on").isNull() & (F.size(_later(False)) == F.lit(0))
    ended = F.when(gone, next_day).otherwise(F.col("_fixed_on"))
    without = F.filter(
        "_judged",
        lambda at: (at["day"] > F.col("first_seen")) & (at["day"] < F.col("last_seen")) & at["judged"],
    )
    at_last = next_day.isNull()
    fresh = at_last & (F.col("first_seen") == F.col("last_seen")) & (F.size("_days") > F.lit(1))
    state = (
        F.when(fresh, F.lit("new"))
        .when(at_last, F.lit("open"))
        .when(F.col("_fixed_on").isNotNull(), F.lit("fixed"))
        .when(gone, F.lit("gone"))
        .otherwise(F.lit("unknown"))
    )
    seen_between = F.greatest(F.col("days") - F.lit(2), F.lit(0))
    before, after = F.col("_revisions")[F.col("last_seen")], F.col("_revisions")[ended]
    return [
        *[F.col(name) for name in HISTORY.names[:10]],
        ended.alias("ended_on"),
        state.alias("state"),
        F.col("days"),
        (F.size(without) > seen_between).alias("came_back"),
        F.coalesce((F.col("_fixed_on").isNotNull()) & (before != after), F.lit(False)).alias("other_policy"),
    ]


def _figures(verdicts: DataFrame) -> dict[str, list[dict[str, Any]]]:
    """Counts by day, small tables: topics judged and allowed; resources that break a rule, in force and not waived."""
    judged = F.count_if(F.col("status") != F.lit(ERROR)).alias("judged")
    counts = [judged, F.count_if(F.col("status") == F.lit(ALLOW)).alias("complying")]
    errors = F.count_if(F.col("status") == F.lit(ERROR)).alias("errors")
    broken = _findings(verdicts).where(~F.col("mode").isin("waived", "dryrun"))
    topics = verdicts.where(F.col("kind") == F.lit("topic"))
    by_rule = broken.groupBy("day", "rule", "kind").agg(
        F.count_distinct("cluster", "topic").alias("broken"), F.max("severity").alias("severity")
    )
    revisions = F.sort_array(F.collect_set("revision")).alias("revisions")
    return {
        "days": _rows(topics.groupBy("day").agg(*counts, errors, revisions)),
        "kinds": _rows(verdicts.groupBy("day", "kind").agg(judged)),
        "clusters": _rows(topics.groupBy("day", F.col("cluster").alias("name")).agg(*counts)),
        "owners": _rows(topics.groupBy("day", F.col("owner").alias("name")).agg(*counts)),
        "rules": _rows(by_rule),
    }


def _gravest(fresh: DataFrame) -> DataFrame:
    """The gravest of what is new or has ended on the last day, for the terminal; the Parquet has all."""
    severities = F.array(*[F.lit(each) for each in ("critical", "high", "medium", "low", "info")])
    rank = F.array_position(severities, F.col("severity"))
    order = Window.partitionBy("state").orderBy(
        F.when(rank == F.lit(0), F.lit(9)).otherwise(rank), "cluster", "topic", "rule", "path"
    )
    numbered = fresh.withColumn("_number", F.row_number().over(order))
    return numbered.where(F.col("_number") <= F.lit(10)).drop("_number")


def _rows(frame: DataFrame) -> list[dict[str, Any]]:
    return [
        {name: value.isoformat() if isinstance(value, date) else value for name, value in row.asDict(True).items()}
        for row in frame.collect()
    ]


def main(arguments: list[str] | None = None) -> int:
    """Run the job under spark-submit; returns the exit status."""
    from warden.errors import WardenError

    parser = argparse.ArgumentParser(description="Follow compliance and findings through the runs of a directory.")
    parser.add_argument("--runs", type=Path, required=True, help="the --out of scans, seen by all executors")
    parser.add_argument("--out", type=Path, required=True, help="directory for the findings' histories, replaced")
    options = parser.parse_args(arguments)
    spark = SparkSession.builder.appName("warden trend").getOrCreate()
    try:
        trend = history(spark, finished_runs(options.runs), options.out)
    except WardenError as error:
        print(f"trend: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    print(json.dumps(trend.document(), indent=2, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
