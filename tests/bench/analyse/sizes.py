"""`python -m tests.bench.analyse.sizes`: what a scan takes of time, processor and memory as topics become more."""

import argparse
import json
import multiprocessing
import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any, cast

from spark_jobs.common.job_opa import open_job_opa
from spark_jobs.common.session import open_spark_session
from warden.analyse.scan.plan import ScanPlan
from warden.base.errors import WardenError
from warden.base.process.progress import show_working
from warden.demo.estate import write_estate

__all__ = ["measure_size"]

_WRITTEN = 250_000
_TICK = os.sysconf("SC_CLK_TCK")


def measure_size(topics: int, master: str = "local[2]") -> dict[str, Any]:
    """Scan so many topics with a new session, and return what `metrics.json` says, processor and memory.

    Args:
        topics: How many; they are written as a quarter of them, 250,000 at the most, on clusters of other names again
            and again, so that no input is there twice.
        master: Spark's; with ``local-cluster[1,2,2048]`` the executor has a process of its own, whose memory is not the
            driver's.
    """
    with TemporaryDirectory(prefix="warden-sizes-") as name:
        directory = Path(name)
        with show_working(f"writing {topics:,} topics"):
            _run_in_process(_write, directory / "s", topics)
        with show_working(f"the scan of {topics:,}"):
            return dict(_run_in_process(_scan, directory, master))


def main() -> int:
    """Measure, and print JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.analyse.sizes", description=__doc__)
    parser.add_argument("topics", type=int, nargs="*", default=[100_000, 1_000_000], help="topics (100000 1000000)")
    parser.add_argument("--master", default="local[2]", help="Spark's master (local[2])")
    given = parser.parse_args()
    try:
        found = [measure_size(topics, given.master) for topics in given.topics]
    except WardenError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    print(json.dumps(found, indent=2))
    return 0


def _run_in_process(work: Callable[..., Any], *arguments: Any) -> Any:
    """Run in a process of its own, whose memory nothing else has used."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def _write(directory: Path, topics: int) -> None:
    written = min(_WRITTEN, topics // 4)
    write_estate(directory, written, format="parquet")
    for cluster in [*directory.glob("*/day=*/cluster=*")]:
        for copy in range(2, topics // written + 1):
            shutil.copytree(cluster, cluster.with_name(f"{cluster.name}-{copy}"))


def _scan(directory: Path, master: str) -> dict[str, Any]:
    from spark_jobs.scan.run_scan import run_scan

    with ExitStack() as stack:
        processor = stack.enter_context(_count_processor())
        spark = stack.enter_context(open_spark_session(master))
        opa = stack.enter_context(open_job_opa(spark))
        plan = ScanPlan(directory / "s", directory / "out", run_id="r")
        metrics = dict(run_scan(spark, plan, opa.endpoint, here=opa.driver).metrics)
        jvm = cast("Any", spark.sparkContext._jvm).java.lang.ProcessHandle.current().pid()
        return {
            **{name: metrics[name] for name in ("resources", "evaluated", "batches", "seconds", "perSecond")},
            "processorSeconds": {name: round(seconds, 1) for name, seconds in processor().items()},
            "driverHeap": spark.conf.get("spark.driver.memory", "1g"),
            "peakMiB": {"driver": _read_peak(jvm), "python": getrusage(RUSAGE_SELF).ru_maxrss // 1024},
        }


def _read_peak(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    (peak,) = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
    return int(peak) // 1024


@contextmanager
def _count_processor() -> Iterator[Callable[[], Mapping[str, float]]]:
    """Yield what returns seconds of processor by name of program: of this process, and of all that came of it.

    Workers of Spark end when they have had nothing to do for a minute: each process is looked at every second.
    """
    seen, ended = dict[tuple[int, str], tuple[str, float]](), Event()

    def look() -> Mapping[str, float]:
        seen.update(_find_processes())
        sums = defaultdict[str, float](float)
        for program, seconds in [*seen.values()]:
            sums[program] += seconds
        return sums

    def look_on() -> None:
        while not ended.wait(1):
            seen.update(_find_processes())

    with ThreadPoolExecutor(1) as thread:
        thread.submit(look_on)
        try:
            yield look
        finally:
            ended.set()


def _find_processes() -> dict[tuple[int, str], tuple[str, float]]:
    """Return this process and all below it: by number and start their program and its own seconds of processor."""
    rows, own = {row[0]: row for row in _iter_processes()}, {os.getpid()}
    while more := {process for process, (_, parent, _, _, _) in rows.items() if parent in own} - own:
        own |= more
    return {(process, rows[process][2]): rows[process][3:] for process in own if process in rows}


def _iter_processes() -> Iterator[tuple[int, int, str, str, float]]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            before, _, after = path.read_text(encoding="utf-8").rpartition(") ")
        except OSError:
            continue  # it has ended
        process, _, program = before.partition(" (")
        fields = after.split()
        yield int(process), int(fields[1]), fields[19], program, sum(map(int, fields[11:13])) / _TICK


if __name__ == "__main__":
    sys.exit(main())
