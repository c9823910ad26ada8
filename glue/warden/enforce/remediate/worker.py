"""Decide about objects and patch them, one step at a time."""

import logging
import math
import time
from collections.abc import Iterator
from dataclasses import replace as changed_copy
from typing import Final

from warden.base.errors import KubernetesError
from warden.base.telemetry.traces import begin_span
from warden.enforce.remediate.bucket import TokenBucket
from warden.enforce.remediate.config import RemediatorConfig
from warden.enforce.remediate.decisions import ObjectDecider
from warden.enforce.remediate.events import RemediationEvents
from warden.enforce.remediate.failed_patches import FailedPatches
from warden.enforce.remediate.hourly_limit import HourlyLimit
from warden.enforce.remediate.objects import Key
from warden.enforce.remediate.patching import BUSY, PatchedObject, Patcher, PatchResult
from warden.enforce.remediate.remediation import Remediation
from warden.enforce.remediate.status import RemediatorStatus
from warden.enforce.remediate.undo_record import UndoRecord
from warden.policy.opa.client import OpaClient
from warden.state.sources.kubernetes.live import Informer

__all__ = ["Worker"]

_LOG: Final = logging.getLogger(__name__)
_UNKNOWN: Final = (None, 504)  # nobody knows whether the patch was carried out


class Worker(ObjectDecider):
    """Patches what is decided, at the rate and up to the limit of the configuration; used by one thread.

    Args:
        config: The configuration.
        client: A client of the OPA that decides.
        record: The undo record; None where nothing is patched.
        status: Gets what happens.
        accept: Whether a person has accepted the first stop.
        most: As of `ObjectDecider`.
    """

    def __init__(
        self,
        config: RemediatorConfig,
        client: OpaClient,
        record: UndoRecord | None,
        status: RemediatorStatus,
        *,
        accept: bool = False,
        most: int | None = None,
    ) -> None:
        super().__init__(config, client, status, most=most)
        self._record, self._tries = record, FailedPatches()
        self._bucket = TokenBucket(config.rate.per_second, config.rate.burst)
        self.hourly_limit = HourlyLimit(config.stop, accept=accept)
        self._patcher: Patcher | None = None

    def load(self, live: Informer, events: RemediationEvents) -> None:
        """List all objects over a new connection.

        Raises:
            KubernetesError: See `Informer`.
        """
        self._patcher = Patcher(live.api, live.collections)
        super().load(live, events)

    def check_hold(self) -> str | None:
        """Return why nothing may be patched until a person says so, None where it may."""
        reason = self.hourly_limit.check(len(self.plan.pending), len(self.objects), time.monotonic())
        if reason and not self._status.held:
            self._status.count_event("stops")
            _LOG.error("stopped", extra={"reason": reason})
        self._status.held = reason
        return reason

    def compute_wait(self, now: float) -> float:
        """Return the seconds until the next object can be patched, as far as that is known."""
        keys = [*self._iter_patchable()]
        return max(self._bucket.compute_wait(now), self._tries.compute_wait(keys, now)) if keys else math.inf

    def patch_next(self) -> PatchResult | None:
        """Patch the next object, if there is one and the rate allows it; return what has become of that.

        One that cannot be patched now is tried again after a pause of its own, and after all that were never tried.

        Raises:
            KubernetesError: The API server cannot be written to now; the object stays pending.
            OSError: The undo record cannot be written; nothing was sent.
        """
        now = time.monotonic()
        key = self._tries.find_next(self._iter_patchable(), now)
        if key is None or self._patcher is None or not self._bucket.take(now):
            return None
        remediation = self.plan.pending[key]
        with begin_span("patch object", attributes={"warden.object": remediation.name}):
            result = self._patch(remediation, self._patcher)
        self._status.count_event("patches", result.value)
        self._update_status()
        return result

    def _iter_patchable(self) -> Iterator[Key]:
        """Yield what is to be patched; what is to be decided anew, of namespaces that wait, has to be first."""
        return (key for key in self.plan.pending if not self.objects.is_due(key))

    def _patch(self, item: Remediation, patcher: Patcher) -> PatchResult:
        uid = str(item.obj["metadata"].get("uid"))
        if self._record is None or item.patch is None:
            raise TypeError("nothing may be patched without an undo record")
        noted = self._tries.has_noted(item)
        if not noted:
            self._note(item, patcher)
        try:
            if item.carrier:
                answer = patcher.apply(item.carrier, item.patch, item.present)
            else:
                answer = patcher.patch(item.key, uid, item.patch)
        except KubernetesError as error:
            noted = noted or error.status in _UNKNOWN
            if not noted:
                self._record.withdraw()
            if error.status in BUSY:
                raise
            result = self._put_off(item, str(error), noted=noted)
            self._update_status()
            if error.status is None:
                raise
            return result
        if answer.result is not PatchResult.PATCHED and not noted:
            self._record.withdraw()
        self._take_answer(item, answer)
        return answer.result

    def _note(self, item: Remediation, patcher: Patcher) -> None:
        if self._record is not None:
            path, uid = patcher.build_path(item.carrier or item.key), str(item.obj["metadata"].get("uid"))
            self._record.note(path, uid, item.before, item.after, whole=bool(item.carrier))

    def _put_off(self, item: Remediation, reason: str, *, noted: bool) -> PatchResult:
        failures = self._tries.count_failure(item, reason, time.monotonic(), noted=noted)
        _LOG.warning("an object cannot be patched now", extra={"object": item.name, "tries": failures, "error": reason})
        if self._most is None or failures < self._most:
            return PatchResult.LATER
        self._refuse(item, reason)
        return PatchResult.REFUSED

    def _take_answer(self, remediation: Remediation, answer: PatchedObject) -> None:
        if answer.result is PatchResult.PATCHED and answer.obj:
            self.plan.drop(remediation.key)
            if remediation.carrier:
                self.carriers.replace(remediation.carrier, answer.obj, remediation.manifest or {})
            else:
                self.objects.replace(remediation.key, answer.obj)
            self._report_patch(remediation)
            return
        if answer.obj and not remediation.carrier:
            self._settle(Remediation(remediation.key, answer.obj, None, {}))
        if answer.result is PatchResult.REFUSED:
            self._refuse(remediation, answer.reason)
        else:
            _LOG.info("not patched", extra={"object": remediation.name, "result": answer.result.value})
            self.plan.drop(remediation.key)
            self.follow({remediation.carrier or remediation.key: answer.obj})
            self.objects.mark_due([remediation.key])

    def _report_patch(self, item: Remediation) -> None:
        self.hourly_limit.count_patch(time.monotonic())
        _LOG.info("patched", extra={"object": item.name, "before": item.before, "after": item.after})
        if self._events is not None:
            self._events.report_patch(item)

    def _settle(self, now: Remediation) -> None:
        settled = self._tries.settle(now)
        if settled is None or self._record is None or self._patcher is None:
            return
        item, noted = settled
        if not noted:
            try:
                self._note(item, self._patcher)
            except OSError as error:
                self._status.count_event("errors", "patch")
                _LOG.exception(
                    "a patch that was carried out is not in the undo record",
                    extra={"object": item.name, "before": item.before, "after": item.after, "error": str(error)},
                )
        self._status.count_event("patches", PatchResult.PATCHED.value)
        self._report_patch(item)

    def _refuse(self, remediation: Remediation, reason: str) -> None:
        refused = changed_copy(remediation, patch=None, errors=(reason,))
        self.plan.refuse(refused)
        self.report_refusal(refused)

    def _update_status(self) -> None:
        super()._update_status()
        self._tries.retain_only(self.plan.pending)
        self._status.put_off, self._status.patch_error = len(self._tries), self._tries.problem
