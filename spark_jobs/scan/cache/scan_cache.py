"""The cache of scans: decisions, and whole runs about the same inputs, taken from earlier ones and left to later."""

from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from spark_jobs.scan.cache.decision_cache import DecisionCache
from spark_jobs.scan.remote.remote_cache import RemoteCache
from warden.analyse.scan.input_hash import hash_inputs
from warden.analyse.scan.plan import PreparedScan
from warden.analyse.scan.policy_version import PolicyVersion
from warden.base.errors import ScanError
from warden.base.files.address import Address, Place

__all__ = ["ScanCache"]


class ScanCache:
    """The cache of one run; empty, and left so, where the plan or the policy does not allow any.

    Args:
        spark: A session.
        prepared: The run.
        read_policy: Reads the policy that OPA has now.

    Attributes:
        inputs: Hash of what the run is about; None where no run about the same can be found by it.

    Raises:
        InputError: What is cached cannot be read, or others may write to it.
    """

    def __init__(self, spark: SparkSession, prepared: PreparedScan, read_policy: Callable[[], PolicyVersion]) -> None:
        plan, policy = prepared.plan, prepared.policy
        self._prepared, self._read_policy, self._same = prepared, read_policy, True
        place = plan.cache_place if plan.remember and not policy.uncacheable_reasons else None
        self._runs = DecisionCache.open(place, policy.context) if isinstance(place, Path) else None
        self._cache = RemoteCache.open(spark, place, policy.context) if isinstance(place, Address) else self._runs
        whole = self._runs and plan.format == "parquet" and not plan.snapshot_address  # a copy stays as it is
        self.inputs = hash_inputs(prepared) if whole else None

    def find_run(self) -> Path | None:
        """Return the directory of an earlier run about the same inputs."""
        return self._runs.run(self.inputs) if self._runs and self.inputs else None

    def check_inputs(self) -> None:
        """Forget the hash where somebody wrote to the snapshot meanwhile: nobody knows what was read."""
        if self.inputs and self.inputs != hash_inputs(self._prepared):
            self.inputs = None

    def read(self, spark: SparkSession) -> DataFrame | None:
        """Return cached decisions with the columns of `INPUT_DECISION`, no ERROR among them; None if none are."""
        return self._cache.read(spark) if self._cache else None

    def add_decisions(self, fresh: DataFrame | None, of_parts: Place) -> None:
        """Cache decisions, unless the data that they rest on have changed.

        Args:
            fresh: Decisions on rows; None where there are none.
            of_parts: A directory with decisions on audit parts, which the cache may take.

        Raises:
            ScanError: OPA has other rules than at the beginning.
        """
        before, after = self._prepared.policy, self._read_policy()
        if before.rules_id != after.rules_id:
            raise ScanError(
                f"the policy changed during the scan, from {before.rules_id} to {after.rules_id}: run it again"
            )
        self._same = before.context == after.context
        if self._same and self._cache and fresh is not None:
            fresh.write.mode("append").parquet(str(of_parts))
            self._cache.add(of_parts)

    def add_run(self, results: Path) -> None:
        """Note where the results of the run are."""
        if self._runs and self.inputs and self._same:
            self._runs.add_run(self.inputs, results)
