"""`warden scan --baseline` as a person calls it, but for the process: scans of one Spark, one after the other."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from warden.commands import main

Warden = Callable[..., tuple[int, str, str]]


@pytest.fixture
def warden(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Warden:
    """Runs the command line in a directory of the test's, with the Spark there is; returns status, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([*map(str, arguments)])
        assert isinstance(ended.value.code, int)
        return ended.value.code, *capsys.readouterr()

    return run


@pytest.mark.slow
@pytest.mark.opa
def test_what_is_new_since_a_baseline(warden: Warden, tmp_path: Path, estate_directory: Path) -> None:
    """--fail-on and --report are about what a baseline has not; a run is not its own baseline."""
    (tmp_path / "before.yaml").write_text("rules:\n  KFK-NAM-001: {mode: disabled}\n")
    out = tmp_path / "out"  # Spark works in the directory that it was started in
    scan: list[str | Path] = ["scan", estate_directory, "--out", out, "--fail-on", "info"]
    before, *_ = warden(*scan, "--run-id", "before", "--settings", "before.yaml")
    reports = ["--report", "sarif=new.sarif", "--report", "csv=new.csv"]
    since, found, _ = warden(*scan, "--baseline", "out", *reports, "--output", "json")
    again, shown, said = warden(*scan, "--baseline", "out")
    relative = ["scan", estate_directory, "--out", "out", "--baseline", "out/before", "--run-id", "before"]
    same, _, refused = warden(*relative)
    compared = json.loads(found)["baseline"]
    (log,) = json.loads((tmp_path / "new.sarif").read_text())["runs"]
    states = [result["baselineState"] for result in log["results"]]
    lines = list(csv.DictReader((tmp_path / "new.csv").read_text().splitlines()))

    assert (1, 1, 0, 2) == (before, since, again, same), said
    assert "before" == compared["runId"]
    assert 0 < compared["new"] == states.count("new") == len(lines)
    assert 0 < compared["unchanged"] == states.count("unchanged")
    assert {"KFK-NAM-001"} == {line["rule"] for line in lines}
    assert 0 == compared["fixed"] == compared["unknown"] == compared["updated"]
    assert ": 0 new findings, 0 changed, " in shown.splitlines()[-1]
    assert "warden: --run-id before would replace the run that --baseline names: write another id\n" == refused
