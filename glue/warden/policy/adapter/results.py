"""The result for each resource of a request: Kafka's error code, its name and a text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from warden.policy.contract.consistency import find_decision_fault

__all__ = [
    "ALLOWED",
    "POLICY_VIOLATION",
    "UNKNOWN_TOPIC_ID",
    "Result",
    "build_decision_result",
    "build_invalid_request_result",
    "build_undecided_result",
]

POLICY_VIOLATION: Final = 44
"""Kafka's code for what a policy does not allow."""


@dataclass(frozen=True, slots=True)
class Result:
    """The answer about one resource, as Kafka's responses carry it; true exactly when it allows.

    Args:
        error_code: Kafka's code (``org.apache.kafka.common.protocol.Errors``); 0 where nothing speaks against it.
        error_name: The name of that code.
        error_message: A text for a person, None where there is none or the response has no field for it.
        suppressed_reason: What the response cannot carry and a log has to: the reason.
    """

    error_code: int = 0
    error_name: str = "NONE"
    error_message: str | None = None
    suppressed_reason: str | None = None

    def __bool__(self) -> bool:
        return self.allowed

    @property
    def allowed(self) -> bool:
        """Whether the resource may go on to Kafka."""
        return self.error_code == 0

    def to_document(self) -> dict[str, Any]:
        """Return the three fields under the names that Kafka's JSON gives them."""
        return {"errorCode": self.error_code, "errorName": self.error_name, "errorMessage": self.error_message}


ALLOWED = Result()
UNKNOWN_TOPIC_ID = Result(100, "UNKNOWN_TOPIC_ID", "This server does not host this topic ID.")


def build_invalid_request_result(message: str) -> Result:
    """Return what Kafka answers to a request that makes no sense."""
    return Result(42, "INVALID_REQUEST", message)


def build_undecided_result(what: str) -> Result:
    """Return the answer where no decision came back: neither allowed nor denied by a rule, so nothing may happen."""
    return Result(-1, "UNKNOWN_SERVER_ERROR", f"nothing was decided about {what}, so it is not carried out: try again")


def build_decision_result(decision: Mapping[str, Any] | None, what: str) -> Result:
    """Return the result that follows from a decision (the contract's); anything else is `build_undecided_result`.

    Args:
        decision: As OPA answered it, None where it is missing.
        what: The resource, for the text.
    """
    if decision is None or find_decision_fault(decision) is not None:
        return build_undecided_result(what)
    error = decision["error"]
    return ALLOWED if error is None else Result(error["code"], error["name"], error["message"])
