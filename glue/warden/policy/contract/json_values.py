"""Values of JSON."""

from collections.abc import Mapping
from typing import Any

__all__ = ["is_equal"]


def is_equal(one: Any, other: Any) -> bool:
    """Return JSON's equality: true is not 1, at any depth, and 1.0 is 1."""
    if isinstance(one, Mapping):
        return (
            isinstance(other, Mapping)
            and one.keys() == other.keys()
            and all(is_equal(value, other[key]) for key, value in one.items())
        )
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(is_equal, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
