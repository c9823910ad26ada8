"""The half of a replication that follows the source, and sees to it that OPA does."""

import logging
import threading
import time
from collections.abc import Callable

from warden.errors import OpaError
from warden.replicate.backoff import Backoff
from warden.replicate.config import Replicated
from warden.replicate.delivery import Delivery, Wanted
from warden.replicate.losses import Losses
from warden.replicate.mirror import Mirror
from warden.replicate.patch import Operation
from warden.replicate.reader import Changed, Event, Loaded, Reader
from warden.replicate.source import Resumes
from warden.replicate.status import Status

__all__ = ["Writer"]

_LOG = logging.getLogger(__name__)
_ASK = 2.0  # seconds between two looks at what OPA's rules read
_RECENT = 0.25  # seconds that a turn waits for news


class Writer:
    """Writes one source's copy, in a thread of its own.

    Whatever fails, the mirror stays and follows the source, and what is written after a failure is all of it. So a
    restart of OPA costs the source nothing.

    Args:
        replicated: The source and how it is replicated.
        delivery: What brings the copy to OPA.
        reader: Where news come from.
        status: Gets what happens.
        keep: Tells which top-level keys to keep, None for all; asked again and again, as OPA's rules may change.
        accept_loss: Whether the first loss is believed, however large.
    """

    def __init__(
        self,
        replicated: Replicated,
        delivery: Delivery,
        reader: Reader,
        status: Status,
        *,
        keep: Callable[[], frozenset[str] | None],
        accept_loss: bool,
    ) -> None:
        self._delivery, self._reader, self._status = delivery, reader, status
        self._source = replicated.source
        self._keep = keep
        self._kept: frozenset[str] | None = None
        self._asked_at = -1e9
        self._losses = Losses(replicated.guard, self._source.entries, accept=accept_loss)
        self._wanted: Wanted | None = None
        self._known = False  # whether what OPA had at the start has been seen

    def run(self, stop: threading.Event) -> None:
        """Write until ``stop`` is set, then once more what is pending, and give the copy free."""
        backoff = Backoff()
        while not stop.is_set():
            try:
                self._turn()
            except OpaError as error:
                self._delivery.failed(error)
            except Exception:
                _LOG.exception("writing failed in a way that it should not, all is loaded and written anew")
                self._status.count("errors", "writer")
                self._delivery.doubt()
                self._reader.load_again()  # what was taken in last may be lost
                stop.wait(backoff.pause())
            else:
                backoff.reset()
        if self._wanted is not None:
            self._delivery.finish(self._wanted)

    def _turn(self) -> None:
        """Take in what was read, and do what is due; returns within a second or so unless OPA is slow."""
        if not self._known:
            self._get_to_know()
            return
        for event in self._reader.take(_RECENT):
            self._take_in(event)
        if self._wanted is None or self._delivery.pauses():
            return
        self._delivery.bring(self._wanted)
        if self._delivery.current and time.monotonic() - self._asked_at >= _ASK:
            self._asked_at = time.monotonic()
            self._keep_what_is_read()

    def _get_to_know(self) -> None:
        """See what an earlier run left, before anything is judged or written."""
        if self._delivery.pauses():
            time.sleep(_RECENT)
            return
        self._kept = self._keep()
        meta = self._delivery.left()
        self._known = True
        if meta:
            self._losses.remember(meta)
            if isinstance(self._source, Resumes):
                self._source.resume(meta)
        self._reader.begin()

    def _take_in(self, event: Event) -> None:
        if self._status.held and not isinstance(event, Loaded):
            return  # a change of what was not taken in: the load that was asked for has it all
        wanted = self._wanted
        if self._is_held(event, wanted.mirror if wanted else None):
            return
        if wanted is not None and (wanted.kept == self._kept or isinstance(event, Changed)):
            changed = wanted.mirror.apply(event.changes) if isinstance(event, Changed) else self._became(event, wanted)
            wanted.observed, wanted.details = event.observed, event.details
            if self._delivery.current:
                wanted.pending += changed
        elif isinstance(event, Loaded):
            mirror = Mirror(event.document, wanted=self._kept, depth=self._source.depth)
            self._wanted = Wanted(mirror, self._kept, event.observed, event.details, [])
            self._delivery.doubt()

    def _became(self, event: Loaded, wanted: Wanted) -> list[Operation]:
        changed = wanted.mirror.become(event.document)
        if event.compare:
            self._status.count("drift", by=len(changed))
            self._delivery.compare(wanted.mirror)
        return changed

    def _is_held(self, event: Event, mirror: Mirror | None) -> bool:
        """Whether the guard holds an event back; then a load is asked for, to see whether that shows the loss too."""
        if isinstance(event, Loaded):
            held = self._losses.of_load(mirror, event.document, event.details, time.monotonic())
        else:
            held = self._losses.of_changes(mirror, event.changes, time.monotonic())
        if held:
            if self._status.held is None:
                _LOG.error("a loss is held back", extra={"loss": held})
                self._status.count("held")
            self._reader.load_again()
        elif self._status.held:
            _LOG.warning("nothing is held back any more")
        self._status.held = held
        return held is not None

    def _keep_what_is_read(self) -> None:
        """Ask for a load, and write all of it, where OPA's rules read other parts than they did."""
        kept = self._keep()
        if kept != self._kept:
            _LOG.info("OPA's rules read other parts", extra={"parts": sorted(kept) if kept is not None else "all"})
            self._kept = kept
            self._reader.load_again()
