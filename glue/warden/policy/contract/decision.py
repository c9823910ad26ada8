"""The contract's decision as typed values; fields that a newer bundle adds are kept in ``document`` and ignored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from warden.base.errors import OpaUndefined
from warden.policy.contract.consistency import find_decision_fault
from warden.policy.contract.severities import Severity

__all__ = ["Decision", "Document", "KafkaRefusal", "Violation"]

Document = Mapping[str, Any]
"""A JSON object of the contract: a decision input, a decision, or a part of one."""


@dataclass(frozen=True, slots=True)
class KafkaRefusal:
    """What Kafka would answer: its code, that code's name, and a text for a person."""

    code: int
    name: str
    message: str


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule that is broken.

    Args:
        rule: The rule's id, such as ``KFK-DUR-001``.
        effect: What follows from it.
        severity: How much depends on it.
        message: What is wrong.
        fix: What to do.
        path: Where in the request.
        patch: A JSON Patch of the request; empty where there is none.
        waiver: The waiver that names it, ``expired`` where it has ended; None without one.
        cause: ``caused`` by the change, or ``found`` there before it; None where that was not looked for.
        before: Its message before the change, where it was found.
    """

    rule: str
    effect: Literal["deny", "warn", "dryrun", "waived"]
    severity: Severity
    message: str
    fix: str
    path: tuple[str, ...] = ()
    patch: tuple[Document, ...] = ()
    waiver: Document | None = None
    cause: Literal["caused", "found"] | None = None
    before: str | None = None

    @classmethod
    def from_document(cls, document: Document) -> Self:
        """Read an element of a decision's ``violations``."""
        return cls(
            rule=document["rule"],
            effect=document["effect"],
            severity=document["severity"],
            message=document["message"],
            fix=document.get("fix", ""),
            path=tuple(document.get("path") or ()),
            patch=tuple(document.get("patch") or ()),
            waiver=document.get("waiver"),
            cause=document.get("cause"),
            before=document.get("before"),
        )


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision; true exactly when it allows.

    Args:
        allowed: Whether the request may be carried out.
        errors: What denies it: one sentence each.
        error: What Kafka would answer; None when allowed.
        violations: Every broken rule, also those that only warn or are waived.
        warnings: What does not deny and should be known.
        annotations: Values that the policy wants on the resource; configs are under ``configs``.
        state_age: Seconds since the facts were observed; None where that is not known.
        revision: The bundle's.
        document: The decision as OPA answered it.
    """

    allowed: bool
    errors: tuple[str, ...]
    error: KafkaRefusal | None
    violations: tuple[Violation, ...]
    warnings: tuple[str, ...]
    annotations: Document
    state_age: float | None
    revision: str | None
    document: Document = field(repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.allowed

    @classmethod
    def from_document(cls, document: Document) -> Self:
        """Read a decision.

        Raises:
            OpaUndefined: It is not a decision, or one that contradicts itself: nothing was decided.
        """
        fault = find_decision_fault(document)
        if fault is not None:
            raise OpaUndefined(f"the answer is not a decision ({fault}): treat it as not allowed")
        try:
            error = document["error"]
            return cls(
                allowed=document["allowed"],
                errors=tuple(document["errors"]),
                error=None if error is None else KafkaRefusal(error["code"], error["name"], error["message"]),
                violations=tuple(map(Violation.from_document, document["violations"])),
                warnings=tuple(document.get("warnings", ())),
                annotations=document.get("annotations", {}),
                state_age=document.get("stateAge"),
                revision=document.get("revision"),
                document=document,
            )
        except (AttributeError, KeyError, TypeError) as wrong:
            raise OpaUndefined(f"the answer is not a decision ({wrong!r}): treat it as not allowed") from wrong
