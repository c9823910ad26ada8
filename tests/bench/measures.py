"""The measurements, one function each; every one returns plain numbers."""

import hashlib
import json
import os
import statistics
import subprocess
import tarfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.bench.analyse.rows import Rows, write
from warden.analyse.scan.batches import BatchLimits
from warden.analyse.scan.evaluate import ScanJob, evaluate
from warden.base.errors import ScanError
from warden.policy.opa.client import OpaClient

__all__ = [
    "better_of_two",
    "fresh_calls",
    "limits",
    "opa_bench",
    "plain_batches",
    "single_calls",
    "spark_rows",
    "unsigned",
]


def better_of_two(measure: Callable[[], dict[str, float]], by: str = "perSecond") -> dict[str, float]:
    """Measure three times and return the better of the last two: the first warms up, as it does for the scan."""
    measure()
    return max(measure(), measure(), key=lambda found: found[by])


def single_calls(url: str, token: str | None, documents: list[dict[str, Any]], threads: int) -> dict[str, float]:
    """One call for each document over kept-alive connections: decisions a second, and milliseconds of one."""
    taken: list[float] = []

    def ask(document: dict[str, Any]) -> None:
        started = time.perf_counter()
        client.decide(document)
        taken.append(time.perf_counter() - started)

    with OpaClient(url, token=token, pool_size=threads) as client, ThreadPoolExecutor(threads) as pool:
        for document in documents[:20]:
            client.decide(document)
        started = time.perf_counter()
        list(pool.map(ask, documents))
        passed = time.perf_counter() - started
    points = statistics.quantiles(taken, n=100)
    return {"perSecond": len(documents) / passed, "p50Ms": 1000 * points[49], "p99Ms": 1000 * points[98]}


def fresh_calls(url: str, token: str | None, documents: list[dict[str, Any]]) -> dict[str, float]:
    """One call for each document, each over a connection of its own, as a job does that opens one in its function."""
    started = time.perf_counter()
    for document in documents:
        with OpaClient(url, token=token) as client:
            client.decide(document)
    return {"perSecond": len(documents) / (time.perf_counter() - started)}


def plain_batches(url: str, token: str | None, rows: Rows, job: ScanJob) -> dict[str, float]:
    """The scan's own loop without Spark, with several requests in flight: rows a second, requests sent."""
    sent: list[int] = []
    with OpaClient(url, token=token, pool_size=job.in_flight) as client:

        def post(path: str, body: bytes) -> bytes:
            sent.append(len(body))
            return client.post_raw(path, body)

        for _ in evaluate(rows.rows[:1000], job, post):
            pass
        sent.clear()
        started = time.perf_counter()
        evaluated = sum(len(batch) for batch in evaluate(rows.rows, job, post))
        passed = time.perf_counter() - started
    return {"perSecond": evaluated / passed, "requests": len(sent), "bytesSentPerRow": sum(sent) / evaluated}


def spark_rows(evaluated: Callable[[], Any], repeat: int) -> dict[str, float]:
    """A Spark job that evaluates rows: the best of some runs after a first one that warms everything up.

    Args:
        evaluated: Makes the frame of decisions.
        repeat: Number of runs that count.
    """
    from pyspark.sql import functions as F

    best, rows = float("inf"), 0
    for turn in range(repeat + 1):
        started = time.perf_counter()
        # The violations are counted so that the decisions are carried out of Python whole.
        counts = (
            evaluated().agg(F.count("*"), F.sum(F.size("violations")), F.count_if(F.col("status") == "ERROR")).first()
        )
        if counts[2]:
            raise ScanError(f"{counts[2]} of {counts[0]} rows could not be evaluated: the figures would mean nothing")
        rows = counts[0]
        if turn:
            best = min(best, time.perf_counter() - started)
    return {"perSecond": rows / best, "rows": rows}


def opa_bench(
    opa: Path,
    bundle: Path,
    query: str,
    body: bytes,
    rows: int,
    cores: int = 1,
    data: Path | None = None,
) -> dict[str, float]:
    """``opa bench``, one process a core: no HTTP, no JSON of answers, no Python.

    As many processes as the scan uses cores, because two busy cores that are threads of one are not twice one core.

    Args:
        opa: The binary.
        bundle: The bundle, unsigned.
        query: Such as ``data.kafka.decisions``.
        body: The request body whose input is evaluated.
        rows: Decisions in it.
        cores: Processes at once, each on one core.
        data: JSON file with the replicated data, if there is any.
    """
    document = write(bundle.with_name(f"input-{hashlib.sha256(body).hexdigest()[:16]}.json"), body)
    command = [
        str(opa),
        "bench",
        "--bundle",
        str(bundle),
        "--input",
        str(document),
        "--format",
        "json",
        "--metrics=false",
        query,
    ]
    if data is not None:
        command += ["--data", str(data)]
    environment = {**os.environ, "GOMAXPROCS": "1", "GOGC": os.environ.get("GOGC", "800")}
    started = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(cores)
    ]
    results = []
    for process in started:
        out, err = process.communicate()
        if process.returncode:
            raise ScanError(f"opa bench failed: {err.strip()}")
        found = json.loads(out)
        results.append(found[0] if isinstance(found, list) else found)
    return {
        "perSecondPerCore": statistics.mean(rows * each["N"] / (each["T"] / 1e9) for each in results),
        "allocationsPerDecision": results[0]["MemAllocs"] / results[0]["N"] / rows,
        "bytesPerDecision": results[0]["MemBytes"] / results[0]["N"] / rows,
    }


def unsigned(bundle: Path, target: Path) -> Path:
    """Copy a bundle without its signature, which `opa bench` has no flag to verify."""
    with tarfile.open(bundle) as source, tarfile.open(target, "w:gz") as replica:
        for member in source:
            if not member.name.endswith(".signatures.json"):
                replica.addfile(member, source.extractfile(member))
    return target


def limits(rows: int) -> BatchLimits:
    """Limits of ``rows`` rows a request."""
    return BatchLimits(rows, BatchLimits().bytes)
