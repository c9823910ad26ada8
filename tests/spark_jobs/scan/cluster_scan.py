"""A scan on a cluster of processes on this machine, one of which is killed.

Run as `python -m tests.spark_jobs.scan.cluster_scan`.
"""

import json
import sys
from pathlib import Path

from spark_jobs.common.job_opa import open_job_opa
from spark_jobs.common.session import spark_session
from tests.spark_jobs.scan.faulty import ExecutorKiller
from warden.demo.estate import OBSERVED_AT
from warden.opa.session import OpaOptions
from warden.scan.batches import Limits
from warden.scan.plan import Plan


def main(snapshot: Path, out: Path, bundle: Path, marker: Path) -> None:
    """Scan, and print what was done."""
    with spark_session("local-cluster[2,1,1024]") as spark, open_job_opa(spark, OpaOptions(bundle=bundle)) as opa:
        from spark_jobs.scan.run_scan import run_scan

        plan = Plan(snapshot, out, now=OBSERVED_AT, run_id="r", remember=False, limits=Limits(rows=25))
        done = run_scan(spark, plan, ExecutorKiller(opa.endpoint, marker), here=opa.driver)  # type: ignore[arg-type]  # a host's
        directories = [str(opa.endpoint.directory), str(opa.driver.directory)]  # type: ignore[attr-defined, union-attr]  # so too
        print(json.dumps({"directory": str(done.directory), "opas": directories}))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
