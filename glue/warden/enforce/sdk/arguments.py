"""Arguments of the client's methods as the contract has them. Pure."""

from collections.abc import Mapping
from typing import Any

from warden.base.errors import ConfigurationError, InputError

__all__ = ["drop_none", "parse_principal", "require_mapping", "require_text", "stringify_keys"]


def drop_none(**fields: Any) -> dict[str, Any]:
    """Return the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def stringify_keys(what: str, by_number: Mapping[int, Any] | None) -> dict[str, Any] | None:
    """Return a mapping with its numbers as JSON's keys; None where there is none.

    Raises:
        InputError: It is no mapping; the text begins with ``what``.
    """
    if by_number is None:
        return None
    require_mapping(what, by_number)
    return {str(number): value for number, value in by_number.items()}


def require_mapping(what: str, value: object) -> None:
    """Return where a value is a mapping.

    Raises:
        InputError: It is none; the text begins with ``what``.
    """
    if not isinstance(value, Mapping):
        raise InputError(f"{what} is {value!r}: give a mapping")


def require_text(what: str, value: object) -> None:
    """Return where a value is a string that is not empty.

    Raises:
        ConfigurationError: It is none; the text begins with ``what``.
    """
    if not (isinstance(value, str) and value):
        raise ConfigurationError(f"{what} is {value!r}: give its name")


def parse_principal(text: object) -> dict[str, str]:
    """Return a principal, written as Kafka does, in the contract's form.

    Raises:
        ConfigurationError: It is none.
    """
    kind, colon, name = text.partition(":") if isinstance(text, str) else ("", "", "")
    if not (kind and colon and name):
        raise ConfigurationError(f"principal {text!r}: write it as Kafka does, type:name, such as User:alice")
    return {"type": kind, "name": name}
