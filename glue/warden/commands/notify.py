"""``warden notify``: messages about a run to those whom it concerns."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warden.commands import EXIT_ERROR, EXIT_OK
from warden.commands.choice import Choice
from warden.commands.output import console

if TYPE_CHECKING:
    from collections.abc import Iterable

    from warden.analyse.notify.run_notify import Notification

__all__ = ["command", "show_notifications"]


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--config",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    required=True,
    metavar="FILE",
    help="YAML file with the channels.",
)
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="BASELINE",
    help="The run that findings are new since.  [default: the whole run before RUN in its directory]",
)
@click.option("--dry-run", is_flag=True, help="Print what would be sent, and send nothing.")
@click.option("--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def command(run: Path, config: Path, baseline: Path | None, dry_run: bool, output: str) -> int:
    """Send messages about RUN, the directory of a run, or one of runs, whose latest is taken.

    Each owner with new findings that deny or warn gets one message, and so does each waiver that ends soon; a channel
    gets at most one about the same owner or waiver a day. Channels are webhooks of Slack, of Teams, or of any program
    that takes JSON. What fails keeps nothing else from being sent, and is tried again by the next call.

    Exit status: 0, or 2 where a message could not be sent.

    \b
    Examples:
      warden notify build/runs --config notify.yaml
      warden notify build/runs --config notify.yaml --dry-run --output json
      warden notify build/runs/tonight --baseline build/runs/release-7 --config notify.yaml
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.analyse.notify.config import read_notify_config
    from warden.analyse.notify.run_notify import notify, select_new_since_last
    from warden.analyse.report.finished_run import open_run
    from warden.analyse.report.new_findings import select_new

    settings, opened = read_notify_config(config), open_run(run)
    new = select_new(open_run(baseline), opened) if baseline else select_new_since_last(opened)
    notifications = list(notify(opened, new, settings, today=datetime.now(UTC).date(), send=not dry_run))
    if output == "json":
        print(json.dumps({"notifications": [each.document() for each in notifications]}, ensure_ascii=False))
    else:
        show_notifications(notifications)
    return EXIT_ERROR if any(each.status == "failed" for each in notifications) else EXIT_OK


def show_notifications(notifications: "Iterable[Notification]") -> None:
    """Print what became of each message, on a line, and that there was none."""
    from warden.analyse.report.pieces import visible_text

    lines = [f"{each.status}: {each.channel}: {each.error or each.message.title}" for each in notifications]
    for line in lines or ["nothing to send"]:
        console().print(visible_text(line), highlight=False, soft_wrap=True, markup=False)
