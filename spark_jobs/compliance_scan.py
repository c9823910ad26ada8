"""Judge every resource of a snapshot through OPA: the job for spark-submit.

    spark-submit --py-files warden-modules.zip spark_jobs/compliance_scan.py --snapshot DIR --out DIR --bundle FILE

`warden scan` does the same from its own process; docs/scan.md tells how the modules come to the executors.
"""

import argparse
import os
import sys
from contextlib import ExitStack
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark.sql import SparkSession

from spark_jobs.sources import read_topics
from warden.scan.doors import Door, Opa
from warden.scan.plan import Plan, requests_under_way

__all__ = ["Opa", "main", "read_topics"]


def main(arguments: list[str] | None = None) -> int:
    """Run the job under spark-submit; returns the exit status: 1 where --fail-on says so, 2 for an error."""
    from spark_jobs.run import run_scan
    from warden.errors import WardenError
    from warden.report.summary import has_severity

    options = _parser().parse_args(arguments)
    spark = SparkSession.builder.appName("warden scan").getOrCreate()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    try:
        with ExitStack() as stack:
            door, here = _doors(spark, options, stack)
            done = run_scan(spark, _plan(options), door, here=here)
    except WardenError as error:
        print(f"compliance_scan: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    print(done.directory)
    grave = options.fail_on and (done.metrics["unjudged"] or has_severity(done.summary, options.fail_on))
    return 1 if grave else 0


def _parser() -> argparse.ArgumentParser:
    from warden.report.summary import SEVERITIES

    parser = argparse.ArgumentParser(description="Judge every resource of a snapshot directory through OPA.")
    add = parser.add_argument
    add("--snapshot", type=Path, required=True, help="snapshot directory, seen by all executors")
    add("--out", type=Path, required=True, help="directory for the results of runs, seen by all executors")
    opa = parser.add_mutually_exclusive_group(required=True)
    opa.add_argument("--opa-url", action="append", help="OPA as seen from the executors; may be given several times")
    opa.add_argument("--bundle", type=Path, help="bundle for an OPA that is started on each host")
    add("--opa", type=Path, help="OPA's program for --bundle, for the executors' kind of machine (the pinned one)")
    add("--day", type=date.fromisoformat, help="the day to judge (each cluster's newest)")
    add("--from-day", type=date.fromisoformat, help="first day of a history to judge")
    add("--to-day", type=date.fromisoformat, help="last day of it (today)")
    add("--now", type=datetime.fromisoformat, help="the time to judge at (the clock)")
    add("--run-id", help="name of the run; a run of the same name is replaced")
    add("--sample", type=float, default=1.0, help="share of the resources to judge (1)")
    add("--where", help="condition of Spark SQL on the columns of topics")
    add("--cache", type=Path, help="directory of remembered verdicts, seen by all executors (OUT/.verdicts)")
    add("--no-cache", action="store_true", help="remember nothing, use nothing remembered")
    add("--format", default="parquet", help="of the tables: parquet, json, csv, orc, or another of the session's")
    add("--in-flight", type=int, help="requests under way for each task (1, with --opa-url 2)")
    add("--fail-on", choices=SEVERITIES, help="exit with 1 when a rule of this severity or a graver one denies")
    return parser


def _plan(options: argparse.Namespace) -> Plan:
    days = (options.from_day, options.to_day or datetime.now(UTC).date()) if options.from_day else None
    return Plan(
        options.snapshot,
        options.out,
        day=options.day,
        days=days,
        now=options.now,
        run_id=options.run_id,
        sample=options.sample,
        where=options.where,
        cache=options.cache,
        remember=not options.no_cache,
        format=options.format,
        in_flight=requests_under_way(options.in_flight, elsewhere=bool(options.opa_url)),
    )


def _doors(spark: SparkSession, options: argparse.Namespace, stack: ExitStack) -> tuple[Door, Door]:
    if options.opa_url:
        token = os.environ.get("WARDEN_OPA_QUERY_TOKEN")
        opa = Opa(options.opa_url[0], token, tuple(options.opa_url[1:]))
        return opa, opa
    from spark_jobs.shipping import host_opas
    from warden.scan.verify import verify_bundle
    from warden.toolchain.opa import find_opa

    program = options.opa or find_opa()
    verify_bundle(program, options.bundle)
    scratch = Path(stack.enter_context(TemporaryDirectory(prefix="warden-scan-")))
    door, here = host_opas(spark, options.bundle, program, scratch)
    stack.callback(here.stop)
    return door, here


if __name__ == "__main__":
    sys.exit(main())
