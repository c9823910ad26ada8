"""What another bundle would change: recorded decisions and a snapshot's topics, judged under both.

`warden impact` calls `analyse` in its own process. With spark-submit, where an OPA with each bundle runs beside the
executors (their query tokens in WARDEN_BASELINE_TOKEN and WARDEN_CANDIDATE_TOKEN):

    spark-submit spark_jobs/impact_analysis.py --baseline-url URL --candidate-url URL --decisions logs/ --out impact/
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from spark_jobs.decision_log import read_decisions
from spark_jobs.impact_inputs import ASKED, LEFT_OUT, from_decisions, from_snapshot
from warden.errors import ConfigurationError, InputError
from warden.impact.replay import Asked, Replay, replayed
from warden.impact.summary import Impact, summarise
from warden.scan.basis import Basis
from warden.scan.doors import Opa
from warden.scan.plan import Plan, prepare

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["CHANGE", "Question", "analyse", "main"]

_PATH = "kafka/decisions"
_TEXT = T.StringType()

CHANGE = T.StructType(
    [
        *ASKED.fields[:6],
        T.StructField("reproduced", T.BooleanType()),
        *[T.StructField(name, _TEXT) for name in ("baseline", "candidate", "kind")],
        T.StructField(
            "rules",
            T.ArrayType(
                T.StructType([T.StructField(name, _TEXT) for name in ("rule", "severity", "change", "before", "after")])
            ),
        ),
        T.StructField("shared", _TEXT),
        T.StructField("item", _TEXT),
    ]
)
"""One row for each input that was judged: the verdicts, what changed, and the input where something did."""


@dataclass(frozen=True)
class Question:
    """What to look into.

    Args:
        decisions: Files and directories of OPA's decision log.
        snapshot: A snapshot directory; None for none.
        now: The time at which a snapshot's topics are judged, UTC; None for the clock.
        states: Clusters whose state both OPAs hold, for decisions that were made with OPA's own.
        samples: Inputs to show for each rule and kind of change.
    """

    decisions: Sequence[Path] = ()
    snapshot: Path | None = None
    now: datetime | None = None
    states: Sequence[str] = ()
    samples: int = 3

    def __post_init__(self) -> None:
        if not self.decisions and self.snapshot is None:
            raise ConfigurationError("there is nothing to judge: give --decisions, --snapshot or both")


def analyse(spark: SparkSession, question: Question, baseline: Opa, candidate: Opa, out: Path) -> Impact:
    """Judge everything under both bundles.

    Args:
        spark: A session.
        question: What to look into.
        baseline, candidate: The OPAs with the two bundles, as seen from the executors.
        out: Where the rows go as Parquet: ``changes`` (`CHANGE`) and ``left_out`` (`LEFT_OUT`); replaced.

    Raises:
        InputError: There is no input that could be replayed.
        OpaError: One of the OPAs cannot be reached, or refuses.
        ScanError: The job failed.
    """
    from spark_jobs.failures import readable_failures
    from warden.opa.client import OpaClient

    revisions = []
    for opa in (baseline, candidate):
        with OpaClient(opa.url, token=opa.token) as client:
            revisions.append(client.revision())
    frames, left_out, commons = [], spark.createDataFrame([], LEFT_OUT), {}
    with readable_failures():
        if question.decisions:
            found = from_decisions(read_decisions(spark, question.decisions), question.states)
            frames.append(found.asked.select(ASKED.names))
            left_out = found.left_out
        if question.snapshot is not None:
            prepared = prepare(Plan(question.snapshot, out, now=question.now), Basis(revisions[0]))
            commons = dict(prepared.job.commons)
            stored = from_snapshot(spark, prepared)
            frames.append(stored.asked.select(ASKED.names))
            left_out = left_out.unionByName(stored.left_out)
        replay = Replay(revisions[0], revisions[1], commons)
        ask = _arrow_replay(replay, baseline, candidate)
        for index, frame in enumerate(frames):
            mode = "append" if index else "overwrite"
            frame.mapInArrow(ask, CHANGE).write.mode(mode).parquet(str(out / "changes"))
        left_out.write.mode("overwrite").parquet(str(out / "left_out"))
        figures = _figures(spark, out, question.samples)
    impact = summarise(figures, baseline=revisions[0], candidate=revisions[1])
    if not impact.judged and not impact.left_out:
        raise InputError("nothing was recorded and no topic is there: name decision logs or a snapshot that hold some")
    return impact


def _arrow_replay(
    replay: Replay, baseline: Opa, candidate: Opa
) -> Callable[[Iterator["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]:
    from pyspark.sql.pandas.types import to_arrow_schema

    schema = to_arrow_schema(CHANGE)

    def evaluate(batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        from itertools import islice

        import pyarrow as pa

        from warden.opa.client import OpaClient

        rows = (
            Asked(*values) for batch in batches for values in zip(*(c.to_pylist() for c in batch.columns), strict=True)
        )
        with (
            OpaClient(baseline.url, token=baseline.token, pool_size=replay.in_flight) as one,
            OpaClient(candidate.url, token=candidate.token, pool_size=replay.in_flight) as other,
        ):
            changes = replayed(
                rows, replay, lambda body: one.post_raw(_PATH, body), lambda body: other.post_raw(_PATH, body)
            )
            while some := list(islice(changes, 500)):
                yield pa.RecordBatch.from_pylist(some, schema=schema)

    return evaluate


def _figures(spark: SparkSession, out: Path, samples: int) -> dict[str, list[dict[str, Any]]]:
    """The counts and samples of `warden.impact.summary`, a few small tables."""
    changes = spark.read.schema(CHANGE).parquet(str(out / "changes"))
    left_out = spark.read.schema(LEFT_OUT).parquet(str(out / "left_out"))
    counted = F.count(F.lit(1)).alias("count")
    by_rule = changes.where(F.size("rules") > F.lit(0)).withColumn("_rule", F.explode("rules"))
    by_rule = by_rule.select("*", "_rule.*").drop("rules", "_rule")
    order = Window.partitionBy("source", "rule", "kind", "change").orderBy("cluster", "resource", "id")
    numbered = by_rule.withColumn("_number", F.row_number().over(order)).where(F.col("_number") <= F.lit(samples))
    named = left_out.groupBy("reason").agg(counted, F.slice(F.sort_array(F.collect_set("id")), 1, 1000).alias("ids"))
    frames = {
        "kinds": changes.groupBy("source", "kind").agg(
            counted, F.sum((~F.col("reproduced")).cast("int")).alias("other")
        ),
        "rules": by_rule.groupBy("source", "rule", "severity", "kind", "change").agg(counted),
        "owners": changes.groupBy("source", "owner", "kind").agg(counted),
        "samples": numbered.drop("_number", "reproduced", "severity"),
        "left_out": named,
    }
    return {name: [row.asDict(recursive=True) for row in frame.collect()] for name, frame in frames.items()}


def main(arguments: list[str] | None = None) -> int:
    """Run the job under spark-submit; returns the exit status: 1 where something that was allowed is denied."""
    from warden.errors import WardenError

    parser = argparse.ArgumentParser(description="Judge recorded decisions and a snapshot's topics under two bundles.")
    parser.add_argument(
        "--baseline-url", required=True, help="OPA with the bundle of today, as seen from the executors"
    )
    parser.add_argument("--candidate-url", required=True, help="OPA with the bundle to come")
    parser.add_argument("--decisions", type=Path, action="append", default=[], help="decision logs; may be repeated")
    parser.add_argument("--snapshot", type=Path, help="snapshot directory")
    parser.add_argument("--out", type=Path, required=True, help="directory for the results; they are replaced")
    options = parser.parse_args(arguments)
    opas = [
        Opa(url, os.environ.get(f"WARDEN_{name}_TOKEN"))
        for name, url in (("BASELINE", options.baseline_url), ("CANDIDATE", options.candidate_url))
    ]
    spark = SparkSession.builder.appName("warden impact").getOrCreate()
    try:
        impact = analyse(spark, Question(options.decisions, options.snapshot), opas[0], opas[1], options.out)
    except WardenError as error:
        print(f"impact_analysis: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    print(json.dumps(impact.document(), indent=2, ensure_ascii=False))
    return 1 if impact.denies else 0


if __name__ == "__main__":
    sys.exit(main())
