"""Readers of one field of a struct of Kafka's JSON, which say what is wrong with it."""

from collections.abc import Mapping
from typing import Any

from warden.policy.adapter.fields import Malformed

__all__ = ["Struct", "list_structs", "parse_code", "parse_structs", "parse_text", "parse_text_or_null"]

Struct = Mapping[str, Any]


def list_structs(value: Any) -> list[Struct]:
    """Return the structs that stand in a list; of what is none, nothing."""
    return [struct for struct in value if isinstance(struct, Mapping)] if isinstance(value, list | tuple) else []


def parse_structs(struct: Struct, field: str) -> list[Struct]:
    """Return a list of structs.

    Raises:
        Malformed: It is none.
    """
    value = struct.get(field)
    if not isinstance(value, list | tuple) or not all(isinstance(element, Mapping) for element in value):
        raise Malformed(f"{field}: must be a list of objects")
    return list(value)


def parse_text(struct: Struct, field: str) -> str:
    """Return a text.

    Raises:
        Malformed: It is none.
    """
    value = parse_text_or_null(struct, field)
    if value is None:
        raise Malformed(f"{field}: must be a string")
    return value


def parse_text_or_null(struct: Struct, field: str) -> str | None:
    """Return a text, or None where there is none.

    Raises:
        Malformed: It is something else.
    """
    value = struct.get(field)
    if value is not None and not isinstance(value, str):
        raise Malformed(f"{field}: must be a string or null")
    return value


def parse_code(struct: Struct, field: str) -> int:
    """Return an integer.

    Raises:
        Malformed: It is none.
    """
    value = struct.get(field)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Malformed(f"{field}: must be an integer")
    return value
