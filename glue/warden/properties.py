"""Java properties with their lines, read exactly as ``java.util.Properties.load`` reads them.

Libraries read the keys and values but not the lines. A test compares this with Java's own class.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from warden.errors import InputError, WardenError

__all__ = ["Entry", "MalformedProperties", "entries_of", "parse", "properties_of"]

_SPACE = " \t\f"
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|u|.|$)", re.DOTALL)
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")


@dataclass(frozen=True)
class Entry:
    """One property.

    Args:
        key, value: As Java has them.
        line: Number of the line where the key begins, from 1.
    """

    key: str
    value: str
    line: int


class MalformedProperties(Exception):
    """Raised where Java would refuse the file.

    Args:
        message: What is wrong.
        line: Number of the line, from 1.
    """

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def properties_of(
    path: Path,
    error: type[WardenError] = InputError,
    what: str = "properties file",
    encoding: Literal["iso-8859-1", "utf-8"] = "iso-8859-1",
) -> dict[str, str]:
    """Return the properties of a file; of a repeated key the last one counts.

    Args:
        path: The file.
        error: The class of the error for whatever is wrong with it.
        what: Which kind of file to name where this one cannot be read.
        encoding: ISO 8859-1 where Java reads a stream, as everywhere in Kafka; UTF-8 where it has a reader, as in
            ``FileConfigProvider``.

    Raises:
        WardenError: Of that class: it cannot be read, is in another encoding, or Java would refuse it.
    """
    try:
        content = path.read_bytes()
    except OSError as why:
        raise error(f"{path}: cannot be read ({why.strerror}): name a {what}") from why
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as why:
        line = content.count(b"\n", 0, why.start) + 1
        raise error(f"{path}:{line}: not properties (it is not in UTF-8): save it in UTF-8") from why
    return {entry.key: entry.value for entry in entries_of(text, path, error)}


def entries_of(text: str, path: Path, error: type[WardenError] = InputError) -> list[Entry]:
    """Return the properties in a file's text, see `parse`, with its mistakes told as an error of a class.

    Raises:
        WardenError: Of that class: Java would refuse it; the text names the line.
    """
    try:
        return list(parse(text))
    except MalformedProperties as why:
        raise error(f"{path}:{why.line}: not properties ({why}): write them, or double the backslash") from why


def parse(text: str) -> Iterator[Entry]:
    r"""Yield the properties in order, a repeated key each time; the last one counts.

    Args:
        text: The file; where Java reads it as a stream, decoded as ISO 8859-1.

    Raises:
        MalformedProperties: An escape with ``\u`` lacks its four digits.
    """
    for line, logical in _logical_lines(text):
        cut = _end_of_key(logical)
        value = logical[cut:].lstrip(_SPACE)
        value = value[1:].lstrip(_SPACE) if value[:1] in ("=", ":") else value
        yield Entry(_unescaped(logical[:cut], line), _unescaped(value, line), line)


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:  # noqa: C901 - a port, see below
    """Lines joined where a backslash ends them, without comments and blank ones, each with its first number.

    A port of ``Properties.LineReader.readLine``, state by state: what it does with a backslash at the very end, or
    before a line that would be a comment, follows from no simpler description.
    """
    line: list[str] = []
    number, first = 1, 0
    skipping, appended, escaped = True, False, False
    place = 0
    while place < len(text):
        char = text[place]
        place += 1
        here = number
        ends = char in "\r\n"
        number += char == "\n" or (char == "\r" and text[place : place + 1] != "\n")
        if skipping:
            if char in _SPACE or (ends and not appended):
                continue
            skipping = appended = False
        if not line and char in "#!":
            while place < len(text) and text[place] not in "\r\n":
                place += 1
            skipping = True
        elif not ends:
            first = first if line else here
            line.append(char)
            escaped = char == "\\" and not escaped
        elif not line:
            skipping = True
        elif escaped and place < len(text):
            line.pop()
            skipping = appended = True
            escaped = False
            if char == "\r" and text[place] == "\n":
                place += 1
                number += 1
        else:
            yield first, "".join(line[:-1] if escaped else line)
            line, skipping, escaped = [], True, False
    if line:
        yield first, "".join(line[:-1] if escaped else line)


def _end_of_key(line: str) -> int:
    place = 0
    while place < len(line) and line[place] not in f"{_SPACE}=:":
        place += 2 if line[place] == "\\" else 1
    return min(place, len(line))


def _unescaped(text: str, line: int) -> str:
    def character(found: re.Match[str]) -> str:
        escape = found[1]
        if escape == "u":
            raise MalformedProperties("an escape \\u lacks its four hexadecimal digits", line)
        return chr(int(escape[1:], 16)) if len(escape) == 5 else _ESCAPES.get(escape, escape)

    return _SURROGATES.sub(_joined, _ESCAPE.sub(character, text))


def _joined(pair: re.Match[str]) -> str:
    """One character of two escapes: Java's texts are UTF-16."""
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16")
