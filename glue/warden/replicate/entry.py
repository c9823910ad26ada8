"""Reading one mapping of the configuration file key by key; every mistake is collected, with its line and place."""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from warden.replicate.secret import Secret
from warden.yaml_files import line_of

__all__ = ["Entry", "Problems"]


class Problems:
    """The mistakes found in one file so far.

    Args:
        path: The file.
        node: The file as PyYAML's nodes, for line numbers.
    """

    def __init__(self, path: Path, node: yaml.Node | None) -> None:
        self.path = path
        self._node = node
        self._found: set[tuple[int, str]] = set()

    def add(self, place: Sequence[str], message: str) -> None:
        """Note that something is wrong at a place: keys, and positions in lists as text."""
        self._found.add((line_of(self._node, place), f"{'.'.join(place)}: {message}" if place else message))

    def __bool__(self) -> bool:
        return bool(self._found)

    def __str__(self) -> str:
        return "\n".join(f"{self.path}:{line}: {sentence}" for line, sentence in sorted(self._found))


class Entry:
    """A mapping of the file. What is wrong goes to ``problems``, and a harmless value comes back in its place.

    Args:
        value: The mapping, as YAML has it.
        place: Where it stands in the file.
        problems: Gets the mistakes.
        whole: The whole file, for what its parts share; None where this is it.
    """

    def __init__(self, value: Any, place: Sequence[str], problems: Problems, whole: "Entry | None" = None) -> None:
        self.place = tuple(place)
        self.problems = problems
        self.whole = whole or self
        self._asked: set[str] = set()
        self._value: Mapping[str, Any] = value if isinstance(value, dict) else {}
        if not isinstance(value, dict):
            problems.add(self.place, f"{_shown(value)} is no mapping: write keys with values")

    def __contains__(self, key: str) -> bool:
        self._asked.add(key)
        return self._value.get(key) is not None

    def complain(self, key: str, message: str) -> None:
        """Note that the value of a key is wrong, and what to write instead."""
        self.problems.add((*self.place, key), message)

    def raw(self, key: str) -> Any:
        """Return a value as YAML has it, None where there is none."""
        self._asked.add(key)
        return self._value.get(key)

    def text(self, key: str, *, default: str | None = None, like: str = ".+", example: str = "a text") -> str:
        """Return a text that matches the regular expression ``like`` as a whole; required without a default."""
        value = self.raw(key)
        if value is None and default is not None:
            return default
        if isinstance(value, str) and re.fullmatch(like, value, re.DOTALL):
            return value
        self.complain(key, f"{_shown(value)} will not do: write {example}")
        return default or ""

    def number(self, key: str, *, default: float, least: float = 0.0, most: float = math.inf) -> float:
        """Return a number within bounds."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most:
            return float(value)
        bounds = f"from {least:g} to {most:g}" if most < math.inf else f"of at least {least:g}"
        self.complain(key, f"{_shown(value)} will not do: write a number {bounds}, such as {default:g}")
        return default

    def count(self, key: str, *, default: int) -> int:
        """Return a whole number of at least one."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
            return value
        self.complain(key, f"{_shown(value)} will not do: write a whole number of at least 1, such as {default}")
        return default

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return true or false."""
        value = self.raw(key)
        if value is not None and not isinstance(value, bool):
            self.complain(key, f"{_shown(value)} will not do: write true or false")
        return value if isinstance(value, bool) else default

    def texts(self, key: str, *, default: Sequence[str] = ()) -> tuple[str, ...]:
        """Return a list of texts."""
        value = self.raw(key)
        if value is None:
            return tuple(default)
        if isinstance(value, list) and all(isinstance(item, str) and item for item in value):
            return tuple(value)
        self.complain(key, f"{_shown(value)} will not do: write a list of texts")
        return tuple(default)

    def path(self, key: str) -> Path | None:
        """Return a path, relative to the configuration file; None where there is none."""
        if key not in self:
            return None
        return self.problems.path.parent / self.text(key, example="a path")

    def secret(self, key: str) -> Secret | None:
        """Return a reference to a secret, ``{env: NAME}`` or ``{file: PATH}``; None where there is none."""
        if key not in self:
            return None
        return self._secret(self._value[key], (*self.place, key))

    def properties(self, key: str) -> dict[str, str | Secret]:
        """Return a mapping of names to texts or references to secrets, such as Kafka's client properties."""
        value = self.raw(key)
        if value is not None and not isinstance(value, dict):
            self.complain(key, f"{_shown(value)} is no mapping: write names with values")
        found: dict[str, str | Secret] = {}
        for name, given in (value if isinstance(value, dict) else {}).items():
            if isinstance(given, dict):
                secret = self._secret(given, (*self.place, key, str(name)))
                found |= {str(name): secret} if secret else {}
            elif isinstance(given, (str, int, float)):
                found[str(name)] = str(given).lower() if isinstance(given, bool) else str(given)
            else:
                self.problems.add((*self.place, key, str(name)), f"{_shown(given)} will not do: write a text")
        return found

    def inner(self, key: str) -> "Entry | None":
        """Return the mapping under a key, None where there is none."""
        return Entry(self._value[key], (*self.place, key), self.problems, self.whole) if key in self else None

    def entries(self, key: str) -> list["Entry"]:
        """Return the mappings of a list."""
        value = self.raw(key)
        if value is not None and not isinstance(value, list):
            self.complain(key, f"{_shown(value)} is no list: write one, each item with a dash")
        found = value if isinstance(value, list) else []
        here = (*self.place, key)
        return [Entry(item, (*here, str(at)), self.problems, self.whole) for at, item in enumerate(found)]

    def close(self) -> None:
        """Complain about every key that nobody asked for."""
        for key in self._value:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked))
                self.problems.add((*self.place, str(key)), f"there is no such key: write one of {known}")

    def _secret(self, value: Any, place: Sequence[str]) -> Secret | None:
        if isinstance(value, dict) and len(value) == 1:
            ((kind, name),) = value.items()
            if kind in ("env", "file") and isinstance(name, str) and name:
                file = self.problems.path.parent / name if kind == "file" else None
                return Secret(f"{self.problems.path}: {'.'.join(place)}", None if file else name, file)
        # Not shown: somebody may have written the secret itself.
        self.problems.add(place, "a secret is never in this file: write {env: NAME} or {file: PATH}")
        return None


def _shown(value: Any) -> str:
    return "nothing" if value is None else repr(value)
