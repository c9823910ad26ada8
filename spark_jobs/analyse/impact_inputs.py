"""Inputs of an impact analysis: recorded decisions as they were made, and the resources of a snapshot."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.common.deployment import count_tasks
from spark_jobs.common.frames import persist_frame
from spark_jobs.common.schemas import build_texts
from spark_jobs.common.task_sizes import set_file_split_size, set_shuffle_partitions
from spark_jobs.scan.dedupe import spread_over_tasks
from spark_jobs.scan.dedupe_days import list_all_days
from spark_jobs.scan.problems import mark_repeated_names
from spark_jobs.scan.row_counts import RowCounts, count_rows
from spark_jobs.scan.stages.read import build_resource_rows
from spark_jobs.sources.topics import check_topics
from warden.analyse.scan.audits import OPERATIONS
from warden.analyse.scan.plan import PreparedScan
from warden.policy.contract.names import RESOURCE_PATHS

__all__ = [
    "NOT_REPLAYED",
    "REPLAY_INPUT",
    "ReplayInputs",
    "from_decisions",
    "from_snapshot",
    "list_stateless_clusters",
]

_TEXT = T.StringType()

REPLAY_INPUT = T.StructType(
    [
        *build_texts("source", "id", "operation", "cluster", "resource", "owner"),
        *build_texts("shared", "key", "item"),
        T.StructField("recorded", T.BooleanType()),
        *build_texts("request", "members"),
    ]
)
"""One row for each input to evaluate; see `warden.analyse.impact.replay.ReplayInput`."""

NOT_REPLAYED = T.StructType(build_texts("id", "operation", "cluster", "resource", "reason"))
"""One row for each recorded decision that cannot be replayed as it was."""

_LABELS = T.MapType(_TEXT, _TEXT)
_TOPICS = T.MapType(_TEXT, T.StructType([T.StructField("labels", _LABELS)]))


@dataclass(frozen=True)
class ReplayInputs:
    """Recorded decisions, or a snapshot's resources, that can be replayed, and those that cannot.

    Args:
        inputs: Those that can be replayed, columns of `REPLAY_INPUT`; spread over tasks, in each those together that
            share a text.
        not_evaluated: Those that cannot, columns of `NOT_REPLAYED`.
    """

    inputs: DataFrame
    not_evaluated: DataFrame


@contextmanager
def from_snapshot(spark: SparkSession, prepared: PreparedScan) -> Iterator[ReplayInputs]:
    """Yield the resources of a snapshot, as a scan evaluates them, and those that cannot be read.

    As in a scan a name that is there twice is not evaluated. The rows stay in Spark's memory for as long as the block
    lasts, and the session has the sizes of its tasks from here on (`spark_jobs.common.task_sizes.restore_task_sizes`).

    Args:
        spark: A session.
        prepared: What is read.

    Raises:
        ScanError: A cluster has fewer topics than its state says.
    """
    set_file_split_size(spark, prepared.size)
    set_shuffle_partitions(spark, prepared.size)
    identified = build_resource_rows(spark, prepared).withColumn("id", F.monotonically_increasing_id())
    with persist_frame(identified) as rows:
        counted = count_rows(rows, days=prepared.days)
        _check_topics(rows, counted, prepared)
        marked = mark_repeated_names(spark, rows, counted, prepared) if counted.damaged or counted.repeated else rows
        readable = marked.where(F.col("problem").isNull())
        spread = spread_over_tasks(readable, counted.rows - counted.damaged, count_tasks(spark))
        yield _from_rows(spread, marked.where(F.col("problem").isNotNull()))


def _check_topics(rows: DataFrame, counted: RowCounts, prepared: PreparedScan) -> None:
    topics = F.sum(F.size(list_all_days())).alias("topics")  # a row of one day may stand for several
    by_cluster = rows.where(F.col("kind") == F.lit("topic")).groupBy("day", "cluster").agg(topics).collect()
    found = Counter({(row["day"], row["cluster"]): row["topics"] for row in by_cluster})
    surplus = counted.count_surplus()
    for scanned in prepared.scanned:
        key = scanned.partition.day, scanned.partition.cluster
        check_topics(scanned.partition, scanned.expected_topics, found[key] - surplus[key], repeated=surplus[key])


def _from_rows(readable: DataFrame, damaged: DataFrame) -> ReplayInputs:
    operation = F.create_map(*[F.lit(text) for pair in OPERATIONS.items() for text in pair])[F.col("kind")]
    inputs = readable.select(
        F.lit("snapshot").alias("source"),
        F.col("resource").alias("id"),
        operation.alias("operation"),
        "cluster",
        "resource",
        "owner",
        F.col("common").alias("shared"),
        F.col("hash").alias("key"),
        "item",
        F.lit(None).cast("boolean").alias("recorded"),
        F.lit("").alias("request"),
        F.lit("{}").alias("members"),
    )
    columns = {"id": F.coalesce("resource", F.lit("")), "operation": operation, "reason": F.col("problem")}
    return ReplayInputs(inputs, damaged.withColumns(columns).select(NOT_REPLAYED.names))


@contextmanager
def from_decisions(decisions: DataFrame, states: Sequence[str], owner_label: str) -> Iterator[ReplayInputs]:
    """Divide decisions into those that can be replayed faithfully and those that cannot.

    An input is evaluated again as it was, with the time of its decision where it had none. What the log shows masked
    was something else; and where the cluster's state came from OPA's own data, the same state has to be there again.
    Items that were decided together are evaluated together again, or none of them is.
    The decisions stay in Spark's memory for as long as the block lasts.

    Args:
        decisions: Columns of `spark_jobs.common.schemas.LOGGED_DECISION`.
        states: Clusters whose state both OPAs hold.
        owner_label: The label that names a topic's owner.
    """
    unique = decisions.dropDuplicates(["decision_id", "key", "problem", "item"])  # OPA may upload a chunk twice
    reasoned = unique.select("*", *_build_columns(owner_label), _build_reason(states).alias("_own_reason"))
    with persist_frame(reasoned.withColumn("reason", _add_reason_of_request())) as read:
        whole = read.where(F.col("reason").isNull())
        # The items of one request, which share a text, have one id, and go together again.
        spread = spread_over_tasks(whole, whole.count(), count_tasks(decisions.sparkSession), by="decision_id")
        spread = spread.sortWithinPartitions("common", "path", "decision_id")
        not_evaluated = read.where(F.col("reason").isNotNull()).withColumn("id", _build_id())
        yield ReplayInputs(_build_inputs(spread), not_evaluated.select(NOT_REPLAYED.names))


def _add_reason_of_request() -> Column:
    """A decision's own reason, else that of one that it was decided together with."""
    of_request = F.min("_own_reason").over(Window.partitionBy(F.coalesce("decision_id", "item")))
    said = F.concat(F.lit("it was decided together with one that cannot be replayed: "), of_request)
    return F.coalesce("_own_reason", F.when(F.col("members").isNotNull(), said))


def _build_inputs(decisions: DataFrame) -> DataFrame:
    together = F.col("members").isNotNull()
    return decisions.select(
        F.lit("decisions").alias("source"),
        _build_id().alias("id"),
        "operation",
        "cluster",
        "resource",
        "owner",
        F.coalesce("common", F.lit("{}")).alias("shared"),
        F.when(together, F.col("key")).otherwise(_build_id()).alias("key"),
        _add_timestamp().alias("item"),
        _extract_json("result", "allowed").cast("boolean").alias("recorded"),
        F.when(together, F.col("decision_id")).otherwise(F.lit("")).alias("request"),
        F.coalesce("members", F.lit("{}")).alias("members"),
    )


def list_stateless_clusters(decisions: DataFrame) -> list[str]:
    """Return the clusters whose state the recorded decisions took from OPA's own data."""
    rows = decisions.where(_needs_state()).select(_coalesce_shared("cluster").alias("cluster")).distinct()
    return sorted(row["cluster"] for row in rows.collect() if row["cluster"] is not None)


def _build_columns(owner_label: str) -> list[Column]:
    principal = F.concat(_coalesce_shared("principal.type"), F.lit(":"), _coalesce_shared("principal.name"))
    topic = _coalesce_shared("request.topic")
    own = [F.from_json(_extract_json(column, "request.labels"), _LABELS) for column in ("item", "common")]
    stored = [
        F.from_json(_extract_json(column, "clusterState.topics"), _TOPICS)[topic]["labels"]
        for column in ("item", "common")
    ]
    return [
        _coalesce_shared("operation").alias("operation"),
        _coalesce_shared("cluster").alias("cluster"),
        F.coalesce(*[_coalesce_shared(f"request.{path}") for path in RESOURCE_PATHS], F.lit("")).alias("resource"),
        F.coalesce(*[labels[owner_label] for labels in (*own, *stored)], principal).alias("owner"),
    ]


def _build_reason(states: Sequence[str]) -> Column:
    hidden = F.filter("masked", lambda path: path.startswith("/input"))
    state_is_held = _coalesce_shared("cluster").isin(list(states)) if states else F.lit(False)
    return (
        F.when(F.col("problem").isNotNull(), F.col("problem"))
        .when(F.col("item").isNull(), F.lit("the log does not show the input"))
        .when(
            F.size(hidden) > F.lit(0),
            F.concat(F.lit("the log shows the input masked: "), F.array_join(hidden, ", ")),
        )
        .when(~F.col("item").startswith("{"), F.lit("the input is not a JSON object"))
        .when(_needs_time() & F.col("timestamp").isNull(), F.lit("neither the input nor the log says the time"))
        .when(
            _needs_state() & ~F.coalesce(state_is_held, F.lit(False)),
            F.concat(F.lit("it was decided with OPA's own state of cluster "), _coalesce_shared("cluster")),
        )
    )


def _needs_time() -> Column:
    return _coalesce_shared("now").isNull()


def _needs_state() -> Column:
    """A decision that names the age of a state that is not in its input took it from OPA's data."""
    return _coalesce_shared("clusterState").isNull() & _extract_json("result", "stateAge").isNotNull()


def _add_timestamp() -> Column:
    """The input as the log has it, with a time before its first field: Spark's types would write another text.

    As a VARIANT 1.0 comes out as 1, and a number beyond 38 digits as a double.
    """
    rest = F.regexp_replace("item", r"^\{\s*", "")
    comma = F.when(rest.startswith("}"), F.lit("")).otherwise(F.lit(","))
    now = F.to_json(F.struct(F.col("timestamp").alias("now")))
    return F.when(_needs_time(), F.concat(F.regexp_replace(now, r"\}$", ""), comma, rest)).otherwise(F.col("item"))


def _build_id() -> Column:
    """A decision's id; of a batch, with the key of the item."""
    return F.concat_ws("#", F.coalesce("decision_id", F.lit("")), F.col("key"))


def _coalesce_shared(path: str) -> Column:
    """The value at a path of the input: its own, else what its batch shares."""
    return F.coalesce(_extract_json("item", path), _extract_json("common", path))


def _extract_json(column: str, path: str) -> Column:
    return F.get_json_object(column, f"$.{path}")
