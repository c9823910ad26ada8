"""Snapshots, runs and reports in a bucket, by Hadoop's S3A and a server that speaks S3."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
import requests

from tests.fixtures.run.unfetched import skip_unfetched
from tests.fixtures.spark import SMALL
from tests.spark_jobs.processes import NOW, environment
from tools.toolchain.s3a import find_s3a_jars
from warden.state.snapshot.directory import write_snapshot

pytestmark = [pytest.mark.cluster, pytest.mark.spark, pytest.mark.opa]

_TOPIC = {"numPartitions": 3, "replicationFactor": 1, "replicasAssignments": {"0": [1]}, "internal": False}
_RUNS = "s3a://estate/runs"


@pytest.fixture
def jars() -> Path:
    """The directory of S3A's jars; what needs them is left out where no repository has them."""
    with skip_unfetched():
        return find_s3a_jars()


@pytest.fixture
def bucket() -> Iterator[str]:
    """The URL of an empty bucket."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        url = f"http://{host}:{port}/estate"
        requests.put(url, timeout=60).raise_for_status()
        yield url
    finally:
        server.stop()


def list_keys(bucket: str, prefix: str) -> list[str]:
    """The keys in a bucket that begin so, without what S3A keeps for directories."""
    from xml.etree import ElementTree as ET

    document = ET.fromstring(requests.get(bucket, {"prefix": prefix}, timeout=60).content)
    found = [element.text or "" for element in document.iter() if element.tag.endswith("}Key")]
    return sorted(key for key in found if not key.endswith("/"))


def test_an_estate_in_a_bucket(bucket: str, jars: Path, tmp_path: Path) -> None:
    """A run that is written again is there once, one without a summary is none, and reports are written beside it."""
    write_snapshot(tmp_path, "c", {"clusterSize": 3, "topics": {"a": _TOPIC, "b": _TOPIC}}, day=date(2026, 1, 1))
    for path in tmp_path.rglob("*"):
        if path.is_file():
            key = path.relative_to(tmp_path).as_posix()
            requests.put(f"{bucket}/snapshots/{key}", path.read_bytes(), timeout=60).raise_for_status()
    earlier = [f"r/{name}" for name in ("decisions/part-9.parquet", "other.json", "summary.json")]
    for name in (*earlier, "zz/findings.jsonl"):  # a run of that name, and what a killed driver left
        requests.put(f"{bucket}/runs/{name}", b"{}", timeout=60).raise_for_status()
    configs = SMALL | {
        "spark.jars": ",".join(map(str, sorted(jars.glob("*.jar")))),
        "spark.hadoop.fs.s3a.endpoint": bucket.rpartition("/")[0],
        "spark.hadoop.fs.s3a.endpoint.region": "us-east-1",
        "spark.hadoop.fs.s3a.path.style.access": "true",
        "spark.hadoop.fs.s3a.access.key": "any",
        "spark.hadoop.fs.s3a.secret.key": "any",
    }
    scan = ["scan", "s3a://estate/snapshots", "--out", _RUNS, "--now", NOW, "--output", "json"]
    scan += ["--cache", "s3a://estate/decisions"]
    commands = [
        [*scan, "--run-id", "r"],
        [*scan, "--run-id", "s", "--baseline", _RUNS, "--report", "csv"],
        ["report", f"{_RUNS}/r", "--baseline", f"{_RUNS}/s", "--output", "sarif"],
        ["trend", "--runs", _RUNS, "--out", "s3a://estate/trend", "--output", "json"],
    ]
    done = subprocess.run(
        [sys.executable, "-m", "tests.spark_jobs.scan.s3_commands", json.dumps(configs), json.dumps(commands)],
        env=environment(modules=True),
        capture_output=True,
        check=False,
        text=True,
    )

    assert 0 == done.returncode, done.stderr
    scanned, since, report, trend = json.loads(done.stdout)
    first, second, history = (json.loads(text) for text in (scanned, since, trend))
    written, other = list_keys(bucket, "runs/r/"), list_keys(bucket, "runs/s/")
    assert (2, f"{_RUNS}/r") == (first["topics"], first["directory"])
    assert not {f"runs/{name}" for name in earlier[:2]} & {*written}
    assert len(other) == len(written), written  # findings.csv in the one, report.sarif in the other
    assert ("r", 0, 0) == tuple(second["baseline"][name] for name in ("runId", "new", "fixed"))
    assert [f"{_RUNS}/s/findings.csv", f"{_RUNS}/r/report.sarif"] == [second["reports"][0]["path"], report.strip()]
    assert {"runs/s/findings.csv", "runs/s/summary.json"} < {*other}
    assert {"runs/r/report.sarif", "runs/r/summary.json"} < {*written}
    assert not list_keys(bucket, "runs/.running-")
    assert list_keys(bucket, "decisions/")
    assert (True, 0) == (first["metrics"]["evaluated"] > 0, second["metrics"]["evaluated"])
    assert {"a", "b"} <= {each["topic"] for each in history["findings"]}
    assert list_keys(bucket, "trend/history/")
