"""``warden init``: a repository of a team's own rules and settings."""

from pathlib import Path

import click

from warden.commands import EXIT_OK
from warden.commands.shared.place_option import LocalPath

__all__ = ["command"]


@click.command(short_help="Lay out a repository of your own rules and settings.")
@click.argument("directory", type=LocalPath(path_type=Path, file_okay=False), default=".")
def command(directory: Path) -> int:
    """Write a repository into DIRECTORY: rules, settings, waivers, topics, CI for GitHub and GitLab, pre-commit.

    `sh ci/check.sh` there is what CI runs. No file is written over.

    \b
    Examples:
      warden init kafka-policy && sh kafka-policy/ci/check.sh
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.commands.scaffold.site import write_site

    for path in write_site(directory):
        click.echo(path)
    click.echo(f"next: sh {directory / 'ci' / 'check.sh'}")
    return EXIT_OK
