"""Suggestions in place of a request: the policy's configs merged in, and a patch where it is denied.

Nothing is suggested without a decision about it: what a merge or a patch makes of a request is evaluated again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warden.policy.adapter.fields import Malformed
from warden.policy.adapter.patch import apply_patch, with_config
from warden.policy.contract.decision import Decision

__all__ = ["Decide", "Patch", "Suggestion", "apply_annotations", "suggest_fix"]

Decide = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Returns the decision about a decision input."""

_ROUNDS = 4  # merging or mending may call for more of the same; what has not settled by then is not suggested

_Op = tuple[str, Mapping[str, Any]]
"""A rule and one operation of its patch."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A JSON Patch of the request after which nothing denies it, and of which no operation can be left out.

    Args:
        operations: In their order; paths are relative to the decision input's ``request``.
        rules: The rules whose patches they are.
        reversible: Whether what it does can be undone later: so every one of these rules says.
    """

    operations: tuple[Mapping[str, Any], ...]
    rules: tuple[str, ...]
    reversible: bool


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A request, the decision about it, and a patch where it is denied.

    Args:
        document: The decision input, with the policy's configs merged in.
        decision: The decision about this very document; its violations keep what of their patches is in ``patch``.
        patch: What mends a denied document; None where it is allowed, or where no combination of patches does.
    """

    document: Mapping[str, Any]
    decision: Decision
    patch: Patch | None = None


def suggest_fix(
    document: Mapping[str, Any],
    decision: Mapping[str, Any],
    decide: Decide,
    *,
    reversible: Callable[[str], bool] = lambda _rule: True,
) -> Suggestion:
    """Return what can be suggested for a request.

    Args:
        document: The decision input.
        decision: The decision about it.
        decide: Returns the decision about a changed input.
        reversible: Whether a rule's patch can be undone (``custom.reversible`` of its METADATA, true unless said).

    Raises:
        Whatever ``decide`` raises, and OpaUndefined where a decision is none: then nothing is suggested.
    """
    merged, evaluated = apply_annotations(document, decision, decide)
    if evaluated.get("allowed") is True:
        return Suggestion(merged, Decision.from_document(evaluated))
    patch = _find_patch(merged, evaluated, decide, reversible)
    return Suggestion(merged, Decision.from_document(_with_patch(evaluated, patch)), patch)


def apply_annotations(
    document: Mapping[str, Any], decision: Mapping[str, Any], decide: Decide
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Merge the decision's configs into the request until the decision asks for no more; the policy's value wins.

    Returns:
        The merged decision input and the decision about it.
    """
    for _ in range(_ROUNDS):
        request = document.get("request")
        proposed = decision.get("annotations", {}).get("configs", {})
        if not proposed or not isinstance(request, Mapping) or not _can_have_configs(document):
            return document, decision
        configs = request.get("configs")
        for name, value in proposed.items():
            configs = with_config(configs, name, value)
        if configs == request.get("configs"):
            return document, decision
        document = {**document, "request": {**request, "configs": configs}}
        decision = decide(document)
    return document, decision


def _can_have_configs(document: Mapping[str, Any]) -> bool:
    """Whether the request can carry configs: a new topic, or a change of configs."""
    return document.get("operation") == "CreateTopic" or "configs" in document.get("request", {})


def _find_patch(
    document: Mapping[str, Any], decision: Mapping[str, Any], decide: Decide, reversible: Callable[[str], bool]
) -> Patch | None:
    operations, renewed = _list_operations(decision), decision
    for _ in range(_ROUNDS):
        mended = _try_patch(document, operations)
        if not operations or mended is None:
            return None
        renewed = decide(mended)
        if renewed.get("allowed") is True:
            break
        more = [op for op in _list_operations(renewed) if op not in operations]
        if not more:
            return None
        operations += more
    else:
        return None
    kept = _minimise_patch(document, operations, decide)
    rules = tuple(sorted({rule for rule, _ in kept}))
    return Patch(tuple(operation for _, operation in kept), rules, all(map(reversible, rules)))


def _list_operations(decision: Mapping[str, Any]) -> list[_Op]:
    """The operations of the violations that deny; nothing is to be mended in what is waived or only warned about."""
    denying = (violation for violation in decision.get("violations", ()) if violation["effect"] == "deny")
    operations: list[_Op] = []
    for violation in denying:
        for operation in violation.get("patch") or ():
            if (violation["rule"], operation) not in operations:
                operations.append((violation["rule"], operation))
    return operations


def _minimise_patch(document: Mapping[str, Any], operations: Sequence[_Op], decide: Decide) -> list[_Op]:
    """Leave out each operation in turn, and leave it out for good where nothing denies without it."""
    kept = list(operations)
    for operation in operations:
        rest = [other for other in kept if other is not operation]
        mended = _try_patch(document, rest) if rest else None
        if mended is not None and decide(mended).get("allowed") is True:
            kept = rest
    return kept


def _try_patch(document: Mapping[str, Any], operations: Sequence[_Op]) -> dict[str, Any] | None:
    try:
        return {**document, "request": apply_patch(document["request"], [operation for _, operation in operations])}
    except Malformed:
        return None


def _with_patch(decision: Mapping[str, Any], patch: Patch | None) -> dict[str, Any]:
    operations = () if patch is None else patch.operations
    return {
        **decision,
        "violations": [
            {**violation, "patch": [operation for operation in violation.get("patch") or () if operation in operations]}
            for violation in decision.get("violations", ())
        ],
    }
