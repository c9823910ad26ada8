"""Options of commands as dataclasses: what a command line makes, and what code makes, are the same."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from warden.base.errors import ConfigurationError
from warden.base.files.address import Address
from warden.commands import command as warden_command
from warden.commands.configs.arguments import parse_entity
from warden.commands.configs.entities import EntityPart
from warden.commands.run import RunOptions
from warden.commands.shared.impact_options import ImpactOptions
from warden.commands.shared.options import argument, group, option, with_options
from warden.commands.shared.scan_options import ResultOptions, ScanOptions
from warden.commands.shared.spark_options import SparkOptions
from warden.commands.snapshot import SnapshotOptions
from warden.commands.trend import TrendOptions
from warden.commands.upgrade_check import UpgradeOptions

_OF_WARDEN: dict[str, Any] = {"info_name": "warden", **warden_command.context_settings}
_RUNS = Address("s3a://estate/runs")


@dataclass(frozen=True, kw_only=True)
class Shared:
    """Options that several commands have."""

    colour: str = option("--colour", default="red")
    loud: bool = option("--loud", is_flag=True)


@dataclass(frozen=True, kw_only=True)
class Options:
    """An argument, options of every kind, and a group."""

    files: tuple[str, ...] = argument(nargs=-1)
    before: str = option("--from", required=True)
    times: tuple[int, ...] = option("--times", type=int, multiple=True)
    shared: Shared = group(Shared)


def parsed(kind: type[Any], *arguments: str, more: Callable[..., Any] = lambda function: function) -> Any:
    """What a command with these options gets from a command line."""
    received: list[Any] = []

    @click.command()
    @with_options(kind)
    @more
    def command(options: Any, **others: Any) -> int:
        received.extend([options, others])
        return 3

    done = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert (None, 3) == (done.exception, done.return_value), done.stderr
    return received


def test_values() -> None:
    """Each value comes to its field, those of a group to the group; what other decorators add comes beside."""
    arguments = ["a", "b", "--from", "x", "--times", "1", "--times", "2", "--loud", "--token", "t"]
    options, others = parsed(Options, *arguments, more=click.option("--token"))

    assert Options(files=("a", "b"), before="x", times=(1, 2), shared=Shared(loud=True)) == options
    assert {"token": "t"} == others


@pytest.mark.parametrize(
    ("kind", "arguments", "required"),
    [
        (ScanOptions, ["s"], {"snapshot": Path("s")}),
        (RunOptions, [], {}),
        (ImpactOptions, [], {}),
        (TrendOptions, [], {}),
        (UpgradeOptions, ["--from", "3.9", "--to", "4.2"], {"before": "3.9", "after": "4.2"}),
        (SnapshotOptions, ["--out", "o"], {"out": Path("o")}),
        (Options, ["--from", "x"], {"before": "x"}),
    ],
)
def test_defaults(kind: type[Any], arguments: list[str], required: dict[str, Any]) -> None:
    """An object that code makes has the values of a command line without options."""
    assert kind(**required) == parsed(kind, *arguments)[0]


def test_help_has_each_option_in_its_order() -> None:
    """As the fields are written, those of a group where the group is."""

    @click.command()
    @with_options(Options)
    def command(options: Options) -> int:
        """Do something."""
        return 0

    assert ["files", "before", "times", "colour", "loud"] == [each.name for each in command.params]
    assert "Do something." in CliRunner().invoke(command, ["--help"]).stdout


def test_spark_configuration() -> None:
    """A text without a value is refused."""
    assert {"a": "b=c", "d": ""} == SparkOptions(conf=("a=b=c", "d=")).configs
    with pytest.raises(ConfigurationError, match="--conf a says no value: write --conf a=VALUE"):
        _ = SparkOptions(conf=("a",)).configs


def test_the_size_of_an_item() -> None:
    """What a scan sends of one resource at the most: 4 MiB, or as an option says."""
    plans = (
        ScanOptions(snapshot=Path("s")).build_plan(),
        ScanOptions(snapshot=Path("s"), max_item_bytes=2**23).build_plan(),
    )
    assert [4 * 2**20, 2**23] == [plan.limits.item_bytes for plan in plans]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"opa_url": ("http://x",), "settings": Path("s.yaml")}, "--settings is for the OPA that is started here"),
        ({"opa_url": ("http://x",), "opa": Path("opa")}, "--opa is for the OPA that is started here"),
        ({"bundle": Path("b.tar.gz"), "profile": "starter"}, "--profile is for a bundle that is built"),
        ({"spark": SparkOptions(master="sc://x")}, "--master sc://x needs --opa-url of warden scan"),
        (
            {"snapshot": _RUNS, "spark": SparkOptions(master="sc://x"), "opa_url": ("http://x",)},
            "SNAPSHOT s3a://estate/runs: with Spark Connect .* the file systems of addresses are elsewhere",
        ),
        (
            {"results": ResultOptions(out=_RUNS), "cache": Path("c")},
            "--cache c: a run at an address is remembered at one",
        ),
    ],
)
def test_contradictions(given: dict[str, Any], said: str) -> None:
    """Options of a scan that exclude each other."""
    with pytest.raises(ConfigurationError, match=said):
        ScanOptions(**{"snapshot": Path("s"), "results": ResultOptions(out=Path("o")), **given}).build_plan()


def test_addresses() -> None:
    """What is at an address has a directory for its copy, and keeps its address."""
    options, _ = parsed(ScanOptions, "s3a://estate/snapshots/", "--out", "s3a://estate/runs")
    plan = options.build_plan(Path("copies"))

    assert (Path("copies/snapshot"), Path("copies/runs")) == (plan.snapshot, plan.out)
    assert (Address("s3a://estate/snapshots"), _RUNS) == (plan.snapshot_address, plan.out_address)


def test_each_option_as_an_environment_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the help says: the command's names and that of the flag, whatever the function calls its parameter."""
    options = list(_iter_options(warden_command, click.Context(warden_command, **_OF_WARDEN)))
    assert len(options) > 300
    for context, each in options:
        flag = next(name for name in each.opts if name.startswith("--"))
        variable = "_".join([*context.command_path.split(), flag[2:]]).replace("-", "_").upper()
        with monkeypatch.context() as environment:
            environment.setenv(variable, "1")
            assert "1" == each.resolve_envvar_value(context), (context.command_path, flag)


@pytest.mark.parametrize(
    ("variables", "arguments", "parts"),
    [
        ({"NAME": "alice"}, [], [EntityPart("users", "alice")]),
        ({"DEFAULT": "true"}, [], [EntityPart("users", None)]),
        ({"NAME": "alice"}, ["--entity-name", "bob"], [EntityPart("users", "bob")]),
        ({"NAME": "alice"}, ["--entity-default"], [EntityPart("users", None)]),
        ({"DEFAULT": "false"}, [], [EntityPart("users", None, any_name=True)]),
    ],
)
def test_an_entity_of_the_environment(
    variables: dict[str, str], arguments: list[str], parts: list[EntityPart], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the one that is described, and not each; a command line has the last word."""
    monkeypatch.setenv("WARDEN_CONFIGS_ENTITY_TYPE", "users")
    for name, value in variables.items():
        monkeypatch.setenv(f"WARDEN_CONFIGS_ENTITY_{name}", value)
    root = click.Context(warden_command, **_OF_WARDEN)
    assert isinstance(warden_command, click.Group)
    configs = warden_command.get_command(root, "configs")
    assert configs is not None

    context = configs.make_context("configs", ["--describe", *arguments], root)

    assert parts == parse_entity(context.params, context.meta["names"], alter=False)


def _iter_options(cmd: click.Command, context: click.Context) -> Iterator[tuple[click.Context, click.Option]]:
    yield from ((context, option) for option in cmd.params if isinstance(option, click.Option))
    if isinstance(cmd, click.Group):
        for name in cmd.list_commands(context):
            below = cmd.get_command(context, name)
            assert below is not None
            yield from _iter_options(below, click.Context(below, context, info_name=name))
