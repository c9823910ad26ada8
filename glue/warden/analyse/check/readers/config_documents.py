"""Configuration files as maps of text with the line of each key: properties, and the JSON of Kafka Connect."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warden.base.errors import InputError
from warden.base.files.json_files import parse_json
from warden.base.files.properties import parse_entries

__all__ = ["ConfigDocument", "read_document"]

_NOT_PROPERTIES = re.compile(r"\s*(?:(<)|(---))")
_BLANK = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True)
class ConfigDocument:
    """A configuration.

    Args:
        file: Where it stands.
        configs: Name → text, or None for JSON's null.
        lines: Name → line, from 1.
    """

    file: Path
    configs: Mapping[str, str | None]
    lines: Mapping[str, int]


def read_document(content: bytes, file: Path) -> ConfigDocument:
    """Read a configuration: JSON where it begins as an object or a list, properties otherwise.

    Args:
        content: The file, without zero bytes.
        file: Its name, for messages.

    Raises:
        InputError: It is neither; the text names file and line.
    """
    if content.lstrip()[:1] in (b"{", b"["):
        return _parse_json_document(file, content)
    return _parse_properties_document(file, content.decode("latin-1"))


def _parse_properties_document(file: Path, text: str) -> ConfigDocument:
    if match := _NOT_PROPERTIES.match(text):
        line = text[: match.start(match.lastindex or 0)].count("\n") + 1
        kind = {1: "XML", 2: "YAML"}[match.lastindex or 0]
        raise InputError(f"{file}:{line}: not properties, it begins as {kind}: write properties, or JSON")
    entries = parse_entries(text, file)
    configs = {entry.key: entry.value for entry in entries}
    return ConfigDocument(file, configs, {entry.key: entry.line for entry in entries})


def _parse_json_document(file: Path, content: bytes) -> ConfigDocument:
    whole = parse_json(content, str(file), "a configuration")
    text = content.decode("utf-8")
    if not isinstance(whole, dict):
        raise InputError(f"{file}:1: not an object: write {{name: value}}, or Connect's {{name, config}}")
    members = {key: (value, at, start) for key, value, at, start in _iter_members(text, 0)}
    if isinstance(whole.get("config"), dict):
        members = {key: (value, at, start) for key, value, at, start in _iter_members(text, members["config"][2])}
    lines = {key: text[:at].count("\n") + 1 for key, (_, at, _) in members.items()}
    return ConfigDocument(
        file, {key: _convert_value(file, lines[key], key, value) for key, (value, _, _) in members.items()}, lines
    )


def _iter_members(text: str, at: int) -> Iterator[tuple[str, Any, int, int]]:
    """The members of the object that begins at ``at`` in JSON known to be well-formed: key, value, and both places."""
    decoder = json.JSONDecoder()
    position = _skip(text, _skip(text, at) + 1)
    while text[position] == '"':
        key, after = decoder.raw_decode(text, position)
        start = _skip(text, _skip(text, after) + 1)
        value, end = decoder.raw_decode(text, start)
        yield key, value, position, start
        position = _skip(text, end)
        position = _skip(text, position + 1) if text[position] == "," else position


def _skip(text: str, position: int) -> int:
    blank = _BLANK.match(text, position)
    return blank.end() if blank else position


def _convert_value(file: Path, line: int, key: str, value: Any) -> str | None:
    """A value as Connect reads it: numbers and booleans become text."""
    if isinstance(value, dict | list):
        kind = "an object" if isinstance(value, dict) else "a list"
        raise InputError(f"{file}:{line}: {key} is {kind}: write a string, as Connect takes no other value")
    return value if isinstance(value, str | None) else json.dumps(value)
