"""Sums of ``charges`` by JSON pointer: what decided items add to capped totals, for the items after them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["add_charges"]


def add_charges(common: Mapping[str, Any] | None, decisions: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what further items of a request have in common once some are decided.

    Args:
        common: What the items have in common; its ``pending`` is added to.
        decisions: The contract's decisions of the items before, with their ``charges``.
    """
    pending: Counter[str] = Counter((common or {}).get("pending", {}))
    for decision in decisions:
        pending.update(decision.get("charges", {}))
    return {**(common or {}), **({"pending": dict(pending)} if pending else {})}
