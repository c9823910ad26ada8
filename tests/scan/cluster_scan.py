"""`python -m tests.scan.cluster_scan`: a scan on a cluster of processes on this machine, one of which is killed."""

import json
import sys
from pathlib import Path

from tests.scan.faulty import ExecutorKiller
from warden.scan.batches import Limits
from warden.scan.launch import scanning_opa
from warden.scan.local import spark_here
from warden.scan.plan import Plan
from warden.snapshot.estate import OBSERVED_AT


def main(snapshot: Path, out: Path, bundle: Path, marker: Path) -> None:
    """Scan, and print what was done."""
    with spark_here("local-cluster[2,1,1024]") as spark, scanning_opa(spark, bundle, None, None, None) as found:
        from spark_jobs.run import run_scan

        plan = Plan(snapshot, out, now=OBSERVED_AT, run_id="r", remember=False, limits=Limits(rows=25))
        done = run_scan(spark, plan, ExecutorKiller(found.door, marker), here=found.here)  # type: ignore[arg-type]
        directories = [str(found.door.directory), str(found.here.directory)]  # type: ignore[attr-defined]
        print(json.dumps({"directory": str(done.directory), "opas": directories}))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
