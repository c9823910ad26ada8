"""A scan on a cluster of processes on this machine, one of which is killed.

Run as `python -m tests.spark_jobs.scan.cluster_scan`.
"""

import json
import sys
from pathlib import Path

from spark_jobs.common.job_opa import open_job_opa
from spark_jobs.common.session import open_spark_session
from tests.spark_jobs.scan.faulty import ExecutorKiller
from warden.analyse.scan.batches import BatchLimits
from warden.analyse.scan.plan import ScanPlan
from warden.demo.estate import OBSERVED_AT
from warden.policy.opa.session import OpaOptions


def main(snapshot: Path, out: Path, bundle: Path, marker: Path) -> None:
    """Scan, and print what was done."""
    with open_spark_session("local-cluster[2,1,1024]") as spark, open_job_opa(spark, OpaOptions(bundle=bundle)) as opa:
        from spark_jobs.scan.run_scan import run_scan

        plan = ScanPlan(snapshot, out, now=OBSERVED_AT, run_id="r", remember=False, limits=BatchLimits(rows=25))
        done = run_scan(spark, plan, ExecutorKiller(opa.endpoint, marker), here=opa.driver)  # type: ignore[arg-type]  # a host's
        directories = [str(opa.endpoint.directory), str(opa.driver.directory)]  # type: ignore[attr-defined, union-attr]  # so too
        print(json.dumps({"directory": str(done.directory), "opas": directories}))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
