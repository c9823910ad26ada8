"""Decide about objects and patch them, one step at a time."""

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from dataclasses import replace as changed_copy
from functools import partial
from typing import Final

from warden.errors import OpaError
from warden.opa.client import OpaClient
from warden.remediate.bucket import TokenBucket
from warden.remediate.config import Config
from warden.remediate.events import Events
from warden.remediate.hourly_stop import HourlyStop
from warden.remediate.objects import Key, Objects
from warden.remediate.patching import Patcher, Result
from warden.remediate.plan import Plan
from warden.remediate.record import Record
from warden.remediate.remediation import Remediation, ask
from warden.remediate.states import Changes, States
from warden.remediate.status import Status
from warden.sources.kubernetes.live import Live

__all__ = ["Worker"]

_LOG: Final = logging.getLogger(__name__)
_IN_FLIGHT: Final = 2  # requests at a time: OPA evaluates one on one core


@dataclass(frozen=True)
class _Connection:
    patcher: Patcher
    events: Events


class Worker:
    """Has all objects and the plan for them; used by one thread.

    Args:
        config: The configuration.
        client: A client of the OPA that decides.
        record: The undo record; None where nothing is patched.
        status: Gets what happens.
        accept: Whether a person has accepted the first stop.
    """

    def __init__(
        self, config: Config, client: OpaClient, record: Record | None, status: Status, *, accept: bool = False
    ) -> None:
        self._config, self._client, self._record, self._status = config, client, record, status
        self.objects, self.plan = Objects(config.except_namespaces), Plan()
        self.bucket = TokenBucket(config.rate.per_second, config.rate.burst)
        self.stop = HourlyStop(config.stop, accept=accept)
        self._threads = ThreadPoolExecutor(_IN_FLIGHT, thread_name_prefix="decide")
        self._connection: _Connection | None = None
        self._needs: dict[Key, str] = {}  # of each object, as of its last decision

    def load(self, live: Live, events: Events) -> None:
        """List all objects over a new connection.

        Raises:
            KubernetesError: See `Live`.
        """
        self._connection = _Connection(Patcher(live.api, live.collections), events)
        self.objects.load(
            ((collection.key, *key), thing)
            for collection in live.collections
            for key, thing in live.objects(collection)
        )
        self.plan.keep(self.objects)
        self._show()

    def decide(self, more: Callable[[], bool] = lambda: True) -> None:
        """Decide about all objects that it is due for, while ``more`` says so.

        Raises:
            OpaError: OPA does not decide: it stays due.
        """
        size = self._config.batch
        while self.objects.due and more():
            things = list(self.objects.next_due(size * _IN_FLIGHT).items())
            batches = [dict(things[start : start + size]) for start in range(0, len(things), size)]
            for remediations in self._threads.map(partial(ask, self._client), batches):
                self._decided(remediations)

    def _decided(self, remediations: Sequence[Remediation]) -> None:
        self.objects.decided(one.key for one in remediations)
        self._needs |= {one.key: one.needs for one in remediations}
        for one in self.plan.take(remediations):
            self._refused(one)
        self._show()

    def require(self, states: States, changes: Changes) -> bool:
        """Note for which objects a decision is due after changes; return whether there are any.

        Raises:
            OpaError: OPA does not say: then it is due about all.
        """
        if changes.everything:
            self.objects.require_all()
        elif changes.clusters:
            self._needs = {key: needs for key, needs in self._needs.items() if key in self.objects}
            try:
                touched = states.touched(changes, set(self._needs.values()))
            except OpaError:
                self.objects.require_all()
                raise
            self.objects.require(key for key in self.objects if self._needs.get(key) in {None, *touched})
        return changes.everything or bool(changes.clusters)

    def held(self) -> str | None:
        """Return why nothing may be patched until a person says so, None where it may."""
        reason = self.stop.reason(len(self.plan.pending), len(self.objects), time.monotonic())
        if reason and not self._status.held:
            self._status.count("stops")
            _LOG.error("stopped", extra={"reason": reason})
        self._status.held = reason
        return reason

    def patch_next(self) -> Result | None:
        """Patch the next object, if there is one and the rate allows it; return what has become of that.

        Raises:
            KubernetesError: The API server cannot be written to now; the object stays pending.
            OSError: The undo record cannot be written; nothing was sent.
        """
        if not self.plan.pending or self._connection is None or not self.bucket.take(time.monotonic()):
            return None
        one = next(iter(self.plan.pending.values()))
        result = self._patch(one, self._connection)
        self._status.count("patches", result.value)
        self._show()
        return result

    def _patch(self, one: Remediation, connection: _Connection) -> Result:
        patcher, uid = connection.patcher, str(one.thing["metadata"].get("uid"))
        if self._record is None or one.patch is None:
            raise TypeError("nothing may be patched without an undo record")
        self._record.note(patcher.path(one.key), uid, one.before, one.after)
        answer = patcher.patch(one.key, uid, one.patch)
        if answer.result is Result.PATCHED and answer.thing:
            self.stop.count(time.monotonic())
            self.plan.drop(one.key)
            self.objects.replace(one.key, answer.thing)
            _LOG.info("patched", extra={"object": one.name, "before": one.before, "after": one.after})
            connection.events.patched(one)
        elif answer.result is Result.REFUSED:
            refused = changed_copy(one, patch=None, errors=(answer.reason,))
            self.plan.refuse(refused)
            self._refused(refused)
        else:
            _LOG.info("not patched", extra={"object": one.name, "result": answer.result.value})
            self.plan.drop(one.key)
            self.objects.follow({one.key: answer.thing})
            self.objects.require([one.key])
        return answer.result

    def _refused(self, one: Remediation) -> None:
        self._status.count("refusals")
        _LOG.warning("refused", extra={"object": one.name, "errors": one.errors})
        if self._connection is not None:
            self._connection.events.refused(one)

    def _show(self) -> None:
        status = self._status
        status.objects, status.due = len(self.objects), self.objects.due
        status.pending, status.refused = len(self.plan.pending), len(self.plan.refused)
