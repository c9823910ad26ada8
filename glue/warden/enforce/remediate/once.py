"""One remediation of all objects: decided, and patched or only reported."""

import time
from collections.abc import Callable, Iterable
from typing import Any

from warden.base.errors import KubernetesError, WriteWithheld
from warden.enforce.remediate.config import RemediatorConfig
from warden.enforce.remediate.events import RemediationEvents
from warden.enforce.remediate.leadership import Leadership
from warden.enforce.remediate.remediation import Remediation
from warden.enforce.remediate.remediator import open_live
from warden.enforce.remediate.status import RemediatorStatus
from warden.enforce.remediate.undo_record import UndoRecord
from warden.enforce.remediate.worker import Worker
from warden.state.sources.kubernetes.api import ApiServer

__all__ = ["hold_lease", "keep_lease", "remediate_once"]

_PAUSE = 0.2  # seconds between two looks at the lease
_TRIES = 3  # to patch an object that the API server cannot patch now


def remediate_once(
    config: RemediatorConfig, identity: str, *, report_only: bool = False, accept: bool = False
) -> dict[str, Any]:
    """Decide about all objects, and patch those that differ.

    Args:
        config: The configuration.
        identity: The name of this run, unlike any other's.
        report_only: Whether nothing is patched.
        accept: Whether more may be patched than the stop allows.

    Returns:
        ``objects`` (how many); ``differing`` and ``refused``, a document for each object; ``held``: why nothing is
        patched, or null; ``patched`` (how many); ``record``: the undo record, or null.

    Raises:
        OpaError: OPA does not decide.
        KubernetesError: The API server does not answer, or another remediator keeps the lease.
        OSError: The undo record cannot be written.
    """
    status = RemediatorStatus()
    record = None if report_only else UndoRecord(config.records, identity)
    with config.opa.build_client(config.opa.build_floor()) as client, open_live(config) as live:
        events = RemediationEvents(None if report_only else live.api, identity, status)
        worker = Worker(config, client, record, status, accept=accept, most=_TRIES)
        try:
            worker.load(live, events)
            worker.decide()
            differing = dict(worker.plan.pending)
            held = worker.check_hold()
            if not report_only and not held and differing:
                held = _patch_all_pending(worker, config, live.api, identity)
        finally:
            events.close()
        return {
            "objects": len(worker.objects),
            "differing": [_encode_remediation(remediation) for remediation in differing.values()],
            "refused": [_encode_remediation(remediation) for remediation in worker.plan.refused.values()],
            "held": held,
            "patched": status.counts["patches", "patched"],
            "record": str(record.path) if record and record.path.exists() else None,
        }


def _patch_all_pending(worker: Worker, config: RemediatorConfig, api: ApiServer, identity: str) -> str | None:
    """Patch all that is pending, and what becomes of it; return why that stopped, None where it did not."""
    leadership = hold_lease(config, api, identity)
    worker.hourly_limit.restore(leadership.ages, time.monotonic())
    held = None
    try:
        while worker.plan.pending and not (held := worker.check_hold()):
            keep_lease(leadership, api, lambda: worker.hourly_limit.list_ages(time.monotonic()))
            if worker.patch_next() is None:
                time.sleep(min(1.0, worker.compute_wait(time.monotonic())))
            worker.decide()
    finally:
        leadership.release(api, worker.hourly_limit.list_ages(time.monotonic()))
    return held


def hold_lease(config: RemediatorConfig, api: ApiServer, identity: str) -> Leadership:
    """Return the lease once it is ours; one that was left is waited for.

    Raises:
        WriteWithheld: Another remediator keeps it.
        KubernetesError: It cannot be read or written.
    """
    leadership = Leadership(config.lease, identity)
    deadline = time.monotonic() + 2 * config.lease.seconds
    while not leadership.is_leader():
        if time.monotonic() > deadline:
            raise WriteWithheld(
                f"the remediator {leadership.leader} keeps the lease {config.lease.namespace}/{config.lease.name}: "
                "stop it, or use --report-only"
            )
        leadership.acquire_or_renew(api, list)
        time.sleep(0 if leadership.is_leader() else _PAUSE)
    return leadership


def keep_lease(leadership: Leadership, api: ApiServer, ages: Callable[[], Iterable[float]]) -> None:
    """Renew the lease where that is due; the arguments are those of `Leadership.acquire_or_renew`.

    Raises:
        KubernetesError: Another remediator has it, or it cannot be read or written.
    """
    leadership.acquire_or_renew(api, ages)
    if not leadership.is_leader():
        raise KubernetesError("the lease was lost on the way: another remediator goes on")


def _encode_remediation(remediation: Remediation) -> dict[str, Any]:
    return {
        "object": remediation.name,
        "before": remediation.before,
        "after": remediation.after,
        "errors": list(remediation.errors),
        "warnings": list(remediation.warnings),
    }
