"""Who may write cached decisions and earlier runs; without a session of Spark."""

import json
import os
from pathlib import Path

import pytest

from spark_jobs.scan.cache.decision_cache import DecisionCache
from spark_jobs.scan.tables import RESULTS
from warden.base.errors import InputError


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_what_others_may_write_is_not_believed(tmp_path: Path, mode: int) -> None:
    """Neither the directory of all contexts nor that of one."""
    for name in ("cache", "cache/context"):
        DecisionCache.open(tmp_path / "cache", "context")
        (tmp_path / name).chmod(mode)
        with pytest.raises(InputError, match=f"^{tmp_path}/cache: others may write there"):
            DecisionCache.open(tmp_path / "cache", "context")
        (tmp_path / name).chmod(0o700)


def test_the_directory_is_its_users(tmp_path: Path) -> None:
    """As it is made; what is above it is not."""
    DecisionCache.open(tmp_path / "a" / "cache", "context")

    assert [0o700] * 2 == [(tmp_path / name).stat().st_mode & 0o777 for name in ("a/cache", "a/cache/context")]


@pytest.mark.parametrize("name", ["", "decisions", "decisions/part-0", "metrics.json"])
def test_an_earlier_run_that_others_may_write_is_none(tmp_path: Path, name: str) -> None:
    """Not its directory, nor anything in it."""
    run = tmp_path / "run"
    (run / "decisions").mkdir(parents=True)
    for each in (*RESULTS[1:], "summary.json", "decisions/part-0"):
        (run / each).write_text("")
    (run / "metrics.json").write_text(json.dumps({"inputs": "i", "notEvaluated": 0}))
    for path in (run, *run.rglob("*")):
        path.chmod(0o755)
    cache = DecisionCache.open(tmp_path / "cache", "context")
    cache.add_run("i", run)

    assert run == cache.run("i")
    (run / name).chmod(0o775)
    assert cache.run("i") is None


def test_what_is_not_the_cache_s_stays(tmp_path: Path) -> None:
    """Of what is old a context goes that holds nothing but what a cache has in it; all else is somebody else's."""
    cache, kept = tmp_path / "cache", {"snapshots", "0123456789abcde", "fedcba9876543210"}
    DecisionCache.open(cache, "current")
    for name in (*kept, "0123456789abcdef"):
        (cache / name / "part-0").mkdir(parents=True)
        (cache / name / "run-i").touch()
        (cache / name / ".moving-1").mkdir()
    (cache / "fedcba9876543210" / "important.txt").touch()
    for directory in cache.iterdir():
        os.utime(directory, (0, 0))
    (tmp_path / "written").mkdir()
    DecisionCache.open(cache, "current").add(tmp_path / "written")

    assert {"current", *kept} == {path.name for path in cache.iterdir() if path.is_dir()}
