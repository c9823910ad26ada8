"""A file has one subject and is read without much scrolling: how long it may be."""

import subprocess

import pytest

from tests.fixtures.checkout import CHECKOUT


def _too_long(most: int, *patterns: str) -> list[str]:
    paths = sorted({path for pattern in patterns for path in CHECKOUT.glob(pattern)})
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    return [
        f"{path.relative_to(CHECKOUT)} has {n} lines, {most} at most: cut it by subject"
        for path, n in lengths.items()
        if n > most
    ]


@pytest.mark.parametrize("directory", ["glue", "spark_jobs", "tests", ".ci"])
def test_python_files_are_short(directory):
    """A module, and a module of tests, has 300 lines at most."""
    assert [] == _too_long(300, f"{directory}/**/*.py")


def test_rego_files_are_short():
    """A file of rules has 150 lines at most; the tables of its test may be longer."""
    tests = set(_too_long(150, "policies/**/*_test.rego"))

    assert [] == [problem for problem in _too_long(150, "policies/**/*.rego") if problem not in tests]


@pytest.mark.process
def test_the_first_page_of_the_repository_is_short():
    """Who comes for the first time sees 20 entries at most."""
    listed = subprocess.run(["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=True)

    assert len({path.partition("/")[0] for path in listed.stdout.splitlines()}) in range(1, 21)


def test_a_long_file_is_named(tmp_path, monkeypatch):
    """The tests above can fail: a line too many is found, and the file named."""
    monkeypatch.setitem(globals(), "CHECKOUT", tmp_path)
    (tmp_path / "long.rego").write_text("\n" * 4)
    (tmp_path / "short.rego").write_text("\n" * 3)

    assert ["long.rego has 4 lines, 3 at most: cut it by subject"] == _too_long(3, "*.rego")
