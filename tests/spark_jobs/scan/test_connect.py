"""A scan through a server of Spark Connect, which is started from PySpark's own jars."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.spark_jobs.processes import CHECKOUT, NOW, environment, reference, rows, until
from warden.base.http.ports import find_free_port
from warden.policy.opa.endpoints import RemoteOpa

__all__ = ["reference"]


def scan(*arguments: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run ``warden scan`` as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "warden", "scan", *arguments],
        env=environment(modules=True) | more, cwd=CHECKOUT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a server without Warden's modules."""
    import pyspark

    port, log = find_free_port(), tmp_path / "server.log"
    said = {"ui.enabled": "false", "connect.grpc.binding.address": "127.0.0.1", "connect.grpc.binding.port": port}
    command: list[str | Path] = [Path(pyspark.__path__[0]) / "bin/spark-submit", "--master", "local[2]"]
    command += [text for name, value in said.items() for text in ("--conf", f"spark.{name}={value}")]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
    known = environment(modules=False)
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=known, cwd=tmp_path, stdout=output, stderr=subprocess.STDOUT)
    try:
        until(lambda: "server started at" in log.read_text() or process.poll() is not None, "a server")
        assert process.poll() is None, log.read_text()
        yield f"sc://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


@pytest.mark.cluster
@pytest.mark.spark
@pytest.mark.opa
def test_scan(server: str, scan_opa: RemoteOpa, estate_directory: Path, reference: Any, tmp_path: Path) -> None:
    """The modules go along, and the decisions are those of every other scan; a second one of the same is short."""
    options: list[str | Path] = [estate_directory, "--master", server, "--opa-url", scan_opa.url]
    options += ["--out", tmp_path / "out", "--now", NOW]
    for run in ("one", "two"):
        done = scan(*options, "--run-id", run, "--output", "json", WARDEN_OPA_QUERY_TOKEN=str(scan_opa.token))
        assert 0 == done.returncode, done.stderr
        assert reference == [{**row, "run_id": "r"} for row in rows(tmp_path / "out" / run)]
        metrics = json.loads(done.stdout)["metrics"]
        assert ("reading" in metrics["seconds"], metrics["batches"]) == ((True, None) if run == "one" else (False, 0))


@pytest.mark.process
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "--master {master} needs --opa-url of warden scan: what starts there outlives the scan, OPA as well"),
        (
            ["--opa-url", "http://127.0.0.1:9"],
            "http://127.0.0.1:9/v1/data/catalog/revision?provenance=true cannot be reached",
        ),
    ],
)
def test_what_it_needs(estate_directory: Path, tmp_path: Path, options: list[str], sentence: str) -> None:
    """A server alone is not enough."""
    master = f"sc://127.0.0.1:{find_free_port()}"
    done = scan(estate_directory, "--master", master, "--out", tmp_path / "out", *options)

    assert (2, True) == (done.returncode, sentence.format(master=master) in done.stderr), done.stderr


@pytest.mark.opa
def test_no_server(scan_opa: RemoteOpa, estate_directory: Path, tmp_path: Path) -> None:
    """Nothing listens there: one sentence, at once, and nothing is left."""
    master = f"sc://127.0.0.1:{find_free_port()}"
    options: list[str | Path] = [
        estate_directory,
        "--master",
        master,
        "--opa-url",
        scan_opa.url,
        "--out",
        tmp_path / "out",
    ]
    done = scan(*options, WARDEN_OPA_QUERY_TOKEN=str(scan_opa.token))

    assert 2 == done.returncode
    assert done.stderr.startswith(f"warden: {master}: cannot connect to Spark Connect: [Errno")
    assert 1 == done.stderr.count("\n"), done.stderr
    assert not (tmp_path / "out").exists()
