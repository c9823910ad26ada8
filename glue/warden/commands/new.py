"""``warden new``: files to begin with."""

import os
import subprocess
import sys
from pathlib import Path

import click

from warden.base.errors import ConfigurationError
from warden.commands import EXIT_OK, CommandGroup

__all__ = ["command"]


@click.group(cls=CommandGroup, short_help="Begin a rule of the library.")
def command() -> None:
    """Write files to begin with."""


@command.command()
@click.argument("id", metavar="ID")
@click.option("--family", required=True, metavar="NAME", help="The package below kafka.rules, such as naming.")
@click.option("--title", default="No forbidden names", show_default=True, help="Of the rule, in a few words.")
def rule(id: str, family: str, title: str) -> int:
    """Write the rule ID in this clone of Warden: Rego, table test, examples, settings and page, which pass make lint.

    What is written forbids names of new topics, in mode dryrun; put your own logic in its place. A rule of your own,
    outside Warden's repository, begins with `warden init`.

    \b
    Examples:
      warden new rule KFK-NAM-099 --family naming --title "No test topics"
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.base.toolchain.opa import find_opa
    from warden.commands.scaffold.rule import write_rule
    from warden.policy.bundle.metadata import read_rule_metadata

    rules = read_rule_metadata(find_opa(), Path("policies")) if Path("policies").is_dir() else {}
    for path in write_rule(Path(), id, family, title, known=rules):
        click.echo(path)
    environ = {**os.environ, "PYTHONPATH": "glue", "WARDEN_OPA": str(find_opa())}
    for tool in ("tools.pages", "tools.plain_data"):  # of the clone, not of the wheel
        if subprocess.run([sys.executable, "-m", tool], check=False, env=environ).returncode != 0:
            raise ConfigurationError(f"python -m {tool} fails, see above: put it right, and run it and those after it")
    return EXIT_OK
