"""The remediator: follows objects, clusters and policy, and patches what differs, until it is stopped."""

import logging
import time
from collections.abc import Callable
from threading import Event
from typing import Any, Final

from warden.base.errors import ConfigurationError, KubernetesError, OpaError
from warden.base.process.backoff import Backoff
from warden.enforce.remediate.carriers import list_carriers
from warden.enforce.remediate.config import RemediatorConfig
from warden.enforce.remediate.events import RemediationEvents
from warden.enforce.remediate.leadership import Leadership
from warden.enforce.remediate.patching import PatchResult
from warden.enforce.remediate.state_watch import StateChanges, StateWatch
from warden.enforce.remediate.status import RemediatorStatus
from warden.enforce.remediate.undo_record import UndoRecord
from warden.enforce.remediate.worker import Worker
from warden.state.sources.kubernetes.live import Informer
from warden.state.sources.kubernetes.watching import WatchTimings

__all__ = ["Remediator", "open_live"]

_LOG: Final = logging.getLogger(__name__)
_POLL_SECONDS: Final = 2.0  # seconds between two polls of what OPA knows
_BUSY_WAIT_SECONDS: Final = 0.2  # seconds that a turn waits for news at the most while anything is to be done
_IDLE_WAIT_SECONDS: Final = 1.0  # the same while nothing is
_REFUSED_RESYNC_DIVISOR: Final = 20  # so many times more often than all objects those that are refused are decided anew
_MAX_DEBOUNCE_FACTOR: Final = (
    10  # so many times the debounce is the longest that changes in a row can put a decision off
)


class Remediator:
    """Runs in the thread that calls `run`.

    Args:
        config: The configuration.
        identity: The name of this remediator, unlike any other's.
        report_only: Whether nothing is patched.
        accept: Whether a person has accepted the first stop.

    Raises:
        ConfigurationError: The directory of records, the token or the kubeconfig cannot be used.
    """

    def __init__(
        self, config: RemediatorConfig, identity: str, *, report_only: bool = False, accept: bool = False
    ) -> None:
        self._config, self._identity, self._report_only = config, identity, report_only
        self.status = RemediatorStatus()
        if config.kubernetes.kubeconfig is not None:
            config.kubernetes.read_access()
        record = None if report_only else UndoRecord(config.records, identity)
        self._client = config.opa.build_client(config.opa.build_floor())
        self._worker = Worker(config, self._client, record, self.status, accept=accept)
        self._states, self._leadership = StateWatch(self._client), Leadership(config.lease, identity)
        self._opa_backoff, self._patch_backoff = Backoff(maximum=10.0), Backoff(maximum=10.0)
        self._poll_at = self._patch_at = 0.0
        self._resync_at = time.monotonic() + config.resync
        self._first_change: float | None = None
        self._last_change = 0.0
        self._refused_changed, self._refused_at = False, 0.0
        self._stop: Event | None = None

    @property
    def is_alive(self) -> bool:
        """Whether it has not been stopped."""
        return self._stop is None or not self._stop.is_set()

    def describe(self) -> dict[str, Any]:
        """Return who it is."""
        return {"identity": self._identity}

    def to_document(self) -> dict[str, Any]:
        """Return what ``/readyz`` shows."""
        return self.status.to_document()

    def encode_metrics(self) -> bytes:
        """Return all metrics."""
        from warden.enforce.remediate.metrics import render_metrics

        return render_metrics(self.status)

    def run(self, stop: Event) -> None:
        """Remediate until ``stop`` is set. What fails is tried again; a watch that is lost begins with a new list."""
        self._stop = stop
        backoff = Backoff(maximum=10.0)
        try:
            while not stop.is_set():
                try:
                    self._run_until_failure(stop, backoff)
                except (KubernetesError, ConfigurationError) as error:
                    self._record_failure(error)
                    stop.wait(backoff.compute_delay())
        finally:
            self._client.close()

    def _record_failure(self, error: Exception) -> None:
        if getattr(error, "status", None) == 410:
            self.status.count_event("lists", "stale")
            return
        self.status.count_event("errors", "kubernetes")
        if self.status.server_error is None:
            _LOG.warning("the API server cannot be read, objects stay as they are", extra={"error": str(error)})
        self.status.server_error = str(error)

    def _run_until_failure(self, stop: Event, backoff: Backoff) -> None:
        """List, and follow until something fails."""
        with open_live(self._config) as live:
            events = RemediationEvents(None if self._report_only else live.api, self._identity, self.status)
            try:
                self._worker.load(live, events)
                live.watch()
                self.status.server_error = None
                self._note_change()
                while not stop.is_set():
                    _, came = live.take_changes(self._compute_wait())
                    self._apply_changes(came)
                    self._turn(live, lambda: not stop.is_set())
                    backoff.reset()
                if not self._report_only:
                    self._leadership.release(live.api, self._worker.hourly_limit.list_ages(time.monotonic()))
            finally:
                events.close()

    def _compute_wait(self) -> float:
        """Return the seconds to wait for news: no longer than until the rate allows the next patch, if there is one."""
        now, worker, status = time.monotonic(), self._worker, self.status
        due = worker.count_due()
        if not due and not worker.plan.pending:
            return min(_IDLE_WAIT_SECONDS, max(0.0, self._poll_at - now))
        waits = self._report_only or not self._leadership.is_leader() or now < self._patch_at
        if waits or due or status.opa_error or status.held or not worker.plan.pending:
            return _BUSY_WAIT_SECONDS
        return min(_BUSY_WAIT_SECONDS, worker.compute_wait(now))

    def _apply_changes(self, came: dict[tuple[str, ...], dict[str, object] | None]) -> None:
        due = self._worker.objects.due
        self._worker.follow(came)
        for key, obj in came.items():
            if obj is None:
                self._worker.plan.drop(key)
        if self._worker.objects.due > due:
            self._note_change()

    def _turn(self, live: Informer, more: Callable[[], bool]) -> None:
        """Do what is due, for some seconds at most unless OPA is slow."""
        now = time.monotonic()
        self._renew_lease(live)
        try:
            if now >= self._poll_at:
                self._poll(now)
            if self._is_quiet(now):
                self._worker.decide(lambda: more() and self._renew_lease(live))
                self._first_change = None
            elif self.status.opa_error:
                return
        except OpaError as error:
            if self.status.opa_error is None:
                _LOG.warning("OPA does not decide, objects stay as they are", extra={"error": str(error)})
            self.status.count_event("errors", "opa")
            self.status.opa_error = str(error)
            self._poll_at = now + self._opa_backoff.compute_delay()
            return
        if not self._worker.count_due():
            self.status.loaded = True
            self._worker.hourly_limit.note_pending(len(self._worker.plan.pending))
            if not self._worker.plan.pending or not self._leadership.is_leader():
                self.status.server_error = None  # of a patch: it reads
            self._patch(live, more)

    def _poll(self, now: float) -> None:
        changes = self._states.poll()
        if self.status.opa_error:
            _LOG.info("OPA decides again")
        self.status.opa_error = None
        self._opa_backoff.reset()
        self._poll_at = now + _POLL_SECONDS
        self._refused_changed |= changes.replica
        if now >= self._resync_at:
            self._resync_at = now + self._config.resync
            changes = StateChanges(everything=True)
        elif self._refused_changed and now >= self._refused_at:
            # Whatever keeps them where they are, be it where they are up, may have changed with the replica.
            self._refused_changed, self._refused_at = False, now + self._config.resync / _REFUSED_RESYNC_DIVISOR
            self._worker.objects.mark_due(list(self._worker.plan.refused))
            self._note_change()
        if self._worker.mark_due_after(self._states, changes):
            self._note_change()

    def _note_change(self) -> None:
        self._last_change = time.monotonic()
        self._first_change = self._first_change or self._last_change

    def _is_quiet(self, now: float) -> bool:
        if self.status.opa_error or not self._worker.count_due():
            return False
        if self._first_change is None:
            return True  # a namespace that OPA was slow about has waited
        pause = self._config.debounce
        return now >= self._last_change + pause or now >= self._first_change + _MAX_DEBOUNCE_FACTOR * pause

    def _renew_lease(self, live: Informer) -> bool:
        """Take or renew the Lease where that is due; True, so that a loop goes on."""
        if self._report_only:
            return True
        hourly = self._worker.hourly_limit
        if self._leadership.acquire_or_renew(live.api, lambda: hourly.list_ages(time.monotonic())):
            hourly.restore(self._leadership.ages, time.monotonic())
            _LOG.info("leading", extra={"identity": self._identity})
        self.status.leads, self.status.leader = self._leadership.is_leader(), self._leadership.leader
        return True

    def _patch(self, live: Informer, more: Callable[[], bool]) -> None:
        """Patch as much as rate and Lease allow."""
        if self._report_only or not self._leadership.is_leader() or time.monotonic() < self._patch_at:
            return
        while more() and self._leadership.is_leader() and not self._worker.check_hold():
            try:
                result = self._worker.patch_next()
            except (KubernetesError, OSError) as error:
                self.status.count_event("errors", "patch")
                self.status.server_error = str(error)
                _LOG.warning("nothing can be patched now", extra={"error": str(error)})
                self._patch_at = time.monotonic() + self._patch_backoff.compute_delay()
                return
            if result is None:
                return
            self.status.server_error = None
            self._patch_backoff.reset()
            if result is PatchResult.LATER:
                self.status.count_event("errors", "patch")
            if result in (PatchResult.CHANGED, PatchResult.GONE):
                self._note_change()
                return
            self._renew_lease(live)


def open_live(config: RemediatorConfig) -> Informer:
    """Connect to the API server.

    Raises:
        KubernetesError, ConfigurationError: See `Informer` and `ApiServerSettings.read_access`.
    """
    server = config.kubernetes
    timings = WatchTimings(probe=server.probe, patience=4 * server.probe)
    selected = [resource.build_selector() for resource in config.resources]
    return Informer(server.read_access(), [*selected, *list_carriers(config.target)], timings)
