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
    allowed = schema.get("type", [*_TYPES])
    types = [_TYPES[type_name] for type_name in ([allowed] if isinstance(allowed, str) else allowed)]
    if not any(fits(value) for _, fits in types):
        wanted, text = " or ".join(words for words, _ in types), json.dumps(value, ensure_ascii=False)
        text = text if len(text) <= 40 else f"{text[:40]}…"
        yield f"{name or 'the state'} is {text}: write {wanted}"
    elif isinstance(value, dict):
        fields, additional = schema.get("properties", {}), schema.get("additionalProperties", {})
        for key, member in value.items():
            yield from _iter_faults(member, fields.get(key, additional), f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _iter_faults(item, schema.get("items", {}), f"{name}[{index}]")
