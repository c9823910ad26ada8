"""Values of JSON."""

from collections.abc import Mapping
from typing import Any

__all__ = ["is_equal"]


def is_equal(left: Any, right: Any) -> bool:
    """Return JSON's equality: true is not 1, at any depth, and 1.0 is 1."""
    if isinstance(left, Mapping):
        return (
            isinstance(right, Mapping)
            and left.keys() == right.keys()
            and all(is_equal(value, right[key]) for key, value in left.items())
        )
    if isinstance(left, list):
        return isinstance(right, list) and len(left) == len(right) and all(map(is_equal, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)
