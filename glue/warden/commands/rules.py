"""``warden rules``: the rules with the settings in force, all of them, those about something, or one explained."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from warden.base.did_you_mean import did_you_mean
from warden.base.errors import ConfigurationError
from warden.commands import EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.completion import PROFILE
from warden.commands.shared.output import build_console
from warden.commands.shared.place_option import LocalPath

__all__ = ["command"]

_Rule = Mapping[str, Any]


@click.command(short_help="List, search and explain rules.")
@click.argument("words", nargs=-1, metavar="[WORD…]")
@click.option("--settings", type=LocalPath(path_type=Path), metavar="FILE", help="YAML laid over the shipped settings.")
@click.option("--profile", type=PROFILE, metavar="NAME", help="Profile that lies between the two.")
@click.option("--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def command(words: tuple[str, ...], settings: Path | None, profile: str | None, output: str) -> int:
    """List the rules that have all of the WORDs in what they say; a rule's id alone explains that rule.

    Modes and parameters are those in force; entries for clusters and enforcement points may lay others over them.

    \b
    Examples:
      warden rules
      warden rules retention compact
      warden rules KFK-SIZ-001
      warden rules --profile production --output json
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.base.resources import find_shipped
    from warden.base.toolchain.opa import find_opa
    from warden.policy.bundle.metadata import read_rule_metadata

    rules = read_rule_metadata(find_opa(), find_shipped("policies"))
    in_force = _read_settings(rules, settings, profile)
    matching = [{**rule, **in_force.get(rule["id"], {}), "about": rule["params"]} for rule in _list_rules(rules, words)]
    if not matching:
        near = next(filter(None, (did_you_mean(word, rules) for word in words)), "")
        raise ConfigurationError(f"no rule says {' and '.join(words)}{near or ': warden rules lists all of them'}")
    if output == "json":
        click.echo(json.dumps(matching, indent=2))
    elif len(matching) == 1 and [matching[0]["id"]] == [word.upper() for word in words]:
        click.echo("\n".join(_format_explanation(matching[0])))
    else:
        _show(matching)
    return EXIT_OK


def _read_settings(rules: Mapping[str, _Rule], own: Path | None, profile: str | None) -> Mapping[str, Any]:
    """Mode and parameters of each rule."""
    from warden.base.resources import find_shipped
    from warden.base.toolchain.opa import find_opa
    from warden.policy.bundle.layers import read_effective_settings
    from warden.policy.bundle.settings import load_settings

    if own is None and profile is None:
        shipped: Mapping[str, Any] = load_settings(find_shipped("bundle") / "settings" / "data.yaml")["rules"]
        return shipped
    merged: Mapping[str, Any] = read_effective_settings(find_opa(), find_shipped("policies"), rules, profile, own)[
        "rules"
    ]
    return merged


def _list_rules(rules: Mapping[str, _Rule], words: Sequence[str]) -> list[_Rule]:
    """The rules that have every word, in whatever case."""
    from warden.policy.bundle.metadata import has_words

    if len(words) == 1 and words[0].upper() in rules:
        return [rules[words[0].upper()]]
    return [rule for rule in rules.values() if has_words(rule, words)]


def _show(rules: Iterable[_Rule]) -> None:
    from rich.table import Table

    table = Table("rule", "severity", "mode", "title", box=None, header_style="bold")
    for rule in rules:
        mode = rule.get("mode", "")
        table.add_row(rule["id"], rule["severity"], mode, rule["title"])
    build_console().print(table)


def _format_explanation(rule: _Rule) -> list[str]:
    from warden.policy.bundle.metadata import list_rule_texts

    lines = [f"{rule['id']}: {rule['title']}", "", rule["description"], ""]
    lines += [f"severity    {rule['severity']}", f"mode        {rule.get('mode', 'none')}"]
    lines += [f"operations  {' '.join(rule['operations'])}"]
    lines += [f"control     {name}" for name in rule["controls"]]
    lines += [f"says        {text}" for text in list_rule_texts(rule, "message", "messages")]
    lines += [f"fix         {text}" for text in list_rule_texts(rule, "fix", "fixes")]
    for name, value in sorted(rule["params"].items()):
        about = rule["about"].get(name, {}).get("description", "")
        lines.append(f"param       {name}: {json.dumps(value, ensure_ascii=False)}  {about}".rstrip())
    lines += [f"source      {reference}" for reference in rule["references"]]
    return [*lines, f"file        policies/{rule['file']}"]
