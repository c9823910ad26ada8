"""``warden notify``: messages about a run to those whom it concerns."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warden.base.extras import check_extras
from warden.base.files.address import Place
from warden.commands import EXIT_ERROR, EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.options import argument, group, option, with_options
from warden.commands.shared.output import build_console
from warden.commands.shared.place_option import LocalPath, PlaceType
from warden.commands.shared.run_copies import RunCopies, copy_runs
from warden.commands.shared.spark_options import SparkOptions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from warden.analyse.notify.run_notify import DeliveryResult
    from warden.analyse.report.finished_run import Run

__all__ = ["NotifyOptions", "command", "show_notifications"]


_PLACE = PlaceType()
_RUN, _BASELINE = "RUN", "--baseline"


@dataclass(frozen=True, kw_only=True)
class NotifyOptions:
    """Which run has something to say, and to whom."""

    run: Place = argument(type=_PLACE)
    config: Path = option(
        "--config",
        type=LocalPath(path_type=Path, exists=True, dir_okay=False),
        required=True,
        metavar="FILE",
        help="YAML file with the channels.",
    )
    baseline: Place | None = option(
        "--baseline",
        type=_PLACE,
        metavar="BASELINE",
        help="The run that findings are new since.  [default: the whole run before RUN in its directory]",
    )
    dry_run: bool = option("--dry-run", is_flag=True, help="Print what would be sent, and send nothing.")
    spark: SparkOptions = group(SparkOptions)
    output: str = option(
        "--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print."
    )


@click.command()
@with_options(NotifyOptions)
def command(options: NotifyOptions) -> int:
    """Send messages about RUN, the directory of a run, or one of runs, whose latest is taken.

    Each owner with new findings that deny or warn gets one message, and so does each waiver that ends soon; a channel
    gets at most one about the same owner or waiver a day. Channels are webhooks of Slack, of Teams, or of any program
    that takes JSON. What fails keeps nothing else from being sent, and is tried again by the next call.

    RUN and --baseline may be addresses of Spark's file systems (s3a://…).

    Exit status: 0, or 2 where a message could not be sent.

    \b
    Examples:
      warden notify build/runs --config notify.yaml
      warden notify build/runs --config notify.yaml --dry-run --output json
      warden notify build/runs/tonight --baseline build/runs/release-7 --config notify.yaml
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.analyse.notify.config import read_notify_config
    from warden.analyse.notify.run_notify import notify
    from warden.analyse.report.finished_run import open_run

    check_extras("pyarrow")
    settings = read_notify_config(options.config)
    with copy_runs(options.spark, {_RUN: options.run, _BASELINE: options.baseline}) as copies:
        opened = open_run(copies.directories[_RUN])
        new, today = _select_new(opened, copies), datetime.now(UTC).date()
        notifications = list(notify(opened, new, settings, today=today, send=not options.dry_run))
    if options.output == "json":
        print(json.dumps({"notifications": [result.to_document() for result in notifications]}, ensure_ascii=False))
    else:
        show_notifications(notifications)
    return EXIT_ERROR if any(result.status == "failed" for result in notifications) else EXIT_OK


def _select_new(run: "Run", copies: RunCopies) -> "Run":
    from warden.analyse.report.finished_run import open_run
    from warden.analyse.report.new_findings import select_new

    baseline = copies.directories.get(_BASELINE)
    return select_new(open_run(baseline), run) if baseline else copies.select_new_since_last(_RUN, run)


def show_notifications(notifications: "Iterable[DeliveryResult]") -> None:
    """Print what became of each message, on a line, and that there was none."""
    from warden.analyse.report.json_stream import escape_invisible

    lines = [f"{result.status}: {result.channel}: {result.error or result.message.title}" for result in notifications]
    for line in lines or ["nothing to send"]:
        build_console().print(escape_invisible(line), highlight=False, soft_wrap=True)
