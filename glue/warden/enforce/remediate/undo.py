"""Undo what a record says: annotations get back their values wherever they are still as the record left them."""

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from warden.base.errors import KubernetesError
from warden.enforce.remediate.bucket import TokenBucket
from warden.enforce.remediate.carriers import is_same_spec
from warden.enforce.remediate.config import RemediatorConfig
from warden.enforce.remediate.once import hold_lease, keep_lease
from warden.enforce.remediate.patching import BUSY, FIELD_MANAGER_QUERY, MERGE_PATCH_TYPE, build_replacement
from warden.enforce.remediate.remediator import open_live
from warden.enforce.remediate.undo_record import UndoEntry
from warden.state.sources.kubernetes.api import ApiServer

__all__ = ["RESULTS_NOT_RESTORED", "undo_entries"]

_ATTEMPTS: Final = 3  # where the object changes under our hands
_UNDONE, _AS_BEFORE, _GONE = "undone", "as before", "gone"
_CHANGED, _SET_AGAIN, _REFUSED, _FAILED = "changed since", "set again at admission", "refused", "failed"
RESULTS_NOT_RESTORED: Final = frozenset({_CHANGED, _SET_AGAIN, _REFUSED, _FAILED})
"""Results that leave an object other than it was before the record."""


def undo_entries(config: RemediatorConfig, entries: Sequence[UndoEntry], identity: str) -> list[dict[str, Any]]:
    """Undo entries, the last first, at the rate that the configuration allows; looking takes none of it.

    Args:
        config: The configuration.
        entries: Of a record.
        identity: The name of this run, unlike any other's.

    Returns:
        For each entry: ``path``, ``result``, and ``reason`` where the API server refuses it or fails at it. ``changed
        since``: somebody else has set an annotation, which stays; ``set again at admission``: the webhook has. All that
        are left are ``failed`` where the API server does not answer on the way, or the lease is lost.

    Raises:
        KubernetesError: The API server does not answer at first.
        WriteWithheld: A remediator runs, which would do it all again.
    """
    bucket = TokenBucket(config.undo_rate.per_second, config.undo_rate.burst)
    results = []
    with open_live(config) as live:
        leadership = hold_lease(config, live.api, identity)
        ages = leadership.ages

        def wait() -> None:
            while not bucket.take(time.monotonic()):
                keep_lease(leadership, live.api, lambda: ages)
                time.sleep(min(1.0, bucket.compute_wait(time.monotonic())))

        try:
            for entry in reversed(entries):
                keep_lease(leadership, live.api, lambda: ages)
                result, reason = _undo(live.api, entry, wait)
                results.append({"path": entry.path, "result": result, **({"reason": reason} if reason else {})})
        except KubernetesError as error:
            if not results:
                raise
            left = reversed(entries[: len(entries) - len(results)])
            results += [{"path": entry.path, "result": _FAILED, "reason": str(error)} for entry in left]
        finally:
            with suppress(KubernetesError):  # it ends by itself
                leadership.release(live.api, ages)
    return results


def _undo(api: ApiServer, entry: UndoEntry, wait: Callable[[], None]) -> tuple[str, str]:
    for _ in range(_ATTEMPTS):
        try:
            if entry.whole:
                return _undo_whole(api, entry, wait), ""
            metadata = api.get(entry.path)["metadata"]
            if (left := _explain_skip(metadata, entry)) is not None:
                return left, ""
            wait()
            return _restore(api, metadata, entry), ""
        except KubernetesError as error:
            if error.status == 404:
                return _GONE, ""
            if error.status is None or error.status in BUSY:
                raise
            if error.status != 409:
                return _FAILED if error.status >= 500 else _REFUSED, str(error)
    return _CHANGED, ""


def _undo_whole(api: ApiServer, entry: UndoEntry, wait: Callable[[], None]) -> str:
    """Give a target back what it had before, unless somebody else has changed it since."""
    stored = api.get(entry.path)
    ((before, after),) = (
        (json.loads(entry.before[name] or "null"), json.loads(entry.after[name])) for name in entry.after
    )
    if stored["metadata"].get("deletionTimestamp"):
        return _GONE
    if not is_same_spec(stored, after):
        return _AS_BEFORE if before and is_same_spec(stored, before) else _CHANGED
    wait()
    if before is None:
        versions = {name: stored["metadata"][name] for name in ("resourceVersion", "uid")}
        api.send("DELETE", entry.path, {"preconditions": versions})
    else:
        replacement = build_replacement(stored, before)
        api.send("PATCH", f"{entry.path}{FIELD_MANAGER_QUERY}", replacement, MERGE_PATCH_TYPE)
    return _UNDONE


def _explain_skip(metadata: dict[str, Any], entry: UndoEntry) -> str | None:
    """Return why there is nothing to undo; None where there is."""
    if metadata["uid"] != entry.uid or metadata.get("deletionTimestamp"):
        return _GONE
    present = _select_values(metadata, entry)
    if present == entry.before:
        return _AS_BEFORE
    return None if present == entry.after else _CHANGED


def _restore(api: ApiServer, metadata: dict[str, Any], entry: UndoEntry) -> str:
    versions = {name: metadata[name] for name in ("resourceVersion", "uid")}
    patch = {"metadata": {"annotations": dict(entry.before), **versions}}
    stored = api.send("PATCH", entry.path, patch, MERGE_PATCH_TYPE)["metadata"]
    return _UNDONE if _select_values(stored, entry) == entry.before else _SET_AGAIN


def _select_values(metadata: dict[str, Any], entry: UndoEntry) -> dict[str, str | None]:
    annotations = metadata.get("annotations") or {}
    return {name: annotations.get(name) for name in entry.after}
