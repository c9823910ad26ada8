"""Texts to set a configuration to: the edges of its type, of its limits and of its choices."""

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["values"]

_LONG = str(2**63 - 1)
_EDGES: Final[dict[str, tuple[str, ...]]] = {
    "short": ("0", "1", "-1", "2", "32767", "32768", "x", "", "+5", "\u0663"),
    "int": ("0", "1", "-1", "-2", "2", "7", "2147483647", "2147483648", "x", "", " 5 ", "+5", "007", "1.0", "\u0663"),
    "long": ("0", "1", "-1", "-2", "-0", "1000", _LONG, "9223372036854775808", "x", "", " 5 ", "+5", "1e3", "\u0663"),
    "double": (
        "0",
        "1",
        "-1",
        "0.5",
        "1e-1",
        "1.50",
        "NaN",
        "Infinity",
        "-Infinity",
        "0x1p-1",
        "1D ",
        "1e400",
        "x",
        "",
    ),
    "boolean": ("true", "false", "TRUE", " False ", "yes", "", "1"),
    "string": ("", "x", "a b", " x "),
    "class": ("", "java.lang.String", "a b"),
    "list": ("", "a", "delete", "compact", "delete,compact", "a,,b", "a,a", ",", " delete , compact "),
    "password": ("", "secret"),
}


def values(row: Mapping[str, Any]) -> list[str]:
    """Return texts for a configuration, by its row of the catalogue."""
    limits = [row[limit] for limit in ("min", "max", "or") if limit in row]
    near = [str(limit + step) for limit in limits if isinstance(limit, int) for step in (-1, 0, 1)]
    choices = row.get("validStrings", [])
    capitals = [choice.upper() for choice in choices[:1]]
    default = [row["default"]] if row.get("default") is not None else []
    return [*_EDGES[row["type"]], *near, *choices, *capitals, *default]
