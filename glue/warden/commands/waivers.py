"""``warden waivers``: the exceptions in a settings file, and which of them end soon."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from warden.base.errors import ConfigurationError
from warden.commands import EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.output import build_console
from warden.commands.shared.place_option import LocalPath

__all__ = ["command"]

_DAYS = re.compile(r"([0-9]{1,4})d")


@click.command(short_help="List waivers, and those that end soon.")
@click.argument("settings", type=LocalPath(path_type=Path))
@click.option("--expiring", metavar="DAYS", help="Only those that end within so many days, such as 30d, or have ended.")
@click.option("--today", metavar="YYYY-MM-DD", help="The day to count from.  [default: today in UTC]")
@click.option("--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def command(settings: Path, expiring: str | None, today: str | None, output: str) -> int:
    """List the waivers of the file SETTINGS, the ones that end first at the top.

    The file is checked as in a build: a waiver of an unknown rule, or without an end, is an error.

    \b
    Examples:
      warden waivers settings.yaml
      warden waivers --expiring 30d --output json settings.yaml
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.base.resources import find_shipped
    from warden.base.toolchain.opa import find_opa
    from warden.policy.bundle.layers import read_effective_settings
    from warden.policy.bundle.metadata import read_rule_metadata

    day = _parse_day(today)
    last = None if expiring is None else day + timedelta(days=min(_parse_days(expiring), (date.max - day).days))
    opa, policies = find_opa(), find_shipped("policies")
    merged = read_effective_settings(opa, policies, read_rule_metadata(opa, policies), None, settings)
    waivers = sorted(merged.get("waivers", []), key=lambda waiver: (str(waiver["expires"]), waiver["id"]))
    shown = [waiver for waiver in waivers if last is None or date.fromisoformat(str(waiver["expires"])) <= last]
    if output == "json":
        click.echo(json.dumps(shown, indent=2, default=str))
    else:
        _show(shown, day)
    return EXIT_OK


def _parse_day(text: str | None) -> date:
    try:
        return datetime.now(UTC).date() if text is None else date.fromisoformat(text)
    except ValueError as error:
        raise ConfigurationError(f"--today {text}: write a day, such as 2027-01-31") from error


def _parse_days(text: str) -> int:
    match = _DAYS.fullmatch(text)
    if match is None:
        raise ConfigurationError(f"--expiring {text}: write days, such as 30d")
    return int(match[1])


def _show(waivers: list[Mapping[str, Any]], day: date) -> None:
    from rich.table import Table

    from warden.analyse.report.json_stream import escape_invisible

    table = Table("waiver", "rule", "for", "expires", "", "owner", "reason", box=None, header_style="bold")
    for waiver in waivers:
        end = date.fromisoformat(str(waiver["expires"]))
        left = "expired" if end < day else f"{(end - day).days} days"
        subject = " ".join(str(waiver[key]) for key in ("cluster", "topic", "object") if key in waiver)
        cells = waiver["id"], waiver["rule"], subject, str(end), left, waiver["owner"], waiver["reason"]
        table.add_row(*(" ".join(escape_invisible(cell).split()) for cell in cells))
    build_console().print(table)
