"""`warden run` and `warden scan` as a person calls them: exit status, output, and errors of one sentence."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT


def warden(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    import os

    path = os.pathsep.join([str(CHECKOUT / "glue"), str(CHECKOUT)])
    return subprocess.run(
        [sys.executable, "-m", "warden", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "100"},
        capture_output=True,
        check=False,
        text=True,
    )


@pytest.mark.cluster
@pytest.mark.spark
@pytest.mark.opa
def test_run_and_scan(tmp_path: Path, estate_directory: Path, opa_binary: Path) -> None:
    """Both end with 0, or 1 where --fail-on says so; Spark is not heard; nothing is left behind."""
    run = warden("run", "--topics", "300", "--out", "out", "--report", "sarif", cwd=tmp_path)
    options = ["--report", "junit=out/tests.xml", "--report", "csv", "--fail-on", "critical", "--output", "json"]
    scan = warden("scan", estate_directory, "--out", "out", *options, cwd=tmp_path)
    found = json.loads(scan.stdout)

    assert (0, 1) == (run.returncode, scan.returncode), run.stderr + scan.stderr
    assert run.stdout.startswith("300 topics on 12 clusters evaluated in ")
    assert all(line.startswith("warden: ") for line in (run.stderr + scan.stderr).splitlines())
    assert 600 == found["topics"]
    assert (tmp_path / found["directory"] / "report.html").is_file()
    table = f"{found['directory']}/findings.csv"
    assert [{"format": "junit", "path": "out/tests.xml"}, {"format": "csv", "path": table}] == found["reports"]
    sarif = run.stdout.splitlines()[-1].removesuffix("  (sarif)")
    assert all((tmp_path / path).is_file() for path in ("out/tests.xml", table, sarif))
    assert 5 == len(list((tmp_path / "out").iterdir()))  # two runs, `latest`, what is remembered, and a report
    assert ["out"] == [left.name for left in tmp_path.iterdir()]


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["scan", "missing"], "warden: missing: no such directory: `warden snapshot` makes one from a live cluster"),
        (["scan", "."], "warden: .: no snapshot, which would have clusters/ in it: `warden snapshot` makes one"),
        (["scan", ".", "--run-id", "a/b"], "warden: run id 'a/b' cannot name a directory: "),
        (["scan", ".", "--tables", "s3a://estate"], "warden: --tables s3a://estate: write delta:DIRECTORY, "),
        (["scan", ".", "--tables", "delta:t", "--format", "csv"], "warden: --tables takes over what the run has in "),
        (["scan", ".", "--report", "csv=a/b"], "warden: --report a/b: there is no directory a: name a file in a "),
        (["run", "--report", "csv=a/b"], "warden: --report a/b: there is no directory a: name a file in a "),
        (["run", "--topics", "5"], "warden: an estate of 5 topics is too small for 12 clusters: use at least 200"),
    ],
)
def test_bad_input(tmp_path: Path, arguments: list[str], said: str) -> None:
    """One sentence that names what is wrong, exit status 2, nothing written, and before anything is started."""
    done = warden(*arguments, cwd=tmp_path)

    assert 2 == done.returncode
    assert done.stderr.splitlines()[-1].startswith(said)
    assert "Traceback" not in done.stderr
    assert [] == list(tmp_path.iterdir())
