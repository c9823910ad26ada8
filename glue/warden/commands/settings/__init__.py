"""``warden settings``: check settings, and show what they come to for a cluster at an enforcement point."""

import json
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from warden.base.did_you_mean import did_you_mean
from warden.base.errors import ConfigurationError
from warden.base.files.standard_input import keep_standard_input
from warden.commands import EXIT_OK, CommandGroup
from warden.commands.settings.propose import command as _propose
from warden.commands.shared.choice import Choice
from warden.commands.shared.completion import PROFILE
from warden.commands.shared.output import build_console
from warden.commands.shared.place_option import LocalPath

if TYPE_CHECKING:
    from warden.policy.bundle.effective_rules import RuleInForce

__all__ = ["command"]


_PROFILE = click.option("--profile", type=PROFILE, metavar="NAME", help="Profile below the file.")


@click.group(cls=CommandGroup)
def command() -> None:
    """Check settings, show which of them hold where, and propose those that an estate can begin with.

    \b
    Examples:
      warden settings validate settings.yaml
      warden settings show --settings settings.yaml
      warden settings show --effective --cluster prod-eu --enforcement-point ci KFK-RET-001
      warden settings propose snapshots
    """  # noqa: D301 - \b is click's mark for lines that stay as they are


@command.command()
@click.argument("file", type=LocalPath(path_type=Path, allow_dash=True))
@_PROFILE
def validate(file: Path, profile: str | None) -> int:
    """Check FILE ("-" for standard input) as a build does; each mistake with its line.

    Rules, parameters and their bounds, clusters and waivers are looked at.
    """
    from warden.policy.bundle.layers import read_layers

    with keep_standard_input() if str(file) == "-" else nullcontext(file) as path:
        read_layers(path, profile)
    click.echo(f"{file}: valid")
    return EXIT_OK


@command.command()
@click.argument("rules", nargs=-1, metavar="[RULE…]")
@click.option("--settings", type=LocalPath(path_type=Path), metavar="FILE", help="YAML laid over the shipped settings.")
@_PROFILE
@click.option(
    "--effective", is_flag=True, help="As they hold for a cluster at an enforcement point, with their places."
)
@click.option("--cluster", default="unnamed", show_default=True, metavar="NAME", help="With --effective.")
@click.option("--enforcement-point", default="ci", show_default=True, metavar="NAME", help="With --effective.")
@click.option("--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def show(**options: Any) -> int:
    """Print the settings of all rules, or of the RULEs named, as a build would merge them."""
    from warden.policy.bundle.layers import read_layers

    if not options["effective"]:
        _refuse_place()
    layers = read_layers(options["settings"], options["profile"])
    if not options["effective"]:
        _show_merged(layers.merged, options["rules"], options["output"])
        return EXIT_OK
    from warden.policy.bundle.effective_rules import read_rules_in_force

    place = {"cluster": options["cluster"], "enforcement_point": options["enforcement_point"]}
    rules = _select_rules(read_rules_in_force(layers, **place), options["rules"])
    if options["output"] == "json":
        click.echo(json.dumps({id: asdict(rule) for id, rule in rules.items()}, indent=2, default=str))
    else:
        _show_effective(rules)
    return EXIT_OK


command.add_command(_propose)


def _refuse_place() -> None:
    """Refuse what says where settings hold: those that are merged hold anywhere."""
    context = click.get_current_context()
    for name in ("cluster", "enforcement_point"):
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            option = f"--{name.replace('_', '-')}"
            raise ConfigurationError(f"{option} is of what holds somewhere: give --effective too, or leave it out")


def _show_merged(settings: Mapping[str, Any], ids: tuple[str, ...], output: str) -> None:
    import yaml

    shown = {"rules": _select_rules(settings["rules"], ids)} if ids else settings
    document = json.dumps(shown, indent=2, default=str)
    click.echo(document if output == "json" else yaml.safe_dump(json.loads(document), sort_keys=False).rstrip())


def _show_effective(rules: "Mapping[str, RuleInForce]") -> None:
    from rich.table import Table

    table = Table("rule", "setting", "value", "from", box=None, header_style="bold")
    for id, rule in rules.items():
        rows = {"mode": rule.mode, "enforceFrom": rule.enforce_from, **rule.params}
        for name, value in rows.items():
            if name in rule.origins:
                text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                table.add_row(id, name, text, rule.origins[name])
    build_console().print(table)


def _select_rules(rules: Mapping[str, Any], ids: tuple[str, ...]) -> dict[str, Any]:
    unknown = sorted(set(ids) - rules.keys())
    if unknown:
        near = did_you_mean(unknown[0], rules) if len(unknown) == 1 else ""
        raise ConfigurationError(f"no rule {', '.join(unknown)}{near or ': warden rules lists all of them'}")
    return {id: rule for id, rule in rules.items() if not ids or id in ids}
