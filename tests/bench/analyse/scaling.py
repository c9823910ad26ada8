"""`python -m tests.bench.analyse.scaling`: histories, second runs, tasks and OPAs at a time."""

import argparse
import json
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from spark_jobs.common.job_opa import open_job_opa
from spark_jobs.common.session import open_spark_session
from warden.analyse.scan.plan import ScanPlan
from warden.base.errors import WardenError
from warden.base.process.progress import show_working
from warden.demo.estate import OBSERVED_AT, iter_estate
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.endpoints import RemoteOpa
from warden.policy.opa.local import LocalOpa
from warden.state.snapshot.directory import write_snapshot

__all__ = ["measure_history", "measure_scaling", "write_history"]


def write_history(directory: Path, topics: int, days: int, changed: float = 0.01) -> None:
    """Write an estate on some days, each of which changes a share of the topics and adds as many.

    Args:
        directory: The snapshot directory.
        topics: Topics of the first day.
        days: Number of days.
        changed: Share of the topics that change from one day to the next.
    """
    random = Random("history")
    for cluster, state in iter_estate(topics):
        for day in range(days):
            at = OBSERVED_AT + timedelta(days=day)
            names = list(state["topics"])
            for name in random.sample(names, round(changed * len(names))) if day else ():
                topic = state["topics"][name]
                configs = {**topic["configs"], "retention.ms": str(random.randrange(3_600_000, 900_000_000))}
                state["topics"][name] = {**topic, "configs": configs}
                state["topics"][f"{name}.day{day}"] = {**topic, "configs": configs}
            state["meta"] = {"observedAt": f"{at:%Y-%m-%dT%H:%M:%SZ}", "topics": len(state["topics"])}
            write_snapshot(directory, cluster, state, day=at.date(), format="parquet")


def measure_history(topics: int, days: int) -> dict[str, Any]:
    """Seconds of one day, of a second run of it, and of all days; nothing is remembered from one to the other.

    As commands, and in one session that has scanned both before: there nothing is left that Java loads and compiles
    the first time.
    """
    with TemporaryDirectory(prefix="warden-history-") as name, ExitStack() as stack:
        directory = Path(name)
        with show_working(f"writing {days} days of {topics:,} topics"):
            write_history(directory / "s", topics, days)
        spark = stack.enter_context(open_spark_session("local[*]"))
        opa = stack.enter_context(open_job_opa(spark))

        def scan(out: str, **chosen: Any) -> dict[str, Any]:
            from spark_jobs.scan.run_scan import run_scan

            with show_working(f"the scan, {out}"):
                plan = ScanPlan(directory / "s", directory / out, run_id="r", **chosen)
                return dict(run_scan(spark, plan, opa.endpoint, here=opa.driver).metrics)

        first, last = OBSERVED_AT.date(), OBSERVED_AT.date() + timedelta(days=days - 1)
        scan("warm, one", day=first)
        scan("warm, all", days=(first, last))
        one, again = scan("one", day=first), scan("one", day=first)
        whole = scan("all", days=(first, last))
        commands = {
            "one": _command(directory, "--day", f"{first}"),
            "all": _command(directory, "--from-day", f"{first}", "--to-day", f"{last}"),
        }
    seconds = {key: run["seconds"]["total"] for key, run in (("one", one), ("again", again), ("all", whole))}
    return {
        "topics": one["resources"],
        "days": days,
        "resources": whole["resources"],
        "submitted": {"one": one["evaluated"], "again": again["evaluated"], "all": whole["evaluated"]},
        "seconds": seconds,
        "secondsOfCommands": commands,
        "second run / first (target 0.2)": round(seconds["again"] / seconds["one"], 2),
        f"{days} days / one (target 1.5)": round(commands["all"] / commands["one"], 2),
        f"{days} days / one in a session that is warm": round(seconds["all"] / seconds["one"], 2),
    }


def _command(directory: Path, *days: str) -> float:
    """Seconds of a `warden scan` from nothing to its report."""
    out = ("--out", str(directory / "commands"), "--run-id", "r", "--no-cache")
    started = time.perf_counter()
    with show_working(f"warden scan {' '.join(days)}"):
        command = [sys.executable, "-m", "warden", "scan", str(directory / "s"), *days, *out]
        subprocess.run(command, check=True, capture_output=True)
    return round(time.perf_counter() - started, 2)


def measure_scaling(topics: int) -> list[dict[str, Any]]:
    """Rows a second with 1, 2 and 4 tasks at a time, with one OPA and with one for each task."""
    found = []
    with TemporaryDirectory(prefix="warden-scaling-") as name:
        directory = Path(name)
        bundle = build_bundle(directory / "bundle.tar.gz")
        write_history(directory / "s", topics, 1)
        for tasks in (1, 2, 4):
            for instances in sorted({1, tasks}):
                with ExitStack() as stack, show_working(f"{tasks} tasks, {instances} OPAs"):
                    servers = [stack.enter_context(LocalOpa(bundle)) for _ in range(instances)]
                    spark = stack.enter_context(open_spark_session(f"local[{tasks}]"))
                    from spark_jobs.scan.run_scan import run_scan

                    def scan(servers: list[LocalOpa] = servers, spark: Any = spark) -> dict[str, Any]:
                        # Each server has tokens of its own; tasks that take turns need one token for all.
                        urls = [server.url for server in servers]
                        opa = RemoteOpa(urls[0], servers[0].tokens.query, tuple(urls[1:]))
                        plan = ScanPlan(directory / "s", directory / "out", run_id="r", remember=False)
                        return dict(run_scan(spark, plan, opa).metrics)

                    for server in servers[1:]:
                        server.tokens = servers[0].tokens
                        server.restart()
                    scan()
                    metrics = scan()
                seconds = metrics["seconds"]["evaluating"]
                found.append({"tasks": tasks, "opas": instances, "perSecond": round(metrics["resources"] / seconds)})
    return found


def main() -> int:
    """Measure, and print JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.analyse.scaling", description=__doc__)
    parser.add_argument("--topics", type=int, default=60_000, help="topics of a day (60000)")
    parser.add_argument("--days", type=int, default=10, help="days of the history (10)")
    options = parser.parse_args()
    try:
        history = measure_history(options.topics, options.days)
        found = {"history": history, "scaling": measure_scaling(options.topics)}
    except WardenError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    print(json.dumps(found, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
