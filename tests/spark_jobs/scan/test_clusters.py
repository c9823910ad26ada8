"""Scans on more than one process: a standalone cluster through spark-submit, an executor killed, the driver killed."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.run.class_archives import spark_class_path
from tests.spark_jobs.processes import CHECKOUT, NOW, environment, reference, rows, until
from warden.analyse.scan.plan import ScanPlan
from warden.demo.estate import OBSERVED_AT
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.endpoints import RemoteOpa

__all__ = ["reference"]

pytestmark = [pytest.mark.spark, pytest.mark.opa, pytest.mark.cluster]


@pytest.fixture(scope="module")
def bundle(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed bundle."""
    return build_bundle(tmp_path_factory.mktemp("bundle") / "bundle.tar.gz").path


@pytest.fixture
def standalone(tmp_path: Path) -> Iterator[str]:
    """The address of a standalone master with two workers, from PySpark's own jars."""
    import pyspark

    home = Path(pyspark.__path__[0])
    known = environment(modules=False) | {"SPARK_HOME": str(home), "SPARK_SCALA_VERSION": "2.13"}
    with ExitStack() as stack:

        def start(name: str, *arguments: str) -> Path:
            log = tmp_path / f"{name}.log"
            kind = "master.Master" if name == "master" else "worker.Worker"
            command = [
                f"{known['JAVA_HOME']}/bin/java",
                "-Xmx256m",
                "-cp",
                spark_class_path(),
                f"org.apache.spark.deploy.{kind}",
            ]
            process = subprocess.Popen(
                [*command, "--host", "127.0.0.1", "--port", "0", "--webui-port", "0", *arguments],
                env=known,
                cwd=tmp_path,
                stdout=log.open("wb"),
                stderr=subprocess.STDOUT,
            )
            stack.callback(process.wait)
            stack.callback(process.terminate)
            return log

        log = start("master")
        found = until(lambda: re.search(r"spark://127\.0\.0\.1:\d+", log.read_text()), "a master")
        for number in (1, 2):
            start(f"worker{number}", "--cores", "1", "--memory", "1g", "--work-dir", str(tmp_path / "work"), found[0])
        until(lambda: log.read_text().count("Registering worker") == 2, "two workers")
        yield found[0]


def test_spark_submit(
    standalone: str, bundle: Path, opa_binary: Path, estate_directory: Path, reference: Any, tmp_path: Path
) -> None:
    """The job comes to a standalone cluster with its modules, its bundle and its OPA, and evaluates as always."""
    import pyspark

    known = environment(modules=False) | {"TMPDIR": str(tmp_path)}
    modules = tmp_path / "warden-modules.zip"
    subprocess.run(
        [sys.executable, "-m", "spark_jobs.common.shipping", str(modules)], env=environment(modules=True), check=True
    )
    command: list[str | Path] = [Path(pyspark.__path__[0]) / "bin/spark-submit", "--master", standalone]
    command += ["--conf", "spark.ui.enabled=false", "--conf", "spark.executor.memory=512m"]
    command += ["--conf", "spark.sql.shuffle.partitions=4", "--py-files", modules]
    command += [CHECKOUT / "spark_jobs/jobs/compliance_scan.py", estate_directory, "--out", tmp_path / "out"]
    command += ["--bundle", bundle, "--opa", opa_binary, "--now", NOW, "--run-id", "r", "--fail-on", "critical"]
    command += ["--output", "json"]
    done = subprocess.run(command, env=known, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert 1 == done.returncode, done.stdout + done.stderr
    document = done.stdout.splitlines()[-1]  # spark-submit joins what a program writes to stderr, as its progress
    assert str(tmp_path / "out/r") == json.loads(document)["directory"]
    assert reference == rows(tmp_path / "out/r")
    until(lambda: not list(tmp_path.glob("warden-*-app-*")), "the end of each OPA")


def test_executor_killed(bundle: Path, estate_directory: Path, reference: Any, tmp_path: Path) -> None:
    """Where an executor is killed another one takes over, with an OPA of its own; all end with the job."""
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "tests.spark_jobs.scan.cluster_scan",
        estate_directory,
        tmp_path,
        bundle,
        tmp_path / "killed",
    ]
    known = environment(modules=True) | {"TMPDIR": str(tmp_path)}
    done = subprocess.run(command, env=known, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    found = json.loads(done.stdout)

    assert (tmp_path / "killed").exists()
    assert reference == rows(Path(found["directory"]))
    assert 2 == len(set(found["opas"]))
    until(lambda: not any(Path(opa).exists() for opa in found["opas"]), "the end of each OPA")


def test_driver_killed(
    spark: Any, scan_opa: RemoteOpa, bundle: Path, estate_directory: Path, reference: Any, tmp_path: Path
) -> None:
    """Where the driver is killed nothing is seen and no OPA stays; the next run of the same name clears up."""
    from spark_jobs.scan.run_scan import run_scan
    from spark_jobs.scan.stages.ask import NEW_DECISIONS

    out = tmp_path / "out"
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "warden",
        "scan",
        estate_directory,
        "--out",
        out,
        "--run-id",
        "r",
        "--no-cache",
    ]
    known = environment(modules=True) | {"TMPDIR": str(tmp_path)}
    driver = subprocess.Popen(
        [*command, "--bundle", bundle, "--master", "local[1]"],
        env=known,
        stdout=subprocess.DEVNULL,
        stderr=(tmp_path / "stderr").open("wb"),
    )
    until(lambda: list(out.glob(f".running-*/{NEW_DECISIONS}")) or driver.poll() is not None, "a scan that evaluates")
    driver.send_signal(signal.SIGKILL)
    assert -signal.SIGKILL == driver.wait(), (tmp_path / "stderr").read_text()

    assert [] == [left for left in out.iterdir() if not left.name.startswith(".")]
    until(lambda: not list(tmp_path.glob("warden-*-driver")), "the end of OPA")
    done = run_scan(spark, ScanPlan(estate_directory, out, now=OBSERVED_AT, run_id="r"), scan_opa)
    assert reference == rows(done.directory)
    assert [".decisions", "latest", "r"] == sorted(left.name for left in out.iterdir())
