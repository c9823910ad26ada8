"""Contradictions in a decision, for all who read decisions: one that has any is not believed. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

from warden.policy.contract.effect import EFFECTS

__all__ = ["find_decision_fault"]

_TEXTS = ("rule", "severity", "message")


def find_decision_fault(decision: Any) -> str | None:
    """Return why what OPA answered decides nothing; None where it is a decision.

    A decision allows where it has no ``errors``, no ``error`` and no violation that denies, and else denies
    (docs/reference/contract.md). One that says both may have lost half of itself on the way.

    Args:
        decision: The contract's decision, of any JSON type.
    """
    return next(_iter_faults(decision), None)


def _iter_faults(decision: Any) -> Iterator[str]:
    """Yield what is wrong; what comes after the first sentence may rest on what that one denies."""
    if not isinstance(decision, Mapping):
        yield "it is not an object"
    allowed, errors, error = decision.get("allowed"), decision.get("errors"), decision.get("error", False)
    violations = decision.get("violations")
    if not isinstance(allowed, bool):
        yield "it does not say whether it allows"
    if not isinstance(errors, list) or not all(isinstance(text, str) for text in errors):
        yield "its errors are no list of strings"
    if error is not None and not (isinstance(error, Mapping) and _is_kafka_error(error)):
        yield "its error is neither null nor one of Kafka's"
    if not isinstance(violations, list) or not all(map(_is_violation, violations)):
        yield "its violations are no list of violations"
    if allowed and (errors or error is not None):
        yield "it contradicts itself: it allows, with errors"
    if allowed and any(violation["effect"] == "deny" for violation in violations):
        yield "it contradicts itself: it allows, with a violation that denies"
    if not allowed and (not errors or error is None):
        yield "it contradicts itself: it denies, without an error"


def _is_kafka_error(error: Mapping[str, Any]) -> bool:
    code = error.get("code")
    texts = isinstance(error.get("name"), str) and isinstance(error.get("message"), str)
    return texts and isinstance(code, int) and not isinstance(code, bool) and code != 0


def _is_violation(violation: Any) -> bool:
    if not isinstance(violation, Mapping) or violation.get("effect") not in EFFECTS:
        return False
    return all(isinstance(violation.get(name), str) for name in _TEXTS)
