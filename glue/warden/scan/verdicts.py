"""From OPA's answer to outcomes: one for each row that was sent, whatever the answer holds."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from warden.errors import ScanError
from warden.expired import expired
from warden.scan.batches import NAMES, Batch, Row

__all__ = ["ALLOW", "DENY", "ERROR", "outcome_of_error", "outcomes"]

ALLOW = "ALLOW"
DENY = "DENY"
ERROR = "ERROR"

_REQUIRED = ("rule", "mode", "severity", "message")
_WAIVER = ("id", "owner", "reason", "ticket", "expires")


def outcomes(batch: Batch, answer: bytes, *, revision: str) -> Iterator[dict[str, Any]]:
    """Yield one outcome for each row of the batch, in its order.

    A row is an ERROR, never a pass, where its key is missing from the answer, where the decision does not fit the
    contract, and where OPA denied the input itself (it names no rule then: the resource was not judged).

    Args:
        batch: What was sent.
        answer: The whole body of OPA's answer.
        revision: The bundle revision that the run is about.

    Raises:
        ScanError: The answer is not one to a batch, or comes from another revision of the bundle.
    """
    try:
        result = json.loads(answer)["result"]
    except (ValueError, KeyError, TypeError) as error:
        raise ScanError(f"OPA's answer to a batch has no result: does this OPA serve {batch.path}?") from error
    if not isinstance(result, dict):
        raise ScanError("OPA's answer to a batch is not an object by key: does this OPA serve Warden's bundle?")
    if batch.path == NAMES:
        yield from _of_names(batch, result, revision)
        return
    if unasked := result.keys() - {row.key for row in batch.rows}:
        raise ScanError(f"OPA answered about {min(unasked)}, which was not in the request")
    for row in batch.rows:
        yield _outcome(row, result.get(row.key), revision)


def _of_names(batch: Batch, result: Mapping[str, Any], revision: str) -> Iterator[dict[str, Any]]:
    """Names without a decision are allowed and break nothing, as long as OPA says that it judged them all."""
    asked = len(batch.items)
    if result.get("judged") != asked or not isinstance(decisions := result.get("decisions"), dict):
        raise ScanError(f"OPA was asked about {asked} names and judged {result.get('judged')}: run it again")
    _same_revision(result.get("revision"), revision)
    found = set()
    for row in batch.rows:
        (name,) = json.loads(row.item)
        if name in decisions:
            found.add(name)
            yield _outcome(row, decisions[name], revision)
        else:
            yield {"hash": row.key, "status": ALLOW, "violations": [], "error": None, "item": None}
    if unasked := decisions.keys() - found:
        raise ScanError(f"OPA answered about {min(unasked)}, which was not in the request")


def outcome_of_error(row: Row, reason: str) -> dict[str, Any]:
    """Return the outcome of a row that could not be judged; it has the row's input, to be looked at and sent again."""
    return {"hash": row.key, "status": ERROR, "violations": [], "error": reason, "item": row.item}


def _outcome(row: Row, decision: Any, revision: str) -> dict[str, Any]:
    if decision is None:
        return outcome_of_error(row, "OPA's answer has no decision about this input")
    try:
        _same_revision(decision["revision"], revision)
        allowed, found = decision["allowed"], decision["violations"]
        judged = _resource(row) if found else None
        violations = [_violation(each, judged, expired(each, decision)) for each in found]
        if allowed is True or (allowed is False and violations):
            status = ALLOW if allowed else DENY
            return {"hash": row.key, "status": status, "violations": violations, "error": None, "item": None}
        reason = "; ".join(decision["errors"]) if allowed is False else ""
        reason = reason or "OPA's decision does not say whether it allows, or why it denies"
    except (KeyError, TypeError, AttributeError) as error:
        reason = f"OPA's decision does not fit the contract ({type(error).__name__}: {error})"
    return outcome_of_error(row, reason)


def _same_revision(found: Any, revision: str) -> None:
    if found != revision:
        raise ScanError(f"the policy changed during the scan, from revision {revision} to {found}: run it again")


def _violation(found: Mapping[str, Any], judged: Any, ended: str) -> dict[str, Any]:
    """A violation as a finding: its waiver is one that holds; of one that has expired the message tells."""
    waiver, patch = None if ended else found.get("waiver"), found.get("patch")
    path = [str(piece) for piece in found.get("path") or []]
    return {
        **{name: found[name] for name in _REQUIRED},
        "message": f"{found['message']}{ended}",
        "path": path,
        "actual": _actual(judged, path),
        "fix": found.get("fix"),
        "patch": json.dumps(patch, separators=(",", ":"), sort_keys=True) if patch else None,
        "waiver": {name: waiver.get(name) for name in _WAIVER} if waiver else None,
    }


def _resource(row: Row) -> Any:
    """The resource's own state, in which paths lead: what the item's state has of it, over the request itself."""
    document = json.loads(row.item)
    if row.path == NAMES:
        ((topic, internal),) = document.items()
        return {"topic": topic, "internal": internal}
    request, state = document.get("request") or {}, document.get("clusterState") or {}
    topic = (state.get("topics") or {}).get(request.get("topic"))
    broker = (state.get("brokers") or {}).get(request.get("broker"))
    return {**request, **(topic or broker or {})}


def _actual(judged: Any, path: Sequence[str]) -> str | None:
    """What stands at the path, as JSON text; None where nothing is set there and a default is in force."""
    for piece in path:
        if isinstance(judged, list) and piece.isdigit() and int(piece) < len(judged):
            judged = judged[int(piece)]
        elif isinstance(judged, dict) and piece in judged:
            judged = judged[piece]
        else:
            return None
    return json.dumps(judged, separators=(",", ":"), sort_keys=True) if path else None
