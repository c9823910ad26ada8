"""Rows of decisions from OPA's answer: one for each row that was sent, whatever the answer holds."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from warden.analyse.scan.batches import NAMES, Batch, Row
from warden.base.errors import ScanError
from warden.base.files.redact import STARS, is_secret_name, redact, redact_text
from warden.policy.contract.consistency import find_decision_fault

__all__ = ["ALLOW", "DENY", "ERROR", "build_error_row", "iter_decision_rows"]

ALLOW = "ALLOW"
DENY = "DENY"
ERROR = "ERROR"

_REQUIRED = ("rule", "effect", "severity", "message")
_WAIVER = ("id", "owner", "reason", "ticket", "expires", "expired")


def iter_decision_rows(batch: Batch, answer: bytes, *, revision: str) -> Iterator[dict[str, Any]]:
    """Yield one decision row for each row of the batch, in its order.

    A row is an ERROR, never a pass, where its key is missing from the answer, where the decision does not fit the
    contract or contradicts itself (it allows with errors or with a violation that denies, or denies without), and where
    OPA denied the input itself (it names no rule then: the resource was not evaluated).

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
        yield from _iter_name_rows(batch, result, revision)
        return
    if unsent := result.keys() - {row.key for row in batch.rows}:
        raise ScanError(f"OPA answered about {min(unsent)}, which was not in the request")
    for row in batch.rows:
        yield _build_decision_row(row, result.get(row.key), revision)


def _iter_name_rows(batch: Batch, result: Mapping[str, Any], revision: str) -> Iterator[dict[str, Any]]:
    """Names without a decision are allowed and break nothing: as many as OPA says, so that none is lost on the way."""
    count = len(batch.items)
    if result.get("evaluated") != count or not isinstance(decisions := result.get("decisions"), dict):
        raise ScanError(f"OPA evaluated {result.get('evaluated')} of {count} names: run the scan again")
    if (without := count - len(decisions)) != result.get("allowed"):
        raise ScanError(
            f"OPA allowed {result.get('allowed')} names, and {without} have no decision: run the scan again"
        )
    _require_same_revision(result.get("revision"), revision)
    names = set()
    for row in batch.rows:
        (name,) = json.loads(row.item)
        if name in decisions:
            names.add(name)
            yield _build_decision_row(row, decisions[name], revision)
        else:
            yield {"hash": row.key, "status": ALLOW, "violations": [], "error": None, "item": None}
    if unsent := decisions.keys() - names:
        raise ScanError(f"OPA answered about {min(unsent)}, which was not in the request")


def build_error_row(row: Row, reason: str) -> dict[str, Any]:
    """Return the row of an input that was not evaluated; it has the input, to be looked at, without its secrets."""
    return {"hash": row.key, "status": ERROR, "violations": [], "error": redact(reason), "item": redact_text(row.item)}


def _build_decision_row(row: Row, decision: Any, revision: str) -> dict[str, Any]:
    if decision is None:
        return build_error_row(row, "OPA's answer has no decision about this input")
    if (fault := find_decision_fault(decision)) is not None:
        return build_error_row(row, f"OPA's answer is not a decision: {fault}")
    try:
        _require_same_revision(decision["revision"], revision)
        allowed, broken = decision["allowed"], decision["violations"]
        resource = _build_resource(row) if broken else None
        violations = [_build_finding(violation, resource) for violation in broken]
    except (KeyError, TypeError, AttributeError) as error:
        return build_error_row(row, f"OPA's decision does not fit the contract ({type(error).__name__}: {error})")
    if not allowed and not any(violation["effect"] == "deny" for violation in violations):
        return build_error_row(row, "; ".join(decision["errors"]))
    status = ALLOW if allowed else DENY
    return {"hash": row.key, "status": status, "violations": violations, "error": None, "item": None}


def _require_same_revision(served: Any, revision: str) -> None:
    if served != revision:
        raise ScanError(f"the policy changed during the scan, from revision {revision} to {served}: run it again")


def _build_finding(violation: Mapping[str, Any], resource: Any) -> dict[str, Any]:
    """A violation as a finding, with the value in place at its path."""
    waiver, patch = violation.get("waiver"), violation.get("patch")
    path = [str(piece) for piece in violation.get("path") or []]
    return {
        **{name: redact(violation[name]) for name in _REQUIRED},
        "path": path,
        "actual": _find_actual(resource, path),
        "fix": redact(violation.get("fix")),
        "patch": json.dumps(patch, separators=(",", ":"), sort_keys=True) if patch else None,
        "waiver": {name: waiver.get(name) for name in _WAIVER} if waiver else None,
        "cause": violation.get("cause"),
        "before": redact(violation.get("before")),
    }


def _build_resource(row: Row) -> Any:
    """The resource's own state, in which paths lead: what the item's state has of it, over the request itself."""
    document = json.loads(row.item)
    if row.path == NAMES:
        ((topic, internal),) = document.items()
        return {"topic": topic, "internal": internal}
    request, state = document.get("request") or {}, document.get("clusterState") or {}
    topic = (state.get("topics") or {}).get(request.get("topic"))
    broker = (state.get("brokers") or {}).get(request.get("broker"))
    return {**request, **(topic or broker or {})}


def _find_actual(resource: Any, path: Sequence[str]) -> str | None:
    """What stands at the path, as JSON text; None where nothing is set there and a default is in force.

    A secret is not shown: findings go into reports that many may read.
    """
    if path and is_secret_name(path[-1]):
        return json.dumps(STARS)
    holder: Any = None
    for piece in path:
        holder = resource
        if isinstance(resource, list) and piece.isdigit() and int(piece) < len(resource):
            resource = resource[int(piece)]
        elif isinstance(resource, dict) and piece in resource:
            resource = resource[piece]
        else:
            return None
    if not path:
        return None
    beside = {name: holder[name] for name in ("name", "key", "path") if name in holder}  # what a value is called
    return json.dumps(redact({**beside, path[-1]: resource})[path[-1]], separators=(",", ":"), sort_keys=True)
