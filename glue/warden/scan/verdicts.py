"""From OPA's answer to verdict rows: one for each row that was sent, whatever the answer holds."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from warden.errors import ScanError
from warden.scan.batches import Batch, Row

__all__ = ["ALLOW", "DENY", "ERROR", "error_verdict", "verdicts"]

ALLOW = "ALLOW"
DENY = "DENY"
ERROR = "ERROR"

_REQUIRED = ("rule", "mode", "severity", "message")
_WAIVER = ("id", "owner", "reason", "ticket", "expires")


def verdicts(batch: Batch, answer: bytes, *, run_id: str, revision: str) -> Iterator[dict[str, Any]]:
    """Yield one verdict row for each row of the batch, in its order.

    A row is an ERROR, never a pass, where its key is missing from the answer, where the decision does not fit the
    contract, and where OPA denied the input itself (it names no rule then: the resource was not judged).

    Args:
        batch: What was sent.
        answer: The whole body of OPA's answer.
        run_id: Name of the run, copied into each row.
        revision: The bundle revision that the run is about.

    Raises:
        ScanError: The answer is not one to a batch, or comes from another revision of the bundle.
    """
    try:
        result = json.loads(answer)["result"]
    except (ValueError, KeyError, TypeError) as error:
        raise ScanError("OPA's answer to a batch has no result: does this OPA serve kafka/decisions?") from error
    if not isinstance(result, dict):
        raise ScanError("OPA's answer to a batch is not an object keyed by topic: does this OPA serve Warden's bundle?")
    if unasked := result.keys() - {row.key for row in batch.rows}:
        raise ScanError(f"OPA answered about {min(unasked)} of cluster {batch.cluster}, which was not in the request")
    for row in batch.rows:
        yield _verdict(row, result.get(row.key), run_id, revision)


def error_verdict(row: Row, reason: str, *, run_id: str, revision: str) -> dict[str, Any]:
    """Return the verdict of a row that could not be judged."""
    return {
        "run_id": run_id,
        "revision": revision,
        "cluster": row.cluster,
        "topic": row.key,
        "owner": row.owner,
        "status": ERROR,
        "violations": [],
        "error": reason,
    }


def _verdict(row: Row, decision: Any, run_id: str, revision: str) -> dict[str, Any]:
    if decision is None:
        return error_verdict(row, "OPA's answer has no decision for this topic", run_id=run_id, revision=revision)
    try:
        if decision["revision"] != revision:
            raise ScanError(
                f"the policy changed during the scan, from revision {revision} to {decision['revision']}: run it again"
            )
        allowed, violations = decision["allowed"], [_violation(found) for found in decision["violations"]]
        if allowed is True or (allowed is False and violations):
            known = error_verdict(row, "", run_id=run_id, revision=revision)
            return {**known, "status": ALLOW if allowed else DENY, "violations": violations, "error": None}
        reason = "; ".join(decision["errors"]) if allowed is False else ""
        reason = reason or "OPA's decision does not say whether it allows, or why it denies"
    except (KeyError, TypeError, AttributeError) as error:
        reason = f"OPA's decision does not fit the contract ({type(error).__name__}: {error})"
    return error_verdict(row, reason, run_id=run_id, revision=revision)


def _violation(found: Mapping[str, Any]) -> dict[str, Any]:
    waiver, patch = found.get("waiver"), found.get("patch")
    return {
        **{name: found[name] for name in _REQUIRED},
        "path": [str(piece) for piece in found.get("path") or []],
        "fix": found.get("fix"),
        "patch": json.dumps(patch, separators=(",", ":"), sort_keys=True) if patch else None,
        "waiver": {name: waiver.get(name) for name in _WAIVER} if waiver else None,
    }
