"""Compliance over days, and the history of each finding, from the results of several scans."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.frames import make_frame
from spark_jobs.common.place_files import check_replaceable, escape_pattern
from spark_jobs.common.schemas import RESOURCE_DECISION, build_texts
from spark_jobs.common.severities import build_severity_rank
from warden.analyse.scan.decision_rows import ALLOW, ERROR
from warden.analyse.trend.runs import FinishedScan
from warden.analyse.trend.summary import Trend, summarise
from warden.base.files.address import Address, Place
from warden.policy.contract.effect import OPEN_EFFECTS

__all__ = ["HISTORY", "follow_findings", "read_runs"]

_TEXT, _DAY = T.StringType(), T.DateType()
_SCAN = T.StructType(
    [T.StructField("run_id", _TEXT), T.StructField("_day", _DAY), T.StructField("_evaluated_at", _TEXT)]
)

HISTORY = T.StructType(
    [
        *build_texts("cluster", "topic", "owner", "rule", "severity", "effect"),
        *build_texts("path", "message"),
        *[T.StructField(name, _DAY) for name in ("first_seen", "last_seen", "ended_on")],
        T.StructField("state", _TEXT),
        T.StructField("days", T.IntegerType()),
        T.StructField("came_back", T.BooleanType()),
        T.StructField("other_policy", T.BooleanType()),
    ]
)
"""One row for each finding there ever was. `state`: new, open, fixed, gone (its topic is no more), unknown (its topic
could not be evaluated since). `ended_on` is the first day without it. `other_policy`: it ended with another bundle."""


def read_runs(spark: SparkSession, runs: Sequence[FinishedScan], at: Address | None = None) -> DataFrame:
    """Read the decisions of runs; of several runs on one day, each cluster's latest counts.

    Args:
        spark, runs, at: As of `follow_findings`.

    Returns:
        A frame with the columns of `RESOURCE_DECISION`; ``topic`` names any resource, and ``day`` is never null.
    """
    scans = make_frame(spark, [(run.run_id, run.day, run.evaluated_at) for run in runs], _SCAN)
    places: list[Place] = [at / run.directory.name if at else run.directory for run in runs]
    read = spark.read.schema(RESOURCE_DECISION).parquet(*[escape_pattern(place / "decisions") for place in places])
    kind = F.coalesce("kind", F.lit("topic"))
    decisions = (
        read.join(F.broadcast(scans), "run_id", how="inner")
        .withColumn("day", F.coalesce("day", "_day"))
        .withColumn("kind", kind)
        .withColumn("topic", F.coalesce("topic", F.concat_ws(" ", kind, "resource")))
    )
    order = Window.partitionBy("cluster", "day").orderBy(F.desc("_evaluated_at"), F.desc("run_id"))
    kept = (
        decisions.select("cluster", "day", "run_id", "_evaluated_at")
        .distinct()
        .withColumn("_number", F.row_number().over(order))
        .where(F.col("_number") == F.lit(1))
        .select("cluster", "day", "run_id")
    )
    latest = decisions.join(F.broadcast(kept), ["cluster", "day", "run_id"], how="inner")
    return latest.select(RESOURCE_DECISION.names)


def follow_findings(spark: SparkSession, runs: Sequence[FinishedScan], out: Place, at: Address | None = None) -> Trend:
    """Follow every finding through the days, and count what complied.

    Args:
        spark: A session.
        runs: From `warden.analyse.trend.runs.list_finished_scans`.
        out: Where the findings' histories go as Parquet (`HISTORY`), as ``history``; replaced.
        at: The address of the runs, where their directories have no tables (`fetch_summaries`).

    Raises:
        ScanError: The job failed.
        InputError: What is to be replaced holds anything else.
    """
    from spark_jobs.common.errors import translate_errors

    check_replaceable(spark, out / "history")
    with translate_errors():
        decisions = read_runs(spark, runs, at).persist()
        try:
            _build_histories(decisions).write.mode("overwrite").parquet(str(out / "history"))
            figures = _count_figures(decisions)
        finally:
            decisions.unpersist()
        histories = spark.read.schema(HISTORY).parquet(escape_pattern(out / "history"))
        states = histories.groupBy("state", "severity").agg(F.count(F.lit(1)).alias("count"))
        last = max(row["day"] for row in figures["days"])
        fresh = histories.where((F.col("state") == F.lit("new")) | (F.col("ended_on") == F.lit(last)))
        figures["states"] = _collect_rows(states)
        figures["fresh"] = _collect_rows(_select_most_severe(fresh))
    return summarise(figures, runs)


def _build_histories(decisions: DataFrame) -> DataFrame:
    key = ["cluster", "topic", "rule", "path"]
    seen = (
        _list_findings(decisions)
        .groupBy(*key)
        .agg(
            F.min("day").alias("first_seen"),
            F.max("day").alias("last_seen"),
            F.count_distinct("day").cast("int").alias("days"),
            *[F.max_by(name, "day").alias(name) for name in ("owner", "severity", "effect", "message")],
        )
    )
    evaluated = F.struct("day", (F.col("status") != F.lit(ERROR)).alias("evaluated"))
    topics = decisions.groupBy("cluster", "topic").agg(F.collect_list(evaluated).alias("_evaluated"))
    clusters = (
        decisions.groupBy("cluster", "day")
        .agg(F.max("revision").alias("revision"))
        .groupBy("cluster")
        .agg(
            F.sort_array(F.collect_list("day")).alias("_days"),
            F.map_from_entries(F.collect_list(F.struct("day", "revision"))).alias("_revisions"),
        )
    )
    of_topics = seen.join(topics, ["cluster", "topic"], how="inner")
    whole = of_topics.join(F.broadcast(clusters), "cluster", how="inner")
    return whole.withColumn("_fixed_on", _find_fixed_day()).withColumns(_build_columns()).select(HISTORY.names)


def _list_findings(decisions: DataFrame) -> DataFrame:
    exploded = decisions.select("cluster", "kind", "topic", "owner", "day", F.explode("violations").alias("_violation"))
    return exploded.select(
        *("cluster", "kind", "topic", "owner", "day", "_violation.rule"),
        *("_violation.severity", "_violation.message", "_violation.effect"),
        F.array_join("_violation.path", "/").alias("path"),
    )


def _list_later_days(evaluated: bool) -> Column:
    """The days after the last sighting on which the topic was there, and was (or was not) evaluated."""
    days = F.filter("_evaluated", lambda at: (at["day"] > F.col("last_seen")) & (at["evaluated"] == F.lit(evaluated)))
    return F.transform(days, lambda at: at["day"])


def _find_fixed_day() -> Column:
    return F.array_min(_list_later_days(True))


def _build_columns() -> dict[str, Column]:
    """What became of a finding, by name."""
    next_day = F.array_min(F.filter("_days", lambda day: day > F.col("last_seen")))
    gone = next_day.isNotNull() & F.col("_fixed_on").isNull() & (F.size(_list_later_days(False)) == F.lit(0))
    ended = F.when(gone, next_day).otherwise(F.col("_fixed_on"))
    without = F.filter(
        "_evaluated",
        lambda at: (at["day"] > F.col("first_seen")) & (at["day"] < F.col("last_seen")) & at["evaluated"],
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
    return {
        "ended_on": ended,
        "state": state,
        "came_back": F.size(without) > seen_between,
        "other_policy": F.coalesce((F.col("_fixed_on").isNotNull()) & (before != after), F.lit(False)),
    }


def _count_figures(decisions: DataFrame) -> dict[str, list[dict[str, Any]]]:
    """Counts by day: topics evaluated and allowed, and resources that break a rule that is in force and not waived."""
    evaluated = F.count_if(F.col("status") != F.lit(ERROR)).alias("evaluated")
    counts = [evaluated, F.count_if(F.col("status") == F.lit(ALLOW)).alias("complying")]
    errors = F.count_if(F.col("status") == F.lit(ERROR)).alias("errors")
    broken = _list_findings(decisions).where(F.col("effect").isin(*OPEN_EFFECTS))
    topics = decisions.where(F.col("kind") == F.lit("topic"))
    rank = build_severity_rank()
    by_rule = broken.groupBy("day", "rule", "kind").agg(
        F.count_distinct("cluster", "topic").alias("broken"), F.min_by("severity", rank).alias("severity")
    )
    # A rule has one severity, whatever a cluster or an earlier policy says: the highest of the last day it was broken.
    last = F.max_by("severity", F.struct("day", -rank)).over(Window.partitionBy("rule"))
    revisions = F.sort_array(F.collect_set("revision")).alias("revisions")
    return {
        "days": _collect_rows(topics.groupBy("day").agg(*counts, errors, revisions)),
        "kinds": _collect_rows(decisions.groupBy("day", "kind").agg(evaluated)),
        "clusters": _collect_rows(topics.groupBy("day", F.col("cluster").alias("name")).agg(*counts)),
        "owners": _collect_rows(topics.groupBy("day", F.col("owner").alias("name")).agg(*counts)),
        "rules": _collect_rows(by_rule.withColumn("severity", last)),
    }


def _select_most_severe(fresh: DataFrame) -> DataFrame:
    """The most severe of what is new or has ended on the last day, for the terminal; the Parquet has all."""
    order = Window.partitionBy("state").orderBy(build_severity_rank(), "cluster", "topic", "rule", "path")
    numbered = fresh.withColumn("_number", F.row_number().over(order))
    return numbered.where(F.col("_number") <= F.lit(10)).drop("_number")


def _collect_rows(frame: DataFrame) -> list[dict[str, Any]]:
    return [
        {name: value.isoformat() if isinstance(value, date) else value for name, value in row.asDict(True).items()}
        for row in frame.collect()
    ]
