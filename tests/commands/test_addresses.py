"""Where commands take an address of Spark's file systems, and what those say that take none."""

from pathlib import Path
from typing import get_type_hints

import pytest

from tests.commands.conftest import Run
from warden.commands.snapshot import take_snapshot

_AT = "s3a://estate/x"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["report", ".", "--out", _AT], "'--out': s3a://estate/x is an address, and this takes a path of this machine"),
        (["trend", "--declared", ".", "--snapshot", _AT], "'--snapshot': s3a://estate/x is an address, and this"),
        (["impact", "--decisions", _AT], "'--decisions': s3a://estate/x is an address, and this"),
        (
            ["snapshot", "--bootstrap-server", "b:9092", "--out", _AT, "--master", "sc://spark"],
            "--out s3a://estate/x: with Spark Connect",
        ),
        (["console", "--runs", _AT], "'--runs': s3a://estate/x is an address, and this"),
        (["report", _AT, "--master", "sc://spark"], "RUN s3a://estate/x: with Spark Connect (--master sc://spark) the"),
        (["report", ".", "--baseline", _AT, "--master", "sc://spark"], "--baseline s3a://estate/x: with Spark Connect"),
        (["impact", "--snapshot", _AT, "--master", "sc://spark"], "--snapshot s3a://estate/x: with Spark Connect"),
        (["trend", "--runs", _AT, "--master", "sc://spark"], "--runs s3a://estate/x: with Spark Connect"),
    ],
)
def test_refused(warden: Run, arguments: list[str], said: str) -> None:
    """Before anything starts, with the option and what it takes."""
    status, printed, error = warden(*arguments)
    assert (2, "") == (status, printed)
    assert said in " ".join(error.split())


def test_a_snapshot_by_code() -> None:
    """What has no session takes no address: it would write to a path of that name."""
    hints = get_type_hints(take_snapshot)
    assert (Path, False) == (hints["out"], "spark" in hints)
