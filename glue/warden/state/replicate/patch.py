"""Difference of two values as a JSON Patch (RFC 6902), with the fewest operations that OPA understands. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from warden.policy.contract.json_values import is_equal

__all__ = ["Operation", "format_pointer", "iter_operations", "nest"]

Operation = dict[str, Any]


def format_pointer(path: Sequence[str]) -> str:
    """Return a path as OPA reads it in a patch: a JSON pointer (RFC 6901) whose pieces are percent-encoded too.

    OPA 1.22 decodes both (``parsePatchPathEscaped`` in v1/server/server.go). It has no way to name an empty key.
    """
    return "".join("/" + quote(piece.replace("~", "~0").replace("/", "~1"), safe="~") for piece in path)


def nest(path: Sequence[str], value: Any) -> Any:
    """Return a value inside mappings, one for each key of a path."""
    for key in reversed(path):
        value = {key: value}
    return value


def iter_operations(path: Sequence[str], old: Any, new: Any) -> Iterator[Operation]:
    """Yield what turns ``old`` into ``new``, both at ``path``.

    Mappings are compared key by key. Anything else that differs is replaced as a whole, and so are mappings that have
    nothing in common, or differ in an empty key, which no pointer can name.

    Args:
        path: Keys from the patched document down; none of them empty.
        old: JSON-like.
        new: JSON-like.
    """
    if is_equal(old, new):
        return
    if not isinstance(old, Mapping) or not isinstance(new, Mapping) or not _has_common_keys(old, new):
        yield {"op": "replace", "path": format_pointer(path), "value": new}
        return
    for key in old.keys() - new.keys():
        yield {"op": "remove", "path": format_pointer((*path, key))}
    for key, value in new.items():
        if key in old:
            yield from iter_operations((*path, key), old[key], value)
        else:
            yield {"op": "add", "path": format_pointer((*path, key)), "value": value}


def _has_common_keys(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    if "" in old or "" in new:
        return "" in old and "" in new and is_equal(old[""], new[""])
    return any(key in new for key in old)
