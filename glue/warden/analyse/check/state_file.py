"""A file with a cluster state in JSON, held against the types of its schema; what is left out is not known."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from warden.base.errors import InputError
from warden.base.files.json_files import read_json
from warden.policy.contract.schemas import read_schema

__all__ = ["read_state"]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "array": ("a list", lambda value: isinstance(value, list)),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "integer": ("an integer", lambda value: _is_number(value) and value == int(value)),
    "null": ("null", lambda value: value is None),
    "number": ("a number", _is_number),
    "object": ("an object", lambda value: isinstance(value, dict)),
    "string": ("a string", lambda value: isinstance(value, str)),
}


def read_state(path: Path) -> dict[str, Any]:
    """Read a state.

    Args:
        path: The file.

    Raises:
        InputError: It cannot be read, or a field is of another type than in the contract; the text names it.
    """
    state: dict[str, Any] = read_json(path, "a cluster state")
    for fault in _iter_faults(state, read_schema("cluster-state"), ""):
        raise InputError(f"{path}: {fault}")
    return state


def _iter_faults(value: Any, schema: Mapping[str, Any], name: str) -> Iterator[str]:
    known = schema.get("type", [*_TYPES])
    types = [_TYPES[one] for one in ([known] if isinstance(known, str) else known)]
    if not any(fits(value) for _, fits in types):
        wanted, found = " or ".join(words for words, _ in types), json.dumps(value, ensure_ascii=False)
        found = found if len(found) <= 40 else f"{found[:40]}…"
        yield f"{name or 'the state'} is {found}: write {wanted}"
    elif isinstance(value, dict):
        fields, other = schema.get("properties", {}), schema.get("additionalProperties", {})
        for key, each in value.items():
            yield from _iter_faults(each, fields.get(key, other), f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _iter_faults(each, schema.get("items", {}), f"{name}[{index}]")
