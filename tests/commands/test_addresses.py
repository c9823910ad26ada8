"""Where commands take an address of Spark's file systems, and what those say that take none."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import click
import pytest

from tests.commands.conftest import Run
from warden.commands import command
from warden.commands.shared.place_option import LocalPath
from warden.commands.snapshot import take_snapshot

_AT = "s3a://estate/x"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["report", ".", "--out", _AT], "'--out': s3a://estate/x is an address, and this takes a path of this machine"),
        (["trend", "--declared", _AT, "--snapshot", "."], "'--declared': s3a://estate/x is an address, and this"),
        (["impact", "--decisions", _AT], "'--decisions': s3a://estate/x is an address, and this"),
        (
            ["snapshot", "--bootstrap-server", "b:9092", "--out", _AT, "--master", "sc://spark"],
            "--out s3a://estate/x: with Spark Connect",
        ),
        (["console", "--runs", _AT], "'--runs': s3a://estate/x is an address, and this"),
        (["upgrade-check", "--from", "3.9", "--to", "4.2", _AT], "'[SNAPSHOT]…': s3a://estate/x is an address, and"),
        (["upgrade-check", "--from", "3.9", "--to", "4.2", ".", "--out", _AT], "'--out': s3a://estate/x is an address"),
        (["check", "--snapshot", _AT, "."], "'--snapshot': s3a://estate/x is an address, and this"),
        (["settings", "propose", _AT], "'SNAPSHOTS': s3a://estate/x is an address, and this"),
        (["report", _AT, "--master", "sc://spark"], "RUN s3a://estate/x: with Spark Connect (--master sc://spark) the"),
        (["report", ".", "--baseline", _AT, "--master", "sc://spark"], "--baseline s3a://estate/x: with Spark Connect"),
        (["impact", "--snapshot", _AT, "--master", "sc://spark"], "--snapshot s3a://estate/x: with Spark Connect"),
        (["trend", "--runs", _AT, "--master", "sc://spark"], "--runs s3a://estate/x: with Spark Connect"),
        (
            ["trend", "--declared", ".", "--snapshot", _AT, "--master", "sc://spark"],
            "--snapshot s3a://estate/x: with Spark Connect",
        ),
        (["scan", ".", "--cache", _AT, "--master", "sc://spark", "--opa-url", "http://x"], "--cache s3a://estate/x: w"),
    ],
)
def test_refused(warden: Run, arguments: list[str], said: str) -> None:
    """Before anything starts, with the option and what it takes."""
    status, printed, error = warden(*arguments)
    assert (2, "") == (status, printed)
    assert said in " ".join(error.split())


def _iter_types(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.ParamType[Any]]]:
    """Each parameter of a command and of those below it, with what it takes."""
    yield from ((f"{context.command_path} {each.name}", each.type) for each in command.params)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _iter_types(below, click.Context(below, parent=context, info_name=name))


@pytest.mark.parametrize(
    "arguments", [["check", ""], ["scan", ""], ["decide", "--settings", "", "-"], ["snapshot", "--out", ""]]
)
def test_an_empty_path(warden: Run, arguments: list[str]) -> None:
    """It is not the current directory: so comes a variable of a shell that is not set."""
    status, printed, error = warden(*arguments)

    assert (2, "") == (status, printed)
    assert error.endswith(": the path is empty: name a file or a directory\n")


def test_every_path_refuses_addresses() -> None:
    """In the same words: no command takes one for a directory of that name."""
    types = dict(_iter_types(command, click.Context(command, info_name="warden")))
    paths = {name: type for name, type in types.items() if isinstance(type, click.Path)}

    assert {"warden upgrade-check snapshots", "warden topics reassign reassignment_json_file"} < paths.keys()
    assert [] == [name for name, type in paths.items() if not isinstance(type, LocalPath)]


def test_a_snapshot_by_code() -> None:
    """What has no session takes no address: it would write to a path of that name."""
    hints = get_type_hints(take_snapshot)
    assert (Path, False) == (hints["out"], "spark" in hints)
