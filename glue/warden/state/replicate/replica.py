"""The replica of a source: its last document, with counts and a checksum that are kept incrementally."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from warden.base.errors import InputError
from warden.state.replicate.patch import Operation, format_pointer, iter_operations, nest
from warden.state.sources.source import REMOVED, Change

__all__ = ["Replica"]

_MODULUS = 2**128


class Replica:
    """A document that is changed in place, with the operations that make the same change in OPA.

    Args:
        document: The whole document; taken over.
        parts: Top-level keys to keep; None for all.
        depth: How many keys lead to a piece of `checksum`; a value that is no mapping may stand higher. Empty mappings
            above that depth do not count.

    Attributes:
        left_out: Top-level keys that the source has and this leaves out.
    """

    def __init__(self, document: dict[str, Any], *, parts: Collection[str] | None = None, depth: int = 2) -> None:
        self._parts, self._depth = parts, depth
        self.left_out: set[str] = set()
        self.document = self._trim(document)
        self._sum = _sum((), self.document, depth)

    @property
    def checksum(self) -> str:
        """The checksum of the document as it is now: 32 hexadecimal digits.

        It is the sum, modulo 2^128, of the first 16 bytes of the SHA-256 of each of the document's pieces, a piece
        being written as JSON: ``[[key, …], value]``, keys sorted, no spaces, in ASCII. So it does not depend on an
        order, and a change costs the hashing of what it touches.
        """
        return f"{self._sum % _MODULUS:032x}"

    @property
    def counts(self) -> dict[str, int]:
        """How many entries each top-level mapping has."""
        return {key: len(part) for key, part in sorted(self.document.items()) if isinstance(part, Mapping)}

    def apply(self, changes: Iterable[Change]) -> list[Operation]:
        """Change the document and return the operations that change OPA's replica in the same way.

        Raises:
            InputError: A change names an empty key at the top, which OPA's patches cannot do.
        """
        return [operation for change in changes for operation in self._apply(change)]

    def become(self, document: dict[str, Any]) -> list[Operation]:
        """Take a whole new document and return the operations that make OPA's replica the same."""
        new = self._trim(document)
        gone = [Change((key,), REMOVED) for key in self.document.keys() - new.keys()]
        return self.apply([*gone, *(Change((key,), value) for key, value in new.items())])

    def _trim(self, document: dict[str, Any]) -> dict[str, Any]:
        if self._parts is None:
            return document
        self.left_out |= document.keys() - set(self._parts)
        return {key: value for key, value in document.items() if key in self._parts}

    def _apply(self, change: Change) -> list[Operation]:
        path, value = change
        if path[0] == "":
            raise InputError(f"an empty key cannot be at the top of what is replicated: {change}")
        if self._parts is not None and path[0] not in self._parts:
            self.left_out.add(path[0])
            return []
        touched = path[: self._depth]
        before = self._hash_path(touched)
        done = list(_apply_change(self.document, path, value))
        if done:
            self._sum += self._hash_path(touched) - before
        return done

    def _hash_path(self, path: tuple[str, ...]) -> int:
        """The sum of the pieces at and below a path, or of the one above it that stands in its way."""
        value: Any = self.document
        for at, key in enumerate(path):
            if not isinstance(value, Mapping):
                return _hash(path[:at], value)
            if key not in value:
                return 0
            value = value[key]
        return _sum(path, value, self._depth - len(path))


def _apply_change(document: dict[str, Any], path: tuple[str, ...], value: Any) -> Iterator[Operation]:
    """Change a document in place, and yield the operations."""
    holder = document
    for at, key in enumerate(path[:-1]):
        below = holder.get(key)
        if not isinstance(below, dict):  # from here on it has to be made
            if value is not REMOVED:
                yield from _set(document, holder, path[: at + 1], nest(path[at + 1 :], value))
            return
        holder = below
    if value is not REMOVED:
        yield from _set(document, holder, path, value)
    elif holder.pop(path[-1], REMOVED) is not REMOVED:
        yield _build_replacement(document, path) or {"op": "remove", "path": format_pointer(path)}


def _set(document: dict[str, Any], holder: dict[str, Any], path: tuple[str, ...], value: Any) -> Iterator[Operation]:
    old = holder.get(path[-1], REMOVED)
    holder[path[-1]] = value
    changes = (
        [{"op": "add", "path": format_pointer(path), "value": value}]
        if old is REMOVED
        else iter_operations(path, old, value)
    )
    for operation in changes:
        named = _build_replacement(document, path)
        yield _freeze_operation(named or operation)
        if named:
            return


def _build_replacement(document: dict[str, Any], path: tuple[str, ...]) -> Operation | None:
    """Where an empty key, which no pointer can name, is on the way: what replaces the mapping that holds it."""
    if "" not in path:
        return None
    above = path[: path.index("")]
    value: Any = document
    for key in above:
        value = value[key]
    return _freeze_operation({"op": "replace", "path": format_pointer(above), "value": value})


def _freeze_operation(operation: Operation) -> Operation:
    """The operation as it is now, whatever becomes of the mappings that it was made of before it is sent."""
    value = operation.get("value")
    return {**operation, "value": json.loads(json.dumps(value))} if isinstance(value, (dict, list)) else operation


def _sum(path: tuple[str, ...], value: Any, depth: int) -> int:
    if depth > 0 and isinstance(value, Mapping):
        return sum(_sum((*path, key), below, depth - 1) for key, below in value.items())
    return _hash(path, value)


def _hash(path: tuple[str, ...], value: Any) -> int:
    text = json.dumps([path, value], sort_keys=True, separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")
