"""Undo what a record says: annotations get back their values wherever they are still as the record left them."""

import time
from collections.abc import Sequence
from typing import Any, Final

from warden.errors import KubernetesError
from warden.remediate.bucket import TokenBucket
from warden.remediate.config import Config
from warden.remediate.once import hold_lease
from warden.remediate.patching import MERGE
from warden.remediate.record import Move
from warden.remediate.remediator import open_live
from warden.sources.kubernetes.api import ApiServer

__all__ = ["LEFT", "undo_moves"]

_ATTEMPTS: Final = 3  # where the object changes under our hands
_UNDONE, _AS_BEFORE, _GONE = "undone", "as before", "gone"
_CHANGED, _SET_AGAIN, _REFUSED = "changed since", "set again at admission", "refused"
LEFT: Final = frozenset({_CHANGED, _SET_AGAIN, _REFUSED})
"""Results that leave an object other than it was before the record."""


def undo_moves(config: Config, moves: Sequence[Move], identity: str) -> list[dict[str, Any]]:
    """Undo moves, the last first, at the rate that the configuration allows.

    Args:
        config: The configuration.
        moves: Of a record.
        identity: The name of this run, unlike any other's.

    Returns:
        For each move: ``path``, ``result``, and ``reason`` where the API server refuses it. ``changed since``: somebody
        else has set an annotation, which stays; ``set again at admission``: the webhook has.

    Raises:
        KubernetesError: The API server does not answer.
        OpaRefused: A remediator runs, which would do it all again.
    """
    bucket = TokenBucket(config.rate.per_second, config.rate.burst)
    results = []
    with open_live(config) as live:
        leadership = hold_lease(config, live.api, identity)
        ages = leadership.ages
        try:
            for move in reversed(moves):
                while not bucket.take(time.monotonic()):
                    leadership.tick(live.api, lambda: ages)
                    time.sleep(min(1.0, bucket.wait(time.monotonic())))
                leadership.tick(live.api, lambda: ages)
                result, reason = _undo(live.api, move)
                results.append({"path": move.path, "result": result, **({"reason": reason} if reason else {})})
        finally:
            leadership.release(live.api, ages)
    return results


def _undo(api: ApiServer, move: Move) -> tuple[str, str]:
    for _ in range(_ATTEMPTS):
        try:
            metadata = api.get(move.path)["metadata"]
            return _left_alone(metadata, move) or _restore(api, metadata, move), ""
        except KubernetesError as error:
            if error.status == 404:
                return _GONE, ""
            if error.status is None or error.status == 429 or error.status >= 500:
                raise
            if error.status != 409:
                return _REFUSED, str(error)
    return _CHANGED, ""


def _left_alone(metadata: dict[str, Any], move: Move) -> str | None:
    """Return why there is nothing to undo; None where there is."""
    if metadata["uid"] != move.uid:
        return _GONE
    present = _values(metadata, move)
    if present == move.before:
        return _AS_BEFORE
    return None if present == move.after else _CHANGED


def _restore(api: ApiServer, metadata: dict[str, Any], move: Move) -> str:
    versions = {name: metadata[name] for name in ("resourceVersion", "uid")}
    patch = {"metadata": {"annotations": dict(move.before), **versions}}
    stored = api.send("PATCH", move.path, patch, MERGE)["metadata"]
    return _UNDONE if _values(stored, move) == move.before else _SET_AGAIN


def _values(metadata: dict[str, Any], move: Move) -> dict[str, str | None]:
    annotations = metadata.get("annotations") or {}
    return {name: annotations.get(name) for name in move.after}
