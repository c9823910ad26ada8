"""Decide about objects: those that are due, in batches, and none of a namespace again before its pause is over."""

import logging
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Final

from warden.base.errors import OpaError, OpaTimeout
from warden.enforce.remediate.carriers import CarrierIndex, list_carriers
from warden.enforce.remediate.config import RemediatorConfig
from warden.enforce.remediate.events import RemediationEvents
from warden.enforce.remediate.objects import Key, KubernetesObject, WatchedObjects, get_namespace
from warden.enforce.remediate.plan import RemediationPlan
from warden.enforce.remediate.remediation import Remediation, Remediations, ask
from warden.enforce.remediate.slow_namespaces import SlowNamespaces
from warden.enforce.remediate.state_watch import StateChanges, StateWatch
from warden.enforce.remediate.status import RemediatorStatus
from warden.policy.opa.client import OpaClient
from warden.state.sources.kubernetes.live import Informer

__all__ = ["ObjectDecider"]

_LOG: Final = logging.getLogger(__name__)
_IN_FLIGHT: Final = 2  # requests at a time: OPA evaluates one on one core
_POLL_SECONDS: Final = 1.0  # seconds between two checks whether OPA has decided


class ObjectDecider(ABC):
    """Has all objects and the plan for them; used by one thread.

    Args:
        config: The configuration.
        client: A client of the OPA that decides.
        status: Gets what happens.
        most: Tries in vain after which an object counts as refused; None for no end of them.
    """

    def __init__(
        self, config: RemediatorConfig, client: OpaClient, status: RemediatorStatus, *, most: int | None = None
    ) -> None:
        self._config, self._client, self._status, self._most = config, client, status, most
        self.objects, self.plan, self._slow = (
            WatchedObjects(config.except_namespaces),
            RemediationPlan(),
            SlowNamespaces(),
        )
        self.carriers, self._target = CarrierIndex(), None if config.target == "annotation" else config.target
        self._threads = ThreadPoolExecutor(_IN_FLIGHT, thread_name_prefix="decide")
        self._events: RemediationEvents | None = None
        self._needs: dict[Key, str] = {}  # of each object, as of its last decision

    def load(self, live: Informer, events: RemediationEvents) -> None:
        """List all objects over a new connection.

        Raises:
            KubernetesError: See `Informer`.
        """
        self._events = events
        carriers = set(list_carriers(self._config.target))
        own, objects = (
            [
                ((collection.key, *key), obj)
                for collection in live.collections
                if (collection.selected in carriers) is is_carrier
                for key, obj in live.iter_objects(collection)
            ]
            for is_carrier in (True, False)
        )
        self.objects.load(objects)
        plurals = {resource.type.kind: resource.key for resource in live.collections if resource.selected in carriers}
        self.objects.mark_due(self.carriers.load(plurals, own))
        self.plan.retain_only(self.objects)
        self._needs = {key: needs for key, needs in self._needs.items() if key in self.objects}
        self._update_status()

    def follow(self, came: Mapping[Key, KubernetesObject | None]) -> None:
        """Take what a watch brought, None for what is gone: of the objects, and of a target's carriers."""
        carriers = {key: obj for key, obj in came.items() if self.carriers.is_carrier(key)}
        self.objects.follow({key: obj for key, obj in came.items() if key not in carriers})
        for key in [key for key, obj in came.items() if obj is None]:
            self._needs.pop(key, None)
        self.objects.mark_due(self.carriers.follow(carriers))

    def decide(self, more: Callable[[], bool] = lambda: True) -> None:
        """Decide about all objects that it is due for, while ``more`` says so.

        Raises:
            OpaError: OPA does not decide: it stays due.
        """
        while more() and (batches := self._select_batches()):
            late: dict[str, OpaTimeout] = {}
            for answer in self._ask(batches, more):
                self._record_decisions(answer.remediations)
                late |= answer.late
            for namespace, error in late.items():
                self._put_off_namespace(namespace, error, [key for batch in batches for key in batch])
            if late and self._most is None:
                return  # others that have changed meanwhile come first

    def count_due(self) -> int:
        """Return how many objects can be decided about now: not those of namespaces that wait."""
        if not self._slow:
            return self.objects.due
        now = time.monotonic()
        self._slow.retain_only({get_namespace(key) for key in self.objects.iter_due(self._slow.__contains__)})
        self._update_status()
        return sum(1 for _ in self.objects.iter_due(lambda namespace: not self._slow.is_waiting(namespace, now)))

    def _ask(
        self, batches: Sequence[Mapping[Key, KubernetesObject]], more: Callable[[], bool]
    ) -> Iterator[Remediations]:
        """Yield what OPA says about each batch, and call ``more`` meanwhile, so that no lease ends over a slow one."""
        futures = [
            self._threads.submit(ask, self._client, batch, self._target, self._select_carriers(batch))
            for batch in batches
        ]
        try:
            for future in futures:
                while not wait([future], _POLL_SECONDS).done:
                    more()
                yield future.result()
        finally:
            for future in futures:
                future.cancel()

    def _select_carriers(self, batch: Mapping[Key, KubernetesObject]) -> dict[Key, KubernetesObject]:
        """Return what the target has for objects, by their keys."""
        found = {key: self.carriers.find_carrier(obj) for key, obj in batch.items()}
        return {key: carrier for key, carrier in found.items() if carrier is not None}

    def _select_batches(self) -> list[dict[Key, KubernetesObject]]:
        """Return what to decide about next: one object of a namespace that was slow only after all others."""
        size = self._config.batch
        due = list(self.objects.peek_due(size * _IN_FLIGHT, lambda namespace: namespace not in self._slow).items())
        if due:
            return [dict(due[start : start + size]) for start in range(0, len(due), size)]
        now = time.monotonic() if self._most is None else math.inf
        batch = self.objects.peek_due(1, lambda namespace: not self._slow.is_waiting(namespace, now))
        return [batch] if batch else []

    def _put_off_namespace(self, namespace: str, error: OpaTimeout, tried: Sequence[Key]) -> None:
        failures = self._slow.count_failure(namespace, str(error), time.monotonic())
        _LOG.warning(
            "OPA does not decide in time", extra={"namespace": namespace, "tries": failures, "error": str(error)}
        )
        keys = [key for key in tried if get_namespace(key) == namespace]
        if self._most is not None and failures >= self._most:
            keys = list(self.objects.iter_due(lambda name: name == namespace))
            self.objects.mark_decided(keys)
        elif len(keys) > 1:
            return  # one by one it may be in time
        for key in keys:
            self.objects.put_last(key)
        refused = [Remediation(key, self.objects[key], None, {}, (str(error),)) for key in keys if key in self.objects]
        for refusal in self.plan.record_decisions(refused):
            self.report_refusal(refusal)
        self._update_status()

    def _record_decisions(self, decided: Sequence[Remediation]) -> None:
        remediations = [self.carriers.compare(remediation) for remediation in decided]
        self.objects.mark_decided(remediation.key for remediation in remediations)
        self._needs |= {remediation.key: remediation.needs for remediation in remediations}
        for remediation in remediations:
            self._settle(remediation)
        for refusal in self.plan.record_decisions(remediations):
            self.report_refusal(refusal)
        self._update_status()

    def mark_due_after(self, states: StateWatch, changes: StateChanges) -> bool:
        """Note for which objects a decision is due after changes; return whether there are any.

        Raises:
            OpaError: OPA does not say: then it is due about all.
        """
        if changes.everything:
            self.objects.mark_all_due()
        elif changes.clusters:
            try:
                touched = states.select_touched(changes, set(self._needs.values()))
            except OpaError:
                self.objects.mark_all_due()
                raise
            self.objects.mark_due(key for key in self.objects if self._needs.get(key) in {None, *touched})
        return changes.everything or bool(changes.clusters)

    def report_refusal(self, remediation: Remediation) -> None:
        """Tell that an object is left as it is."""
        self._status.count_event("refusals")
        _LOG.warning("refused", extra={"object": remediation.name, "errors": remediation.errors})
        if self._events is not None:
            self._events.report_refusal(remediation)

    @abstractmethod
    def _settle(self, now: Remediation) -> None:
        """Note what was patched although the API server did not say so, as what is there now shows."""

    def _update_status(self) -> None:
        status = self._status
        status.objects, status.due = len(self.objects), self.objects.due
        status.late, status.late_error = len(self._slow), self._slow.problem
        status.pending, status.refused = len(self.plan.pending), len(self.plan.refused)
