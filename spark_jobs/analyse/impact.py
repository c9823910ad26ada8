"""Impact of another policy: recorded decisions and resources of a snapshot, evaluated under both bundles."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.analyse.impact_inputs import NOT_REPLAYED, REPLAY_INPUT, from_decisions, from_snapshot
from spark_jobs.common.place_files import check_replaceable, escape_pattern
from spark_jobs.common.schemas import build_texts
from spark_jobs.common.task_sizes import restore_task_sizes
from spark_jobs.sources.decision_log import read_decisions
from warden.analyse.impact.compare import NOT_EVALUATED
from warden.analyse.impact.replay import ReplayInput, ReplayJob, replay_inputs
from warden.analyse.impact.summary import OTHER_REASONS, Impact, summarise
from warden.analyse.scan.batches import BatchLimits
from warden.analyse.scan.dependencies import merge_dependencies
from warden.analyse.scan.plan import ScanPlan, prepare
from warden.analyse.scan.policy_version import PolicyVersion, read_policy_version
from warden.base.errors import ConfigurationError, InputError
from warden.base.files.address import Address
from warden.policy.opa.endpoints import OpaEndpoint

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["CHANGE", "ImpactInputs", "analyse"]

_PATH = "kafka/decisions"
_MAX_REASONS = 1000  # that are named; a reason may name what one input alone has
_MAIN_REASONS = 20  # those of most inputs
_MAX_IDS, _MAX_OTHER_IDS = 1000, 10  # that are named of those with one reason, a main one or another
_TEXT = T.StringType()
_RULE = ("rule", "severity", "change", "before", "after", "later")

CHANGE = T.StructType(
    [
        *build_texts("source", "id", "operation", "cluster", "resource", "owner"),
        T.StructField("reproduced", T.BooleanType()),
        *build_texts("baseline", "candidate", "kind"),
        T.StructField(
            "rules",
            T.ArrayType(T.StructType(build_texts(*_RULE))),
        ),
        T.StructField("shared", _TEXT),
        T.StructField("item", _TEXT),
    ]
)
"""One row for each input that was evaluated: the decisions, what changed, and the input where something did."""


@dataclass(frozen=True)
class ImpactInputs:
    """The inputs of an analysis.

    Args:
        decisions: Files and directories of OPA's decision log.
        snapshot: A snapshot directory; None for none.
        address: Where the snapshot is that ``snapshot`` has a copy of; None where it is none.
        now: The time at which a snapshot's resources are evaluated, UTC; None for the clock.
        states: Clusters whose state both OPAs hold, for decisions that were made with OPA's own.
        samples: Inputs to show for each rule and kind of change.
        limits: How much goes into one request, and how large an item may be.
    """

    decisions: Sequence[Path] = ()
    snapshot: Path | None = None
    address: Address | None = None
    now: datetime | None = None
    states: Sequence[str] = ()
    samples: int = 3
    limits: BatchLimits = field(default_factory=BatchLimits)

    def __post_init__(self) -> None:
        if not self.decisions and self.snapshot is None:
            raise ConfigurationError("there is nothing to evaluate: give --decisions, --snapshot or both")


def analyse(
    spark: SparkSession, inputs: ImpactInputs, baseline: OpaEndpoint, candidate: OpaEndpoint, out: Path
) -> Impact:
    """Evaluate everything under both bundles.

    Args:
        spark: A session.
        inputs: The inputs.
        baseline, candidate: Where the tasks find the OPAs with the two bundles.
        out: Where the rows go as Parquet: ``changes`` (`CHANGE`) and ``not_evaluated`` (`NOT_REPLAYED`); replaced.

    Raises:
        InputError: There is no input that could be replayed, or what is to be replaced holds anything else.
        OpaError: One of the OPAs cannot be reached, or refuses.
        ScanError: The job failed.
    """
    from spark_jobs.common.errors import translate_errors

    for name in ("changes", "not_evaluated"):
        check_replaceable(spark, out / name)
    policies = []
    for opa in (baseline, candidate):
        with opa.build_client() as client:
            policies.append(read_policy_version(client))
    before, after = policies
    with translate_errors():
        _write_changes(spark, inputs, before, after, (baseline, candidate), out)
        figures = _count_figures(spark, out, inputs.samples)
    impact = summarise(figures, baseline=before.revision, candidate=after.revision)
    if not impact.evaluated and not impact.not_evaluated:
        raise InputError("nothing was recorded and no topic is there: name decision logs or a snapshot that hold some")
    return impact


def _write_changes(
    spark: SparkSession,
    inputs: ImpactInputs,
    before: PolicyVersion,
    after: PolicyVersion,
    opas: tuple[OpaEndpoint, OpaEndpoint],
    out: Path,
) -> None:
    sources, shared_inputs = [], {}
    if inputs.decisions:
        decisions = read_decisions(spark, inputs.decisions)
        sources.append(from_decisions(decisions, inputs.states, before.owner_label))
    if inputs.snapshot is not None:
        both = {
            name: merge_dependencies(own, before.dependencies.get(name, own))
            for name, own in after.dependencies.items()
        }
        dependencies = {**before.dependencies, **both}
        policy = PolicyVersion(before.revision, dependencies=dependencies, owner_label=before.owner_label)
        plan = ScanPlan(inputs.snapshot, out, now=inputs.now, snapshot_address=inputs.address)
        prepared = prepare(plan, policy)
        shared_inputs = dict(prepared.job.shared_inputs)
        sources.append(from_snapshot(spark, prepared))
    replay = ReplayJob(before.revision, after.revision, shared_inputs, inputs.limits)
    replay_batches = _build_replayer(replay, *opas)
    with restore_task_sizes(spark):
        for index, opened in enumerate(sources):
            mode = "append" if index else "overwrite"
            with opened as source:
                changes = source.inputs.select(REPLAY_INPUT.names).mapInArrow(replay_batches, CHANGE)
                changes.write.mode(mode).parquet(str(out / "changes"))
                source.not_evaluated.write.mode(mode).parquet(str(out / "not_evaluated"))


def _build_replayer(
    replay: ReplayJob, baseline: OpaEndpoint, candidate: OpaEndpoint
) -> Callable[[Iterator["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]:
    from pyspark.sql.pandas.types import to_arrow_schema

    schema = to_arrow_schema(CHANGE)

    def replay_batches(batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        from itertools import islice

        import pyarrow as pa
        from pyspark import TaskContext

        task = TaskContext.get()
        number = task.partitionId() if task else 0
        rows = (
            ReplayInput(*values)
            for batch in batches
            for values in zip(*(c.to_pylist() for c in batch.columns), strict=True)
        )
        with (
            baseline.open(replay.in_flight, number) as old,
            candidate.open(replay.in_flight, number) as new,
        ):
            changes = replay_inputs(rows, replay, partial(old, _PATH), partial(new, _PATH))
            while some := list(islice(changes, 500)):
                yield pa.RecordBatch.from_pylist(some, schema=schema)

    return replay_batches


def _count_figures(spark: SparkSession, out: Path, samples: int) -> dict[str, list[dict[str, Any]]]:
    """The counts and samples of `warden.analyse.impact.summary`, a few small tables."""
    read = spark.read.schema(CHANGE).parquet(escape_pattern(out / "changes"))
    failed = F.col("kind") == F.lit(NOT_EVALUATED)
    changes = read.where(~failed)
    reasons = read.where(failed).withColumn("reason", F.col("rules")[0]["after"]).select(NOT_REPLAYED.names)
    not_evaluated = spark.read.schema(NOT_REPLAYED).parquet(escape_pattern(out / "not_evaluated")).unionByName(reasons)
    counted = F.count(F.lit(1)).alias("count")
    by_rule = changes.where(F.size("rules") > F.lit(0)).withColumn("_rule", F.explode("rules"))
    by_rule = by_rule.select("*", "_rule.*").drop("rules", "_rule")
    order = Window.partitionBy("source", "rule", "kind", "change").orderBy("cluster", "resource", "id")
    numbered = by_rule.withColumn("_number", F.row_number().over(order)).where(F.col("_number") <= F.lit(samples))
    frames = {
        "kinds": changes.groupBy("source", "kind").agg(
            counted,
            F.sum((~F.col("reproduced")).cast("int")).alias("other"),
            F.sum(F.exists("rules", lambda rule: rule["later"] == F.lit("denies")).cast("int")).alias("closed"),
        ),
        "rules": by_rule.groupBy("source", "rule", "severity", "kind", "change", "later").agg(counted),
        "owners": changes.groupBy("source", "owner", "kind").agg(counted),
        "samples": numbered.drop("_number", "reproduced", "severity", "later"),
        "not_evaluated": _count_reasons(not_evaluated),
    }
    return {name: [row.asDict(recursive=True) for row in frame.collect()] for name, frame in frames.items()}


def _count_reasons(not_evaluated: DataFrame) -> DataFrame:
    """How many inputs have each reason, and the ids of some; the reasons of fewest inputs count as one."""
    counted = not_evaluated.groupBy("reason").agg(F.count(F.lit(1)).alias("_inputs"))
    rank = F.row_number().over(Window.orderBy(F.desc("_inputs"), "reason"))
    reason = F.when(rank <= F.lit(_MAX_REASONS), F.col("reason")).otherwise(F.lit(OTHER_REASONS))
    most = F.when(rank <= F.lit(_MAIN_REASONS), F.lit(_MAX_IDS)).otherwise(F.lit(_MAX_OTHER_IDS))
    ranks = counted.select("reason", reason.alias("_named"), most.alias("_most"))
    ranked = not_evaluated.join(ranks, "reason", how="inner")
    named = ranked.select(F.col("_named").alias("reason"), "id", "_most")
    by_id = F.row_number().over(Window.partitionBy("reason").orderBy("id"))
    first = named.distinct().withColumn("_number", by_id).where(F.col("_number") <= F.col("_most"))
    ids = first.groupBy("reason").agg(F.sort_array(F.collect_list("id")).alias("ids"))
    return named.groupBy("reason").agg(F.count(F.lit(1)).alias("count")).join(ids, "reason", how="inner")
