"""Patches cut into parts that OPA reads: no request is larger than it accepts, however large a cluster is. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from warden.policy.opa.item_size import measure_json
from warden.state.replicate.patch import Operation, format_pointer

__all__ = ["is_small", "iter_parts"]

# OPA compares each operation of a patch with all before it: 8,000 take 10 s, and 500 at a time 1.6 s.
_MAX_PART_OPERATIONS: Final = 500
_MAX_SMALL_OPERATIONS: Final = 8000


def is_small(changes: Sequence[Operation], most: int) -> bool:
    """Return whether OPA takes operations in one request of at most ``most`` bytes."""
    return len(changes) <= _MAX_SMALL_OPERATIONS and sum(map(measure_json, changes)) <= most


def iter_parts(changes: Iterable[Operation], most: int) -> Iterator[list[Operation]]:
    """Yield lists of operations that do the same one after another, each of at most ``most`` bytes.

    OPA is done with all of them sooner than with one list. A value that is larger is put there empty and then filled.
    One that has no keys, or an empty one, which no pointer names, stays whole.
    """
    part: list[Operation] = []
    full = 0
    for change in changes:
        for operation, length in _divide(change, most):
            if part and (full + length > most or len(part) == _MAX_PART_OPERATIONS):
                yield part
                part, full = [], 0
            part.append(operation)
            full += length
    if part:
        yield part


def _divide(operation: Operation, most: int) -> Iterator[tuple[Operation, int]]:
    length, value = measure_json(operation), operation.get("value")
    if length <= most or not isinstance(value, Mapping) or not value or "" in value:
        yield operation, length
        return
    empty = {**operation, "value": {}}
    yield empty, measure_json(empty)
    for key, member in value.items():
        path = operation["path"] + format_pointer((key,))
        yield from _divide({"op": "add", "path": path, "value": member}, most)
