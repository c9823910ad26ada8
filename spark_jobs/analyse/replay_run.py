"""The part of `warden.analyse.impact.run_impact` that needs Spark."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import UTC
from pathlib import Path

from pyspark.sql import SparkSession

from spark_jobs.analyse.impact import ImpactInputs, analyse
from spark_jobs.analyse.impact_inputs import list_stateless_clusters
from spark_jobs.common.deployment import is_this_host
from spark_jobs.common.errors import translate_errors
from spark_jobs.common.job_opa import SparkHost
from spark_jobs.scan.remote.remote_snapshot import open_snapshot_copy
from spark_jobs.sources.decision_log import read_decisions
from warden.analyse.impact.local import push_states
from warden.analyse.impact.run_impact import ImpactRun
from warden.analyse.impact.summary import Impact
from warden.analyse.scan.batches import BatchLimits
from warden.base.errors import ConfigurationError
from warden.base.files.address import Address
from warden.base.process.progress import show_working
from warden.policy.opa.endpoints import OpaEndpoint
from warden.policy.opa.per_host import HostOpa

__all__ = ["replay_run"]


def replay_run(
    open_spark: Callable[[], AbstractContextManager[SparkSession]], run: ImpactRun, opas: Sequence[HostOpa], out: Path
) -> Impact:
    """Evaluate a run's inputs; a `warden.analyse.impact.run_impact.Replayer` where the first argument is given.

    Args:
        open_spark: Returns the session.
        run: What is compared.
        opas: The OPAs that were started for it; none where the run names some.
        out: Where the rows go.

    Raises:
        ConfigurationError: Spark's hosts do not reach the OPAs that were started here.
    """
    here, address = (None, run.snapshot) if isinstance(run.snapshot, Address) else (run.snapshot, None)
    with open_spark() as spark, open_snapshot_copy(spark, address) if address else nullcontext(here) as snapshot:
        if opas and not is_this_host(spark):
            raise ConfigurationError(
                "the hosts of a Spark cluster cannot reach an OPA that is started here: "
                "give --baseline-url and --candidate-url"
            )
        states = _load_states(spark, run, snapshot, opas)
        inputs = ImpactInputs(
            run.decisions,
            snapshot,
            address,
            run.now.replace(tzinfo=UTC) if run.now else None,
            states,
            run.samples,
            BatchLimits() if run.item_bytes is None else BatchLimits(item_bytes=run.item_bytes),
        )
        baseline, candidate = run.endpoints or [_build_endpoint(opa, has_states=bool(states)) for opa in opas]
        with show_working("evaluating under both policies"):
            return analyse(spark, inputs, baseline, candidate, out)


def _build_endpoint(opa: HostOpa, *, has_states: bool) -> OpaEndpoint:
    """Tasks start an OPA that has died again; not one that has states, which the new one would lack."""
    return opa.ensure_running_remote() if has_states else replace(opa, host=SparkHost())


def _load_states(spark: SparkSession, run: ImpactRun, snapshot: Path | None, opas: Sequence[HostOpa]) -> list[str]:
    """Give the OPAs the states that recorded decisions took from OPA's own data, and return whose."""
    if not opas or not run.decisions or snapshot is None:
        return []
    with translate_errors():
        clusters = list_stateless_clusters(read_decisions(spark, run.decisions))
    return push_states(opas, snapshot, clusters)
