"""Reasons to doubt an answer, so that another OPA is called. No I/O."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from warden.policy.contract.consistency import find_decision_fault

__all__ = ["FailoverReason", "Inspect", "find_failover_reason"]


@dataclass(frozen=True)
class FailoverReason:
    """Why another OPA is to be called although there is an answer.

    Args:
        text: A sentence that names the address.
        is_final: Whether the answer must not be used, even where no other OPA has one.
        needs_state: Whether only an OPA that may have a state is called in its place.
    """

    text: str
    is_final: bool = False
    needs_state: bool = False


Inspect = Callable[[str, Any], FailoverReason | None]
"""From an OPA's address and its answer to what is wrong with it; None where it is to be used."""


def find_failover_reason(
    url: str, decisions: Any, keys: Iterable[str], *, needs_state: bool = True
) -> FailoverReason | None:
    """Return what is wrong with decisions; None where they are to be used.

    Args:
        url: Which OPA they are of.
        decisions: By item.
        keys: The items.
        needs_state: Whether they are about the state that OPA has.
    """
    decided = decisions if isinstance(decisions, dict) else {}
    has_state = False
    for key in keys:
        decision = decided.get(key)
        if (fault := find_decision_fault(decision)) is not None:
            return FailoverReason(f"{url} did not decide the item {key!r}: the answer is not a decision ({fault})")
        has_state = has_state or decided[key].get("stateAge") is not None
    return (
        None if has_state or not needs_state else FailoverReason(f"{url} has no state of the cluster", needs_state=True)
    )
