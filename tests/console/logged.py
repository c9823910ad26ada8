"""Events as OPA logs them, for tests of what becomes of them."""

from datetime import UTC, datetime
from typing import Any

__all__ = ["NOW", "build_event", "build_violation"]

NOW = datetime(2026, 11, 21, 10, 0, tzinfo=UTC).timestamp()


def build_violation(rule: str = "KFK-DUR-001", effect: str = "deny", **fields: Any) -> dict[str, Any]:
    """Return a violation, its fields as given."""
    return {
        "rule": rule, "effect": effect, "severity": "high", "message": "replication factor 1 is below 3",
        "fix": "set 3", "path": [], "patch": [], "waiver": None, "cause": "caused", **fields,
    }  # fmt: skip


def build_event(id: str, *violations: dict[str, Any], at: float = NOW, **given: Any) -> dict[str, Any]:
    """Return the event of a decision about a topic; it denies where a violation does.

    Args:
        id: Its decision id.
        violations: As of `build_violation`.
        at: Seconds since 1970.
        given: Fields of the decision input that are otherwise.
    """
    denies = any(each["effect"] == "deny" for each in violations)
    error = {"code": 44, "name": "POLICY_VIOLATION", "message": "no"} if denies else None
    return {
        "decision_id": id,
        "timestamp": datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z"),
        "path": "kafka/decision",
        "labels": {"id": "opa-1", "version": "1.22.0"},
        "bundles": {"warden": {"revision": "r1"}},
        "input": {
            "operation": "CreateTopic",
            "cluster": "prod-eu",
            "enforcementPoint": "gateway",
            "principal": {"type": "User", "name": "alice"},
            "request": {"topic": "payments.cards", "numPartitions": 3, "configs": {}, "labels": {"owner": "payments"}},
            **given,
        },
        "result": {
            "allowed": not denies, "error": error, "errors": ["no"] if denies else [], "warnings": [],
            "violations": list(violations), "annotations": {}, "stateAge": 2, "revision": "r1",
        },
    }  # fmt: skip
