"""Programs for spark-submit: each takes the options of its command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT
from tests.spark_jobs.processes import environment

PROGRAMS = {
    "compliance_scan": "scan",
    "impact_analysis": "impact",
    "snapshot_clusters": "snapshot",
    "trend": "trend",
    "upgrade_check": "upgrade-check",
}


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Python on this checkout."""
    command = [sys.executable, *map(str, arguments)]
    known = environment(modules=True) | {"COLUMNS": "100"}
    return subprocess.run(command, env=known, capture_output=True, text=True, check=False)


def test_every_program_is_tested() -> None:
    """No program is without a row."""
    files = (CHECKOUT / "spark_jobs/jobs").glob("[!_]*.py")

    assert sorted(PROGRAMS) == sorted(path.stem for path in files)


@pytest.mark.process
@pytest.mark.parametrize(("program", "command"), PROGRAMS.items())
def test_help(program: str, command: str) -> None:
    """A program's help is its command's."""
    done = run(CHECKOUT / f"spark_jobs/jobs/{program}.py", "--help")

    assert 0 == done.returncode, done.stderr
    assert done.stdout.startswith(f"Usage: warden {command} ")
    assert run("-m", "warden", command, "--help").stdout == done.stdout


@pytest.mark.spark
def test_spark_submit_chooses_the_master(tmp_path: Path) -> None:
    """Under spark-submit the master and the configuration of Spark are no options of the program."""
    import pyspark

    run_directory = tmp_path / "runs/a"
    run_directory.mkdir(parents=True)
    summary = {"evaluated_at": "2026-11-21T00:00:00Z", "run_id": "a", "revision": "r"}
    (run_directory / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    submit = [Path(pyspark.__path__[0]) / "bin/spark-submit", "--master", "local[1]"]
    command = [*submit, CHECKOUT / "spark_jobs/jobs/trend.py", "--runs", tmp_path / "runs", "--conf", "a=b"]
    done = subprocess.run(
        list(map(str, command)), env=environment(modules=True), capture_output=True, text=True, check=False
    )

    assert 0 != done.returncode
    assert "warden: --master and --conf belong to spark-submit here" in done.stdout + done.stderr
