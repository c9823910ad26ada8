"""The directory of a run beside those of others."""

import fcntl
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from warden.base.process.run_directory import open_run_directory


def test_two_runs_that_begin_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that another sweeps away before it has its lock begins anew, and both are there in the end."""
    lock, others = fcntl.flock, iter(["other"])

    def lock_late(file: Any, operation: int) -> None:
        for run_id in others:
            with open_run_directory(tmp_path, run_id) as directory:
                (directory / "result").touch()
        lock(file, operation)

    monkeypatch.setattr(fcntl, "flock", lock_late)
    with open_run_directory(tmp_path, "mine") as directory:
        (directory / "result").touch()

    assert ["latest/result", "mine/result", "other/result"] == sorted(
        f"{path.parent.name}/{path.name}" for path in tmp_path.glob("*/*")
    )


@pytest.mark.process
@pytest.mark.parametrize("in_place", [False, True])
def test_a_process_that_is_killed_while_a_run_is_put_in_place(tmp_path: Path, *, in_place: bool) -> None:
    """The next run clears up: the old run is back where there is no new one, and gone where there is one."""
    kill = "os.kill(os.getpid(), 9)"
    text = f"""
import os
from pathlib import Path
from warden.base.process.run_directory import open_run_directory
rename = Path.rename
def die(path, target):
    if path.name.startswith(".running-"):
        {"rename(path, target); " if in_place else ""}{kill}
    return rename(path, target)
Path.rename = die
with open_run_directory(Path({str(tmp_path)!r}), "r") as directory:
    (directory / "result").write_text("new")
"""
    with open_run_directory(tmp_path, "r") as directory:
        (directory / "result").write_text("old")
    assert -9 == subprocess.run([sys.executable, "-c", text], check=False).returncode
    with open_run_directory(tmp_path, "other"):
        pass

    assert ("new" if in_place else "old") == (tmp_path / "r" / "result").read_text()
    assert {"latest", "other", "r"} == {path.name for path in tmp_path.iterdir()}
