"""The order of Java's hash tables, in which kafka-configs.sh prints what Kafka's Admin client returns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

__all__ = ["hash_entity", "hash_text", "order_as_java"]

_Key = TypeVar("_Key")

_BITS = 0xFFFFFFFF
_SMALLEST = 16  # capacity of a HashMap that is made without one
_LOAD = 0.75


def hash_text(text: str | None) -> int:
    """Return ``String.hashCode``, without a sign; 0 of null."""
    units = (text or "").encode("utf-16-be", "surrogatepass")
    code = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        code = (31 * code + (high << 8 | low)) & _BITS
    return code


def hash_entity(names: Mapping[str, str | None]) -> int:
    """Return ``ClientQuotaEntity.hashCode`` of an entity's names by Kafka's entity type, without a sign."""
    return 31 + sum(hash_text(kind) ^ hash_text(name) for kind, name in names.items()) & _BITS


def order_as_java(keys: Iterable[_Key], code: Callable[[_Key], int], *, sized: bool = False) -> list[_Key]:
    """Return distinct keys in the order in which a HashMap has them.

    Args:
        keys: In the order in which they are put into it.
        code: Returns a key's ``hashCode``, without a sign.
        sized: Whether it is made with their number as its capacity.
    """
    every = list(keys)
    size = _compute_capacity(every, sized=sized)

    def place(key: _Key) -> int:
        hashed = code(key)
        return (hashed ^ hashed >> 16) & size - 1

    return sorted(every, key=place)


def _compute_capacity(keys: Sequence[object], *, sized: bool) -> int:
    size = 1
    while size < (len(keys) if sized else _SMALLEST):
        size *= 2
    while len(keys) > int(size * _LOAD):
        size *= 2
    return size
