"""Documents and changes at random, and what a JSON Patch does, for tests."""

import copy
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from hypothesis import strategies as st

from warden.state.sources.source import REMOVED, Change

KEYS = st.sampled_from(
    ["a", "b", "a/b", "a~b", "50%", "%2F", " ", "é", "..", "-", "0", "topics", "user=alice,client-id=<default>"]
)
INNER_KEYS = KEYS | st.just("")
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(["", "x", "1", 1.5])
    | st.lists(st.integers(0, 2), max_size=2)
)
VALUES = st.recursive(SCALARS, lambda inner: st.dictionaries(INNER_KEYS, inner, max_size=4), max_leaves=8)
DOCUMENTS = st.dictionaries(KEYS, st.dictionaries(KEYS, VALUES, max_size=4) | SCALARS, max_size=4)
CHANGES = st.builds(
    Change,
    st.tuples(KEYS) | st.tuples(KEYS, INNER_KEYS) | st.tuples(KEYS, KEYS, INNER_KEYS, KEYS),
    VALUES | st.just(REMOVED),
)


def patched(document: Any, operations: Iterable[Mapping[str, Any]]) -> Any:
    """Apply operations as OPA does: RFC 6902 with percent-encoded pieces; removing or replacing needs what is there."""
    found = copy.deepcopy(document)
    for operation in operations:
        *above, last = [
            unquote(piece).replace("~1", "/").replace("~0", "~") for piece in operation["path"].split("/")[1:]
        ]
        holder = found
        for piece in above:
            holder = holder[piece]
        assert isinstance(holder, dict)
        if operation["op"] in ("remove", "replace"):
            del holder[last]
        if operation["op"] in ("add", "replace"):
            holder[last] = copy.deepcopy(operation["value"])
    return found


def changed(document: dict[str, Any], change: Change) -> dict[str, Any]:
    """Apply one change to a replica, in the plainest way."""
    found = copy.deepcopy(document)
    holder: dict[str, Any] = found
    for piece in change.path[:-1]:
        below = holder.get(piece)
        if not isinstance(below, dict):
            if change.value is REMOVED:
                return found
            below = holder[piece] = {}
        holder = below
    if change.value is REMOVED:
        holder.pop(change.path[-1], None)
    else:
        holder[change.path[-1]] = copy.deepcopy(change.value)
    return found
