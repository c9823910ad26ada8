"""Which files go to the same process, in which order, and what is left where time is not enough."""

import re
import subprocess
import sys

import pytest

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.run import distribution


def test_what_takes_long_is_there() -> None:
    """Each name is a file's or a group's, as files are handed out: one that was renamed would be among the last."""
    names = list(distribution._SECONDS)

    assert [] == [name for name in names if not (CHECKOUT / name).exists()]
    assert names == [distribution._scope(f"{name}::test") for name in names]


@pytest.mark.process
def test_what_no_time_is_left_for_is_named() -> None:
    """One test is run whatever the time; all others are left out, and the summary has their number and their file."""
    file = "tests/test_sizes.py"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--until", "0", file]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout
    (count,) = re.findall(r"1 passed, (\d+) skipped", done.stdout)
    assert f" not run, as no time was left: {count} " in done.stdout
    assert f"\n{file}: {count}\n" in done.stdout


def test_another_seed_has_another_order() -> None:
    """Where time may not be enough, only what takes longest has its place; the rest is ordered anew."""
    files = [name for name in distribution._SECONDS if name.endswith(".py")]

    def ordered(seed: int | None) -> list[str]:
        return sorted(files, key=lambda file: distribution._rank(seed, file, distribution._SECONDS[file]))

    assert ordered(None) == files
    assert ordered(1)[0] == ordered(2)[0] == files[0]
    assert len({tuple(ordered(seed)) for seed in range(5)}) == 5
