"""Send what a run has to say: new findings by owner, waivers that end."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from warden.analyse.notify.config import Channel, NotifyConfig
from warden.analyse.notify.deliver import deliver
from warden.analyse.notify.messages import Notice, group_by_owner, iter_finding_messages, iter_waiver_messages
from warden.analyse.notify.sent import open_sent
from warden.analyse.report.finished_run import Run, open_run
from warden.analyse.report.new_findings import select_new
from warden.analyse.report.waivers import WaiverCounter
from warden.analyse.trend.runs import list_finished_scans
from warden.base.errors import WardenError
from warden.base.files.address import Address

__all__ = ["DeliveryResult", "find_run_before", "notify", "select_new_since_last"]


@dataclass(frozen=True)
class DeliveryResult:
    """What became of one message.

    Args:
        channel: The channel's name.
        message: The message.
        status: ``sent``, ``sent before`` (today), ``not sent`` (nothing is, in a dry run) or ``failed``.
        error: Why it failed.
    """

    channel: str
    message: Notice
    status: str
    error: str | None = None

    def to_document(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return {"channel": self.channel, "status": self.status, "error": self.error, **self.message.to_document()}


def find_run_before(run: Run, runs: Path, address: Address | None = None) -> Path | None:
    """Return the directory of the newest whole run before a run, if there is one.

    Args:
        run: The run.
        runs: The directory of runs, of which the summaries are enough.
        address: Where the runs are that it has copies of.

    Raises:
        InputError: The summary of a run is damaged.
    """
    finished = list_finished_scans(runs, address)
    before = [scan.directory for scan in finished if scan.evaluated_at < run.summary.evaluated_at]
    return before[-1] if before else None


def select_new_since_last(run: Run) -> Run:
    """Return a run as it is about what is new since the newest whole run before it in its directory, if there is one.

    Raises:
        InputError: The summary of a run is damaged.
    """
    before = find_run_before(run, run.directory.resolve().parent)
    return select_new(open_run(before), run) if before else run


def notify(
    run: Run, new: Run, config: NotifyConfig, *, today: date, send: bool = True, pause: float = 1.0
) -> Iterator[DeliveryResult]:
    """Send the messages of a run, and yield what became of each.

    A message that fails keeps no other from being sent.

    Args:
        run: The run.
        new: The same as it is about what is new (`select_new`); the run itself where all of it is.
        config: Who gets messages.
        today: The day, UTC.
        send: False to send nothing.
        pause: Seconds before a second attempt.

    Raises:
        InputError: A run's files, or the file of what was sent, are missing or damaged.
    """
    with open_sent(config.sent, today) as sent:
        for channel, message in _iter_messages(run, new, config, today):
            if sent.has(channel.name, message.subject):
                yield DeliveryResult(channel.name, message, "sent before")
            elif not send:
                yield DeliveryResult(channel.name, message, "not sent")
            else:
                try:
                    deliver(channel, message, pause=pause)
                except WardenError as error:
                    yield DeliveryResult(channel.name, message, "failed", str(error))
                else:
                    sent.add(channel.name, message.subject)
                    yield DeliveryResult(channel.name, message, "sent")


def _iter_messages(run: Run, new: Run, config: NotifyConfig, today: date) -> Iterator[tuple[Channel, Notice]]:
    owners, since = group_by_owner(new.iter_findings()), new.baseline_summary.run_id if new.baseline_summary else None
    waivers = WaiverCounter()
    for _ in waivers.iter_counted(run.iter_findings()):
        pass
    id = run.summary.run_id
    link = config.link.replace("{run}", id) if config.link else None
    for channel in config.channels:
        if "findings" in channel.about:
            for message in iter_finding_messages(owners, channel, run=id, since=since, link=link):
                yield channel, message
        if "waivers" in channel.about:
            uses = waivers.list_uses(today)
            for message in iter_waiver_messages(uses, channel, run=id, days=config.waiver_days, link=link):
                yield channel, message
